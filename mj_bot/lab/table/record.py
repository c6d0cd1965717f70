"""A recorded game in memory: requests and displays of the judge, answers of the seats."""

from dataclasses import dataclass, field
from typing import NamedTuple

from ...mahjong.errors import InvalidHandError
from ...mahjong.request import parse_request
from ...mahjong.rules import HAND_TILES, SEATS, WALL_DRAWS
from ...mahjong.tile import COPIES, FLOWER_NAMES, TILE_NAMES
from .one_wall import DRAWS, ONE_WALL_RULES, place_of_draw
from .walls import SLICE_SIZE, WALL_SIZE, check_wall


class Transcript(NamedTuple):
    """Requests and responses of one seat."""

    requests: list
    responses: list  # one a request, or fewer where a log leaves them out

    @property
    def seat(self):
        """0..3, as the first request says; None where there is no such request."""
        words = self.requests[0].split() if self.requests else ()
        return int(words[1]) if len(words) == 3 and words[1].isdecimal() else None


class Step(NamedTuple):
    """Requests to the four seats at one time, and their answers."""

    requests: list  # 4 texts
    display: dict  # the judge's display object
    answers: list  # 4 players.Answer


@dataclass
class Record:
    """One refereed game.

    origin: dict for JSON with a platform's data on a game between people, each key where it is known:
        platform    "tziakcha", "salasasa", "lianzhong"
        id, session, title      of the hand, its session, and the session's title
        time        seconds since 1970 at which the game began
        hand, hands             number of the hand in the session, 0 first, and the planned number of hands
        seats, names            player at each seat of this hand, 0..3, and the names of the players 0..3
        rules       numbers: walls (1: all draw from one), flowers, min_fan, base, false_win (its penalty),
                    knitted_wait (1: the platform counted a wait inside a knitted straight, which the judge does not)
        sub_rule    name of a platform's own rules, whose fans are not the judge's
        before      4 numbers, the score of each seat in the session before this hand
        penalties   4 numbers, points of each seat for false wins; part of the scores here
    """

    wall: list  # 136 tile names; None where the source leaves it out
    prevalent_wind: int  # 0..3
    players: list = field(default_factory=lambda: ["0", "1", "2", "3"])  # names
    name: str = ""  # of the source
    steps: list = field(default_factory=list)  # of Step
    closing: dict = None  # the judge's last display object
    scores: list = None  # 4 ints
    origin: dict = field(default_factory=dict)

    @property
    def has_one_wall(self):
        """Whether all seats draw from one wall with flowers, see one_wall.py."""
        return self.origin.get("rules", {}).get("walls") == 1 or bool(self.list_flowers())

    def list_flowers(self):
        """(draws of the game before it, seat, number 1..8) of each flower in order. Raises: as parse_request."""
        flowers, draws = [], 0
        for step in self.steps:
            kind, *facts = parse_request(step.requests[0])
            if kind == "DEAL":
                owners = [seat for seat, count in enumerate(facts[0]) for _ in range(count)]
                names = step.requests[0].split()[-len(owners):]
                flowers += [(0, seat, FLOWER_NAMES.index(name) + 1) for seat, name in zip(owners, names)]
            elif kind == "EVENT" and facts[1][0] == "BUHUA":
                flowers.append((draws, facts[0], FLOWER_NAMES.index(facts[1][1]) + 1))
            draws += any(request.startswith("2 ") for request in step.requests)
        return flowers

    def transcripts(self):
        """The four Transcripts."""
        return [Transcript([step.requests[seat] for step in self.steps],
                           [step.answers[seat].response for step in self.steps]) for seat in range(4)]


def describe_origin(referee):
    """Returns the origin of a game that was played here: {} where each seat has a wall."""
    false_wins = getattr(referee, "false_wins", None)
    if false_wins is None:
        return {}
    return dict({"rules": dict(ONE_WALL_RULES)}, **{"penalties": referee.list_penalties()} if any(false_wins) else {})


def rebuild_wall(record, shuffle=None):
    """A wall (list of 136 tile names) that gives the recorded game: the record's own, or one rebuilt from the draws.

    shuffle: as of lay_wall. Raises InvalidHandError, InvalidTileError: no wall has the drawn tiles.
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


def lay_wall(drawn, name, draws=None, *, shuffle=None):
    """A wall (list of 136 tile names) with these tiles; the other tiles fill the rest, in tile order.

    drawn: for each seat the tiles dealt and drawn, in order. name: of the source, for errors.
    draws: tiles after the deal in the order drawn, where all seats draw from one wall; else None.
    shuffle: function that shuffles the list of the other tiles, or None.
    Raises InvalidHandError, InvalidTileError: more draws than the wall has, or tiles that no wall has.
    """
    wall, places = [None] * WALL_SIZE, range(WALL_SIZE)
    if draws is not None:
        places, drawn = [place_of_draw(number) for number in range(DRAWS)], [tiles[:HAND_TILES] for tiles in drawn]
        if any(len(tiles) != HAND_TILES for tiles in drawn) or len(draws) > DRAWS:
            raise InvalidHandError("expected deals of %d tiles and at most %d draws, got %r and %d in %s" % (
                HAND_TILES, DRAWS, [len(tiles) for tiles in drawn], len(draws), name))
    for seat, tiles in enumerate(drawn):
        if len(tiles) > SLICE_SIZE:
            raise InvalidHandError("expected at most %d draws of seat %d, as its part of the wall has, got %d in %s"
                                   % (WALL_DRAWS, seat, len(tiles) - HAND_TILES, name))
        end = SLICE_SIZE * (seat + 1)
        wall[end - len(tiles):end] = tiles[::-1]
    for place, tile in zip(places, draws or ()):
        wall[place] = tile
    rest = [tile for tile in TILE_NAMES for _ in range(COPIES - wall.count(tile))]
    if shuffle:
        shuffle(rest)
    for place, tile in zip([place for place in places if wall[place] is None], rest):
        wall[place] = tile
    check_wall(wall, " rebuilt from %s" % name)
    return wall
