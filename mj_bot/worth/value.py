"""Sums up all targets of a hand by the formula of docs/search.md.

This file has the patterns without four sets and a pair, and the total. valuer.py adds the waits of a ready hand and
takes the root.
"""

from typing import NamedTuple

import numpy as np

from ..jit import jit_part
from ..mahjong.tile import FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT
from ..observation.openings import UNCHANGED
from .chance import CLASS_OF, FOR_ONE_CHOW, FOR_PAIR, FOR_PUNG
from .hand_record import HAND, make_record, make_record_type, set_need
from .partials import PRODUCTS, join_all_suits, set_honours, set_partials, sum_regular_patterns
from .patterns import HONOURS_AND_KNITTED, KNITTED_STRAIGHT, PATTERNS, SEVEN_PAIRS
from .rows import NO_ROWS, RowIndex
from .settings import ValueSettings
from .suits import SUIT_WORK, SUIT_SUMS, LikelyRows, make_likely_rows, sum_changed, sum_suit, weigh_suit

# The honours have the index after the three suits.
_HONOURS = 3
_PAIRS = 7
# Class r of a suit is its ranks r, r + 3 and r + 6. SPECIAL.knitted has these columns for each class: the chances to
# have one copy of all its tiles, of all but one, of all but two; the chance to have all for a knitted straight; and
# with those tiles taken away, the ways to the pair and to the set.
_FULL, _BUT_ONE, _BUT_TWO, _STRAIGHT, _PAIR, _SET = range(6)
# This is int64[6, 3]: the suit that gives each class in the six knitted straights.
_SUIT_OF_CLASS = np.array([[tile // 9 for tile in straight[::3]] for straight in KNITTED_STRAIGHTS], np.int64)

# The work space of this file.
SPECIAL = make_record_type(
    ("knitted", float, (4, 3, 6), "the columns _FULL .. _SET by suit and class"),
    ("pairs", float, (TILE_COUNT + 1, 2, _PAIRS + 1), "ways to 0..7 pairs of the tiles below t, from t on"),
    ("pattern_worths", float, (len(PATTERNS),), "the worth by pattern, to the power of sharpness"),
)


class WorthBuffers(NamedTuple):
    """Keeps the description of a hand, and the sums that its worth is made of. Each array has one record.

    The same records serve one hand after another, always with the same settings. The caller writes `hand`. `suits` and
    `likely` keep their sums from hand to hand. The others are the work space of one file each.
    """

    hand: np.ndarray  # a record of type hand_record.HAND
    suits: np.ndarray  # a record of type suits.SUIT_SUMS
    suit_work: np.ndarray  # a record of type suits.SUIT_WORK
    products: np.ndarray  # a record of type partials.PRODUCTS
    special: np.ndarray  # a record of type SPECIAL
    likely: LikelyRows  # a cache of rows


def make_buffers() -> WorthBuffers:
    """Returns new records for one thread."""
    return WorthBuffers(*map(make_record, (HAND, SUIT_SUMS, SUIT_WORK, PRODUCTS, SPECIAL)), make_likely_rows())


@jit_part
def set_sums(rows: RowIndex, settings: ValueSettings, records: WorthBuffers) -> None:
    """Sums up the suits of a hand, its honours, and the ways to the patterns without four sets and a pair.

    Where the hand has a changed suit, only this suit is summed up; the sums of the other suits are kept.
    rows: as rows.load_rows returns it. records.hand: describes the hand.
    """
    hand, suits, special = records.hand[0], records.suits[0], records.special[0]
    chances = settings.chances[hand.draws, hand.unseen_total]
    for tile in range(TILE_COUNT):
        set_need(chances, hand, tile)
    for suit in range(3):
        if hand.changed_suit in (UNCHANGED, suit):
            sum_suit(rows, settings, records.likely, hand, suits, records.suit_work[0], suit)
    set_honours(settings.values, hand, suits, records.products[0])
    if hand.meld_count == 0:
        _set_pairs(hand, special.pairs)
    if hand.meld_count <= 1:
        for suit in range(4):
            _set_knitted(chances, hand, special.knitted[suit], suit)


@jit_part
def sum_patterns(settings: ValueSettings, records: WorthBuffers) -> float:
    """Returns the worth of a hand to the power of sharpness. set_sums must come first.

    The worth by pattern is in records.special[0].pattern_worths.
    """
    hand, products, special = records.hand[0], records.products[0], records.special[0]
    join_all_suits(settings.pay, hand, records.suits[0], products)
    total = sum_regular_patterns(settings.pay, hand, products, special.pattern_worths)
    return total + _sum_special_patterns(settings, hand, special, 0)


@jit_part
def value_changes(
        rows: RowIndex, settings: ValueSettings, records: WorthBuffers, tiles: int, change: int,
        worths: np.ndarray) -> int:
    """Writes the worth of a hand after each of some tiles has come or gone, to the power of sharpness.

    Returns the number of tiles. set_sums must come first.
    rows: as rows.load_rows returns it. tiles: bit t for tile t. change: -1 to discard each tile, 1 to draw it.
    worths: float64[.], receives the worths in the order of the tiles.
    """
    hand, suits, products, special = records.hand[0], records.suits[0], records.products[0], records.special[0]
    pay, chances = settings.pay, settings.chances[hand.draws, hand.unseen_total]
    partials, by_want = products.partials, records.suit_work[0].by_want
    count = 0
    # Suits and honours share one loop. With two loops the compiler inlines less, and the code is slower.
    for suit in range(4):
        if not tiles >> (9 * suit) & 511:
            continue
        if suit == _HONOURS:
            join_all_suits(pay, hand, suits, products)
        else:
            set_partials(pay, hand, suits, products, suit)
            weigh_suit(rows, hand, suits, records.suit_work[0], partials, suit, tiles)
        for tile in range(9 * suit, min(9 * suit + 9, TILE_COUNT)):
            if not tiles >> tile & 1:
                continue
            _change_tile(chances, hand, special, tile, change, max(0, change))
            if suit == _HONOURS:
                set_honours(settings.values, hand, suits, products)
                worth = sum_regular_patterns(pay, hand, products, special.pattern_worths)
            else:
                worth = partials[NO_ROWS, 2 * hand.sets + 1] + sum_changed(chances, hand, by_want, tile, change)
            worths[count] = worth + _sum_special_patterns(settings, hand, special, tile)
            count += 1
            _change_tile(chances, hand, special, tile, -change, -max(0, change))
    return count


@jit_part
def _change_tile(chances, hand, special, tile, change, drawn):
    """Changes the count of a tile, and everything that depends on the count except the sums."""
    hand.counts[tile] += change
    hand.unseen[tile] -= drawn
    set_need(chances, hand, tile)
    if hand.meld_count <= 1:
        _set_knitted(chances, hand, special.knitted[tile // 9], tile // 9)


@jit_part
def _sum_special_patterns(settings, hand, special, tile):
    """Writes special.pattern_worths of the patterns without four sets and a pair, and returns their sum."""
    # Since _set_pairs, no count but that of `tile` has changed.
    knitted, straight = _worth_of_knitted(settings, hand, special.knitted)
    pairs = _worth_of_pairs(settings.pay, hand, special.pairs, tile) if hand.meld_count == 0 else 0.0
    special.pattern_worths[SEVEN_PAIRS] = pairs
    special.pattern_worths[HONOURS_AND_KNITTED] = knitted
    special.pattern_worths[KNITTED_STRAIGHT] = straight
    return pairs + knitted + straight


@jit_part
def _set_pairs(hand, pairs):
    """Writes SPECIAL.pairs: the ways to 0..7 pairs of the tiles below each tile, and of the tiles from it on."""
    for count in range(_PAIRS + 1):
        pairs[0, 0, count] = pairs[TILE_COUNT, 1, count] = 1.0 if count == 0 else 0.0
    for tile in range(TILE_COUNT):
        _grow(hand, tile, pairs[tile, 0], pairs[tile + 1, 0])
    for tile in range(TILE_COUNT - 1, -1, -1):
        _grow(hand, tile, pairs[tile + 1, 1], pairs[tile, 1])


@jit_part
def _grow(hand, tile, ways, grown):
    """Writes the ways to 0..7 pairs of some tiles and one tile more into `grown`. ways: those without this tile."""
    pair = hand.concealed_by_need[tile, 2]
    two_pairs = hand.concealed_by_need[tile, 4] if hand.counts[tile] > 2 else 0.0
    grown[0] = ways[0]
    grown[1] = ways[1] + ways[0] * pair
    for count in range(2, _PAIRS + 1):
        grown[count] = ways[count] + ways[count - 1] * pair + ways[count - 2] * two_pairs


@jit_part
def _worth_of_pairs(pay, hand, pairs, tile):
    """Returns the worth by seven pairs."""
    below, above = pairs[tile, 0], pairs[tile + 1, 1]
    pair = hand.concealed_by_need[tile, 2]
    two_pairs = hand.concealed_by_need[tile, 4] if hand.counts[tile] > 2 else 0.0
    total = below[_PAIRS] * above[0]
    for count in range(_PAIRS):
        total += below[count] * above[_PAIRS - count]
        total += below[count] * above[_PAIRS - 1 - count] * pair
        if count < _PAIRS - 1:
            total += below[count] * above[_PAIRS - 2 - count] * two_pairs
    return pay[SEVEN_PAIRS] * total


@jit_part
def _set_knitted(chances, hand, by_class, suit):
    """Writes a suit's entry of SPECIAL.knitted: the columns _FULL .. _SET by class of ranks. Honours are one class."""
    if suit == _HONOURS:
        _clear_class(by_class[0])
        for tile in range(FIRST_HONOUR, TILE_COUNT):
            _add_single(hand.concealed_by_need[tile, 1], by_class[0])
            by_class[0, _PAIR] += hand.by_need[tile, FOR_PAIR]
            by_class[0, _SET] += hand.by_need[tile, FOR_PUNG]
        return
    for first in range(3):
        ways = by_class[first]
        _clear_class(ways)
        for rank in range(first, 9, 3):
            _add_single(hand.concealed_by_need[9 * suit + rank, 1], ways)
            ways[_STRAIGHT] *= hand.concealed_by_need[9 * suit + rank, 1]
        before = last = 0.0
        for rank in range(9):
            tile = 9 * suit + rank
            left = hand.counts[tile]
            if rank % 3 == first and left:
                left -= 1
            row = chances[CLASS_OF[tile], hand.unseen[tile], left]
            once = row[FOR_ONE_CHOW]
            ways[_PAIR] += row[FOR_PAIR]
            ways[_SET] += row[FOR_PUNG] + before * last * once
            before, last = last, once


@jit_part
def _clear_class(ways):
    """Writes the columns of a class without tiles."""
    ways[_FULL] = ways[_STRAIGHT] = 1.0
    ways[_BUT_ONE] = ways[_BUT_TWO] = ways[_PAIR] = ways[_SET] = 0.0


@jit_part
def _add_single(chance, ways):
    """Adds one tile to the columns _FULL, _BUT_ONE and _BUT_TWO. chance: chance to have the tile."""
    ways[_BUT_TWO] = ways[_BUT_TWO] * chance + ways[_BUT_ONE]
    ways[_BUT_ONE] = ways[_BUT_ONE] * chance + ways[_FULL]
    ways[_FULL] *= chance


@jit_part
def _worth_of_knitted(settings, hand, knitted_ways):
    """Returns the worth by honours and knitted tiles, and by the knitted straight with a pair and a set or meld."""
    melds = hand.meld_count
    if melds > 1:
        return 0.0, 0.0
    honours = knitted_ways[_HONOURS, 0]
    knitted = straights = 0.0
    for straight_index in range(len(_SUIT_OF_CLASS)):
        suits = _SUIT_OF_CLASS[straight_index]
        one, two, three = knitted_ways[suits[0], 0], knitted_ways[suits[1], 1], knitted_ways[suits[2], 2]
        if melds == 0:
            full, but_one, but_two = _join_singles(one[_FULL], one[_BUT_ONE], one[_BUT_TWO], two)
            full, but_one, but_two = _join_singles(full, but_one, but_two, three)
            knitted += _join_singles(full, but_one, but_two, honours)[2]
        straight = one[_STRAIGHT] * two[_STRAIGHT] * three[_STRAIGHT]
        if straight >= settings.values.least_chance:
            ways = one[_PAIR] + two[_PAIR] + three[_PAIR] + honours[_PAIR]
            if melds == 0:
                sets = one[_SET] + two[_SET] + three[_SET] + honours[_SET]
                ways *= sets * settings.values.knitted_rest
            straights += straight * ways
    return settings.pay[HONOURS_AND_KNITTED] * knitted, settings.pay[KNITTED_STRAIGHT] * straights


@jit_part
def _join_singles(full, but_one, but_two, ways):
    """Returns the columns _FULL, _BUT_ONE and _BUT_TWO of two classes together."""
    return (full * ways[_FULL], full * ways[_BUT_ONE] + but_one * ways[_FULL],
            full * ways[_BUT_TWO] + but_one * ways[_BUT_ONE] + but_two * ways[_FULL])
