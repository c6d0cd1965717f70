"""Sums up the patterns of four sets and a pair, from the sums of three suits and of the honours.

The sums are polynomials in the number of sets (0..4) and pairs (0..1): float64[SLOTS], with the coefficient of s sets
and p pairs at 2 * s + p. The worth of a pattern is the coefficient of all missing sets and the pair in a product of
such polynomials. It is a sum over terms. A term is the product of

    the sum of one group of rows of a suit
    the matching sums of the other two suits (`joined`)
    the honours of the pattern (`honour_ways`)

The worth can be computed from the rows of any of the three suits, with the same result. If a suit has one tile more or
less, only its own sums change. So the product of all other factors, which is the partial derivative of the worth with
respect to the suit's sums, is computed once for all tiles of the suit.
"""

from itertools import permutations

import numpy as np

from ..jit import jit_part
from ..mahjong.tile import FIRST_HONOUR
from .chance import FOR_PAIR, FOR_PUNG
from .hand_record import TYPES, Record, make_record_type
from .parameters import Parameters
from .patterns import (
    ALL_PUNGS, ALL_TYPES, FULL_FLUSH, HALF_FLUSH, HONOUR_COUNT, MIXED_STEPS, MIXED_STRAIGHT, MIXED_TRIPLE,
    PURE_CHOWS_OF_SUIT, PURE_TRIPLES, REGULAR_PATTERNS, UPPER_OR_LOWER, WIND_COUNT)
from .rows import (
    ALL, CHOWS, LOWER, MAX_SETS, NO_CHOW, NO_ROWS, PURE_16_FAN, PURE_24_FAN, ROW_GROUPS, SLOTS, UPPER, WITH_CHOW,
    WITH_CHOW_ALONE)
from .suits import index_of

# This row of `joined` and `by_pattern` is for mixed steps in hands of chows alone. It is the row of all types, which
# these two arrays do not need.
STEPS_ALONE = ALL_TYPES

# These are the positions 0..2 of each suit in the six orders of the suits.
_SUIT_ORDERS = [np.argsort(order) for order in permutations(range(3))]
# This is int64[K, 4], three chows in three suits: the pattern that they make, and the lowest rank in each suit.
_THREE_CHOWS = np.array(
    [(MIXED_TRIPLE, rank, rank, rank) for rank in range(CHOWS)]
    + [(MIXED_STRAIGHT, *(3 * order_ranks)) for order_ranks in _SUIT_ORDERS]
    + [(MIXED_STEPS, *(rank + order_ranks)) for order_ranks in _SUIT_ORDERS for rank in range(CHOWS - 2)], np.int64)

# These are the terms of all patterns except all types: (pattern, group of a suit's rows).
_TERMS = tuple(
    [(pattern, WITH_CHOW + chow) for pattern in (MIXED_TRIPLE, MIXED_STEPS) for chow in range(CHOWS)]
    + [(MIXED_STRAIGHT, WITH_CHOW + chow) for chow in (0, 3, 6)]
    + [(STEPS_ALONE, WITH_CHOW_ALONE + chow) for chow in range(CHOWS)]
    + [(PURE_CHOWS_OF_SUIT, PURE_16_FAN), (PURE_CHOWS_OF_SUIT, ALL), (PURE_TRIPLES, PURE_24_FAN), (PURE_TRIPLES, ALL),
       (HALF_FLUSH, ALL), (HALF_FLUSH, NO_ROWS), (FULL_FLUSH, ALL), (FULL_FLUSH, NO_ROWS), (ALL_PUNGS, NO_CHOW),
       (UPPER_OR_LOWER, UPPER), (UPPER_OR_LOWER, LOWER)])

# This is the work space of this file, for one hand after another.
PRODUCTS = make_record_type(
    ("honours", float, (2, SLOTS), "polynomials of the honours: all ways, and those with a set that counts two fan"),
    ("honour_ways", float, (REGULAR_PATTERNS, SLOTS), "what the honours bring to each pattern"),
    ("types", float, (TYPES, SLOTS), "the ways to the set or pair of each of the five groups of tiles"),
    ("other_types", float, (2, SLOTS), "the ways to all groups but one suit, and the memory to compute them"),
    ("joined", float, (REGULAR_PATTERNS, ROW_GROUPS + 1, SLOTS),
     "for each pattern and each group of the third suit: product of the sums of the other two"),
    ("by_pattern", float, (REGULAR_PATTERNS, SLOTS), "products of the sums of all three suits by pattern"),
    ("partials", float, (ROW_GROUPS + 1, SLOTS), "partial derivatives of the worth by the sums of one suit"),
)


@jit_part
def _add_product(one, other, scale, sets, total, least=0, other_least=0):
    """Adds `scale` times the product of two polynomials to a third one, `total`, up to `sets` sets and one pair."""
    for done in range(least, sets - other_least + 1):
        none = scale * one[2 * done]
        pair = scale * one[2 * done + 1]
        if none == 0.0 and pair == 0.0:
            continue
        for more in range(other_least, sets + 1 - done):
            total[2 * (done + more)] += none * other[2 * more]
            total[2 * (done + more) + 1] += none * other[2 * more + 1] + pair * other[2 * more]


@jit_part
def _join(one, other, sets):
    """Returns the coefficient of `sets` sets and one pair in the product of two polynomials."""
    total = 0.0
    for slot in range(2 * sets + 2):
        total += one[slot] * other[2 * sets + 1 - slot]
    return total


@jit_part
def _join_suits(pay, hand, sums, joined, suit):
    """Writes the products of the sums of the two other suits, by pattern and by group of `suit`, into `joined`."""
    sets = hand.sets
    one, other = sums[index_of(hand, (suit + 1) % 3)], sums[index_of(hand, (suit + 2) % 3)]
    for pattern, group in _TERMS:
        joined[pattern, group, :] = 0.0
    _join_chows(pay, hand, joined, suit, one, other)
    for pattern, group in ((PURE_CHOWS_OF_SUIT, PURE_16_FAN), (PURE_TRIPLES, PURE_24_FAN)):
        _add_product(one[ALL], other[ALL], pay[pattern], sets, joined[pattern, group])
        _add_product(one[group], other[ALL], pay[pattern], sets, joined[pattern, ALL])
        _add_product(other[group], one[ALL], pay[pattern], sets, joined[pattern, ALL])
    _add_product(one[NO_CHOW], other[NO_CHOW], pay[ALL_PUNGS], sets, joined[ALL_PUNGS, NO_CHOW])
    for group, may_be in ((UPPER, hand.may_be_upper), (LOWER, hand.may_be_lower)):
        if may_be:
            _add_product(one[group], other[group], pay[UPPER_OR_LOWER], sets, joined[UPPER_OR_LOWER, group])
    for own in range(3):
        if hand.type_melds[(own + 1) % 3] or hand.type_melds[(own + 2) % 3]:
            continue
        own_sums = sums[index_of(hand, own), ALL]
        for pattern in (HALF_FLUSH, FULL_FLUSH):
            if own == suit:
                joined[pattern, ALL, 0] = pay[pattern]
            else:
                for slot in range(SLOTS):
                    joined[pattern, NO_ROWS, slot] += pay[pattern] * own_sums[slot]


@jit_part
def _join_chows(pay, hand, joined, suit, one, other):
    """Adds the chows of the next suit (one) and the last one (other) that make a pattern with each chow of `suit`."""
    next_suit, last_suit = (suit + 1) % 3, (suit + 2) % 3
    melded, next_melded, last_melded = (
        hand.suit_melds[suit, 0], hand.suit_melds[next_suit, 0], hand.suit_melds[last_suit, 0])
    for row in range(len(_THREE_CHOWS)):
        chows = _THREE_CHOWS[row]
        pattern, chow = chows[0], chows[1 + suit]
        next_chow, last_chow = chows[1 + next_suit], chows[1 + last_suit]
        # A chow is one of the missing sets, unless it is melded.
        sets = hand.sets - (1 - (melded >> chow & 1))
        least, other_least = 1 - (next_melded >> next_chow & 1), 1 - (last_melded >> last_chow & 1)
        _add_product(one[WITH_CHOW + next_chow], other[WITH_CHOW + last_chow], pay[pattern], sets,
                     joined[pattern, WITH_CHOW + chow], least, other_least)
        if pattern == MIXED_STEPS and hand.honour_melds == 0:
            _add_product(one[WITH_CHOW_ALONE + next_chow], other[WITH_CHOW_ALONE + last_chow], pay[pattern], sets,
                         joined[STEPS_ALONE, WITH_CHOW_ALONE + chow], least, other_least)


@jit_part
def set_partials(pay: np.ndarray, hand: Record, suits: Record, products: Record, suit: int) -> None:
    """Writes products.partials: the partial derivatives of the worth with respect to the sums of a suit.

    They follow from the sums of the other suits and of the honours.
    pay: float64[13], factor of each pattern. hand, suits, products: records of type HAND, SUIT_SUMS and PRODUCTS.
    """
    partials, joined, sets = products.partials, products.joined, hand.sets
    _join_suits(pay, hand, suits.sums, joined, suit)
    partials[:] = 0.0
    for pattern, group in _TERMS:
        _add_product(joined[pattern, group], products.honour_ways[pattern], 1.0, sets, partials[group])
    types = products.other_types[0]
    _join_types(pay, hand, products, suit)
    if hand.type_melds[suit]:
        partials[NO_ROWS, 2 * sets + 1] += types[2 * sets + 1]
    else:
        partials[ALL, 2 * sets] += types[2 * sets]
        if sets:
            partials[ALL, 2 * sets - 1] += types[2 * sets - 1]


@jit_part
def join_all_suits(pay: np.ndarray, hand: Record, suits: Record, products: Record) -> None:
    """Writes products.by_pattern: the product of the sums of all three suits for each pattern.

    pay: float64[13], factor of each pattern. hand, suits, products: records of type HAND, SUIT_SUMS and PRODUCTS.
    """
    _join_suits(pay, hand, suits.sums, products.joined, 0)
    own = suits.sums[index_of(hand, 0)]
    products.by_pattern[:] = 0.0
    for pattern, group in _TERMS:
        _add_product(products.joined[pattern, group], own[group], 1.0, hand.sets, products.by_pattern[pattern])


@jit_part
def sum_regular_patterns(pay: np.ndarray, hand: Record, products: Record, pattern_worths: np.ndarray) -> float:
    """Writes the worth by each pattern of four sets and a pair, and returns their sum. join_all_suits must come first.

    pay: float64[13], factor of each pattern. hand, products: records of type HAND and PRODUCTS.
    pattern_worths: float64[13], receives the worth by pattern.
    """
    _join_types(pay, hand, products, 0)
    types = _join(products.types[0], products.other_types[0], hand.sets)
    total = types
    for pattern in range(REGULAR_PATTERNS):
        pattern_worths[pattern] = _join(products.by_pattern[pattern], products.honour_ways[pattern], hand.sets)
        total += pattern_worths[pattern]
    pattern_worths[MIXED_STEPS] += pattern_worths[STEPS_ALONE]
    pattern_worths[ALL_TYPES] = types
    return total


@jit_part
def set_honours(values: Parameters, hand: Record, suits: Record, products: Record) -> None:
    """Writes products.honour_ways and products.types: what the honours bring to each pattern.

    Only a share of the targets that may have too few fan is counted; the share is a parameter. With a set of two fan,
    mixed steps, half flush and all pungs always have enough.
    values: the parameters. hand, suits, products: records of type HAND, SUIT_SUMS and PRODUCTS.
    """
    _sum_honours(hand, products.honours[0], products.honours[1])
    short = values.short_concealed if hand.is_concealed else values.short_open
    half = values.half_concealed if hand.is_concealed else values.half_open
    for slot in range(SLOTS):
        every, valued = products.honours[0, slot], products.honours[1, slot]
        none = 1.0 if slot == 0 and hand.honour_melds == 0 else 0.0
        ways = products.honour_ways[:, slot]
        ways[MIXED_TRIPLE] = ways[MIXED_STRAIGHT] = ways[PURE_CHOWS_OF_SUIT] = ways[PURE_TRIPLES] = every
        ways[MIXED_STEPS] = short * every + (1 - short) * valued
        ways[STEPS_ALONE] = (1 - short) * none
        ways[HALF_FLUSH] = half * (every - none) + (1 - half) * valued
        ways[ALL_PUNGS] = values.pungs_short * every + (1 - values.pungs_short) * valued
        ways[FULL_FLUSH] = ways[UPPER_OR_LOWER] = none
    _set_types(values, hand, suits.sums, products.types)


@jit_part
def _sum_honours(hand, every, valued):
    """Writes two polynomials of the honours: of all ways, and of the ways with a set that counts two fan."""
    every[:] = 0.0
    valued[:] = 0.0
    # Until the end of this function `every` has only the ways without a set that counts two fan.
    (valued if hand.honour_melds & hand.valued else every)[0] = 1.0
    for honour in range(HONOUR_COUNT):
        if hand.honour_melds >> honour & 1:
            continue
        pair = hand.by_need[FIRST_HONOUR + honour, FOR_PAIR]
        pung = hand.by_need[FIRST_HONOUR + honour, FOR_PUNG]
        is_valued = hand.valued >> honour & 1
        for sets in range(MAX_SETS, -1, -1):
            for slot in (2 * sets + 1, 2 * sets):
                more = more_valued = 0.0
                if sets:
                    more_valued = valued[slot - 2] * pung
                    if is_valued:
                        more_valued += every[slot - 2] * pung
                    else:
                        more = every[slot - 2] * pung
                if slot & 1:
                    more += every[slot - 1] * pair
                    more_valued += valued[slot - 1] * pair
                every[slot] += more
                valued[slot] += more_valued
    for slot in range(SLOTS):
        every[slot] += valued[slot]


@jit_part
def _set_types(values, hand, sums, types):
    """Writes for each of the five groups of tiles the ways to the one set or pair that all types needs of it."""
    for group in range(TYPES):
        ways = types[group]
        ways[:] = 0.0
        if hand.type_melds[group]:
            ways[0] = 1.0
        elif group < 3:
            own = sums[index_of(hand, group), ALL]
            ways[2], ways[1] = own[2], own[1]
        else:
            for honour in range(0 if group == 3 else WIND_COUNT, WIND_COUNT if group == 3 else HONOUR_COUNT):
                is_enough = hand.is_concealed or hand.valued >> honour & 1
                factor = 1.0 if is_enough else values.types_guest_wind
                ways[2] += hand.by_need[FIRST_HONOUR + honour, FOR_PUNG] * factor
                ways[1] += hand.by_need[FIRST_HONOUR + honour, FOR_PAIR] * values.types_honour_pair


@jit_part
def _join_types(pay, hand, products, suit):
    """Writes products.other_types[0]: the ways to all types without `suit`; 0 where one group has two melds."""
    ways, more = products.other_types[0], products.other_types[1]
    ways[:] = 0.0
    for group in range(TYPES):
        if hand.type_melds[group] > 1:
            return
    ways[0] = pay[ALL_TYPES]
    for group in range(TYPES):
        if group != suit:
            more[:] = 0.0
            _add_product(products.types[group], ways, 1.0, hand.sets, more)
            ways, more = more, ways
