"""Builds tables by suit from which compiled code reads winning shapes, shanten and useful tiles without a search.

The key of a suit is its nine counts as digits in base 5, the count of rank 1 lowest. Honours are a suit of seven ranks.
A goal is a number of sets 0..4 and of pairs 0..1 that a suit is to become. Its index is 2 x sets + pairs.

Hands have at most 14 tiles, so most of the 5 ** 9 keys of a suit do not occur. `find_row` numbers those that do without
gaps: a row is the sum of two entries of small tables, one for the upper four digits and one for the lower five.
"""

from functools import lru_cache
from typing import NamedTuple, Tuple

import numpy as np

from ..jit import jit, jit_part, jit_with_memory


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
_KEYS = 5 ** 9
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
    tables, totals = make_tables()
    for suit, key_count, ranks in ((0, _KEYS, 9), (3, 5 ** 7, 7)):
        exact = _list_exact_goals(key_count, ranks)
        _fill_shapes(tables, suit, ranks, totals, exact)
        fill_missing(tables, suit, ranks, totals, _count_missing(exact, ranks))
    return tables


def make_tables() -> Tuple[SuitTables, np.ndarray]:
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


@jit_part
def _digit(key, rank):
    """Returns the count of a rank 0..8 in a key."""
    return key // 5 ** rank % 5


@jit_with_memory
def _list_exact_goals(key_count, ranks):
    """Returns uint16[key_count]: bit g is set where a key's tiles are exactly goal g. ranks: 9, or 7 without chows."""
    exact = np.zeros(key_count, np.uint16)
    exact[0] = 1
    no_pair = 0b0101010101
    all_goals = (1 << GOAL_COUNT) - 1
    for key in range(1, key_count):
        goals = 0
        for rank in range(ranks):
            power = 5 ** rank
            count = key // power % 5
            if count == 0:
                continue
            # The lowest tile belongs to some set or to the pair, so no other rank has to be tried.
            if count >= 2:
                goals |= (exact[key - 2 * power] & no_pair) << 1
            if count >= 3:
                goals |= exact[key - 3 * power] << 2
            if ranks == 9 and rank < 7 and _digit(key, rank + 1) and _digit(key, rank + 2):
                goals |= exact[key - 31 * power] << 2
            break
        exact[key] = goals & all_goals
    return exact


@jit_with_memory
def _count_missing(exact, ranks):
    """Returns uint8[keys, 10], the fewest missing tiles for each goal. No tile is used more than four times."""
    key_count = len(exact)
    missing = np.full((key_count, GOAL_COUNT), 15, np.uint8)
    contained = exact.copy()
    for key in range(key_count):
        for rank in range(ranks):
            if _digit(key, rank):
                contained[key] |= contained[key - 5 ** rank]
    for key in range(key_count - 1, -1, -1):
        for rank in range(ranks):
            power = 5 ** rank
            if key // power % 5 < 4:
                for goal in range(GOAL_COUNT):
                    missing[key, goal] = min(missing[key, goal], missing[key + power, goal] + 1)
        for goal in range(GOAL_COUNT):
            if contained[key] >> goal & 1:
                missing[key, goal] = 0
    return missing


@jit
def _fill_shapes(tables, suit, ranks, totals, exact):
    """Writes the bits of a suit's keys into `shape`. exact: uint16[keys], the goals that each key is exactly."""
    for key in range(len(exact)):
        if totals[key] <= MAX_TILES:
            tables.shape[find_row(tables, suit, key)] = _shape_bits(key, ranks, totals[key], exact)


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


@jit_part
def _shape_bits(key, ranks, total, exact):
    """Returns the bits SETS .. ORPHANS_PAIR of a key with `total` tiles."""
    bits = _set_bits(exact[key])
    singles = True
    even = True
    distinct = 0
    for rank in range(ranks):
        count = _digit(key, rank)
        singles = singles and count <= 1
        even = even and count % 2 == 0
        distinct += count > 0
    if even:
        bits |= PAIRS
    if ranks == 9:
        for knitted in range(3):
            straight = 5 ** knitted * (1 + 5 ** 3 + 5 ** 6)
            in_class = _digit(key, knitted) + _digit(key, knitted + 3) + _digit(key, knitted + 6)
            if singles and in_class == total:
                bits |= KNITTED << knitted
            if _digit(key, knitted) and _digit(key, knitted + 3) and _digit(key, knitted + 6):
                rest = _set_bits(exact[key - straight])
                bits |= (rest & 1) * STRAIGHT << knitted | (rest >> 1) * STRAIGHT_PAIR << knitted
        distinct = (_digit(key, 0) > 0) + (_digit(key, 8) > 0)
        ends = _digit(key, 0) + _digit(key, 8)
        wanted = 2
    else:
        if singles:
            bits |= KNITTED * 7
        bits |= (bits & 1) * STRAIGHT * 7 | (bits >> 1 & 1) * STRAIGHT_PAIR * 7
        ends = total
        wanted = 7
    if distinct == wanted and ends == total:
        bits |= (total == wanted) * ORPHANS | (total == wanted + 1) * ORPHANS_PAIR
    return bits


@jit_part
def _set_bits(goals):
    """Returns SETS, SETS_PAIR, both or 0. goals: bit g is set where the tiles are exactly goal g."""
    return (goals & 0b0101010101 > 0) * SETS | (goals & 0b1010101010 > 0) * SETS_PAIR
