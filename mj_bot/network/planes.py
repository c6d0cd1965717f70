"""Makes the input planes of the network from observations and from the rows of compute_ahead_rows.

The board has 4 rows of 9: characters, bamboos, dots, and F1-4 J1-3 with two empty squares. Square t < 34 is tile t.
Each plane has a number for each tile, most of them 0 or 1. A number that belongs to no tile fills the whole board.
Players are offsets from the viewer: 0 itself, 1 next to play.

PLANE_GROUPS and AHEAD_GROUPS list all planes, and for each group the function that writes it into planes of zeros.
These functions are loops over single numbers: the bot interprets them, the workshop compiles them. A weight file names
the planes that its network takes. So a new plane does not invalidate any weights. A plane whose numbers change needs a
new name.
"""

from functools import lru_cache
from typing import Optional, Tuple

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part
from ..mahjong.tile import FIRST_DRAGON, FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT, TILE_NAMES
from ..observation.layout import AT, CHOW, CONCEALED_KONG, NONE, OPEN_KONG, PUNG, RIVER_SIZE, WALL_DRAWS
from .ahead import COPIES_ROW, DRAWS_ROW, FAN_ROW, AHEAD_ACTIONS, SHANTEN_ROW, USEFUL_ROW, WINS_ROW

TILE_ROWS, TILE_COLUMNS = 4, 9
BOARD_SIZE = TILE_ROWS * TILE_COLUMNS

_PLAYERS = ("own", "next", "across", "before")
_COPIES = ("1+", "2+", "3+", "4")
_TASKS = ("turn", "follow", "claim", "rob")
# All Green and Reversible Tiles are the two patterns that depend on particular suits.
_GREEN = "T2 T3 T4 T6 T8 J2".split()
_REVERSIBLE = "B1 B2 B3 B4 B5 B8 B9 T2 T4 T5 T6 T8 T9 J3".split()


def _mark_copies(first):
    """Returns a function that marks tiles by the counts from byte `first` on: plane c those with more than c copies."""
    @jit_part
    def write(observation, planes):
        for tile in range(TILE_COUNT):
            for copy in range(observation[first + tile]):
                planes[copy, tile] = 1

    return write


def _fill(first, unit):
    """Returns a function that fills each plane with a byte, the next one from `first` on, divided by `unit`."""
    @jit_part
    def write(observation, planes):
        for plane in range(len(planes)):
            planes[plane, :] = observation[first + plane] / unit

    return write


def _mark_last(byte, first):
    """Returns a function that marks the last tile in a plane for each value of a byte, from the value `first` on."""
    @jit_part
    def write(observation, planes):
        plane, tile = observation[byte] - first, observation[AT.last_tile]
        if 0 <= plane < len(planes) and tile != NONE:
            planes[plane, tile] = 1

    return write


@jit_part
def _write_task(observation, planes):
    """Fills the plane of the task with 1."""
    task = observation[AT.task]
    if task < len(_TASKS):
        planes[task, :] = 1


@jit_part
def _write_winds(observation, planes):
    """Marks the seat wind and the prevalent wind."""
    planes[0, FIRST_HONOUR + observation[AT.seat_wind]] = 1
    planes[1, FIRST_HONOUR + observation[AT.prevalent_wind]] = 1


_MELD_PLANES = ("chow around", "second chow around", "pung", "kong")


@jit_part
def _write_melds(observation, planes):
    """Marks the melds of each player at their tiles, for chows at the middle tile."""
    for player in range(4):
        player_planes = planes[len(_MELD_PLANES) * player:]
        for slot in range(4 * player, 4 * player + 4):
            meld, tile = observation[AT.meld_kind + slot], observation[AT.meld_tile + slot]
            if tile == NONE:
                continue
            if meld == CHOW:
                player_planes[1, tile] = player_planes[0, tile]
                player_planes[0, tile] = 1
            elif meld == PUNG:
                player_planes[2, tile] = 1
            elif meld >= OPEN_KONG:
                player_planes[3, tile] = 1


@jit_part
def _write_hidden_kongs(observation, planes):
    """Fills a plane for each other player with the number of concealed kongs / 4."""
    for player in range(1, 4):
        kongs = 0
        for slot in range(4 * player, 4 * player + 4):
            kongs += observation[AT.meld_kind + slot] == CONCEALED_KONG
        planes[player - 1, :] = kongs / 4


_RIVER_PLANES = ("once", "twice", "in the last 4", "in the last 12", "among the first 6")


@jit_part
def _write_rivers(observation, planes):
    """Marks the discards of each player: those made once, twice, lately and early."""
    count = observation[AT.discard_count]
    for player in range(4):
        player_planes = planes[len(_RIVER_PLANES) * player:]
        for turn in range(RIVER_SIZE):
            slot = RIVER_SIZE * player + turn
            tile, time = observation[AT.river_tile + slot], observation[AT.river_time + slot]
            if tile == NONE:
                continue
            player_planes[1, tile] = player_planes[0, tile]
            player_planes[0, tile] = 1
            # Four discards are one round of the table, twelve are three.
            if time + 4 >= count:
                player_planes[2, tile] = 1
            if time + 12 >= count:
                player_planes[3, tile] = 1
            if turn < 6:
                player_planes[4, tile] = 1


@jit_part
def _write_all_walls(observation, planes):
    """Fills a plane with the share of all walls that is left."""
    tiles = 0
    for player in range(4):
        tiles += observation[AT.walls + player]
    planes[0, :] = tiles / (4 * WALL_DRAWS)


def _make_board():
    """Returns the planes that do not depend on the position, float32[9, 34]."""
    tiles = np.arange(TILE_COUNT)
    is_suited = tiles < FIRST_HONOUR
    return np.array([
        tiles >= 0, ~is_suited, tiles >= FIRST_DRAGON, is_suited & ((tiles % 9 == 0) | (tiles % 9 == 8)),
        *(is_suited & (tiles % 3 == rank) for rank in range(3)),
        [name in _GREEN for name in TILE_NAMES], [name in _REVERSIBLE for name in TILE_NAMES],
    ], np.float32)


# The planes 147, 258 and 369 are the tiles that a knitted straight contains of a suit.
assert set(KNITTED_STRAIGHTS[0][:3]) == {0, 3, 6}


def _mark_distance(distance):
    """Returns a function that marks the actions whose look "distance" has this value."""
    @jit_part
    def write(ahead, planes):
        for action in range(len(AHEAD_ACTIONS)):
            for tile in range(TILE_COUNT):
                if ahead[action][tile] == distance:
                    planes[action, tile] = 1

    return write


def _divide(first, unit):
    """Returns a function that writes the rows of compute_ahead_rows, from `first` on, divided by `unit`."""
    @jit_part
    def write(ahead, planes):
        for plane in range(len(planes)):
            for tile in range(TILE_COUNT):
                planes[plane, tile] = ahead[first + plane][tile] / unit

    return write


@jit_part
def _write_share_of_most(ahead, planes):
    """Writes the copies of each nearest action as a share of the most copies that a nearest action has."""
    most = 0
    for action in range(len(AHEAD_ACTIONS)):
        for tile in range(TILE_COUNT):
            if ahead[action][tile] == 1:
                most = max(most, ahead[COPIES_ROW + action][tile])
    if most:
        for action in range(len(AHEAD_ACTIONS)):
            for tile in range(TILE_COUNT):
                if ahead[action][tile] == 1:
                    planes[action, tile] = ahead[COPIES_ROW + action][tile] / most


_SHANTEN_PLANES = ("0", "1", "2", "3", "4", "5+")


@jit_part
def _write_shanten(ahead, planes):
    """Fills the plane of the shanten after the best actions with 1; the last plane is for all higher ones."""
    level = ahead[SHANTEN_ROW][0]
    if level:
        planes[min(level, len(_SHANTEN_PLANES)) - 1, :] = 1


# A group is its name, the names of its planes, and a function that writes them into float32[planes, 34] of zeros. If
# the planes do not depend on the position, there is an array instead of the function. These functions take an
# observation.
PLANE_GROUPS = (
    ("hand", _COPIES, _mark_copies(AT.hand)),
    ("unseen", _COPIES, _mark_copies(AT.unseen)),
    ("last tile at", _TASKS, _mark_last(AT.task, 0)),
    ("last tile of", _PLAYERS[1:], _mark_last(AT.last_giver, 1)),
    ("task", _TASKS, _write_task),
    ("wind", ("seat", "prevalent"), _write_winds),
    ("meld", tuple(player + " " + plane for player in _PLAYERS for plane in _MELD_PLANES), _write_melds),
    ("hidden kongs / 4", _PLAYERS[1:], _write_hidden_kongs),
    ("discarded", tuple(player + " " + plane for player in _PLAYERS for plane in _RIVER_PLANES), _write_rivers),
    ("number", tuple("wall " + player + " / 21" for player in _PLAYERS), _fill(AT.walls, WALL_DRAWS)),
    ("number", ("walls / 84",), _write_all_walls),
    ("number", tuple("hand size " + player + " / 14" for player in _PLAYERS), _fill(AT.hand_sizes, 14)),
    ("number", ("discards / 100",), _fill(AT.discard_count, 100)),
    ("number", ("after a kong",), _fill(AT.after_kong, 1)),
    ("board", ("tile", "honour", "dragon", "terminal", "147", "258", "369", "green", "reversible"), _make_board()),
)
# The functions of these groups take the rows of compute_ahead_rows instead of an observation.
AHEAD_GROUPS = (
    ("after", tuple(action + " nearest" for action in AHEAD_ACTIONS), _mark_distance(1)),
    ("after", tuple(action + " one farther" for action in AHEAD_ACTIONS), _mark_distance(2)),
    ("after", tuple(action + " copies / 40" for action in AHEAD_ACTIONS), _divide(COPIES_ROW, 40)),
    ("after", tuple(action + " copies of the most" for action in AHEAD_ACTIONS), _write_share_of_most),
    ("after", tuple(action + " wins / 8" for action in AHEAD_ACTIONS), _divide(WINS_ROW, 8)),
    ("after", tuple(action + " draws / 8" for action in AHEAD_ACTIONS), _divide(DRAWS_ROW, 8)),
    ("after", tuple(action + " fan / 32" for action in AHEAD_ACTIONS), _divide(FAN_ROW, 32)),
    ("useful", ("",), _divide(USEFUL_ROW, 1)),
    ("shanten", _SHANTEN_PLANES, _write_shanten),
)


def _name_planes(groups):
    """Returns the names of all planes of some groups: each group's name and the plane's own."""
    return tuple([(group + " " + plane).strip() for group, planes, _ in groups for plane in planes])


PLANES, AHEAD_PLANES = _name_planes(PLANE_GROUPS), _name_planes(AHEAD_GROUPS)
PLANE_COUNT = len(PLANES)
INPUTS = PLANES + AHEAD_PLANES
INPUT_COUNT = len(INPUTS)
# These are the planes before the functions write into them: zeros, except for the groups that are arrays.
_BLANK = np.zeros((INPUT_COUNT, TILE_COUNT), np.float32)


def _join(groups, first):
    """Returns one function that calls the functions of all groups. Compiled code cannot loop over functions."""
    if not groups:
        return jit_part(lambda source, planes: None)
    (_, names, write), *rest = groups
    end = first + len(names)
    write_rest = _join(rest, end)
    if isinstance(write, np.ndarray):
        _BLANK[first:end] = write
        return write_rest

    @jit_part
    def write_from_here(source, planes):
        write(source, planes[first:end])
        write_rest(source, planes)

    return write_from_here


_write_seen, _write_ahead = _join(PLANE_GROUPS, 0), _join(AHEAD_GROUPS, PLANE_COUNT)


def encode_inputs(
        observations: np.ndarray, ahead: Optional[np.ndarray] = None, names: Tuple[str, ...] = INPUTS) -> np.ndarray:
    """Returns the planes with the given names, float32[B, len(names), 34].

    observations: uint8[B, OBSERVATION_SIZE or more].
    ahead: uint8[B, 32, 34], the rows that compute_ahead_rows returns for the observations. None if no name is one of
        AHEAD_PLANES.
    names: tuple of names out of INPUTS.
    """
    planes = np.empty((len(observations),) + _BLANK.shape, np.float32)
    planes[:] = _BLANK
    if not IS_COMPILED:
        observations = observations.tolist()  # The interpreter reads lists several times as fast as arrays.
        ahead = None if ahead is None else ahead.tolist()
    _encode_seen(observations, planes)
    if ahead is not None:
        _encode_ahead(ahead, planes)
    return planes if names == INPUTS else planes[:, _list_rows(names)]


@jit
def _encode_seen(observations, planes):
    """Writes the planes that depend on the observations alone."""
    for row in range(len(observations)):
        _write_seen(observations[row], planes[row])


@jit
def _encode_ahead(ahead, planes):
    """Writes the planes that depend on the rows of compute_ahead_rows."""
    for row in range(len(ahead)):
        _write_ahead(ahead[row], planes[row])


@lru_cache(maxsize=16)
def _list_rows(names):
    """Returns the indices of some names in INPUTS."""
    return [INPUTS.index(name) for name in names]
