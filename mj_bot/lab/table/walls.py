"""Makes walls of 136 tiles from a seed, checks them, and lists the 24 seatings of four players.

A wall is a list of 136 tile names in four slices of 34. Seat i owns names 34 i .. 34 i + 33 and draws from the END of
its slice, first the 13 tiles of its deal. Botzone calls its text `walltiles`.
"""

import itertools
from collections.abc import Sequence

from ...mahjong.errors import InvalidHandError, MahjongError, Message
from ...mahjong.splitmix import MASK, STEP, mix
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES, parse_tile

WALL_SIZE = TILE_COUNT * COPIES
SLICE_SIZE = WALL_SIZE // 4
# SEATINGS[k][seat] is the player in that seat; the first is the given order, the last the reverse.
SEATINGS = tuple(itertools.permutations(range(4)))


def wall_from_seed(seed: int) -> list[str]:
    """Returns the wall of a seed 0 .. 2**64 - 1, a list of 136 tile names, equal on every machine and in every version.

    The method is a Fisher-Yates shuffle of the sorted wall (W1 W1 W1 W1 W2 .. J3): for i from 135 down to 1, tile i is
    exchanged with tile (top 32 bits of the next random number of mahjong/splitmix.py * (i + 1)) >> 32.
    """
    if not 0 <= seed <= MASK:
        raise MahjongError("expected a seed 0 .. 2**64 - 1, got %r", seed)
    names = [name for name in TILE_NAMES for _ in range(COPIES)]
    shuffle_by_seed(names, seed)
    return names


def shuffle_by_seed(items: list, seed: int) -> None:
    """Shuffles a list in place by the random numbers of a seed, with the method of wall_from_seed.

    seed: 0 .. 2**64 - 1.
    """
    for i in range(len(items) - 1, 0, -1):
        j = ((mix(seed) >> 32) * (i + 1)) >> 32
        seed = (seed + STEP) & MASK
        items[i], items[j] = items[j], items[i]


def wind_from_seed(seed: int) -> int:
    """Returns the prevalent wind 0..3 of a seed's game, for games whose wind is not given."""
    return seed % 4


def check_wall(names: Sequence[str], where: object = "") -> None:
    """Checks that a list of tile names is a wall.

    where: text or Message at the end of an error, which says where the wall came from.
    Raises InvalidTileError: an unknown name. InvalidHandError: not 136 tiles, or not four of each tile.
    """
    if len(names) != WALL_SIZE:
        raise InvalidHandError("expected a wall of %d tiles, got %d%s", WALL_SIZE, len(names), where)
    counts = [0] * TILE_COUNT
    for position, name in enumerate(names):
        counts[parse_tile(name, Message(" at place %d of a wall%s", position, where))] += 1
    for tile, count in enumerate(counts):
        if count != COPIES:
            raise InvalidHandError("expected four %s in a wall, got %d%s", TILE_NAMES[tile], count, where)
