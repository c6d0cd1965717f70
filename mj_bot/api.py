"""Offers the package to other programs: records, positions, hands, tactics, games, matches and sampled worlds.

docs/api.md is the page for its users. The names in __all__ keep working within a major version of the package, and
everything else may change. Wrong input raises a MahjongError. Functions import the parts of the workshop that they
need, so that importing this module takes no longer than importing the bot.
"""

import contextlib
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

# ("PLAY", "W1"), ("CHI", "W2", "J3"), ("HU", 12) and so on; mj_bot/mahjong/action.py lists all.
Action = Tuple
_WIND_LETTERS = "ESWN"  # east, south, west and north; the index is the wind 0..3


def state_from_requests(requests: Sequence[str], responses: Sequence[str] = ()) -> GameState:
    """Returns the GameState of a seat after Botzone's requests.

    requests: texts as Botzone sends them, such as "2 W5", from the first of the game on.
    responses: the seat's answers to all requests but the last one. They may be left out, unless the seat has made a
    concealed kong when it had the tiles for several.
    Raises ProtocolError, InvalidTileError: a request does not fit; the message has its number.
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

    hand: 13 tiles before a draw, or 14 tiles of which the last one was drawn, such as "123m456s789pEE55p".
    `mj-bot hand --help` describes the notation.
    river: discards and open melds of the four seats, separated by "/", with the hand's owner first, such as
    "19mE/5p[EEE,1]/1s/P".
    unseen: tiles with the number of copies that the owner does not see, such as "5p=0 E=1".
    winds: prevalent wind and seat wind, such as "SE", for a hand whose text names none.
    Raises InvalidHandError: a text is wrong; the message has the wrong part.
    """
    from .lab.hand.notation import parse_hand
    from .lab.hand.hand_position import make_hand_state, parse_rivers, parse_unseen

    parsed = parse_hand(_check_text(hand), _check_text(winds))
    rivers, melds = parse_rivers(_check_text(river), parsed.seat_wind)
    return make_hand_state(parsed, rivers, melds, unseen=parse_unseen(_check_text(unseen)))


def _check_text(text: str) -> str:
    """Returns the text. Raises InvalidHandError: it is not a str."""
    if not isinstance(text, str):
        raise InvalidHandError("expected a text, got %.80r", text)
    return text


class Decision(NamedTuple):
    """Keeps a choice among two or more actions in a recorded game."""

    seat: int  # 0..3, 0 is east
    decision_index: int  # position among the decisions of this seat, from 0
    state: GameState  # what the seat saw
    action: Optional[Action]  # what the seat did; None for an answer that is no action


class RecordedGame:
    """Keeps a game that was read from a record or played by this module.

    where: path of the file, with the line or number of the game if the file has several.
    players: the names of the four players, or [] where the record has none.
    seats: the seats, 0..3, whose hands the record shows.
    prevalent_wind: 0..3, or None where the record shows one seat only.
    scores: points of the four seats, or None where the record has none.
    error: the MahjongError that says why the record is broken, or None for a whole record. The moves before the error
    can be read.
    """

    def __init__(self, source: Any) -> None:
        """Takes over a mj_bot.lab.records.source.ReadGame."""
        record = source.record
        self._source = source
        self.where: str = source.where
        self.error: Optional[MahjongError] = source.error
        self.players: List[str] = list(map(str, record.players)) if record else []
        self.prevalent_wind: Optional[int] = record.prevalent_wind if record else None
        self.scores: Optional[List[int]] = list(record.scores) if record and record.scores else None
        self.seats: List[int] = [transcript.seat for transcript in source.transcripts if transcript.seat is not None]

    def decisions(self, seat: Optional[int] = None) -> Iterator[Decision]:
        """Yields the decisions of the game, seat after seat, each seat's in order of time.

        seat: 0..3 to yield the decisions of this seat only, or None for all seats.
        Raises ProtocolError, InvalidTileError: the record breaks the rules at this point.
        """
        for transcript in self._source.transcripts:
            if seat in (None, transcript.seat):
                yield from _list_decisions(transcript)

    def state(self, seat: int, decision_index: int) -> GameState:
        """Returns what a seat saw at one of its decisions.

        seat: 0..3. decision_index: 0 for the seat's first decision, -1 for its last one.
        Raises ProtocolError: the seat has no such decision.
        """
        decisions = list(self.decisions(seat))
        if not -len(decisions) <= decision_index < len(decisions):
            raise ProtocolError("expected a decision 0..%d of seat %r, got %r in %s", len(decisions) - 1, seat,
                                decision_index, self.where)
        return decisions[decision_index].state

    def format(self, form: str) -> str:
        """Returns the text of the game in a form of records.

        form: "official", "log" or "botzone".
        Raises ProtocolError, IllegalActionError: the form is unknown or cannot express the game, the record shows one
            seat only, or the record breaks the rules.
        """
        from .lab.records.follow import game_from_record
        from .lab.records.formats import format_game, list_writers

        if form not in list_writers():
            raise ProtocolError("expected a form, one of %s, got %r", ", ".join(sorted(list_writers())), form)
        if self._source.record is None or self.error:
            raise ProtocolError("expected a whole game of four seats, got %s: %s", self.where,
                                self.error or "the record of one seat")
        game = game_from_record(self._source.record)
        game.where = self.where
        return format_game(form, game)

    def __repr__(self) -> str:
        return "RecordedGame(%r, players=%r, scores=%r, error=%r)" % (
            self.where, self.players, self.scores, self.error and str(self.error))


def _list_decisions(transcript: Any) -> Iterator[Decision]:
    """Yields the decisions of one seat."""
    state, decision_index, responses = GameState(), 0, transcript.responses
    for index, request in enumerate(transcript.requests):
        state.apply(request)
        if index >= len(responses):
            return
        if len(state.action_space()) > 1:
            try:
                action = parse_action(responses[index], state.win_fan() if responses[index] == "HU" else 0)
            except IllegalActionError:
                action = None
            yield Decision(transcript.seat, decision_index, state=state.copy(), action=action)
            decision_index += 1
        # After an illegal answer the judge ends the game without a further request.
        if index + 1 < len(transcript.requests):
            state.answer(responses[index])


def read_games(source: Union[str, "os.PathLike[str]", bytes]) -> Iterator[RecordedGame]:
    """Yields each game of records in any form that `mj-bot review` reads.

    A broken record yields a game with its error, and the reading goes on. The reader refuses files with too many games,
    too many bytes or too long a reading time; an error names the limit.
    source: path of a file or folder, link to a match, or bytes of a file.
    Raises ProtocolError: the file does not exist.
    """
    from .lab.records.source import ReadLimits, list_files
    from .lab.records.source import read_games as read_file

    is_read = isinstance(source, bytes)
    for path in ["bytes"] if is_read else list_files([os.fspath(source)]):
        yield from map(RecordedGame, read_file(path, source if is_read else None, limits=ReadLimits()))


class Opinion(NamedTuple):
    """Keeps what a tactic thinks of a position."""

    action: Action  # the action that the tactic chooses
    ranked: List[Tuple[Action, float]]  # actions with values: the chosen one, then the others by falling value; [] for
    # a tactic without values
    unit: str  # unit of the values, such as "points"; "" for a tactic without values
    reasons: str  # why the tactic chooses the action, in words
    explanation: Optional[Dict[str, Any]]  # figures of the tactic, such as {"outcomes": {outcome: chance}} of cnn; None
    # for a tactic without figures


def think(tactic: Union[str, Tactic], state: GameState, time_limit: Optional[float] = None) -> Opinion:
    """Returns what a tactic thinks of a position. The state is not changed.

    tactic: a tactic, or text from which load_tactic makes one, such as "cnn" or "search:danger=4.4".
    state: position in which the tactic's seat chooses an action.
    time_limit: seconds in which the tactic must answer, or None for no limit. The limit works in the main thread only.
    Raises TacticError: the tactic fails, takes too long, or gives an illegal action. MahjongError: no GameState, or one
        without a request.
    """
    from .lab.table.players import call_tactic
    from .tactic.answer_check import read_remarks
    from .trouble import check_action

    if not isinstance(state, GameState):
        raise MahjongError("expected a GameState, got %.80r", state)
    name = tactic if isinstance(tactic, str) else type(tactic).__name__
    tactic = load_tactic(tactic) if isinstance(tactic, str) else tactic
    legal = state.action_space()
    action = call_tactic(tactic, name, time_limit, tactic, state.copy())
    check_action(action, name, tactic, legal=legal, request="the latest request", hand=state.my_hand)
    ranked, reasons, _ = call_tactic(tactic, name, None, read_remarks, tactic, legal)
    return Opinion(action, ranked, getattr(tactic, "value_unit", ""), reasons=reasons,
                   explanation=getattr(tactic, "explanation", None))


class Fan(NamedTuple):
    """Keeps one fan of a winning hand."""

    name: str  # the judge's name, in Chinese
    english: str  # the name in English
    points: int  # points of one copy
    copies: int  # how often the hand has the fan


class FanCount(NamedTuple):
    """Keeps the fans of a hand."""

    fans: List[Fan]  # all fans but the flowers; [] for a hand that is not complete
    fan: int  # points of all these fans
    flowers: int  # 0 to 8

    @property
    def total(self) -> int:
        """Returns the points of all fans and flowers; a win is paid by this number.

        Flowers do not count towards the eight fan that a win needs.
        """
        return self.fan + self.flowers

    @property
    def is_win(self) -> bool:
        """Tells whether the hand has the eight fan that a win needs."""
        from .mahjong.fan import MIN_FAN

        return self.fan >= MIN_FAN


def count_fans(hand: str, *, seat_wind: Optional[str] = None, prevalent_wind: Optional[str] = None,
               is_self_drawn: Optional[bool] = None, is_last_of_kind: Optional[bool] = None,
               is_last_of_wall: Optional[bool] = None, is_kong: Optional[bool] = None, flowers: Optional[int] = None,
               rules: str = "botzone") -> FanCount:
    """Returns the fans of a hand of 14 tiles whose last tile is the winning one.

    A fact that is None is taken from the text of the hand. A text without facts means False, east and no flowers.
    hand: such as "[EEE,1]123m456s78p55p9p". `mj-bot hand --help` describes the notation.
    seat_wind, prevalent_wind: "E", "S", "W" or "N".
    is_self_drawn: whether the winner drew the winning tile.
    is_last_of_kind: whether the other three copies of the winning tile were visible to everyone.
    is_last_of_wall: whether the winning tile was the last one of the wall.
    is_kong: whether the winning tile was drawn after a kong, or robbed from a kong.
    flowers: 0 to 8.
    rules: "botzone" for Botzone's judge, "mil" for the Mahjong International League, "green-book" for the Green Book.
    Raises InvalidHandError: the hand does not have 14 tiles, no game has such tiles, or the facts exclude each other.
        ProtocolError: MahjongGB is not installed.
    """
    from .lab.hand.answer import describe_win
    from .lab.hand.notation import format_hand, parse_hand
    from .lab.hand.hand_position import make_hand_state
    from .lab.hand.rule_sets import RULE_SETS
    from .lab.run.command import check_fan_counter
    from .lab.table.fan_names import ENGLISH_FANS

    check_fan_counter()
    if rules not in RULE_SETS:
        raise InvalidHandError("expected rules, one of %s, got %.80r", ", ".join(RULE_SETS), rules)
    facts = {"seat_wind": _read_wind(seat_wind), "prevalent_wind": _read_wind(prevalent_wind),
             "is_self_drawn": is_self_drawn, "is_fourth_tile": is_last_of_kind, "is_last_tile": is_last_of_wall,
             "is_about_kong": is_kong, "flowers": flowers}
    parsed = parse_hand(_check_text(hand))
    # The reader refuses facts that exclude each other, so the hand is read again with all facts in its text.
    parsed = parse_hand(format_hand(parsed._replace(**{
        name: fact for name, fact in facts.items() if fact is not None})))
    if parsed.size != 14:
        raise InvalidHandError("expected a hand of 14 tiles, the winning one last, got %d in %r", parsed.size, hand)
    win = describe_win(parsed, make_hand_state(parsed), rules) or {"fans": [], "fan": 0}
    fans = [Fan(name, ENGLISH_FANS.get(name, ""), points, copies=copies) for points, copies, name in win["fans"]]
    return FanCount(fans, win["fan"], parsed.flowers)


def _read_wind(letter: Optional[str]) -> Optional[int]:
    """Returns the wind 0..3 of a letter, or None for None. Raises InvalidHandError: the letter names no wind."""
    if letter is None:
        return None
    if not isinstance(letter, str) or len(letter) != 1 or letter not in _WIND_LETTERS:
        raise InvalidHandError("expected a wind, one of E, S, W and N, got %.80r", letter)
    return _WIND_LETTERS.index(letter)


class Outlook(NamedTuple):
    """Describes what a hand may become after an action."""

    action: Action  # the action after which the hand is looked at
    shanten: int  # number of tiles missing to a ready hand: 0 for a ready hand, -1 for a complete one
    useful: List[Tuple[str, int]]  # (tile, unseen copies) of the tiles that lower the shanten
    eight_fan: Optional[int]  # number of tiles missing to a hand that waits for eight fan; None if no such hand is near
    waits: List[Tuple[str, int, Optional[int], Optional[int]]]  # (tile, unseen copies, fan on a discard, fan by
    # self-draw) of the tiles that win with eight fan; None where a discard or a self-draw has fewer
    aims: List[Tuple[str, int]]  # (the judge's name of a fan, missing tiles) of the nearest hands of eight fan


def look_ahead(state: GameState, action: Optional[Action] = None) -> Outlook:
    """Returns what the hand of the state's seat may become after an action.

    action: a legal action. With None, the action is the discard that keeps the hand nearest to a win of eight fan, or a
    pass where the seat has no discard to choose.
    Raises IllegalActionError: the action is not legal. ProtocolError: MahjongGB is not installed.
    """
    from .lab.review.facts import Facts
    from .lab.run.command import check_fan_counter

    check_fan_counter()
    facts, legal = Facts(state), state.action_space()
    if action is None:
        discards = [known for known in legal if known[0] == "PLAY"] or [("PASS",)]
        return min((_describe_outlook(facts, known) for known in discards), key=_rank_outlook)
    if action not in legal and (action != ("PASS",) or state.is_my_turn):
        raise IllegalActionError("expected one of %.300r, got %.80r", legal, action)
    return _describe_outlook(facts, action)


def _describe_outlook(facts: Any, action: Action) -> Outlook:
    """Returns the outlook after an action. facts: mj_bot.lab.review.facts.Facts of the state."""
    description = facts.describe(action)
    useful, waits, aims = (list(map(tuple, description[name])) for name in ("useful", "wins", "targets"))
    return Outlook(action, description["shanten"], useful, eight_fan=description["distance_to_8_fan"], waits=waits,
                   aims=aims)


def _rank_outlook(outlook: Outlook) -> Tuple[float, int, int]:
    """Returns a key that is smaller for a hand nearer to eight fan, then nearer to ready, then with more good tiles."""
    waits = outlook.waits or outlook.useful
    return (float("inf") if outlook.eight_fan is None else outlook.eight_fan, outlook.shanten,
            -sum(wait[1] for wait in waits))


def play_game(players: Sequence[Union[str, Tactic]], *, seed: int = 0, wall: Optional[Sequence[str]] = None,
              prevalent_wind: Optional[int] = None, time_limit: Optional[float] = None) -> RecordedGame:
    """Plays one game by the rules of Botzone's judge and returns it.

    A player that fails loses the game by these rules, and a line on stderr says why.
    players: four players, east first. A player is a Tactic, or a text such as "cnn" or "json:./bot" as `mj-bot referee`
    takes it. Each Tactic must be an object of its own.
    seed: 0 .. 2**64 - 1, from which the wall and the prevalent wind are made.
    wall: 136 tile names to play with in place of the seed's wall. Names 34 * s to 34 * s + 33 are the tiles of seat s,
    which draws from their end.
    prevalent_wind: 0..3, or None to take the wind from the seed.
    time_limit: seconds for an answer, or None for the limit of `mj-bot referee`.
    Raises UnknownTacticError, TacticError: a player cannot be made. InvalidTileError, InvalidHandError: the wall is
        not one of a game.
    """
    from .lab.table import match
    from .lab.table.walls import wall_from_seed, wind_from_seed

    record = match.play_game(_seat_players(players, time_limit), wall_from_seed(seed) if wall is None else list(wall),
                             wind_from_seed(seed) if prevalent_wind is None else prevalent_wind)
    return _wrap_record(record, "a game of seed %d" % seed)


def _seat_players(players: Sequence[Union[str, Tactic]], time_limit: Optional[float]) -> List[Any]:
    """Returns the players as the referee calls them. Raises MahjongError: there are not four, or two share a tactic."""
    from .lab.table.players import TIME_LIMIT, TacticPlayer, make_player

    tactics = [player for player in players if not isinstance(player, str)]
    if len(players) != 4 or len(set(map(id, tactics))) != len(tactics):
        raise MahjongError("expected four players, each tactic with an object of its own, got %.200r", players)
    limit = TIME_LIMIT if time_limit is None else time_limit
    return [make_player(player, limit) if isinstance(player, str)
            else TacticPlayer(player, type(player).__name__, limit) for player in players]


def _wrap_record(record: Any, where: str) -> RecordedGame:
    """Returns the game of a mj_bot.lab.table.record.Record. where: name of the game, for errors."""
    from .lab.records.source import ReadGame

    return RecordedGame(ReadGame(where, record, record.transcripts(), error=None))


def sample_worlds(state: GameState, count: int = 1000, *, seed: int = 0, judge: Union[str, Tactic, None] = None,
                  discards: int = 6) -> "Worlds":
    """Returns random worlds that fit a state: tiles that the other seats and the walls may have.

    The result has the arrays walls, hands and weights and the number effective_size, which docs/api.md describes. Its
    method play plays all worlds to their end.
    state: a state that requests have made, of a game without flowers.
    count: number of worlds.
    seed: 0 .. 2**64 - 1. Equal seeds give equal worlds on every machine.
    judge: a Tactic with points, or a text that names one, such as "cnn" or "search". A world then weighs more if the
    judge would have made the latest discards of the other seats in it. None gives all worlds equal weights.
    discards: number of the latest discards that the judge looks at.
    Raises ProtocolError: the state has flowers or was not made by requests, or count or seed is out of range.
        UnknownTacticError, TacticError: the judge cannot be made.
    """
    from .lab import worlds

    sampled = worlds.draw_worlds(state, count, seed=seed)
    if judge is not None:
        sampled.weigh(judge, discards)
    return sampled


def play_world(worlds: "Worlds", index: int, players: Sequence[Union[str, Tactic]], *,
               time_limit: Optional[float] = None) -> RecordedGame:
    """Plays one world to its end by the rules of Botzone's judge and returns the whole game, from its first move.

    worlds: the result of sample_worlds. index: 0 .. len(worlds) - 1.
    players: four players, east first. A player is a Tactic, or a text such as "cnn" or "json:./bot". Each Tactic must
    be an object of its own.
    time_limit: seconds for an answer, or None for the limit of `mj-bot referee`.
    Raises MahjongError: there is no such world. UnknownTacticError, TacticError: a player cannot be made.
    """
    if not 0 <= index < len(worlds):
        raise MahjongError("expected a world 0..%d, got %r", len(worlds) - 1, index)
    return _wrap_record(worlds.play_record(index, _seat_players(players, time_limit)), "world %d" % index)


class Interval(NamedTuple):
    """Keeps an estimate with its 95% interval."""

    mean: float
    low: Optional[float]  # None where the results of the walls do not differ, so that there is no interval
    high: Optional[float]  # None where `low` is None


class PlayerResult(NamedTuple):
    """Keeps the result of one player in a match."""

    name: str
    games: int  # number of games that the player played
    score: Interval  # points per game
    elo: Interval  # Elo rating among the players of the match


class MatchResult(NamedTuple):
    """Keeps the result of a match. Its str() is the tables that `mj-bot arena` prints."""

    walls: int  # number of walls that were played
    games: int  # number of games
    players: List[PlayerResult]
    differences: Dict[Tuple[str, str], Interval]  # points per game of the first name minus those of the second
    data: Dict[str, Any]  # the dict that `mj-bot arena --json` writes

    @property
    def winner(self) -> Optional[str]:
        """Returns the name of the player who is better than each other player, or None where no player is.

        A player is better than another one if the 95% interval of the difference of their points does not contain 0.
        """
        for player in self.players:
            if all((interval.low or 0) > 0 if pair[0] == player.name else (interval.high or 0) < 0
                   for pair, interval in self.differences.items() if player.name in pair):
                return player.name
        return None

    def __str__(self) -> str:
        from .lab.arena.result import format_tables

        return format_tables(self.data)


def play_match(players: Sequence[Union[str, Tactic]], *, walls: int = 100, seed: int = 0, rotations: int = 24,
               workers: int = 1, time_limit: Optional[float] = None) -> MatchResult:
    """Plays a duplicate match, in which every wall is played in several seatings, and returns its result.

    The extra `arena` of the package must be installed.
    players: two players, who have two seats each, or four. A player is a Tactic, or a text that names a tactic, such as
    "cnn", or an outside bot, such as "json:./bot". Each seat gets a copy of a Tactic, which has the name of its class.
    walls: number of walls. seed: number from which the walls are made.
    rotations: seatings per wall: 24 for all, or 4 of them.
    workers: number of processes, 1 for a match with a Tactic. With more than one, the code of the calling script must
    stand below `if __name__ == "__main__":`.
    time_limit: seconds for an answer, or None for the limit of `mj-bot arena`.
    Raises UnknownTacticError, TacticError: a player cannot be made, or it fails. MahjongError: another argument is
        wrong.
    """
    from .lab.arena.result import build_result
    from .lab.arena.run_match import PlayedWalls, prepare_match, run_match
    from .lab.arena.schedule import MAX_WALLS, make_match
    from .lab.table.players import TIME_LIMIT

    limit = TIME_LIMIT if time_limit is None else time_limit
    if rotations not in (4, 24) or not 1 <= walls <= MAX_WALLS:
        raise MahjongError("expected 4 or 24 rotations and 1 .. %d walls, got %r and %r", MAX_WALLS, rotations, walls)
    with _name_players(players, workers) as specs:
        match = make_match(specs, seed=seed, rotations=rotations, time_limit=limit)
        fingerprint, runner, _ = prepare_match(match)
        with PlayedWalls(match, fingerprint, workers=workers, runner=runner) as played:
            board, measured = run_match(played, walls, is_silent=True)
    data = build_result(board, command="mj_bot.api.play_match", fingerprint=fingerprint, measured=measured,
                        memory_mb=[0] * len(match.names))
    results = [PlayerResult(entry["name"], entry["games"], _read_interval(entry, "score"),
                            elo=_read_interval(entry, "elo")) for entry in data["players"]]
    differences = {(entry["first"], entry["second"]): _read_interval(entry, "score") for entry in data["differences"]}
    return MatchResult(data["walls"], data["games"], results, differences=differences, data=data)


@contextlib.contextmanager
def _name_players(players: Sequence[Union[str, Tactic]], workers: int) -> Iterator[List[str]]:
    """Makes a context with the specs of players, in which the name of a Tactic's class stands for the Tactic."""
    from .lab.table.players import PLAYERS

    specs: List[str] = []
    named: Dict[str, Any] = {}
    for player in players:
        spec, count = player if isinstance(player, str) else type(player).__name__, 1
        while not isinstance(player, str) and (spec in PLAYERS or spec in players or (
                named.get(spec, player) is not player)):
            count += 1
            spec = "%s_%d" % (type(player).__name__, count)
        if not isinstance(player, str):
            named[spec] = player
        specs.append(spec)
    if named and workers > 1:
        raise MahjongError("expected workers=1 with the tactic %s, which other processes do not see, got %r; write its "
                           "class to FILE.py and name the file", min(named), workers)
    PLAYERS.maps.insert(0, named)
    try:
        yield specs
    finally:
        PLAYERS.maps.remove(named)


def _read_interval(entry: Dict[str, Any], name: str) -> Interval:
    """Returns the interval that a dict of the arena's result has under name_mean, name_low and name_high."""
    return Interval(*(entry["%s_%s" % (name, end)] for end in ("mean", "low", "high")))


def review(game: RecordedGame, judges: str = "cnn,search", seat: Optional[int] = None,
           time_limit: Optional[float] = None) -> Dict[str, Any]:
    """Returns the review of a game: the dict that `mj-bot review --json` writes.

    result["reviews"][seat]["decisions"] is a list that has, for each decision, the logged and the chosen action, the
    loss in points, the reasons and facts of the hand. mj_bot/lab/review/games.py describes all keys.
    game: a game that read_games or play_game returned.
    judges: names of tactics, separated by commas. Their points are joined into one value of each action.
    seat: 0..3 to review this seat only, or None for all seats.
    time_limit: seconds for an answer of a judge, or None for the limit of `mj-bot review`.
    Raises UnknownTacticError, TacticError: a judge cannot be made, or it fails.
    """
    from .lab.review.games import review_game
    from .lab.table.players import TIME_LIMIT

    return review_game(game._source, judges, seat, time_limit=TIME_LIMIT if time_limit is None else time_limit)
