"""Counts shanten and useful tiles of one hand or of many, for each winning shape; shanten.py has the definitions.

A set of tiles is an int64 with bit t for tile t. Compiled code reads a suit's missing tiles from the tables of
suit_tables.py. Interpreted code computes it by suit_memo.py: without a compiler the tables would take minutes to make.
"""

from functools import lru_cache

import numpy as np

from ..jit import IS_COMPILED, jit, jit_part, make_table
from .compiled import bit_count
from .errors import InvalidHandError
from .suit_memo import count_missing, list_useful
from .suit_tables import MISSING, PARTS, POWERS, load_tables, row
from .tile import COPIES, FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT

SHAPES = ("regular", "seven_pairs", "thirteen_orphans", "honours_and_knitted", "knitted_straight")
REGULAR_SHAPE, SEVEN_PAIRS_SHAPE, THIRTEEN_ORPHANS_SHAPE, HONOURS_AND_KNITTED_SHAPE, KNITTED_STRAIGHT_SHAPE = range(5)
SHAPE_COUNT = len(SHAPES)
# Shanten where the melds rule a shape out; the farthest hand of all has 13.
UNREACHABLE = 99

# Rows of scratch: 0..3 have the parts of each suit, 4 those of suits 0 and 1 together, 5 those of suits 2 and 3. KEYS
# has the key of each suit, _ROWS its table row. Row _REST_ROWS + suit has three table rows of the suit: in each, one
# copy of every tile of one knitted class is taken away.
KEYS, _ROWS, _REST_ROWS = 6, 7, 8

_POWERS = make_table(POWERS.tolist())
_HONOURS = ((1 << 7) - 1) << FIRST_HONOUR
_ORPHANS = _HONOURS | sum(1 << tile for tile in (0, 8, 9, 17, 18, 26))
# The tiles of the six knitted straights, and the class of each suit in them: 0 for 1 4 7, 1 for 2 5 8, 2 for 3 6 9.
_STRAIGHTS = make_table([sum(1 << tile for tile in straight) for straight in KNITTED_STRAIGHTS])
_CLASSES = make_table([[min(tile for tile in straight if tile // 9 == suit) % 9 for suit in range(3)]
                       for straight in KNITTED_STRAIGHTS])


def shanten_batch(counts, meld_counts):
    """Returns shanten and useful tiles of many hands by winning shape, (int8[N, 5], int64[N, 5]).

    The columns are in the order of SHAPES. The shanten is UNREACHABLE where melds rule the shape out. Bit t of the
    second array is set where tile t lowers the shanten; complete hands have no such tile.
    counts: uint8[N, 34], 13 or 14 less 3 for each meld. meld_counts: uint8[N], 0..4.
    Raises InvalidHandError: a wrong total or a fifth copy.
    """
    counts, meld_counts = _check_hands(counts, meld_counts, (13, 14))
    shanten = np.empty((len(counts), SHAPE_COUNT), np.int8)
    useful = np.empty((len(counts), SHAPE_COUNT), np.int64)
    _shanten_hands(load_missing(), counts, meld_counts, make_scratch(), shanten, useful)
    return shanten, useful


def least_batch(counts, meld_counts):
    """Returns the least shanten of many hands over all shapes, and the tiles that lower it, (int8[N], int64[N]).

    Bit t of the second array is set where tile t lowers the shanten.
    counts: uint8[N, 34], 13 or 14 less 3 for each meld. meld_counts: uint8[N], 0..4.
    Raises InvalidHandError: a wrong total or a fifth copy.
    """
    counts, meld_counts = _check_hands(counts, meld_counts, (13, 14))
    shanten = np.empty(len(counts), np.int8)
    useful = np.empty(len(counts), np.int64)
    _least_hands(load_missing(), counts, meld_counts, make_scratch(), shanten, useful)
    return shanten, useful


def discard_batch(counts, meld_counts):
    """Returns shanten and useful tiles after each discard over all shapes, (int8[N, 34], int64[N, 34]).

    The shanten is UNREACHABLE for a tile that the hand does not have. Bit t of the second array is set where tile t
    lowers the shanten after that discard.
    counts: uint8[N, 34], 14 less 3 for each meld. meld_counts: uint8[N].
    Raises InvalidHandError: a wrong total or a fifth copy.
    """
    counts, meld_counts = _check_hands(counts, meld_counts, (14,))
    shanten = np.full((len(counts), TILE_COUNT), UNREACHABLE, np.int8)
    useful = np.zeros((len(counts), TILE_COUNT), np.int64)
    _shanten_discards(load_missing(), counts, meld_counts, make_scratch(), shanten, useful)
    return shanten, useful


def load_missing():
    """Returns the table that shanten_least takes, one for each process; None in interpreted code."""
    return load_tables().missing if IS_COMPILED else None


def unpack_tiles(tiles):
    """Returns sets of tiles, int64[...], as bool[..., 34]."""
    return (tiles[..., None] >> np.arange(TILE_COUNT) & 1).astype(bool)


def _check_hands(counts, meld_counts, sizes):
    counts = np.ascontiguousarray(counts, np.uint8)
    meld_counts = np.ascontiguousarray(meld_counts, np.uint8)
    if counts.ndim != 2 or counts.shape[1] != TILE_COUNT or meld_counts.shape != counts.shape[:1]:
        raise InvalidHandError("expected counts [N, 34] and melds [N], got %r and %r"
                               % (counts.shape, meld_counts.shape))
    hand = _first_wrong(counts, meld_counts, sizes[0], sizes[-1])
    if hand >= 0:
        raise InvalidHandError("expected %s tiles with melds, at most 4 of a kind, got %r with %d melds in hand %d" % (
            " or ".join(map(str, sizes)), counts[hand].tolist(), meld_counts[hand], hand))
    return counts, meld_counts


@jit
def _first_wrong(counts, meld_counts, least_size, most_size):
    """Returns the index of the first hand of a wrong total or with a fifth copy; -1 where there is none."""
    for hand in range(len(counts)):
        size = 3 * np.int64(meld_counts[hand])
        most = np.uint8(0)
        for tile in range(TILE_COUNT):
            size += counts[hand, tile]
            most = max(most, counts[hand, tile])
        if most > COPIES or size < least_size or size > most_size:
            return hand
    return -1


def make_scratch():
    """Returns the working memory of one thread; the comment at KEYS says what its rows are."""
    scratch = np.zeros((_REST_ROWS + 3, PARTS), np.int64)
    return scratch if IS_COMPILED else scratch.tolist()


@jit
def _shanten_hands(table, counts, meld_counts, scratch, shanten, useful):
    for hand in range(len(counts)):
        shanten_shapes(table, counts[hand], np.int64(meld_counts[hand]), scratch, shanten[hand], useful[hand])


@jit
def _least_hands(table, counts, meld_counts, scratch, shanten, useful):
    for hand in range(len(counts)):
        shanten[hand], useful[hand] = shanten_least(table, counts[hand], np.int64(meld_counts[hand]), scratch)


@jit
def _shanten_discards(table, counts, meld_counts, scratch, shanten, useful):
    for hand in range(len(counts)):
        for tile in range(TILE_COUNT):
            if counts[hand, tile]:
                counts[hand, tile] -= 1
                least, tiles = shanten_least(table, counts[hand], np.int64(meld_counts[hand]), scratch)
                counts[hand, tile] += 1
                shanten[hand, tile] = least
                useful[hand, tile] = tiles


@jit_part
def shanten_shapes(table, counts, meld_count, scratch, shanten, useful):
    """Writes shanten, int8[5], and useful tiles, int64[5], of one hand by shape."""
    for shape in range(SHAPE_COUNT):
        shanten[shape] = UNREACHABLE
        useful[shape] = 0
    compute_keys(counts, scratch)
    shanten[REGULAR_SHAPE], useful[REGULAR_SHAPE] = solve_regular(table, meld_count, scratch)
    if meld_count > 1:
        return
    held, pairs, odd, size = _read_kinds(counts)
    shanten[KNITTED_STRAIGHT_SHAPE], useful[KNITTED_STRAIGHT_SHAPE] = _knitted_straight(
        table, held, meld_count, scratch, UNREACHABLE)
    if meld_count == 1:
        return
    shanten[SEVEN_PAIRS_SHAPE], useful[SEVEN_PAIRS_SHAPE] = _seven_pairs(size, odd)
    shanten[THIRTEEN_ORPHANS_SHAPE], useful[THIRTEEN_ORPHANS_SHAPE] = _thirteen_orphans(held, pairs)
    shanten[HONOURS_AND_KNITTED_SHAPE], useful[HONOURS_AND_KNITTED_SHAPE] = _honours_and_knitted(held)


@jit_part
def shanten_least(table, counts, meld_count, scratch):
    """Returns (least shanten over all shapes, tiles that lower it) of one hand, int64[34] or uint8[34]."""
    compute_keys(counts, scratch)
    least, tiles = solve_regular(table, meld_count, scratch)
    if meld_count > 1:
        return least, tiles
    held, pairs, odd, size = _read_kinds(counts)
    if meld_count == 0:
        least, tiles = _merge(least, tiles, _seven_pairs(size, odd))
        least, tiles = _merge(least, tiles, _thirteen_orphans(held, pairs))
        least, tiles = _merge(least, tiles, _honours_and_knitted(held))
    return _merge(least, tiles, _knitted_straight(table, held, meld_count, scratch, least))


if not IS_COMPILED:
    _shanten_least, _scratch = shanten_least, make_scratch()

    @lru_cache(maxsize=1 << 14)
    def _recall_least(hand, meld_count):
        return _shanten_least(None, hand, meld_count, _scratch)

    def shanten_least(table, counts, meld_count, scratch):
        """Returns (least shanten, tiles that lower it) from a cache: a decision asks for most hands again."""
        return _recall_least(bytes(counts.tolist()), int(meld_count))


@jit_part
def ready_tiles(table, counts, meld_count, scratch):
    """Returns the tiles that complete one hand, bit t for tile t; 0 where the hand is not ready."""
    least, tiles = shanten_least(table, counts, meld_count, scratch)
    return tiles if least == 0 else 0


@jit_part
def _merge(least, tiles, other):
    if other[0] < least:
        return other
    return (least, tiles | other[1]) if other[0] == least else (least, tiles)


@jit_part
def compute_keys(counts, scratch):
    """Writes the keys of the four suits into scratch."""
    for suit in range(4):
        key = 0
        for tile in range(9 * suit, min(9 * suit + 9, TILE_COUNT)):
            key += counts[tile] * _POWERS[tile]
        scratch[KEYS][suit] = key


@jit_part
def _read_kinds(counts):
    """Returns the kinds in hand, those with two or more and with an odd number, as bits; and the number of tiles."""
    held = pairs = odd = size = 0
    for tile in range(TILE_COUNT):
        held |= (counts[tile] > 0) << tile
        pairs |= (counts[tile] > 1) << tile
        odd |= (counts[tile] & 1) << tile
        size += counts[tile]
    return held, pairs, odd, size


_locate = row


@jit_part
def _unpack(table, at, parts):
    """Writes the number of tiles that a suit misses for m sets and p pairs to parts[2 m + p]."""
    packed = table.missing[at, MISSING]
    for part in range(PARTS):
        parts[part] = packed >> 4 * part & 15


@jit_part
def _missing(table, at, part):
    return table.missing[at, MISSING] >> 4 * part & 15


@jit_part
def _useful(table, at, part):
    return table.missing[at, part & 1] >> 9 * (part >> 1) & 511


if not IS_COMPILED:
    def _locate(table, suit, key):
        return key if suit < 3 else ~key

    def _unpack(table, at, parts):
        parts[:] = count_missing(at)

    def _missing(table, at, part):
        return count_missing(at)[part]

    def _useful(table, at, part):
        return list_useful(at, part)


@jit_part
def _join(one, other, parts, sets):
    """Writes the missing tiles of two groups of suits together to `parts`, up to `sets` sets."""
    for total in range(sets + 1):
        none = one[2 * total] + other[0]
        pair = min(one[2 * total] + other[1], one[2 * total + 1] + other[0])
        for here in range(total):
            rest = 2 * (total - here)
            none = min(none, one[2 * here] + other[rest])
            pair = min(pair, one[2 * here] + other[rest + 1], one[2 * here + 1] + other[rest])
        parts[2 * total] = none
        parts[2 * total + 1] = pair


@jit_part
def solve_regular(table, meld_count, scratch):
    """Returns (shanten, useful tiles) towards four sets, the melds among them, and a pair."""
    sets = 4 - meld_count
    for suit in range(4):
        at = _locate(table, suit, scratch[KEYS][suit])
        scratch[_ROWS][suit] = at
        _unpack(table, at, scratch[suit])
    _join(scratch[0], scratch[1], scratch[4], sets)
    _join(scratch[2], scratch[3], scratch[5], sets)
    missing = UNREACHABLE
    for here in range(sets + 1):
        rest = 2 * (sets - here)
        missing = min(missing, scratch[4][2 * here] + scratch[5][rest + 1], scratch[4][2 * here + 1] + scratch[5][rest])
    useful = 0
    for part in range(2 * sets + 2):
        # The other half has the other sets, and the pair if this half has none.
        rest = 2 * sets + 1 - part
        if scratch[4][part] + scratch[5][rest] == missing:
            useful |= _trace(table, scratch, 0, 4, part) | _trace(table, scratch, 2, 5, rest)
    return missing - 1, useful


@jit_part
def _trace(table, scratch, suit, joined, part):
    """Returns the useful tiles of two suits, `suit` and the next, towards one part of their join."""
    missing = scratch[joined][part]
    tiles = 0
    # If the part has a pair, either suit may have it.
    for here in range(0, part + 1, 2 - (part & 1)):
        rest = part - here
        if scratch[suit][here] + scratch[suit + 1][rest] == missing:
            tiles |= _useful(table, scratch[_ROWS][suit], here) << (9 * suit)
            tiles |= _useful(table, scratch[_ROWS][suit + 1], rest) << (9 * suit + 9)
    return tiles


@jit_part
def _seven_pairs(size, odd):
    return 6 - ((size - bit_count(odd)) >> 1), odd


@jit_part
def _thirteen_orphans(held, pairs):
    found = bit_count(held & _ORPHANS)
    if pairs & _ORPHANS:
        return 12 - found, _ORPHANS & ~held
    # Without a pair every orphan helps, one in hand as the pair.
    return 13 - found, _ORPHANS


@jit_part
def _honours_and_knitted(held):
    least = UNREACHABLE
    tiles = 0
    for straight in _STRAIGHTS:
        kinds = straight | _HONOURS
        shanten = 13 - bit_count(held & kinds)
        if shanten < least:
            least = shanten
            tiles = 0
        if shanten == least:
            tiles |= kinds & ~held
    return least, tiles


@jit_part
def _knitted_straight(table, held, meld_count, scratch, limit):
    """Returns (shanten, useful tiles) towards a knitted straight; (UNREACHABLE, 0) where shanten is more than limit."""
    # All at once: the reads of memory overlap.
    for suit in range(3):
        for first in range(3):
            key = scratch[KEYS][suit]
            for rank in range(first, 9, 3):
                key -= (held >> (9 * suit + rank) & 1) * _POWERS[rank]
            scratch[_REST_ROWS + suit][first] = _locate(table, suit, key)
    scratch[_ROWS][3] = _locate(table, 3, scratch[KEYS][3])
    least = limit
    tiles = 0
    is_near = False
    for number in range(6):
        straight = _STRAIGHTS[number]
        absent = 9 - bit_count(held & straight)
        if absent - 1 > least:
            continue
        for suit in range(3):
            scratch[_ROWS][suit] = scratch[_REST_ROWS + suit][_CLASSES[number][suit]]
        short = absent - 1 + _set_and_pair_missing(table, meld_count, scratch)
        if short > least:
            continue
        if short < least:
            least = short
            tiles = 0
        is_near = True
        tiles |= straight & ~held | _set_and_pair_useful(table, meld_count, scratch, short + 1 - absent)
    return (least, tiles) if is_near else (UNREACHABLE, 0)


@jit_part
def _set_and_pair_missing(table, meld_count, scratch):
    """Returns the tiles missing for the pair, and for the set if it is no meld, that go with a knitted straight."""
    pair_first = pair_second = set_first = set_second = both = UNREACHABLE
    pair_suit = set_suit = -1
    for suit in range(4):
        pair = _missing(table, scratch[_ROWS][suit], 1)
        if pair < pair_first:
            pair_first, pair_second, pair_suit = pair, pair_first, suit
        elif pair < pair_second:
            pair_second = pair
        if meld_count == 0:
            one_set = _missing(table, scratch[_ROWS][suit], 2)
            if one_set < set_first:
                set_first, set_second, set_suit = one_set, set_first, suit
            elif one_set < set_second:
                set_second = one_set
            both = min(both, _missing(table, scratch[_ROWS][suit], 3))
    if meld_count:
        return pair_first
    if pair_suit != set_suit:
        return min(both, pair_first + set_first)
    return min(both, pair_first + set_second, pair_second + set_first)


@jit_part
def _set_and_pair_useful(table, meld_count, scratch, missing):
    """Returns the useful tiles towards that set and pair, where `missing` tiles are missing."""
    tiles = 0
    for suit in range(4):
        pair = _missing(table, scratch[_ROWS][suit], 1)
        if meld_count:
            if pair == missing:
                tiles |= _useful(table, scratch[_ROWS][suit], 1) << (9 * suit)
            continue
        if _missing(table, scratch[_ROWS][suit], 3) == missing:
            tiles |= _useful(table, scratch[_ROWS][suit], 3) << (9 * suit)
        for other in range(4):
            if other != suit and pair + _missing(table, scratch[_ROWS][other], 2) == missing:
                tiles |= _useful(table, scratch[_ROWS][suit], 1) << (9 * suit)
                tiles |= _useful(table, scratch[_ROWS][other], 2) << (9 * other)
    return tiles
