"""Plays Chinese Standard Mahjong with a person in one seat: the others play until the person has a choice."""

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from ...mahjong.action import format_action
from ...mahjong.errors import IllegalActionError
from ...mahjong.fan import MIN_FAN
from ...mahjong.opening import hand_after, split_discard
from ...mahjong.rules import SEATS
from ...mahjong.shanten import shanten
from ...mahjong.state import GameState
from ...mahjong.tile import FLOWER_NAMES, TILE_NAMES
from ...tactic import REVIEWER, TACTICS
from ...worth.waits import list_waits
from ..page.position import describe_ending, describe_event, describe_position
from ..records.botzone.match_log import format_log, parse_log
from ..records.record_json import parse_record_json
from ..records.source import ReadGame
from ..review import JUDGES
from ..review.decisions import replay, review_decision
from ..review.games import review_game
from ..review.judges import is_reusable, join_units, make_judges
from ..table.fan_names import ENGLISH_FANS
from ..table.match import answer_requests
from ..table.one_wall import TABLE_RULES, Flowers, make_referee
from ..table.players import TIME_LIMIT, Answer, make_player
from ..table.record import Record, Step, Transcript, rebuild_wall
from ..table.walls import wall_from_seed, wind_from_seed
from .seated_match import PERSON, Deal, SeatedMatch
from .table_game import SeatedGame, TableGame


class Tiles(NamedTuple):
    """Keeps what a game is dealt."""

    wall: list  # 136 tile names
    prevalent_wind: int  # 0..3
    flowers: Flowers | None = None  # of a game on one wall; None where each seat has a wall


class PersonGame(SeatedGame):
    """Plays a game of a person on four walls, or on one wall with flowers.

    opponents: specs for table.players.make_player. steps: those at the start of a game that is continued.
    counts_fans: whether the person counts the fan in a game on one wall. Then each complete hand may be declared, and
    one of too few fan is a false win. false_steps: indices of the steps at which the person declared one.
    record: of the steps so far. state: GameState of the person. request: the latest one to the person.
    Raises UnknownTacticError: an opponent that does not exist.
    """

    def __init__(
            self, tiles: Tiles, seat: int, opponents: Sequence[str], *, steps: Sequence[Step] = (),
            counts_fans: bool = False, false_steps: Sequence[int] = ()):
        self._tiles = tiles
        self.counts_fans = counts_fans and tiles.flowers is not None
        self._false_steps = list(false_steps)
        self.rules = [] if tiles.flowers is None else [["flowers", len(FLOWER_NAMES)]]
        super().__init__(seat, opponents, steps)

    def dump(self) -> dict:
        return {"deal": self._tiles[:2], "steps": self.record.steps, "options": {
            "flowers": self._tiles.flowers, "counts_fans": self.counts_fans, "false_wins": self._false_steps}}

    @property
    def is_over(self) -> bool:
        return self._referee.is_over

    @property
    def false_wins(self) -> int:
        return len(self._false_steps)

    def close(self) -> None:
        for player in self._opponents.values():
            player.end()

    def restore(self, steps: Sequence[Step]) -> None:
        self._referee = make_referee(*self._tiles)
        self._opponents = {seat: make_player(name) for seat, name in enumerate(self.names) if name != PERSON}
        for player in self._opponents.values():
            player.begin()
        self.record = Record(*self._tiles[:2], self.names)
        self.state = GameState()
        self.choices, self.events, self.frames = [], [], []
        self.chosen = []  # indices of the steps at which the person chose
        for step in steps:
            self._see(step.requests)
            self._count_false_win()
            if len(self._list_choices()) > 1:
                self.chosen.append(len(self.record.steps))
            for seat, player in self._opponents.items():
                player.follow(step.requests[seat], step.answers[seat].response)
            self._take(step)
        self.frames = []
        self._count_false_win()
        self.go_on()

    def undo(self) -> None:
        """Takes the latest choice back, with a false win declared at it."""
        if self.chosen:
            self._false_steps = [index for index in self._false_steps if index < self.chosen[-1]]
        super().undo()

    def _count_false_win(self):
        """Tells the referee where the person declared one at this step."""
        if len(self.record.steps) in self._false_steps:
            self._referee.false_wins[self.seat] += 1

    def go_on(self) -> None:
        while not self.is_over:
            self._see(self._referee.requests)
            self.choices = self._list_choices()
            if len(self.choices) > 1:
                return
            self._answer(self.choices[0])
        self.choices = []
        self.close()
        self.record.close(self._referee)
        transcripts = self.record.transcripts()
        by_seat = [_follow(transcript) for transcript in transcripts]
        ending = describe_ending(by_seat, transcripts, self.record.closing, scores=self.record.scores)
        self.show(ending, describe_position(by_seat))

    def _list_choices(self):
        choices, fan = self.state.action_space(), self.state.win_fan()
        is_false = 0 < fan < MIN_FAN + self.state.players[self.seat].n_flowers
        can_declare = self.state.is_my_turn or (self.state.last_tile is not None and self.state.last_pid != self.seat)
        if self.counts_fans and is_false and can_declare and len(self.record.steps) not in self._false_steps:
            choices.append(("HU", fan))
        return choices

    def act(self, action: tuple) -> None:
        """Takes one of the choices and goes on. After a false win the person chooses again, where there is a choice."""
        if action[0] != "HU" or action in self.state.action_space():
            super().act(action)
            return
        self._false_steps.append(len(self.record.steps))
        self._count_false_win()
        self.choices, self.frames = self._list_choices(), self.frames[-1:]
        if len(self.choices) == 1:
            self._answer(self.choices[0])
            self.frames = []
            self.go_on()

    def list_waits(self) -> dict[str, list]:
        waits = {}
        for action in self.choices:
            if action[0] in ("HU", "GANG", "BUGANG"):
                continue
            counts, melds = hand_after(self.state, *split_discard(action))
            if shanten(counts, len(melds)) == 0:
                waits[format_action(action)] = [[TILE_NAMES[tile], self.state.unseen[tile], fan or drawn, fan is None]
                                                for tile, fan, drawn in list_waits(self.state, counts, melds)]
        return waits

    def _see(self, requests):
        self.request = requests[self.seat]
        self.state.apply(self.request)
        by_seat = [self.state if seat == self.seat else None for seat in range(SEATS)]
        self.show(describe_event(by_seat, len(self.record.steps)), describe_position(by_seat))

    def choose(self, action: tuple) -> None:
        self.chosen.append(len(self.record.steps))
        self._answer(action)

    def _answer(self, action):
        referee = self._referee
        answers = answer_requests(referee, lambda seat, request: Answer(format_action(action)) if seat == self.seat else
                                  self._opponents[seat].respond(request))
        self._take(Step(referee.requests, referee.display(), answers))

    def _take(self, step):
        self.record.steps.append(step)
        self.state.answer(step.answers[self.seat].response)
        self._referee.step([answer.response for answer in step.answers], [answer.verdict for answer in step.answers])


def _follow(transcript):
    """Returns the GameState of a seat at its last request."""
    state = GameState()
    for index, request in enumerate(transcript.requests):
        if index:
            state.answer(transcript.responses[index - 1])
        state.apply(request)
    return state


class StandardGame(TableGame):
    """The TableGame of Chinese Standard Mahjong."""

    offered = tuple(reversed(TACTICS))
    opponent = REVIEWER
    judges = JUDGES
    rules = tuple(TABLE_RULES)
    fan_names = ENGLISH_FANS
    is_standard = True
    load_player = staticmethod(make_player)
    load_adviser = staticmethod(make_judges)
    format = staticmethod(format_log)

    def __init__(self):
        self._judges = {}  # {specs of judges: TacticPlayers, if they answer every position as new ones would}

    def deal(self, match: SeatedMatch, deal: Deal) -> PersonGame:
        flowers = TABLE_RULES[match.rules](deal.seed)
        # A new round begins every four hands.
        wind = wind_from_seed(deal.seed) if flowers is None else len(match.scores) // SEATS % SEATS
        return PersonGame(Tiles(wall_from_seed(deal.seed), wind, flowers), deal.seat, match.list_opponents(deal),
                          counts_fans=match.counts_fans)

    def load(self, content: dict, seat: int, opponents: Sequence[str]) -> PersonGame:
        steps = [Step(requests, display, [Answer(*answer) for answer in answers])
                 for requests, display, answers in content["steps"]]
        options = content["options"]
        return PersonGame(Tiles(*content["deal"], options["flowers"]), seat, opponents, steps=steps,
                          counts_fans=options["counts_fans"], false_steps=options["false_wins"])

    def judge(self, game: PersonGame, judges: str, text: str | None = None) -> dict:
        players = self._judges.get(judges) or make_judges(judges, TIME_LIMIT)
        if all(is_reusable(player.tactic) for player in players):
            self._judges[judges] = players
        requests, responses = game.record.transcripts()[game.seat]
        transcript = Transcript([*requests, game.request], responses + [text] * (text is not None))
        opinions = [next(replay(transcript, player, first=len(requests))) for player in players]
        return dict(review_decision(*opinions), unit=join_units(players), adviser=judges)

    def parse(self, text: str, name: str) -> Record:
        record = parse_log(parse_record_json(text), name)
        if record.wall is None or PERSON not in record.players or record.scores is None:
            raise IllegalActionError("expected a finished game with a person, got %s", name)
        return record

    def replay(self, record: Record, frame: int | None, seat: int, *, opponents: Sequence[str]) -> PersonGame:
        if frame is not None and not 0 <= frame < len(record.steps):
            raise IllegalActionError("expected an event 0 .. %d of %s, got %r", len(record.steps) - 1, record.name,
                                     frame)
        # Where the record has no wall, nobody knows the tiles that were not drawn.
        wall = rebuild_wall(record, secrets.SystemRandom().shuffle)
        return PersonGame(Tiles(wall, record.prevalent_wind, record.list_free_flowers()), seat, opponents,
                          steps=record.steps[:frame])

    def review(self, record: Record, judges: str) -> dict:
        return review_game(ReadGame(record.name, record, record.transcripts(), None), judges,
                           first=record.players.index(PERSON))
