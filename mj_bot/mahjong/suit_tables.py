"""Tables by suit from which winning shapes, shanten and useful tiles are read without a search.

A suit's `key` is its nine counts written in base 5, rank 1 the lowest digit; honours are a suit of seven ranks. Hands
have at most 14 tiles, so only 405,350 of the 5 ** 9 suit keys occur: `row(tables, suit, key)` numbers these without
gaps, from the sum of two small tables, one for the upper four and one for the lower five digits.
The tables are built in about a second, one for all engines of a process.
"""

from collections import namedtuple
from functools import lru_cache

import numpy as np

from ..jit import jit, jit_part, jit_with_memory

Shapes = namedtuple("Shapes", "place shape")
Shapes.__doc__ = """The table for winning hands.

place: int32[2 * 625 + 3125], first row of the upper four digits, of a suit, then of honours; then the place of the
    lower five digits among all of them, smallest totals first.
shape: uint16[rows], bits SETS .. ORPHANS_PAIR, which parts of a winning shape the suit can be.
"""
MissingTable = namedtuple("MissingTable", "place missing")
MissingTable.__doc__ = """The table for shanten.

place: as of Shapes.
missing: int64[rows, 3]. Column MISSING: nibble 2 m + p is the number of tiles missing for m sets, 0..4, and p pairs.
    Column p: 9 bits at 9 m, the ranks whose tile lowers that number by one.
"""
Tables = namedtuple("Tables", "shapes missing")

MISSING = 2

# Bits of `shape`. A knitted class r is the ranks r, r + 3, r + 6; STRAIGHT says that the class is complete and the rest
# is sets. Honours have no class: their KNITTED bits are all or none, their STRAIGHT bits like SETS.
SETS = 1
SETS_PAIR = 2
PAIRS = 4
KNITTED = 8  # << class: singles of the class, nothing else
STRAIGHT = 64  # << class
STRAIGHT_PAIR = 512  # << class
ORPHANS = 4096
ORPHANS_PAIR = 8192

_UPPER = 5 ** 4
_HALF = 5 ** 5
_KEYS = 5 ** 9
MAX_TILES = 14
PARTS = 10

# 5 ** rank by tile: numba would compute the power in a loop.
POWERS = np.array([5 ** (tile % 9) for tile in range(34)], np.int64)


@jit_part
def row(tables, suit, key):
    """Returns the row of a suit's key in its table. tables: Shapes or MissingTable. suit: 0..3, 3 for the honours."""
    return tables.place[suit // 3 * _UPPER + key // _HALF] + tables.place[2 * _UPPER + key % _HALF]


@lru_cache(maxsize=None)
def load_tables():
    """Returns the Tables of this process, and builds them at the first call."""
    place, rows, totals = number_rows()
    shapes = Shapes(place, np.zeros(rows, np.uint16))
    table = MissingTable(place, np.zeros((rows, 3), np.int64))
    for suit, key_count, ranks in ((0, _KEYS, 9), (3, 5 ** 7, 7)):
        exact = _exact_parts(key_count, ranks)
        _fill_shapes(shapes, suit, ranks, totals, exact)
        fill_missing(table, suit, ranks, totals, _count_missing(exact, ranks))
    return Tables(shapes, table)


def number_rows():
    """Returns (index array of Shapes.place, number of rows, uint8[5 ** 9] with the number of tiles of each key)."""
    totals = np.indices((5,) * 9, np.uint8).sum(0, dtype=np.uint8).ravel()
    lower = np.argsort(totals[:_HALF], kind="stable")
    fitting = np.searchsorted(totals[lower], np.arange(MAX_TILES + 1), side="right")
    upper = totals[:_UPPER]
    sizes = np.where(upper <= MAX_TILES, fitting[MAX_TILES - np.minimum(upper, MAX_TILES)], 0)
    ends = np.cumsum(sizes)
    # Honours fill two upper digits only.
    rows = ends[-1] + ends[24]
    place = np.zeros(2 * _UPPER + _HALF, np.int32)
    place[:_UPPER] = ends - sizes
    place[_UPPER:2 * _UPPER] = ends[-1] + ends - sizes
    place[2 * _UPPER + lower] = np.arange(_HALF)
    return place, rows, totals


@jit_part
def _digit(key, rank):
    return key // 5 ** rank % 5


@jit_with_memory
def _exact_parts(key_count, ranks):
    """Returns uint16[key_count]: bit 2 m + p is set where the key is exactly m sets and p pairs."""
    exact = np.zeros(key_count, np.uint16)
    exact[0] = 1
    no_pair = 0b0101010101
    all_parts = (1 << PARTS) - 1
    for key in range(1, key_count):
        parts = 0
        for rank in range(ranks):
            power = 5 ** rank
            count = key // power % 5
            if count == 0:
                continue
            # The lowest tile is in some set or in the pair: no other rank has to be tried.
            if count >= 2:
                parts |= (exact[key - 2 * power] & no_pair) << 1
            if count >= 3:
                parts |= exact[key - 3 * power] << 2
            if ranks == 9 and rank < 7 and _digit(key, rank + 1) and _digit(key, rank + 2):
                parts |= exact[key - 31 * power] << 2
            break
        exact[key] = parts & all_parts
    return exact


@jit_with_memory
def _count_missing(exact, ranks):
    """Returns uint8[keys, 10], the tiles missing for every part; no kind is used more than four times."""
    key_count = len(exact)
    missing = np.full((key_count, PARTS), 15, np.uint8)
    held = exact.copy()
    for key in range(key_count):
        for rank in range(ranks):
            if _digit(key, rank):
                held[key] |= held[key - 5 ** rank]
    for key in range(key_count - 1, -1, -1):
        for rank in range(ranks):
            power = 5 ** rank
            if key // power % 5 < 4:
                for part in range(PARTS):
                    missing[key, part] = min(missing[key, part], missing[key + power, part] + 1)
        for part in range(PARTS):
            if held[key] >> part & 1:
                missing[key, part] = 0
    return missing


@jit
def _fill_shapes(shapes, suit, ranks, totals, exact):
    for key in range(len(exact)):
        if totals[key] <= MAX_TILES:
            shapes.shape[row(shapes, suit, key)] = _shape_bits(key, ranks, totals[key], exact)


@jit
def fill_missing(table, suit, ranks, totals, missing):
    """Packs the missing tiles of a suit's keys, uint8[keys, 10], into the table's rows.

    totals: number of tiles of each key.
    """
    for key in range(len(missing)):
        if totals[key] > MAX_TILES:
            continue
        r = row(table, suit, key)
        packed = 0
        for part in range(PARTS):
            packed |= np.int64(missing[key, part]) << 4 * part
            for rank in range(ranks):
                power = 5 ** rank
                if key // power % 5 < 4 and missing[key + power, part] < missing[key, part]:
                    table.missing[r, part & 1] |= 1 << 9 * (part >> 1) + rank
        table.missing[r, MISSING] = packed


@jit_part
def _shape_bits(key, ranks, total, exact):
    bits = _set_bits(exact[key])
    singles = True
    even = True
    kinds = 0
    for rank in range(ranks):
        count = _digit(key, rank)
        singles = singles and count <= 1
        even = even and count % 2 == 0
        kinds += count > 0
    if even:
        bits |= PAIRS
    if ranks == 9:
        for knitted in range(3):
            straight = 5 ** knitted * (1 + 5 ** 3 + 5 ** 6)
            inside = _digit(key, knitted) + _digit(key, knitted + 3) + _digit(key, knitted + 6)
            if singles and inside == total:
                bits |= KNITTED << knitted
            if _digit(key, knitted) and _digit(key, knitted + 3) and _digit(key, knitted + 6):
                rest = _set_bits(exact[key - straight])
                bits |= (rest & 1) * STRAIGHT << knitted | (rest >> 1) * STRAIGHT_PAIR << knitted
        kinds = (_digit(key, 0) > 0) + (_digit(key, 8) > 0)
        ends = _digit(key, 0) + _digit(key, 8)
        wanted = 2
    else:
        if singles:
            bits |= KNITTED * 7
        bits |= (bits & 1) * STRAIGHT * 7 | (bits >> 1 & 1) * STRAIGHT_PAIR * 7
        ends = total
        wanted = 7
    if kinds == wanted and ends == total:
        bits |= (total == wanted) * ORPHANS | (total == wanted + 1) * ORPHANS_PAIR
    return bits


@jit_part
def _set_bits(parts):
    """Returns SETS where some number of sets is exact, SETS_PAIR where sets and a pair are, or both."""
    return (parts & 0b0101010101 > 0) * SETS | (parts & 0b1010101010 > 0) * SETS_PAIR
