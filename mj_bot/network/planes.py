"""The inputs of the network: planes over the board of tiles, made from observations.

The board has 4 rows of 9: characters, bamboos, dots, and F1-4 J1-3 with two empty places; place p < 34 is tile p.
GROUPS and AHEAD_GROUPS list all planes. Each is a number 0..1 a tile, most of them 0 or 1. A number that
belongs to no tile fills the whole board. Players are offsets from the viewer, 0 itself.

A weight file names the planes that its network takes. So a new plane does not invalidate any weights, and a plane that
changes its numbers gets a new name.
"""

from functools import lru_cache

import numpy as np

from ..mahjong.tile import FIRST_DRAGON, FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT, TILE_NAMES
from ..observation.layout import CHOW, CONCEALED_KONG, OPEN_KONG, PUNG, RIVER_SIZE, WALL_DRAWS, field
from .ahead import KINDS, LOOKS, SHANTEN_ROW, USEFUL_ROW
from .ops import NumpyOps

ROWS, COLUMNS = 4, 9
BOARD_SIZE = ROWS * COLUMNS

_PLAYERS = ("own", "next", "across", "before")
_COPIES = ("1+", "2+", "3+", "4")
_TASKS = ("turn", "follow", "claim", "rob")
# A round of the table, and three.
_RECENT = (4, 12)
_EARLY = 6
_HAND_SIZE = 14.0
_LONGEST_GAME = 100.0
_LEVELS = 6

# All green and reversible tiles: the two patterns that depend on particular suits.
_GREEN = "T2 T3 T4 T6 T8 J2".split()
_REVERSIBLE = "B1 B2 B3 B4 B5 B8 B9 T2 T4 T5 T6 T8 T9 J3".split()


class Reader(object):
    """Fields of observations as integers, and helpers for planes. ahead: rows of look_ahead, or None."""

    def __init__(self, observations, ops, ahead=None):
        self._observations = observations
        self.ops = ops
        self.ahead = ahead
        self.tiles = ops.arange(TILE_COUNT)
        self.board = self.tiles >= 0

    def __call__(self, name):
        return self.ops.integer(field(self._observations, name))

    def mark(self, tiles):
        """bool[..., 34] of tiles [...]; NONE marks nothing."""
        return tiles[..., None] == self.tiles

    def fill(self, values):
        """Values [B, P] all over the board, [B, P, 34]."""
        return values[..., None] * self.ops.real(self.board)


def _copies(read, name):
    return read(name)[:, None, :] > read.ops.arange(len(_COPIES))[:, None]


def _tasks(read):
    return read("task") == read.ops.arange(len(_TASKS))


def _melds(read):
    kinds = read("meld_kind")[..., None]
    marks = read.mark(read("meld_tile"))
    chows = (marks & (kinds == CHOW)).sum(2)
    pungs = (marks & (kinds == PUNG)).any(2)
    kongs = (marks & (kinds >= OPEN_KONG)).any(2)
    return _by_player(read, [chows > 0, chows > 1, pungs, kongs])


def _by_player(read, kinds):
    """Planes [B, 4, 34] a kind as one [B, 4 * kinds, 34], the kinds of a player together."""
    planes = read.ops.stack(kinds, 2)
    return planes.reshape(len(planes), -1, TILE_COUNT)


def _rivers(read):
    real = read.ops.real
    ages = (read("discard_count")[..., None] - read("river_time"))[:, :, None]
    places = read.ops.arange(RIVER_SIZE)[None, None, None]
    always = ages == ages
    which = [always] + [ages <= limit for limit in _RECENT] + [always & (places < _EARLY)]
    # Discards of each tile among those: a matrix product, which is faster than sums of marks.
    counts = read.ops.concatenate([real(rows) for rows in which], 2) @ real(read.mark(read("river_tile")))
    return _by_player(read, [counts[:, :, 0] > 0, counts[:, :, 0] > 1] + [
        counts[:, :, row] > 0 for row in range(1, len(which))])


def _numbers(read):
    real = read.ops.real
    walls = real(read("walls"))
    return read.fill(read.ops.concatenate([
        walls / WALL_DRAWS, walls.sum(1)[:, None] / (4 * WALL_DRAWS), real(read("hand_sizes")) / _HAND_SIZE,
        real(read("discard_count")) / _LONGEST_GAME, real(read("after_kong")),
    ], 1))


def _make_board():
    """The planes that are the same in every position, float32[9, 34]."""
    tiles = np.arange(TILE_COUNT)
    is_suited = tiles < FIRST_HONOUR
    return np.array([
        tiles >= 0, ~is_suited, tiles >= FIRST_DRAGON, is_suited & ((tiles % 9 == 0) | (tiles % 9 == 8)),
        *(is_suited & (tiles % 3 == rank) for rank in range(3)),
        [name in _GREEN for name in TILE_NAMES], [name in _REVERSIBLE for name in TILE_NAMES],
    ], np.float32)


_BOARD = _make_board()
assert set(KNITTED_STRAIGHTS[0][:3]) == {0, 3, 6}


def _after(read):
    real, ahead = read.ops.real, read.ops.integer(read.ahead)
    distance, copies, wins, draws, fan = (
        ahead[:, look * len(KINDS):(look + 1) * len(KINDS)] for look in range(len(LOOKS)))
    is_nearest, copies = real(distance == 1), real(copies)
    most = read.ops.highest(copies * is_nearest)[:, None, None]
    return read.ops.concatenate([
        is_nearest, real(distance == 2), copies / 40, copies * is_nearest / (most + (most == 0)),
        real(wins) / 8, real(draws) / 8, real(fan) / 32], 1)


def _shanten(read):
    levels = read.ops.integer(read.ahead)[:, SHANTEN_ROW:]
    levels = levels * (levels < _LEVELS) + _LEVELS * (levels >= _LEVELS)
    return levels == read.ops.arange(1, _LEVELS + 1)[:, None]


GROUPS = (
    # group, its planes, what makes them: [B, planes, 34]
    ("hand", _COPIES, lambda read: _copies(read, "hand")),
    ("unseen", _COPIES, lambda read: _copies(read, "unseen")),
    ("last tile at", _TASKS, lambda read: read.mark(read("last_tile")) & _tasks(read)[..., None]),
    ("last tile of", _PLAYERS[1:], lambda read: (
        read.mark(read("last_tile")) & (read("last_giver") == read.ops.arange(1, 4))[..., None])),
    ("task", _TASKS, lambda read: read.fill(_tasks(read))),
    ("wind", ("seat", "prevalent"), lambda read: read.mark(
        read.ops.concatenate([read("seat_wind"), read("prevalent_wind")], 1) + FIRST_HONOUR)),
    ("meld", tuple("%s %s" % (player, kind) for player in _PLAYERS
                   for kind in ("chow around", "second chow around", "pung", "kong")), _melds),
    ("hidden kongs / 4", _PLAYERS[1:], lambda read: read.fill(
        read.ops.real((read("meld_kind")[:, 1:] == CONCEALED_KONG).sum(2)) / 4)),
    ("discarded", tuple(
        "%s %s" % (player, when) for player in _PLAYERS
        for when in ("once", "twice", "in the last 4", "in the last 12", "among the first 6")), _rivers),
    ("number", tuple("wall %s / 21" % player for player in _PLAYERS) + ("walls / 84",)
     + tuple("hand size %s / 14" % player for player in _PLAYERS) + ("discards / 100", "after a kong"), _numbers),
    ("board", ("tile", "honour", "dragon", "terminal", "147", "258", "369", "green", "reversible"),
     lambda read: read.ops.array(_BOARD) + 0 * read.ops.real(read("task"))[..., None]),
)

# Rows of look_ahead: the hand after each kind of action.
AHEAD_GROUPS = (
    ("after", tuple("%s %s" % (kind, look) for look in (
        "nearest", "one farther", "copies / 40", "copies of the most", "wins / 8", "draws / 8", "fan / 32")
        for kind in KINDS), _after),
    ("useful", ("",), lambda read: read.ahead[:, USEFUL_ROW:SHANTEN_ROW]),
    ("shanten", tuple("%d" % level for level in range(_LEVELS - 1)) + ("%d+" % (_LEVELS - 1),), _shanten),
)


def _name_planes(groups):
    return tuple([(group + " " + plane).strip() for group, planes, _ in groups for plane in planes])


PLANES, AHEAD_PLANES = _name_planes(GROUPS), _name_planes(AHEAD_GROUPS)
PLANE_COUNT = len(PLANES)
INPUTS = PLANES + AHEAD_PLANES
INPUT_COUNT = len(INPUTS)


def encode_inputs(observations, ahead, ops=NumpyOps, *, names=INPUTS):
    """The planes of these names, real [B, len(names), 34].

    observations: uint8[B, OBSERVATION_SIZE], of the library of ops. ops: NumpyOps, or an ops.TorchOps.
    ahead: rows of ahead.look_ahead, of the same library; None where no name is one of AHEAD_PLANES.
    names: tuple, out of INPUTS.
    """
    groups, places = _choose_groups(names)
    read = Reader(observations, ops, ahead)
    planes = ops.concatenate([ops.real(make(read)) for _, _, make in groups], 1)
    return planes if places is None else planes[:, places]


def encode_planes(observations, ops=NumpyOps):
    """The PLANES of observations, as encode_inputs."""
    return encode_inputs(observations, None, ops, names=PLANES)


@lru_cache(maxsize=16)
def _choose_groups(names):
    """(groups with planes of these names, places of the names among all of their planes, None if these are all)."""
    groups = [group for group in GROUPS + AHEAD_GROUPS if not set(names).isdisjoint(_name_planes([group]))]
    made = _name_planes(groups)
    return groups, None if made == names else [made.index(name) for name in names]
