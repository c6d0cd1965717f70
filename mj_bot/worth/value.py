"""The sum over the targets of a hand, as in the formula of docs/search.md.

The patterns without four sets and a pair, and the total. valuer.py adds the waits and takes the root.
"""

import numpy as np

from ..jit import jit_part
from ..mahjong.tile import FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT
from ..observation.openings import UNCHANGED
from .chance import CLASS_OF, ONE, PAIR, PUNG
from .hand import NONE, set_need
from .partials import join_all_suits, set_honours, set_regular_parts, set_suit_partials
from .patterns import HONOURS_AND_KNITTED, KNITTED_STRAIGHT, SEVEN_PAIRS
from .suits import sum_changed, sum_suit, weigh_suit

# The place of the honours, after the three suits.
_HONOURS = 3
_PAIRS = 7
# Columns of HAND.knitted, for a suit's class of ranks: the chance to have all of them once, all but one, all but two;
# to have them for a straight; and with these taken away, the ways to the pair and to the set.
_FULL, _BUT_ONE, _BUT_TWO, _STRAIGHT, _PAIR, _SET = range(6)
# int64[6, 3], the suit of each class (ranks r, r + 3, r + 6) in the six knitted straights.
_SUIT_OF_CLASS = np.array([[tile // 9 for tile in straight[::3]] for straight in KNITTED_STRAIGHTS], np.int64)


@jit_part
def set_sums(rows, settings, likely, hand):
    """Sums up the changed suit (all where there is none), the honours and the ways to the other patterns of a hand.

    rows: rows.RowIndex. likely: suits.LikelyRows.
    """
    chances = settings.chances[hand.draws, hand.unseen_total]
    for tile in range(TILE_COUNT):
        set_need(chances, hand, tile)
    for suit in range(3):
        if hand.changed_suit in (UNCHANGED, suit):
            sum_suit(rows, settings, likely, hand, suit)
    set_honours(settings.values, hand)
    if hand.meld_count == 0:
        _set_pairs(hand)
    if hand.meld_count <= 1:
        for suit in range(4):
            _set_knitted(chances, hand, suit)


@jit_part
def set_parts(settings, hand):
    """Writes hand.parts of a hand as it is, and returns their sum; after set_sums."""
    join_all_suits(settings.pay, hand)
    total = set_regular_parts(settings.pay, hand)
    return total + _set_special_parts(settings, hand, 0)


@jit_part
def value_changes(rows, settings, hand, tiles, change, worths):
    """Writes the worth of a hand with one tile more or less, to the power of sharpness, for each of some tiles in their
    order, into float64[]; after set_sums. Returns how many.

    tiles: bit t for tile t. change: -1 to discard it, 1 to draw it.
    """
    chances = settings.chances[hand.draws, hand.unseen_total]
    count = 0
    for suit in range(4):
        if not tiles >> (9 * suit) & 511:
            continue
        if suit == _HONOURS:
            join_all_suits(settings.pay, hand)
        else:
            set_suit_partials(settings.pay, hand, suit)
            weigh_suit(rows, hand, suit, tiles)
        for tile in range(9 * suit, min(9 * suit + 9, TILE_COUNT)):
            if not tiles >> tile & 1:
                continue
            _change_tile(chances, hand, tile, change, max(0, change))
            if suit == _HONOURS:
                set_honours(settings.values, hand)
                worth = set_regular_parts(settings.pay, hand)
            else:
                worth = hand.partials[suit, NONE, 2 * hand.sets + 1] + sum_changed(chances, hand, tile, change)
            worths[count] = worth + _set_special_parts(settings, hand, tile)
            count += 1
            _change_tile(chances, hand, tile, -change, -max(0, change))
    return count


@jit_part
def _change_tile(chances, hand, tile, change, drawn):
    """Changes a count, and what depends on it but the sums; `drawn` copies are no longer unseen."""
    hand.counts[tile] += change
    hand.unseen[tile] -= drawn
    set_need(chances, hand, tile)
    if hand.meld_count <= 1:
        _set_knitted(chances, hand, tile // 9)


@jit_part
def _set_special_parts(settings, hand, tile):
    """Writes the other patterns into hand.parts, and returns their sum; only `tile` has changed since _set_pairs."""
    knitted, straight = _worth_of_knitted(settings, hand)
    pairs = _worth_of_pairs(settings.pay, hand, tile) if hand.meld_count == 0 else 0.0
    parts = hand.parts
    parts[SEVEN_PAIRS], parts[HONOURS_AND_KNITTED], parts[KNITTED_STRAIGHT] = pairs, knitted, straight
    return pairs + knitted + straight


@jit_part
def _set_pairs(hand):
    """Writes hand.pairs: [t, 0] ways to n pairs of the tiles below t, [t, 1] of those from t on."""
    pairs = hand.pairs
    for count in range(_PAIRS + 1):
        pairs[0, 0, count] = pairs[TILE_COUNT, 1, count] = 1.0 if count == 0 else 0.0
    for tile in range(TILE_COUNT):
        _grow(hand, tile, pairs[tile, 0], pairs[tile + 1, 0])
    for tile in range(TILE_COUNT - 1, -1, -1):
        _grow(hand, tile, pairs[tile + 1, 1], pairs[tile, 1])


@jit_part
def _grow(hand, tile, ways, grown):
    pair = hand.concealed_by_need[tile, 2]
    two_pairs = hand.concealed_by_need[tile, 4] if hand.counts[tile] > 2 else 0.0
    grown[0] = ways[0]
    grown[1] = ways[1] + ways[0] * pair
    for count in range(2, _PAIRS + 1):
        grown[count] = ways[count] + ways[count - 1] * pair + ways[count - 2] * two_pairs


@jit_part
def _worth_of_pairs(pay, hand, tile):
    """Seven pairs; only `tile` has changed since _set_pairs."""
    below, above = hand.pairs[tile, 0], hand.pairs[tile + 1, 1]
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
def _set_knitted(chances, hand, suit):
    """Writes hand.knitted[suit], see the columns above; honours are one class.

    chances: float64[class, unseen, held, ENTRIES].
    """
    parts = hand.knitted[suit]
    if suit == 3:
        _clear_part(parts[0])
        for tile in range(FIRST_HONOUR, TILE_COUNT):
            _add_single(hand.concealed_by_need[tile, 1], parts[0])
            parts[0, _PAIR] += hand.by_need[tile, PAIR]
            parts[0, _SET] += hand.by_need[tile, PUNG]
        return
    for first in range(3):
        part = parts[first]
        _clear_part(part)
        for rank in range(first, 9, 3):
            _add_single(hand.concealed_by_need[9 * suit + rank, 1], part)
            part[_STRAIGHT] *= hand.concealed_by_need[9 * suit + rank, 1]
        before = last = 0.0
        for rank in range(9):
            tile = 9 * suit + rank
            left = hand.counts[tile]
            if rank % 3 == first and left:
                left -= 1
            row = chances[CLASS_OF[tile], hand.unseen[tile], left]
            once = row[ONE]
            part[_PAIR] += row[PAIR]
            part[_SET] += row[PUNG] + before * last * once
            before, last = last, once


@jit_part
def _clear_part(part):
    part[_FULL] = part[_STRAIGHT] = 1.0
    part[_BUT_ONE] = part[_BUT_TWO] = part[_PAIR] = part[_SET] = 0.0


@jit_part
def _add_single(chance, part):
    part[_BUT_TWO] = part[_BUT_TWO] * chance + part[_BUT_ONE]
    part[_BUT_ONE] = part[_BUT_ONE] * chance + part[_FULL]
    part[_FULL] *= chance


@jit_part
def _worth_of_knitted(settings, hand):
    """(honours and knitted tiles, the knitted straight with a pair and, where none is melded, a set)."""
    melds = hand.meld_count
    if melds > 1:
        return 0.0, 0.0
    honours = hand.knitted[3, 0]
    knitted = straights = 0.0
    for number in range(len(_SUIT_OF_CLASS)):
        suits = _SUIT_OF_CLASS[number]
        one, two, three = hand.knitted[suits[0], 0], hand.knitted[suits[1], 1], hand.knitted[suits[2], 2]
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
def _join_singles(full, but_one, but_two, part):
    return (full * part[_FULL], full * part[_BUT_ONE] + but_one * part[_FULL],
            full * part[_BUT_TWO] + but_one * part[_BUT_ONE] + but_two * part[_FULL])
