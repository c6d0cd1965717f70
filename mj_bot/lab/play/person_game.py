"""Plays one game with a person in one seat: the other seats play until the person has a choice."""

from collections.abc import Sequence

from ...mahjong.action import format_action
from ...mahjong.errors import IllegalActionError
from ...mahjong.fan import MIN_FAN
from ...mahjong.opening import hand_after, split_discard
from ...mahjong.rules import SEATS
from ...mahjong.shanten import shanten
from ...mahjong.state import GameState
from ...mahjong.tile import FLOWER_NAMES, TILE_NAMES
from ...worth.waits import list_waits
from ..page.position import describe_ending, describe_event, describe_position
from ..table.one_wall import make_referee
from ..table.players import Answer, make_player
from ..table.record import Record, Step, describe_origin

PERSON = "person"


class SeatedGame(object):
    """Plays a game with a person in one seat: takes choices, and takes them back. Subclasses know the rules.

    seat: of the person, 0..3. opponents: specs of the three others, the next to play first.
    names: of the players by seat.
    marked: names of the tiles that the page marks.
    rules: [name, value] of each setting in force that the page tells.
    choices: action tuples from which the person chooses; [] when the game is over.
    events: all events that the person saw, see page/position.py; the last one of a finished game is END.
    frames: {"event", "position"} since the person's latest choice, the present state last. Positions show what the
    person sees; at the end they show all.

    A subclass has also

        record          with its list of steps
        is_over         whether the game has ended
        dump()          JSON of the game so far; load(dump(), seat, opponents) of the class returns the same game
        list_waits()    {text of a choice: waits of the hand after it} where it is ready then; a wait is [tile name,
                        copies unseen, fan or None, whether by self-draw alone]
        chosen          number of steps before each choice that the person has taken
        restore, choose, go_on      methods of this class
    """

    marked = rules = ()
    counts_fans, false_wins = False, 0

    def __init__(self, seat: int, opponents: Sequence[str], steps: Sequence):
        self.seat = seat
        names = [PERSON] + list(opponents)
        self.names = [names[(player_seat - seat) % SEATS] for player_seat in range(SEATS)]
        self.restore(steps)

    def close(self):
        """Ends the opponents' processes."""

    @property
    def can_undo(self) -> bool:
        """Tells whether there is a choice to take back."""
        return bool(self.chosen)

    def act(self, action: tuple):
        """Takes one of the choices and goes on to the next choice or the end."""
        self.frames = []
        self.choose(action)
        self.go_on()

    def undo(self):
        """Takes the person's latest choice back with all later steps. Raises IllegalActionError: there is none."""
        if not self.chosen:
            raise IllegalActionError("expected a choice to take back, got none")
        steps = self.record.steps[:self.chosen[-1]]
        self.close()
        self.restore(steps)

    def restore(self, steps: Sequence) -> None:
        """Restores the game after some steps, and goes on to the next choice."""
        raise NotImplementedError

    def choose(self, action: tuple) -> None:
        """Takes the person's choice, and adds to `chosen`."""
        raise NotImplementedError

    def go_on(self) -> None:
        """Lets the opponents play until the person has a choice or the game is over."""
        raise NotImplementedError

    def show(self, event: dict, position: dict) -> None:
        """Adds an event and the position after it to what the page shows."""
        self.events.append(event)
        self.frames.append({"event": event, "position": position})


def find_person(record: Record) -> tuple[int, list[str]]:
    """Returns (seat of the person, names of the opponents from the next to play on) of a record."""
    seat = record.players.index(PERSON)
    return seat, [record.players[(seat + offset) % SEATS] for offset in range(1, SEATS)]


class PersonGame(SeatedGame):
    """Plays a game of a person on four walls, or on one wall with flowers.

    deal: (the wall, 136 tile names; the prevalent wind, 0..3). seat: of the person, 0..3.
    opponents: specs for table.players.make_player, the next to play first.
    steps: the steps at the start of a game that is continued.
    flowers: [(draws, seat or None, 1..8)] of a game on one wall, see table.one_wall.OneWallReferee; None where each
    seat has a wall.
    counts_fans: whether the person counts the fan in a game on one wall. Then each complete hand may be declared, and
    one of too few fan is a false win. false_wins: indices of the steps at which the person declared one.
    record: of the steps so far. state: GameState of the person. request: the latest one to the person.
    Raises UnknownTacticError: an opponent that does not exist.
    """

    def __init__(
            self, deal: tuple, seat: int, opponents: Sequence[str], *, steps: Sequence[Step] = (),
            flowers: list | None = None, counts_fans: bool = False, false_wins: Sequence[int] = ()):
        self._deal, self._flowers = deal, flowers
        self.counts_fans = counts_fans and flowers is not None
        self._false_wins = list(false_wins)
        self.rules = [] if flowers is None else [["flowers", len(FLOWER_NAMES)]]
        super().__init__(seat, opponents, steps)

    @classmethod
    def load(cls, content: dict, seat: int, opponents: Sequence[str]) -> "PersonGame":
        """Returns the game of a dump(). Raises TypeError, KeyError: the content is none."""
        steps = [Step(requests, display, [Answer(*answer) for answer in answers])
                 for requests, display, answers in content["steps"]]
        return cls(tuple(content["deal"]), seat, opponents, **dict(content["options"], steps=steps))

    def dump(self) -> dict:
        """Returns the game so far as JSON."""
        return {"deal": self._deal, "steps": self.record.steps, "options": {
            "flowers": self._flowers, "counts_fans": self.counts_fans, "false_wins": self._false_wins}}

    @property
    def is_over(self) -> bool:
        """Tells whether the game has ended."""
        return self._referee.is_over

    def close(self):
        """Ends the opponents' processes."""
        for player in self._opponents.values():
            player.end()

    def restore(self, steps: Sequence[Step]) -> None:
        """Restores the game after some steps, and goes on to the next choice."""
        self._referee = make_referee(*self._deal, self._flowers)
        self._opponents = {seat: make_player(name) for seat, name in enumerate(self.names) if name != PERSON}
        for player in self._opponents.values():
            player.begin()
        self.record = Record(*self._deal, self.names, origin=describe_origin(self._referee))
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

    def undo(self):
        """Takes the latest choice back, with a false win declared at it."""
        if self.chosen:
            self._false_wins = [index for index in self._false_wins if index < self.chosen[-1]]
        super().undo()

    def _count_false_win(self):
        """Tells the referee where the person declared one at this step."""
        if len(self.record.steps) in self._false_wins:
            self._referee.false_wins[self.seat] += 1

    def go_on(self) -> None:
        """Lets the opponents play until the person has a choice or the game is over."""
        while not self.is_over:
            self._see(self._referee.requests)
            self.choices = self._list_choices()
            if len(self.choices) > 1:
                return
            self._answer(format_action(self.choices[0]))
        self.choices = []
        self.close()
        self.record.origin = describe_origin(self._referee)
        self.record.closing = self._referee.display()
        self.record.scores = self._referee.scores
        transcripts = self.record.transcripts()
        by_seat = [_follow(transcript) for transcript in transcripts]
        ending = describe_ending(by_seat, transcripts, self.record.closing, scores=self.record.scores)
        self.show(ending, describe_position(by_seat))

    def _list_choices(self):
        choices, fan = self.state.action_space(), self.state.win_fan()
        is_false = 0 < fan < MIN_FAN + self.state.players[self.seat].n_flowers
        can_declare = self.state.is_my_turn or (self.state.last_tile is not None and self.state.last_pid != self.seat)
        if self.counts_fans and is_false and can_declare and len(self.record.steps) not in self._false_wins:
            choices.append(("HU", fan))
        return choices

    @property
    def false_wins(self) -> int:
        """The number of false wins of the person so far."""
        return len(self._false_wins)

    def act(self, action: tuple):
        """Takes one of the choices and goes on. After a false win the person chooses again, where there is a choice."""
        if action[0] == "HU" and action not in self.state.action_space():
            self._false_wins.append(len(self.record.steps))
            self._referee.false_wins[self.seat] += 1
            self.choices, self.frames = self._list_choices(), self.frames[-1:]
            if len(self.choices) > 1:
                return
            self._answer(format_action(self.choices[0]))
            self.frames = []
            self.go_on()
        else:
            super().act(action)

    def list_waits(self) -> dict[str, list]:
        """Returns {text of a choice: waits of the hand after it} for the choices that leave a ready hand."""
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
        """Takes the person's choice."""
        self.chosen.append(len(self.record.steps))
        self._answer(format_action(action))

    def _answer(self, response):
        requests = self._referee.requests
        answers = [Answer(response) if seat == self.seat else self._opponents[seat].respond(request)
                   for seat, request in enumerate(requests)]
        settled = self._referee.settle_false_wins([answer.response for answer in answers])
        answers = [answer._replace(response=text) for answer, text in zip(answers, settled)]
        self._take(Step(requests, self._referee.display(), answers))

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
