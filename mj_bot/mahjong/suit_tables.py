"""Builds tables by suit from which compiled code reads winning shapes, shanten and useful tiles without a search.

The key of a suit is its nine counts as digits in base 5, the count of rank 1 lowest. Honours are a suit of seven ranks.
A goal is a number of sets 0..4 and of pairs 0..1 that a suit is to become. Its index is 2 x sets + pairs.

Hands have at most 14 tiles, so most of the 5 ** 9 keys of a suit do not occur. `find_row` numbers those that do without
gaps: a row is the sum of two entries of small tables, one for the upper four digits and one for the lower five.
"""

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple, Tuple

import numpy as np

from ..jit import jit, jit_part
from .tile import COPIES


class SuitTables(NamedTuple):
    """Keeps for every possible suit what it can be in a winning hand and what it misses for each goal.

    row_index: int32[2 * 625 + 3125], three tables one after another. [0:625] first row for each value of a suit's upper
        four digits. [625:1250] first row for each value of the upper digits of honours. [1250:] what each value of the
        lower five digits adds: its position if these values are sorted by their number of tiles.
    shape: uint16[rows], the bits SETS .. ORPHANS_PAIR below.
    missing: int64[rows, 3]. Column 2 contains in bits 4 g .. 4 g + 3 how many tiles are missing for goal g. Column p
        contains in bits 9 m .. 9 m + 8 the ranks whose tile lowers the missing tiles of m sets and p pairs.
    """

    row_index: np.ndarray
    shape: np.ndarray
    missing: np.ndarray


# This column of `missing` has the numbers of missing tiles.
MISSING = 2

# The bits of `shape` say what a suit is as a whole. Class 0, 1 or 2 of a suit is its tiles 1 4 7, 2 5 8 or 3 6 9: those
# that a knitted straight contains of the suit. KNITTED, STRAIGHT and STRAIGHT_PAIR are each followed by two more bits:
# KNITTED << c is the bit of class c. Honours have no classes: their three bits are equal.
SETS = 1  # The suit is sets only.
SETS_PAIR = 2  # It is sets and a pair.
PAIRS = 4  # It is pairs only.
KNITTED = 8  # It is different tiles of the class only. Honours: different tiles only.
STRAIGHT = 64  # It is the three tiles of the class and sets. Honours: sets only.
STRAIGHT_PAIR = 512  # It is the three tiles of the class, sets and a pair. Honours: sets and a pair.
ORPHANS = 4096  # It is each terminal (or honour) once.
ORPHANS_PAIR = 8192  # It is each terminal (or honour) once, and one of them twice.

_UPPER = 5 ** 4
_LOWER = 5 ** 5
MAX_TILES = 14
GOAL_COUNT = 10

# This is 5 ** rank for each tile. numba would compute the power in a loop.
POWERS = np.array([5 ** (tile % 9) for tile in range(34)], np.int64)


@jit_part
def find_row(tables: SuitTables, suit: int, key: int) -> int:
    """Returns the row of a suit in its table. suit: 0..3, 3 for honours. key: the suit's counts in base 5."""
    return tables.row_index[suit // 3 * _UPPER + key // _LOWER] + tables.row_index[2 * _UPPER + key % _LOWER]


@jit_part
def unpack_missing(tables: SuitTables, row: int, missing: np.ndarray) -> None:
    """Writes how many tiles a suit misses for each goal into `missing`, [10]."""
    packed = tables.missing[row, MISSING]
    for goal in range(GOAL_COUNT):
        missing[goal] = packed >> 4 * goal & 15


@jit_part
def read_useful(tables: SuitTables, row: int, goal: int) -> int:
    """Returns the ranks of a suit whose tile lowers the missing tiles for a goal; bit r stands for rank r + 1."""
    return tables.missing[row, goal & 1] >> 9 * (goal >> 1) & 511


@lru_cache(maxsize=None)
def load_tables() -> SuitTables:
    """Returns the tables of this process. The first call builds them."""
    tables, totals = make_suit_tables()
    for suit, ranks in ((0, 9), (3, 7)):
        exact = _list_exact_goals(ranks)
        _fill_shapes(tables, suit, totals, _list_shapes(exact, ranks))
        fill_missing(tables, suit, ranks, totals, _count_missing(exact, ranks))
    return tables


def make_suit_tables() -> Tuple[SuitTables, np.ndarray]:
    """Returns (SuitTables whose `shape` and `missing` are zeros, how many tiles each key has, uint8[5 ** 9])."""
    totals = np.indices((5,) * 9, np.uint8).sum(0, dtype=np.uint8).ravel()
    lower = np.argsort(totals[:_LOWER], kind="stable")
    fitting = np.searchsorted(totals[lower], np.arange(MAX_TILES + 1), side="right")
    upper = totals[:_UPPER]
    sizes = np.where(upper <= MAX_TILES, fitting[MAX_TILES - np.minimum(upper, MAX_TILES)], 0)
    ends = np.cumsum(sizes)
    # Honours have seven digits, so only two of the upper four can differ from 0.
    rows = ends[-1] + ends[24]
    row_index = np.zeros(2 * _UPPER + _LOWER, np.int32)
    row_index[:_UPPER] = ends - sizes
    row_index[_UPPER:2 * _UPPER] = ends[-1] + ends - sizes
    row_index[2 * _UPPER + lower] = np.arange(_LOWER)
    return SuitTables(row_index, np.zeros(rows, np.uint16), np.zeros((rows, 3), np.int64)), totals


def _list_exact_goals(ranks):
    """Returns uint16[keys]: bit g is set where a key's tiles are exactly goal g. ranks: 9, or 7 without chows."""
    single = np.eye(ranks, dtype=np.int64)
    chows = [single[rank:rank + 3].sum(axis=0) for rank in range(7) if ranks == 9]
    exact = np.zeros(5 ** ranks, np.uint16)
    for sets in range(GOAL_COUNT // 2):
        chosen = list(combinations_with_replacement([*(3 * single), *chows], sets))
        counts = np.array(chosen, np.int64).reshape(-1, sets, ranks).sum(axis=1) if sets else 0 * single[:1]
        for pairs in range(2):
            if pairs:
                counts = (counts[:, None] + 2 * single).reshape(-1, ranks)
            fitting = counts[(counts <= COPIES).all(axis=1)]
            exact[fitting @ POWERS[:ranks]] |= 1 << 2 * sets + pairs
    return exact


def _count_missing(exact, ranks):
    """Returns uint8[keys, 10], the fewest missing tiles for each goal. No tile is used more than four times."""
    # These arrays have an axis for each digit of a key.
    contained = exact.reshape((5,) * ranks)
    for axis in range(ranks):
        contained = np.bitwise_or.accumulate(contained, axis)
    missing = np.where(contained[..., None] >> np.arange(GOAL_COUNT, dtype=np.uint16) & 1, np.uint8(0), np.uint8(15))
    for axis in range(ranks):
        by_count = np.moveaxis(missing, axis, 0)
        for count in reversed(range(COPIES)):
            np.minimum(by_count[count], by_count[count + 1] + 1, out=by_count[count])
    return missing.reshape(-1, GOAL_COUNT)


def _list_shapes(exact, ranks):
    """Returns the bits SETS .. ORPHANS_PAIR of each key, uint16[keys]. exact: as _list_exact_goals returns it."""
    counts = np.indices((5,) * ranks, np.uint8)[::-1].reshape(ranks, -1)
    totals, is_single = counts.sum(axis=0, dtype=np.uint8), counts.max(axis=0) < 2
    sets = (exact & 0b0101010101 > 0) * np.uint16(SETS) | (exact & 0b1010101010 > 0) * np.uint16(SETS_PAIR)
    shapes = sets | ~(counts & 1).any(axis=0) * np.uint16(PAIRS)
    for first in range(3):
        own, rest = counts, sets
        if ranks == 9:
            own = counts[first::3]
            # The rest of a key is another key, lower by one copy of each tile of the class.
            rest = np.roll(sets, POWERS[first:9:3].sum()) * own.all(axis=0)
        shapes |= (is_single & (own.sum(axis=0, dtype=np.uint8) == totals)) * np.uint16(KNITTED << first)
        shapes |= (rest & SETS) * np.uint16(STRAIGHT << first) | (rest >> 1) * np.uint16(STRAIGHT_PAIR << first)
    ends = counts[[0, 8]] if ranks == 9 else counts
    is_orphans = ends.all(axis=0) & (ends.sum(axis=0, dtype=np.uint8) == totals)
    for more, bit in enumerate((ORPHANS, ORPHANS_PAIR)):
        shapes |= (is_orphans & (totals == len(ends) + more)) * np.uint16(bit)
    return shapes


@jit
def _fill_shapes(tables, suit, totals, shapes):
    """Writes the bits of a suit's keys into the rows of the table."""
    for key in range(len(shapes)):
        if totals[key] <= MAX_TILES:
            tables.shape[find_row(tables, suit, key)] = shapes[key]


@jit
def fill_missing(tables: SuitTables, suit: int, ranks: int, totals: np.ndarray, missing: np.ndarray) -> None:
    """Packs the missing and the useful tiles of all keys of a suit into the rows of the table.

    suit: 0 for the three suits, 3 for honours. ranks: 9 or 7.
    totals: uint8[keys], how many tiles each key has.
    missing: uint8[keys, 10], the missing tiles of each key for each goal.
    """
    for key in range(len(missing)):
        if totals[key] > MAX_TILES:
            continue
        table_row = find_row(tables, suit, key)
        packed = 0
        for goal in range(GOAL_COUNT):
            packed |= np.int64(missing[key, goal]) << 4 * goal
            for rank in range(ranks):
                power = 5 ** rank
                if key // power % 5 < 4 and missing[key + power, goal] < missing[key, goal]:
                    tables.missing[table_row, goal & 1] |= 1 << 9 * (goal >> 1) + rank
        tables.missing[table_row, MISSING] = packed
