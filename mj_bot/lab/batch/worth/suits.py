"""The likely rows of one suit: found, summed by group, and weighed by what goes with them."""

import numpy as np

from ....worth.chance import WANTS
from ....worth.rows import CHOWS, CODES, MAX_SETS, SLOTS
from ....worth.suits import ALL, CHOW, CHOW_ALONE, GROUPS, LOWER, NO_CHOW, PURE, PURE_TRIPLE, UPPER
from ...engine.decisions import bit_count
from ...engine.compile import jit_part
from .hand import DISCARDED


@jit_part
def _set_outer(by_need, tile, outer):
    """Writes the products of the chances of three tiles from `tile` on, by their needs, into float64[512]."""
    for first in range(WANTS):
        for second in range(WANTS):
            both = by_need[tile, first] * by_need[tile + 1, second]
            for third in range(WANTS):
                outer[(first * WANTS + second) * WANTS + third] = both * by_need[tile + 2, third]


@jit_part
def sum_suit(tables, hand, suit, place, least):
    """Finds the rows of a suit whose chance is not below `least`, and sums them by group into hand.sums[place].

    See worth.suits.sum_suit; hand.suit_melds[place] has the suit's melds.
    """
    rows, sets = tables.rows, hand.sets
    outer, melds, sums = hand.outer[place], hand.suit_melds[place], hand.sums[place]
    for triple in range(3):
        _set_outer(hand.by_need, 9 * suit + 3 * triple, outer[triple])
    for group in range(GROUPS):
        for slot in range(SLOTS):
            sums[group, slot] = 0.0
    count = 0
    for first in range(rows.bounds[sets], rows.bounds[sets + 1]):
        one = outer[0, rows.first[first]]
        if one < least:
            continue
        for second in range(rows.first_begin[first], rows.first_begin[first + 1]):
            two = one * outer[1, rows.second[second]]
            if two < least:
                continue
            for row in range(rows.second_begin[second], rows.second_begin[second + 1]):
                chance = two * outer[2, rows.third[row]]
                if chance < least:
                    continue
                groups = _find_groups(tables, row, melds)
                hand.rows[place, count] = row
                hand.groups[place, count] = groups
                hand.chances[place, count] = chance
                count += 1
                slot = rows.slots[row]
                while groups:
                    low = groups & -groups
                    sums[bit_count(low - 1), slot] += chance
                    groups ^= low
    hand.row_count[place] = count


@jit_part
def _find_groups(tables, row, melds):
    """Bit g where the row with the suit's melds is in group g."""
    rows = tables.rows
    chows = np.int64(rows.chows[row]) | melds[0]
    pungs = np.int64(rows.pungs[row]) | melds[3]
    groups = np.int64(1 << ALL)
    if chows == 0:
        groups |= 1 << NO_CHOW
    # Four sets in one suit make a flush, which has sums of its own.
    if rows.slots[row] >= 2 * MAX_SETS:
        return groups
    if tables.is_pure[chows]:
        groups |= 1 << PURE
    once = melds[0] & ~melds[1]
    twice = melds[1] & ~melds[2]
    thrice = rows.thrice[row] | (rows.twice[row] & once) | (rows.chows[row] & twice) | melds[2]
    if thrice or pungs & pungs >> 1 & pungs >> 2:
        groups |= 1 << PURE_TRIPLE
    flags = np.int64(rows.flags[row])
    groups |= (flags & 1) << UPPER | (flags >> 1) << LOWER | chows << CHOW
    if pungs == 0:
        groups |= chows << CHOW_ALONE
    return groups


@jit_part
def weigh_rows(rows, hand, suit, place):
    """Writes into hand.weights[place] what each row's chance is to be multiplied with, by hand.rests[suit]."""
    rest = hand.rests[suit]
    for at in range(hand.row_count[place]):
        slot = 2 * hand.sets + 1 - rows.slots[hand.rows[place, at]]
        weight = 0.0
        if slot >= 0:
            groups = np.int64(hand.groups[place, at])
            while groups:
                low = groups & -groups
                weight += rest[bit_count(low - 1), slot]
                groups ^= low
        hand.weights[place, at] = weight


@jit_part
def sum_weights(hand, place):
    """The weighed sum of the rows."""
    total = 0.0
    for at in range(hand.row_count[place]):
        total += hand.weights[place, at] * hand.chances[place, at]
    return total


@jit_part
def sum_discarded(rows, hand, tile, place, least):
    """The same with the chances of a hand that has discarded `tile`, which hand.by_need has already."""
    changed = tile % 9 // 3
    outer = hand.outer[DISCARDED]
    for triple in range(3):
        if triple == changed:
            _set_outer(hand.by_need, tile - tile % 3, outer[triple])
        else:
            for code in range(CODES):
                outer[triple, code] = hand.outer[place, triple, code]
    total = 0.0
    for at in range(hand.row_count[place]):
        code = rows.codes[hand.rows[place, at]]
        chance = outer[0, code[0]] * outer[1, code[1]] * outer[2, code[2]]
        if chance >= least:
            total += hand.weights[place, at] * chance
    return total


assert CHOW + CHOWS == CHOW_ALONE
