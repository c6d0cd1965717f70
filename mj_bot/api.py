"""Offers to other programs: records, positions, hands, tactics, games, matches and sampled worlds; see docs/api.md.

The names in __all__ follow the version of the package. Everything else may change. Wrong input raises MahjongError.
Parts of the workshop are imported where a function needs them, so that this module starts as fast as the bot.
"""

import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from .mahjong.action import format_action, parse_action
from .mahjong.errors import (IllegalActionError, InvalidHandError, InvalidTileError, MahjongError, ModelMismatchError,
                             ProtocolError, TacticError, UnknownTacticError)
from .mahjong.state import GameState
from .tactic import load_tactic
from .tactic.base import Evaluation, Tactic

if TYPE_CHECKING:
    from .lab.worlds import Worlds

__all__ = [
    "Decision", "Evaluation", "Fan", "FanCount", "GameState", "IllegalActionError", "Interval", "InvalidHandError",
    "InvalidTileError", "MahjongError", "MatchResult", "ModelMismatchError", "Opinion", "Outlook", "PlayerResult",
    "ProtocolError", "RecordedGame", "Tactic", "TacticError", "UnknownTacticError", "count_fans", "format_action",
    "load_tactic", "look_ahead", "parse_action", "play_game", "play_match", "play_world", "read_games", "review",
    "sample_worlds", "state_from_hand", "state_from_requests", "think",
]

Action = Tuple  # ("PLAY", "W1"), ("CHI", "W2", "J3"), ("HU", 12), see mj_bot/mahjong/action.py
_WIND_LETTERS = "ESWN"


def state_from_requests(requests: Sequence[str], responses: Sequence[str] = ()) -> GameState:
    """Returns the GameState of a seat after Botzone's requests.

    requests: texts as Botzone sends them, such as "2 W5". responses: the answers to all but the last request, or none
    at all: only a concealed kong among several possible ones needs them.
    Raises ProtocolError, InvalidTileError: with the number of the request that does not fit.
    """
    requests, responses = (list(texts) if isinstance(texts, tuple) else texts for texts in (requests, responses))
    if responses == [] and isinstance(requests, list):
        state = GameState()
        for request in requests:
            state.apply(request)
        return state
    return GameState().load_json({"requests": requests, "responses": responses})


def state_from_hand(hand: str, *, river: str = "", unseen: str = "", winds: str = "") -> GameState:
    """Returns the GameState of a hand without the moves that led to it.

    hand: 13 tiles before a draw, or 14 after one, the drawn tile last, as `mj-bot hand --help` tells them.
    river: discards of the four seats, the hand's owner first, such as "19mE/5p[EEE,1]/1s/P".
    unseen: copies that the owner does not see, such as "5p=0 E=1". winds: prevalent wind and seat wind, such as "SE",
    of a hand that names none.
    Raises InvalidHandError: with the part of the text that is wrong.
    """
    from .lab.hand.notation import parse_hand
    from .lab.hand.hand_position import HandState, parse_rivers, parse_unseen

    parsed = parse_hand(_check_text(hand), _check_text(winds))
    rivers, melds = parse_rivers(_check_text(river), parsed.seat_wind)
    return HandState(parsed, rivers, melds, unseen=parse_unseen(_check_text(unseen)))


def _check_text(text: str) -> str:
    if not isinstance(text, str):
        raise InvalidHandError("expected a text, got %.80r" % (text,))
    return text


class Decision(NamedTuple):
    """A choice among two or more actions in a recorded game."""

    seat: int  # 0..3, 0 is east
    number: int  # of the seat's decisions, from 0
    state: GameState  # what the seat saw
    action: Optional[Action]  # what it did; None for an answer that no player can give


class RecordedGame:
    """A game from a record, or one that was played here.

    where: the file, with the line or number of one of several games. players: 4 names, [] where the record has none.
    seats: the seats whose hands the record has. prevalent_wind: 0..3, None where the record has one seat alone.
    scores: 4 numbers, None where the record has none. error: why the record breaks, a MahjongError; None for a whole
    record. The part before the error can be read.
    """

    def __init__(self, source: Any) -> None:
        """source: mj_bot.lab.records.source.ReadGame."""
        record = source.record
        self._source = source
        self.where: str = source.where
        self.error: Optional[MahjongError] = source.error
        self.players: List[str] = list(map(str, record.players)) if record else []
        self.prevalent_wind: Optional[int] = record.prevalent_wind if record else None
        self.scores: Optional[List[int]] = list(record.scores) if record and record.scores else None
        self.seats: List[int] = [transcript.seat for transcript in source.transcripts if transcript.seat is not None]

    def decisions(self, seat: Optional[int] = None) -> Iterator[Decision]:
        """Yields each Decision of the game, seat after seat. seat: 0..3 for one seat alone.

        Raises ProtocolError, InvalidTileError: the record breaks the rules here.
        """
        for transcript in self._source.transcripts:
            if seat in (None, transcript.seat):
                yield from _list_decisions(transcript)

    def state(self, seat: int, number: int) -> GameState:
        """Returns what a seat saw at one of its decisions.

        number: of the decision, 0 is the first, -1 the last. Raises ProtocolError: there is no such decision.
        """
        states = [decision.state for decision in self.decisions(seat)]
        if not -len(states) <= number < len(states):
            raise ProtocolError("expected a decision 0..%d of seat %r, got %r in %s" % (
                len(states) - 1, seat, number, self.where))
        return states[number]

    def format(self, form: str) -> str:
        """Returns the text of the game in another form of records.

        form: such as "official", "golden", "log", "tziakcha", "salasasa" or "botzone".
        Raises ProtocolError, IllegalActionError: an unknown form, a form that cannot express the game, a record of one
            seat, or a record that breaks the rules.
        """
        from .lab.records.follow import game_from_record
        from .lab.records.formats import format_game, list_writers

        if form not in list_writers():
            raise ProtocolError("expected a form, one of %s, got %r" % (", ".join(sorted(list_writers())), form))
        if self._source.record is None or self.error:
            raise ProtocolError("expected a whole game of four seats, got %s: %s" % (
                self.where, self.error or "the record of one seat"))
        game = game_from_record(self._source.record)
        game.where = self.where
        return format_game(form, game)

    def __repr__(self) -> str:
        return "RecordedGame(%r, players=%r, scores=%r, error=%r)" % (
            self.where, self.players, self.scores, self.error and str(self.error))


def _list_decisions(transcript: Any) -> Iterator[Decision]:
    state, number, responses = GameState(), 0, transcript.responses
    for index, request in enumerate(transcript.requests):
        state.apply(request)
        if index >= len(responses):
            return
        if len(state.action_space()) > 1:
            try:
                action = parse_action(responses[index], state.win_fan() if responses[index] == "HU" else 0)
            except IllegalActionError:
                action = None
            yield Decision(transcript.seat, number, state.copy(), action)
            number += 1
        if index + 1 < len(transcript.requests):  # the judge ends a game at an illegal answer
            state.answer(responses[index])


def read_games(source: Union[str, "os.PathLike[str]", bytes]) -> Iterator[RecordedGame]:
    """Yields each game of records in any form that `mj-bot review` reads.

    source: path of a file or folder, a link to a match, or the bytes of a file. A broken record gives a game with its
    error, and the reading goes on. A file has limits on games, size and time, which an error names.
    Raises ProtocolError: there is no such file.
    """
    from .lab.records.source import ReadLimits, list_files
    from .lab.records.source import read_games as read_file

    if isinstance(source, bytes):
        yield from map(RecordedGame, read_file("bytes", source, limits=ReadLimits()))
        return
    for path in list_files([os.fspath(source)]):
        yield from map(RecordedGame, read_file(path, limits=ReadLimits()))


class Opinion(NamedTuple):
    """Keeps what a tactic thinks of a position."""

    action: Action  # its choice
    ranked: List[Tuple[Action, float]]  # the choice first, then by falling values; [] where the tactic has no values
    unit: str  # of the values, such as "points"; "" without values
    reasons: str  # of the choice, in words
    explanation: Optional[Dict[str, Any]]  # figures of the tactic; cnn has {"outcomes": {outcome: chance}}


def think(tactic: Union[str, Tactic], state: GameState, time_limit: Optional[float] = None) -> Opinion:
    """Returns the Opinion of a tactic on a position.

    tactic: a tactic, or its spec as load_tactic takes it. time_limit: seconds; only the main thread keeps it.
    The state is not changed. Raises TacticError: the tactic fails, is too late, or gives an illegal action.
    """
    from .lab.table.players import call_tactic
    from .tactic.tactic_check import read_remarks
    from .trouble import check_action

    name = tactic if isinstance(tactic, str) else type(tactic).__name__
    tactic = load_tactic(tactic) if isinstance(tactic, str) else tactic
    legal = state.action_space()
    action = call_tactic(tactic, name, time_limit, tactic, state.copy())
    check_action(action, name, tactic, legal=legal, request="the latest request", hand=state.my_hand)
    ranked, reasons, _ = call_tactic(tactic, name, None, read_remarks, tactic, legal)
    return Opinion(action, ranked, getattr(tactic, "value_unit", ""), reasons, getattr(tactic, "explanation", None))


class Fan(NamedTuple):
    """A fan of a winning hand."""

    name: str  # of the judge, in Chinese
    english: str
    points: int  # of one copy
    copies: int


class FanCount(NamedTuple):
    """The fans of a hand."""

    fans: List[Fan]  # without flowers; [] for a hand that is not complete
    fan: int  # their sum
    flowers: int

    @property
    def total(self) -> int:
        """The fan that are paid: with flowers, which do not count for the least fan of a win."""
        return self.fan + self.flowers

    @property
    def is_win(self) -> bool:
        """Whether the hand has the eight fan of a win."""
        from .mahjong.fan import MIN_FAN

        return self.fan >= MIN_FAN


def count_fans(hand: str, *, seat_wind: Optional[str] = None, prevalent_wind: Optional[str] = None,
               is_self_drawn: Optional[bool] = None, is_last_of_kind: Optional[bool] = None,
               is_last_of_wall: Optional[bool] = None, is_kong: Optional[bool] = None, flowers: Optional[int] = None,
               rules: str = "botzone") -> FanCount:
    """Returns the fans of a hand of 14 tiles, the winning one last.

    hand: as `mj-bot hand --help` tells it, such as "[EEE,1]123m456s78p55p9p". What the following arguments leave at
    None is as the text says, and without a word there it is False, east or 0.
    seat_wind, prevalent_wind: "E", "S", "W" or "N". is_self_drawn: whether the winner drew the tile.
    is_last_of_kind: whether the other three copies are in the open. is_last_of_wall: whether the tile is the last one
    of the wall. is_kong: whether the tile was drawn after a kong, or robbed from one. flowers: 0 to 8.
    rules: "botzone", "mil" or "green-book", see `mj-bot hand --help`.
    Raises InvalidHandError: a hand of another size, tiles that no game has, or facts that exclude each other.
    ProtocolError: MahjongGB is not installed.
    """
    from .lab.hand.answer import describe_win
    from .lab.hand.notation import format_hand, parse_hand
    from .lab.hand.hand_position import HandState
    from .lab.hand.rule_sets import RULE_SETS
    from .lab.run.command import check_fan_counter
    from .lab.table.fan_names import ENGLISH_FANS

    check_fan_counter()
    if rules not in RULE_SETS:
        raise InvalidHandError("expected rules, one of %s, got %.80r" % (", ".join(RULE_SETS), rules))
    facts = {"seat_wind": _read_wind(seat_wind), "prevalent_wind": _read_wind(prevalent_wind),
             "is_self_drawn": is_self_drawn, "is_fourth_tile": is_last_of_kind, "is_last_tile": is_last_of_wall,
             "is_about_kong": is_kong, "flowers": flowers}
    parsed = parse_hand(_check_text(hand))
    # The reader refuses what no game can have, so it reads the hand with all facts again.
    parsed = parse_hand(format_hand(parsed._replace(**{
        name: fact for name, fact in facts.items() if fact is not None})))
    if parsed.size != 14:
        raise InvalidHandError("expected a hand of 14 tiles, the winning one last, got %d in %r" % (parsed.size, hand))
    win = describe_win(parsed, HandState(parsed), rules) or {"fans": [], "fan": 0}
    fans = [Fan(name, ENGLISH_FANS.get(name, ""), points, copies) for points, copies, name in win["fans"]]
    return FanCount(fans, win["fan"], parsed.flowers)


def _read_wind(letter: Optional[str]) -> Optional[int]:
    if letter is None:
        return None
    if not isinstance(letter, str) or len(letter) != 1 or letter not in _WIND_LETTERS:
        raise InvalidHandError("expected a wind, one of E, S, W and N, got %.80r" % (letter,))
    return _WIND_LETTERS.index(letter)


class Outlook(NamedTuple):
    """Describes what the hand may become after an action."""

    action: Action
    shanten: int  # tiles to a ready hand: 0 ready, -1 complete
    useful: List[Tuple[str, int]]  # (tile, copies unseen) that lower it
    eight_fan: Optional[int]  # tiles to a hand that waits for a win of eight fan; None where none is in reach
    waits: List[Tuple[str, int, Optional[int], Optional[int]]]  # (tile, copies unseen, fan on a discard, fan by
    # self-draw) of the wins with eight fan; None for a way that has fewer
    aims: List[Tuple[str, int]]  # (fan by the judge's name, missing tiles) of the nearest hands of eight fan


def look_ahead(state: GameState, action: Optional[Action] = None) -> Outlook:
    """Returns the Outlook of a seat after an action.

    action: a legal one. With None it is a pass, or in the own turn the discard that keeps the hand nearest to a win of
    eight fan.
    Raises IllegalActionError: another action. ProtocolError: MahjongGB is not installed.
    """
    from .lab.review.facts import Facts
    from .lab.run.command import check_fan_counter

    check_fan_counter()
    facts, legal = Facts(state), state.action_space()
    if action is None:
        discards = [known for known in legal if known[0] == "PLAY"] or [("PASS",)]
        return min((_describe_outlook(facts, known) for known in discards), key=_rank_outlook)
    if action not in legal and (action != ("PASS",) or state.is_my_turn):
        raise IllegalActionError("expected one of %.300r, got %.80r" % (legal, action))
    return _describe_outlook(facts, action)


def _describe_outlook(facts: Any, action: Action) -> Outlook:
    found = facts.describe(action)
    return Outlook(action, found["shanten"], list(map(tuple, found["useful"])), found["eight"],
                   list(map(tuple, found["wins"])), list(map(tuple, found["aims"])))


def _rank_outlook(outlook: Outlook) -> Tuple[float, int, int]:
    waits = outlook.waits or outlook.useful
    return (float("inf") if outlook.eight_fan is None else outlook.eight_fan, outlook.shanten,
            -sum(wait[1] for wait in waits))


def play_game(players: Sequence[Union[str, Tactic]], *, seed: int = 0, wall: Optional[Sequence[str]] = None,
              prevalent_wind: Optional[int] = None, time_limit: Optional[float] = None) -> RecordedGame:
    """Plays one game by the judge's rules and returns it.

    players: of the four seats, east first: tactics, each its own object, or specs as `mj-bot referee` takes them.
    seed: of the wall and the prevalent wind. wall: 136 tile names instead, seat i draws from the end of its quarter.
    prevalent_wind: 0..3 instead of that of the seed. time_limit: seconds for an answer.
    A player that fails loses by the rules, and a line on stderr says why.
    Raises UnknownTacticError, TacticError: no such player. InvalidTileError, InvalidHandError: an impossible wall.
    """
    from .lab.table import match
    from .lab.table.walls import wall_from_seed, wind_from_seed

    record = match.play_game(_seat_players(players, time_limit), wall_from_seed(seed) if wall is None else list(wall),
                             wind_from_seed(seed) if prevalent_wind is None else prevalent_wind)
    return _wrap_record(record, "a game of seed %d" % seed)


def _seat_players(players: Sequence[Union[str, Tactic]], time_limit: Optional[float]) -> List[Any]:
    from .lab.table.players import TIME_LIMIT, TacticPlayer, make_player

    tactics = [player for player in players if not isinstance(player, str)]
    if len(players) != 4 or len(set(map(id, tactics))) != len(tactics):
        raise MahjongError("expected four players, each tactic with an object of its own, got %.200r" % (players,))
    limit = TIME_LIMIT if time_limit is None else time_limit
    return [make_player(player, limit) if isinstance(player, str)
            else TacticPlayer(player, type(player).__name__, limit) for player in players]


def _wrap_record(record: Any, where: str) -> RecordedGame:
    from .lab.records.source import ReadGame

    return RecordedGame(ReadGame(where, record, record.transcripts(), None))


def sample_worlds(state: GameState, count: int = 1000, *, seed: int = 0, judge: Optional[str] = None,
                  discards: int = 6) -> "Worlds":
    """Returns worlds that fit a state: tiles that the other seats and the walls may have.

    state: a state that requests have made, of a game without flowers. count: of worlds. seed: 0 .. 2**64 - 1; equal
    seeds give equal worlds on every machine.
    judge: spec of a tactic with points, "cnn" or "search": worlds in which the latest discards of the others make sense
    to it weigh more. None gives all worlds one weight. discards: how many of the latest discards count.
    The result has walls, hands, weights and effective_size, see docs/api.md; its method play plays all worlds on.
    Raises ProtocolError: a state or number of another kind. UnknownTacticError, TacticError: no such judge.
    """
    from .lab import worlds

    sampled = worlds.sample_worlds(state, count, seed=seed)
    if judge is not None:
        sampled.weigh(judge, discards)
    return sampled


def play_world(worlds: "Worlds", index: int, players: Sequence[Union[str, Tactic]], *,
               time_limit: Optional[float] = None) -> RecordedGame:
    """Plays one world to its end by the judge's rules and returns the whole game, with its moves so far.

    worlds: of sample_worlds. index: 0 .. len(worlds) - 1. players, time_limit: as play_game takes them.
    Raises MahjongError: no such world. UnknownTacticError, TacticError: no such player.
    """
    if not 0 <= index < len(worlds):
        raise MahjongError("expected a world 0..%d, got %r" % (len(worlds) - 1, index))
    return _wrap_record(worlds.play_record(index, _seat_players(players, time_limit)), "world %d" % index)


class Interval(NamedTuple):
    """An estimate with its 95% interval; low and high are None where the walls show no spread."""

    mean: float
    low: Optional[float]
    high: Optional[float]


class PlayerResult(NamedTuple):
    """A player's part of a match."""

    name: str
    games: int
    score: Interval  # points a game
    elo: Interval


class MatchResult(NamedTuple):
    """The result of a match; str() gives the tables that `mj-bot arena` prints."""

    walls: int
    games: int
    players: List[PlayerResult]
    differences: Dict[Tuple[str, str], Interval]  # points a game of the first name less those of the second
    data: Dict[str, Any]  # as `mj-bot arena --json` writes it

    @property
    def winner(self) -> Optional[str]:
        """The name of the player that is better than each other one beyond its interval; None where none is shown."""
        for player in self.players:
            if all((interval.low or 0) > 0 if pair[0] == player.name else (interval.high or 0) < 0
                   for pair, interval in self.differences.items() if player.name in pair):
                return player.name
        return None

    def __str__(self) -> str:
        from .lab.arena.result import format_tables

        return format_tables(self.data)


def play_match(players: Sequence[str], *, walls: int = 100, seed: int = 0, rotations: int = 24, workers: int = 1,
               time_limit: Optional[float] = None) -> MatchResult:
    """Plays a duplicate match, every wall in several seatings, and returns its result. Needs the extra `arena`.

    players: two specs, each with two seats, or four. walls: their number. seed: of the walls. rotations: seatings a
    wall, 24 or 4. workers: processes; with more than one the calling script needs `if __name__ == "__main__"`.
    time_limit: seconds for an answer.
    Raises UnknownTacticError, TacticError: no such player, or one that fails. MahjongError: another wrong argument.
    """
    from .lab.arena.result import build_result
    from .lab.arena.run_match import prepare_match, run_match
    from .lab.arena.schedule import MAX_WALLS, make_match
    from .lab.table.players import TIME_LIMIT

    limit = TIME_LIMIT if time_limit is None else time_limit
    if rotations not in (4, 24) or not 1 <= walls <= MAX_WALLS:
        raise MahjongError("expected 4 or 24 rotations and 1 .. %d walls, got %r and %r" % (
            MAX_WALLS, rotations, walls))
    match = make_match(list(players), seed=seed, rotations=rotations, time_limit=limit)
    fingerprint, choose, _ = prepare_match(match, "", False)
    board, measured = run_match(match, walls, fingerprint, rule=None, folder=None, workers=workers, ray_address=None,
                                choose=choose, is_silent=True)
    data = build_result(match, board, None, command="mj_bot.api.play_match", fingerprint=fingerprint,
                        measured=measured, memory_mb=[0] * len(match.names), most_walls=walls)
    results = [PlayerResult(entry["name"], entry["games"], _read_interval(entry, "score"), _read_interval(entry, "elo"))
               for entry in data["players"]]
    differences = {(entry["first"], entry["second"]): _read_interval(entry, "score") for entry in data["differences"]}
    return MatchResult(data["walls"], data["games"], results, differences, data)


def _read_interval(entry: Dict[str, Any], name: str) -> Interval:
    return Interval(*(entry["%s_%s" % (name, end)] for end in ("mean", "low", "high")))


def review(game: RecordedGame, judges: str = "cnn,search", seat: Optional[int] = None,
           time_limit: Optional[float] = None) -> Dict[str, Any]:
    """Returns the review of a game as a dict for JSON, as `mj-bot review --json` writes it.

    judges: specs, one after another; a mistake counts where all see one. seat: 0..3 for one seat alone.
    time_limit: seconds for an answer of a judge.
    The dict is described in mj_bot/lab/review/games.py: result["reviews"][seat]["decisions"] has for each decision
    the logged and the chosen action, the loss in points, the reasons and the facts of the hand.
    Raises UnknownTacticError, TacticError: no such judge, or one that fails.
    """
    from .lab.review.games import review_game
    from .lab.table.players import TIME_LIMIT

    return review_game(game._source, judges, seat, time_limit=TIME_LIMIT if time_limit is None else time_limit)
