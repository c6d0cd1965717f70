"""Keeps a recorded game in memory: requests and displays of the judge, answers of the seats."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypedDict

from ...mahjong.errors import InvalidHandError, Message
from ...mahjong.request import parse_request
from ...mahjong.rules import HAND_TILES, SEATS, WALL_DRAWS
from ...mahjong.tile import COPIES, FLOWER_NAMES, TILE_NAMES
from .one_wall import DRAWS, ONE_WALL_RULES, Flowers, place_of_draw
from .game_referee import Referee
from .walls import SLICE_SIZE, WALL_SIZE, check_wall


class Transcript(NamedTuple):
    """Keeps the requests to one seat and its responses, one per request, or fewer if a log leaves some out."""

    requests: list[str]
    responses: list[str]

    @property
    def seat(self) -> int | None:
        """Returns the seat 0..3 that the first request names; None if there is no such request."""
        words = self.requests[0].split() if self.requests else ()
        return int(words[1]) if len(words) == 3 and words[1].isdecimal() else None


class Step(NamedTuple):
    """Keeps the requests to the four seats at one time, the judge's display object, and four players.Answer."""

    requests: list[str]
    display: dict
    answers: list


class Rules(TypedDict, total=False):
    """The keys of the rules of a platform, all whole numbers."""

    walls: int  # 1 if all seats draw from one wall
    flowers: int
    min_fan: int
    base: int
    false_win: int  # the penalty
    knitted_wait: int  # 1 if the platform counted a wait inside a knitted straight, which the judge does not


class Origin(TypedDict, total=False):
    """The keys of what a platform tells of a game between people, as JSON. All are optional."""

    platform: str  # "tziakcha", "salasasa" or "lianzhong"
    id: str  # of the hand
    session: str  # of the session of the hand
    title: str  # of the session
    time: int  # seconds since 1970 at which the game began
    hand: int  # number of the hand in the session, from 0
    hands: int  # planned number of hands of the session
    seats: list[int]  # player at each seat of this hand, 0..3
    names: list[str]  # names of the players 0..3
    ids: list[str]  # digests of the ids of the players 0..3 on the platform, "" for an unknown one
    rules: Rules
    sub_rule: str  # name of a platform's own rules, whose fans are not the judge's
    before: list[int]  # score of each seat in the session before this hand
    penalties: list[int]  # points of each seat for false wins; the scores contain them


@dataclass
class Record:
    """Keeps one refereed game.

    wall: 136 tile names; None if the source leaves the wall out.
    prevalent_wind: 0..3. players: names of the four players. name: name of the source, for messages.
    steps: list of Step. closing: the judge's last display object. scores: 4 ints.
    origin: what a platform tells of a game between people; {} for other games.
    """

    wall: list[str] | None
    prevalent_wind: int
    players: list[str] = field(default_factory=lambda: ["0", "1", "2", "3"])
    name: str = ""
    steps: list[Step] = field(default_factory=list)
    closing: dict | None = None
    scores: list[int] | None = None
    origin: Origin = field(default_factory=dict)

    @property
    def has_one_wall(self) -> bool:
        """Checks whether all seats draw from one wall with flowers, as one_wall.py referees it."""
        return self.origin.get("rules", {}).get("walls") == 1 or bool(self.list_flowers())

    def list_flowers(self) -> Flowers:
        """Returns the flowers in order: a list of (draws of the game before it, seat, flower 1..8).

        Raises ProtocolError, InvalidTileError: a request that cannot be read.
        """
        flowers, draws = [], 0
        for step in self.steps:
            request_type, *facts = parse_request(step.requests[0])
            if request_type == "DEAL":
                owners = [seat for seat, count in enumerate(facts[0]) for _ in range(count)]
                names = step.requests[0].split()[-len(owners):]
                flowers += [(0, seat, FLOWER_NAMES.index(name) + 1) for seat, name in zip(owners, names)]
            elif request_type == "EVENT" and facts[1][0] == "BUHUA":
                flowers.append((draws, facts[0], FLOWER_NAMES.index(facts[1][1]) + 1))
            draws += any(request.startswith("2 ") for request in step.requests)
        return flowers

    def list_free_flowers(self) -> Flowers | None:
        """Returns the flowers for another game on this wall, whichever seat draws them; None where each has a wall."""
        if not self.has_one_wall:
            return None
        return [(draws, None if draws else seat, flower) for draws, seat, flower in self.list_flowers()]

    def close(self, referee: Referee) -> None:
        """Takes display, scores and rules of a game that has just been played here."""
        self.closing, self.scores = referee.display(), referee.scores
        if referee.flower_counts is not None:
            self.origin = {"rules": dict(ONE_WALL_RULES)}
            if any(referee.false_wins):
                self.origin["penalties"] = referee.list_penalties()

    def transcripts(self) -> list[Transcript]:
        """Returns the Transcript of each of the four seats."""
        return [Transcript([step.requests[seat] for step in self.steps],
                           [step.answers[seat].response for step in self.steps]) for seat in range(4)]


def rebuild_wall(record: Record, shuffle: Callable[[list], None] | None = None) -> list[str]:
    """Returns the wall (list of 136 tile names) of a record, or one from which the recorded tiles are drawn.

    shuffle: function that shuffles the list of the tiles that nobody drew, or None for tile order.
    Raises InvalidHandError, InvalidTileError: no wall has the drawn tiles.
    """
    if record.wall is not None:
        return list(record.wall)
    drawn, draws = [[] for _ in range(SEATS)], []
    for step in record.steps:
        for tiles, request in zip(drawn, step.requests):
            words = request.split()
            if words[:1] == ["1"]:
                tiles += words[5:5 + HAND_TILES]
            elif words[:1] == ["2"]:
                tiles += words[1:2]
                draws += words[1:2]
    return lay_wall(drawn, record.name, draws if record.has_one_wall else None, shuffle=shuffle)


def lay_wall(
        drawn: Sequence[list[str]], name: str, draws: list[str] | None = None, *,
        shuffle: Callable[[list], None] | None = None) -> list[str]:
    """Returns a wall (list of 136 tile names) from which the given tiles are drawn. Other tiles fill the rest.

    drawn: for each seat the tiles dealt and drawn, in order. name: name of the source, for messages.
    draws: the tiles after the deal in the order drawn, if all seats draw from one wall; else None.
    shuffle: function that shuffles the list of the other tiles, or None for tile order.
    Raises InvalidHandError, InvalidTileError: more draws than the wall has, or tiles that no wall has.
    """
    wall, indices = [None] * WALL_SIZE, range(WALL_SIZE)
    if draws is not None:
        indices, drawn = [place_of_draw(draw) for draw in range(DRAWS)], [tiles[:HAND_TILES] for tiles in drawn]
        if any(len(tiles) != HAND_TILES for tiles in drawn) or len(draws) > DRAWS:
            raise InvalidHandError("expected deals of %d tiles and at most %d draws, got %r and %d in %s", HAND_TILES,
                                   DRAWS, [len(tiles) for tiles in drawn], len(draws), name)
    for seat, tiles in enumerate(drawn):
        if len(tiles) > SLICE_SIZE:
            raise InvalidHandError("expected at most %d draws of seat %d, as its part of the wall has, got %d in %s",
                                   WALL_DRAWS, seat, len(tiles) - HAND_TILES, name)
        end = SLICE_SIZE * (seat + 1)
        wall[end - len(tiles):end] = tiles[::-1]
    for index, tile in zip(indices, draws or ()):
        wall[index] = tile
    rest = [tile for tile in TILE_NAMES for _ in range(COPIES - wall.count(tile))]
    if shuffle:
        shuffle(rest)
    for index, tile in zip([index for index in indices if wall[index] is None], rest):
        wall[index] = tile
    check_wall(wall, Message(" rebuilt from %s", name))
    return wall
