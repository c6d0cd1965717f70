"""Walls of 136 tiles, from a seed or from text, and the 24 seatings of four players.

A wall is a list of 136 tile names, four slices of 34: seat i has names 34 i .. 34 i + 33 and draws from the END of its
slice, first the 13 tiles of its deal. Botzone calls its text `walltiles`.
"""

import itertools

from ...mahjong.errors import InvalidHandError, MahjongError
from ...mahjong.splitmix import MASK, STEP, mix
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES, parse_tile

WALL_SIZE = TILE_COUNT * COPIES
SLICE_SIZE = WALL_SIZE // 4
# SEATINGS[k][seat] is the player in that seat; the first is the given order, the last the reverse.
SEATINGS = tuple(itertools.permutations(range(4)))


def wall_from_seed(seed):
    """The wall (list of 136 tile names) of a seed, 0 .. 2**64 - 1; the same on every machine and version.

    Fisher-Yates from the sorted wall (W1 W1 W1 W1 W2 .. J3): for i from 135 down to 1, tile i is exchanged with tile
    (top 32 bits of the next number * (i + 1)) >> 32. The numbers are those of mahjong/splitmix.py from the seed on.
    mj_bot/lab/engine/wall_sources.py has the same in numba.
    Raises MahjongError: another seed.
    """
    if not 0 <= seed <= MASK:
        raise MahjongError("expected a seed 0 .. 2**64 - 1, got %r" % (seed,))
    names = [name for name in TILE_NAMES for _ in range(COPIES)]
    shuffle_by_seed(names, seed)
    return names


def shuffle_by_seed(items, seed):
    """Shuffles a list in place, as wall_from_seed describes it for 136 items."""
    for i in range(len(items) - 1, 0, -1):
        j = ((mix(seed) >> 32) * (i + 1)) >> 32
        seed = (seed + STEP) & MASK
        items[i], items[j] = items[j], items[i]


def wind_from_seed(seed):
    """The prevalent wind 0..3 of a seed's game, unless another is given."""
    return seed % 4


def check_wall(names, where=""):
    """Checks a list of tile names. where: the end of the error's text, the place where the wall was read.

    Raises InvalidTileError: an unknown name. InvalidHandError: not 136 tiles, or not four of each kind.
    """
    if len(names) != WALL_SIZE:
        raise InvalidHandError("expected a wall of %d tiles, got %d%s" % (WALL_SIZE, len(names), where))
    counts = [0] * TILE_COUNT
    for position, name in enumerate(names):
        counts[parse_tile(name, " at place %d of a wall%s" % (position, where))] += 1
    for tile, count in enumerate(counts):
        if count != COPIES:
            raise InvalidHandError("expected four %s in a wall, got %d%s" % (TILE_NAMES[tile], count, where))
