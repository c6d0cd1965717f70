"""Computes shanten and useful tiles of one hand or of many, for each winning shape that shanten.py describes.

A set of tiles is an int64 in which bit t stands for tile t. Compiled code reads the missing tiles of a suit for each
goal from the tables of suit_tables.py. Interpreted code computes them by suit_memo.py, because without a compiler the
tables would take minutes to make. The functions of both files have the same arguments.
"""

from functools import lru_cache
from typing import Optional, Sequence, Tuple

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part, make_table
from .compiled import bit_count
from .errors import InvalidHandError
from .suit_tables import GOAL_COUNT, POWERS, SuitTables, load_tables
from .tile import COPIES, FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT

if IS_COMPILED:
    from .suit_tables import find_row, read_useful, unpack_missing
else:
    from .suit_memo import list_useful as read_useful, make_suit_key as find_row, write_missing as unpack_missing

SHAPES = ("regular", "seven_pairs", "thirteen_orphans", "honours_and_knitted", "knitted_straight")
REGULAR_SHAPE, SEVEN_PAIRS_SHAPE, THIRTEEN_ORPHANS_SHAPE, HONOURS_AND_KNITTED_SHAPE, KNITTED_STRAIGHT_SHAPE = range(5)
SHAPE_COUNT = len(SHAPES)
# This stands for the shanten where the melds rule a shape out. A real shanten is at most 13.
UNREACHABLE = 99

# The working memory `scratch` has these rows:
#     0..3        missing tiles of each suit by goal (3 is the honours)
#     4, 5        missing tiles by goal of suits 0 and 1 together, of suits 2 and 3 together
#     KEYS        key of each suit: its counts as digits in base 5
#     _REST_KEYS  key of each suit without the tiles of a knitted straight
#     _ROWS       row of each suit in its table; interpreted code writes what make_suit_key returns
KEYS, _REST_KEYS, _ROWS = 6, 7, 8

_POWERS = make_table(POWERS.tolist())
_HONOURS = ((1 << 7) - 1) << FIRST_HONOUR
_ORPHANS = _HONOURS | sum(1 << tile for tile in (0, 8, 9, 17, 18, 26))
# These are the six knitted straights as sets of tiles.
_STRAIGHTS = make_table([sum(1 << tile for tile in straight) for straight in KNITTED_STRAIGHTS])
_STRAIGHT_TILES = make_table(KNITTED_STRAIGHTS)


def shanten_batch(counts: np.ndarray, meld_counts: Sequence[int]) -> Tuple[np.ndarray, np.ndarray]:
    """Returns shanten and useful tiles of many hands by winning shape, (int8[N, 5], int64[N, 5]), ordered as SHAPES.

    The shanten is UNREACHABLE where melds rule the shape out. Bit t of the second array is set where tile t lowers it.
    counts: uint8[N, 34], concealed tiles, 13 or 14 less 3 for each meld. meld_counts: uint8[N], 0..4.
    """
    counts, meld_counts = _check_hands(counts, meld_counts, (13, 14))
    shanten = np.empty((len(counts), SHAPE_COUNT), np.int8)
    useful = np.empty((len(counts), SHAPE_COUNT), np.int64)
    _shanten_hands(load_missing(), counts, meld_counts, make_scratch(), shanten, useful)
    return shanten, useful


def least_batch(counts: np.ndarray, meld_counts: Sequence[int]) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the least shanten of many hands over all shapes, and the tiles that lower it, (int8[N], int64[N]).

    Bit t of the second array is set where tile t lowers the shanten. counts, meld_counts: see shanten_batch.
    """
    counts, meld_counts = _check_hands(counts, meld_counts, (13, 14))
    shanten = np.empty(len(counts), np.int8)
    useful = np.empty(len(counts), np.int64)
    _least_hands(load_missing(), counts, meld_counts, make_scratch(), shanten, useful)
    return shanten, useful


def discard_batch(counts: np.ndarray, meld_counts: Sequence[int]) -> Tuple[np.ndarray, np.ndarray]:
    """Returns the least shanten over all shapes and the useful tiles after each discard, (int8[N, 34], int64[N, 34]).

    The shanten is UNREACHABLE for a tile that the hand does not have. counts, meld_counts: see shanten_batch, 14 tiles.
    """
    counts, meld_counts = _check_hands(counts, meld_counts, (14,))
    shanten = np.full(counts.shape, UNREACHABLE, np.int8)
    useful = np.zeros(counts.shape, np.int64)
    hands, tiles = np.nonzero(counts)
    left = counts[hands]
    left[np.arange(len(left)), tiles] -= 1
    shanten[hands, tiles], useful[hands, tiles] = least_batch(left, meld_counts[hands])
    return shanten, useful


def load_missing() -> Optional[SuitTables]:
    """Returns the tables that all calls of a process share, None in interpreted code."""
    return load_tables() if IS_COMPILED else None


def unpack_tiles(tiles: np.ndarray) -> np.ndarray:
    """Returns sets of tiles as bool[..., 34]. tiles: int64[...], bit t stands for tile t."""
    return (tiles[..., None] >> np.arange(TILE_COUNT) & 1).astype(bool)


def _check_hands(counts, meld_counts, sizes):
    """Returns (counts uint8[N, 34], meld counts uint8[N]) after checks."""
    counts = np.ascontiguousarray(counts, np.uint8)
    meld_counts = np.ascontiguousarray(meld_counts, np.uint8)
    if counts.ndim != 2 or counts.shape[1] != TILE_COUNT or meld_counts.shape != counts.shape[:1]:
        raise InvalidHandError("expected counts [N, 34] and melds [N], got %r and %r", counts.shape, meld_counts.shape)
    full_sizes = counts.sum(axis=1, dtype=np.int64) + 3 * meld_counts.astype(np.int64)
    is_wrong = (counts.max(axis=1) > COPIES) | (full_sizes < sizes[0]) | (full_sizes > sizes[-1])
    if is_wrong.any():
        hand = is_wrong.argmax()
        raise InvalidHandError("expected %s tiles with melds, at most 4 of a kind, got %r with %d melds in hand %d",
                               " or ".join(map(str, sizes)), counts[hand].tolist(), meld_counts[hand], hand)
    return counts, meld_counts


def make_scratch() -> np.ndarray:
    """Returns the working memory that one thread needs. Interpreted code gets it as lists, which it reads faster."""
    scratch = np.zeros((_ROWS + 1, GOAL_COUNT), np.int64)
    return scratch if IS_COMPILED else scratch.tolist()


@jit
def _shanten_hands(table, counts, meld_counts, scratch, shanten, useful):
    for hand in range(len(counts)):
        shanten_shapes(table, counts[hand], np.int64(meld_counts[hand]), scratch, shanten[hand], useful[hand])


@jit
def _least_hands(table, counts, meld_counts, scratch, shanten, useful):
    for hand in range(len(counts)):
        shanten[hand], useful[hand] = shanten_least(table, counts[hand], np.int64(meld_counts[hand]), scratch)


@jit_part
def shanten_shapes(table: SuitTables, counts: np.ndarray, meld_count: int, scratch: np.ndarray, shanten: np.ndarray,
                   useful: np.ndarray) -> None:
    """Writes the shanten and the useful tiles of one hand for each winning shape, in the order of SHAPES.

    table: as load_missing returns it. counts: uint8[34] or int64[34], concealed tiles. meld_count: 0..4.
    scratch: as make_scratch returns it.
    shanten: int8[5], is written. useful: int64[5], is written.
    """
    for shape in range(SHAPE_COUNT):
        shanten[shape] = UNREACHABLE
        useful[shape] = 0
    compute_keys(counts, scratch)
    shanten[REGULAR_SHAPE], useful[REGULAR_SHAPE] = solve_regular(table, meld_count, scratch, KEYS)
    if meld_count > 1:
        return
    held, pairs, odd, size = _read_kinds(counts)
    shanten[KNITTED_STRAIGHT_SHAPE], useful[KNITTED_STRAIGHT_SHAPE] = _add_knitted_straights(
        table, held, meld_count, scratch, UNREACHABLE, 0)
    if meld_count == 1:
        return
    shanten[SEVEN_PAIRS_SHAPE], useful[SEVEN_PAIRS_SHAPE] = _seven_pairs(size, odd)
    shanten[THIRTEEN_ORPHANS_SHAPE], useful[THIRTEEN_ORPHANS_SHAPE] = _thirteen_orphans(held, pairs)
    shanten[HONOURS_AND_KNITTED_SHAPE], useful[HONOURS_AND_KNITTED_SHAPE] = _honours_and_knitted(held)


@jit_part
def _solve_least(table, counts, meld_count, scratch):
    """Returns (least shanten over all shapes, set of the tiles that lower it) of one hand."""
    compute_keys(counts, scratch)
    least, tiles = solve_regular(table, meld_count, scratch, KEYS)
    if meld_count > 1:
        return least, tiles
    held, pairs, odd, size = _read_kinds(counts)
    if meld_count == 0:
        least, tiles = _merge(least, tiles, _seven_pairs(size, odd))
        least, tiles = _merge(least, tiles, _thirteen_orphans(held, pairs))
        least, tiles = _merge(least, tiles, _honours_and_knitted(held))
    return _add_knitted_straights(table, held, meld_count, scratch, least, tiles)


def _recall_least(table, counts, meld_count, scratch):
    """Returns what _solve_least returns. table and scratch are not used."""
    return _cache_least(bytes(counts.tolist()), int(meld_count))


@lru_cache(maxsize=1 << 14)
def _cache_least(hand, meld_count):
    return _solve_least(None, hand, meld_count, _SCRATCH)


_SCRATCH = make_scratch()
# Interpreted code keeps the results, because one decision asks for most hands several times.
shanten_least = _solve_least if IS_COMPILED else _recall_least


@jit_part
def ready_tiles(table: SuitTables, counts: np.ndarray, meld_count: int, scratch: np.ndarray) -> int:
    """Returns the set of tiles that complete one hand, 0 where the hand is not ready."""
    least, tiles = shanten_least(table, counts, meld_count, scratch)
    return tiles if least == 0 else 0


@jit_part
def _merge(least, tiles, other):
    """Returns the lower of two (shanten, useful tiles), or both sets of tiles together if the shanten is equal."""
    if other[0] < least:
        return other
    return (least, tiles | other[1]) if other[0] == least else (least, tiles)


@jit_part
def compute_keys(counts: np.ndarray, scratch: np.ndarray) -> None:
    """Writes the keys of the four suits into row KEYS of scratch. counts: uint8[34] or int64[34]."""
    for suit in range(4):
        key = 0
        for tile in range(9 * suit, min(9 * suit + 9, TILE_COUNT)):
            key += counts[tile] * _POWERS[tile]
        scratch[KEYS][suit] = key


@jit_part
def _read_kinds(counts):
    """Returns (held, pairs, odd, size) of a hand."""
    held = pairs = odd = size = 0
    for tile in range(TILE_COUNT):
        held |= (counts[tile] > 0) << tile
        pairs |= (counts[tile] > 1) << tile
        odd |= (counts[tile] & 1) << tile
        size += counts[tile]
    return held, pairs, odd, size


@jit_part
def _join(one, other, missing, sets):
    """Writes how many tiles two groups of suits miss together for each goal of at most `sets` sets."""
    for total in range(sets + 1):
        none = one[2 * total] + other[0]
        pair = min(one[2 * total] + other[1], one[2 * total + 1] + other[0])
        for ours in range(total):
            theirs = 2 * (total - ours)
            none = min(none, one[2 * ours] + other[theirs])
            pair = min(pair, one[2 * ours] + other[theirs + 1], one[2 * ours + 1] + other[theirs])
        missing[2 * total] = none
        missing[2 * total + 1] = pair


@jit_part
def solve_regular(table: SuitTables, meld_count: int, scratch: np.ndarray, keys: int) -> Tuple[int, int]:
    """Returns (shanten, set of useful tiles) of a hand for four sets, the melds among them, and a pair.

    table: as load_missing returns it. meld_count: 0..4.
    scratch: as make_scratch returns it. keys: the row of scratch with the keys of the hand.
    """
    sets = 4 - meld_count
    for suit in range(4):
        suit_row = find_row(table, suit, scratch[keys][suit])
        scratch[_ROWS][suit] = suit_row
        unpack_missing(table, suit_row, scratch[suit])
    _join(scratch[0], scratch[1], scratch[4], sets)
    _join(scratch[2], scratch[3], scratch[5], sets)
    missing = UNREACHABLE
    for sets_here in range(sets + 1):
        other_goal = 2 * (sets - sets_here)
        missing = min(missing, scratch[4][2 * sets_here] + scratch[5][other_goal + 1],
                      scratch[4][2 * sets_here + 1] + scratch[5][other_goal])
    useful = 0
    for goal in range(2 * sets + 2):
        # Suits 2 and 3 have the other sets, and the pair if suits 0 and 1 have none.
        other_goal = 2 * sets + 1 - goal
        if scratch[4][goal] + scratch[5][other_goal] == missing:
            useful |= _trace(table, scratch, 0, 4, goal) | _trace(table, scratch, 2, 5, other_goal)
    return missing - 1, useful


@jit_part
def _trace(table, scratch, suit, joined_row, goal):
    """Returns the set of tiles that lower what two suits together miss for a goal."""
    missing = scratch[joined_row][goal]
    tiles = 0
    # A pair of the goal may be in either suit. For a goal without a pair only such goals are tried, by steps of two.
    for own_goal in range(0, goal + 1, 2 - (goal & 1)):
        other_goal = goal - own_goal
        if scratch[suit][own_goal] + scratch[suit + 1][other_goal] == missing:
            tiles |= read_useful(table, scratch[_ROWS][suit], own_goal) << (9 * suit)
            tiles |= read_useful(table, scratch[_ROWS][suit + 1], other_goal) << (9 * suit + 9)
    return tiles


@jit_part
def _seven_pairs(size, odd):
    """Returns (shanten, set of useful tiles) for seven pairs. size, odd: as _read_kinds returns them."""
    return 6 - ((size - bit_count(odd)) >> 1), odd


@jit_part
def _thirteen_orphans(held, pairs):
    """Returns (shanten, set of useful tiles) for thirteen orphans. held, pairs: as _read_kinds returns them."""
    orphan_count = bit_count(held & _ORPHANS)
    if pairs & _ORPHANS:
        return 12 - orphan_count, _ORPHANS & ~held
    # Without a pair every orphan is useful: one that is in hand makes the pair.
    return 13 - orphan_count, _ORPHANS


@jit_part
def _honours_and_knitted(held):
    """Returns (shanten, set of useful tiles) for 14 different tiles of the honours and one knitted straight."""
    least = UNREACHABLE
    tiles = 0
    for straight in _STRAIGHTS:
        wanted = straight | _HONOURS
        shanten = 13 - bit_count(held & wanted)
        if shanten < least:
            least = shanten
            tiles = 0
        if shanten == least:
            tiles |= wanted & ~held
    return least, tiles


@jit_part
def _add_knitted_straights(table, held, meld_count, scratch, least, tiles):
    """Returns (least, tiles), or the lower (shanten, useful tiles) for a knitted straight. held: tiles in hand."""
    for index, straight in enumerate(_STRAIGHTS):
        absent = 9 - bit_count(held & straight)
        if absent - 1 > least:
            continue
        for suit in range(4):
            scratch[_REST_KEYS][suit] = scratch[KEYS][suit]
        for tile in _STRAIGHT_TILES[index]:
            scratch[_REST_KEYS][tile // 9] -= (held >> tile & 1) * _POWERS[tile]
        # The straight takes the place of three sets.
        shanten, useful = solve_regular(table, meld_count + 3, scratch, _REST_KEYS)
        least, tiles = _merge(least, tiles, (shanten + absent, straight & ~held | useful))
    return least, tiles
