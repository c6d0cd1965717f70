"""Walls: 136 tiles from a seed, from text, and the 24 ways to seat four players at one.

A wall is a list of 136 tile names, four slices of 34: seat i owns names 34 i .. 34 i + 33 and draws from the END of
its slice; the deal takes its first 13. Botzone calls the text of it `walltiles`.
"""

import itertools

from ...mahjong.errors import InvalidHandError, MahjongError
from ...mahjong.splitmix import MASK, STEP, mix
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES, parse_tile

WALL_SIZE = TILE_COUNT * COPIES
SLICE_SIZE = WALL_SIZE // 4
DEAL_SIZE = 13
# SEATINGS[k][seat] is the player in that seat; the first is the given order, the last its reverse.
SEATINGS = tuple(itertools.permutations(range(4)))


def wall_from_seed(seed):
    """The wall (list of 136 tile names) of a seed, 0 .. 2**64 - 1; the same on every machine and version.

    Fisher-Yates from the sorted wall (W1 W1 W1 W1 W2 .. J3): for i from 135 down to 1, tile i changes places with tile
    (top 32 bits of the next number * (i + 1)) >> 32. The numbers are those of mahjong/splitmix.py from the seed on.
    mj_bot/lab/engine/sources.py has the same in numba.
    Raises MahjongError: another seed.

    >>> wall_from_seed(0)[:4] == wall_from_seed(0)[:4], wall_from_seed(0) == wall_from_seed(1)
    (True, False)
    """
    if not 0 <= seed <= MASK:
        raise MahjongError("expected a seed 0 .. 2**64 - 1, got %r" % (seed,))
    names = [name for name in TILE_NAMES for _ in range(COPIES)]
    state = seed
    for i in range(WALL_SIZE - 1, 0, -1):
        j = ((mix(state) >> 32) * (i + 1)) >> 32
        state = (state + STEP) & MASK
        names[i], names[j] = names[j], names[i]
    return names


def wind_from_seed(seed):
    """The prevalent wind 0..3 that a seed's game is played under where nobody says otherwise."""
    return seed % 4


def check_wall(names, where=""):
    """Refuses a list of tile names that is no wall.

    where: text that an error ends with, the place the wall came from.
    Raises InvalidTileError: an unknown name. InvalidHandError: not 136 tiles, or not four of each kind.
    """
    if len(names) != WALL_SIZE:
        raise InvalidHandError("expected a wall of %d tiles, got %d%s" % (WALL_SIZE, len(names), where))
    counts = [0] * TILE_COUNT
    for position, name in enumerate(names):
        counts[parse_tile(name, " at place %d of a wall%s" % (position, where))] += 1
    for tile, count in enumerate(counts):
        if count != COPIES:
            raise InvalidHandError(
                "expected four %s in a wall, got %d%s" % (TILE_NAMES[tile], count, where)
            )


def parse_wall(text, where=""):
    """The wall (list of 136 tile names) written in a text, names apart by white space.

    Raises InvalidTileError: an unknown name. InvalidHandError: not 136 tiles, or not four of each kind.

    >>> parse_wall(" ".join(wall_from_seed(7))) == wall_from_seed(7)
    True
    """
    names = text.split()
    check_wall(names, where)
    return names
