"""The rows of one suit that are in reach: found, summed by group, and weighed by what goes with them."""

from collections import namedtuple

import numpy as np

from ....worth.chance import WANTS
from ....worth.rows import CHOWS, CODES, MAX_SETS, ROWS
from ....worth.suits import ALL, CHOW, CHOW_ALONE, GROUPS, LOWER, NO_CHOW, PURE, PURE_TRIPLE, UPPER
from ...engine.decisions import bit_count
from ...engine.compile import jit_part

# Places for suits: the three as they are held, and the one that an opening changes.
PLACES = 4
CHANGED = 3
# Where outer products stand besides: those of a hand that has discarded a tile.
_DISCARDED = PLACES

# The rows in reach, by place. count: int64[4]. row, groups: int32[4, R], the number of a row, and bit g where it is in
# group g of reach.suits; chance, weight: float64[4, R], what goes with it. outer: float64[5, 3, 512], products of three
# ranks' chances by codes. melds: int64[4, 4], bits of the chows melded, melded twice, thrice, and of the pungs.
# sums: float64[4, GROUPS, 10], polynomials.
Suits = namedtuple("Suits", "count row groups chance weight outer melds sums")


def make_suits():
    """Room for the Suits of one thread."""
    most = len(ROWS.sets)
    return Suits(
        np.zeros(PLACES, np.int64), np.zeros((PLACES, most), np.int32), np.zeros((PLACES, most), np.int32),
        np.zeros((PLACES, most)), np.zeros((PLACES, most)), np.zeros((PLACES + 1, 3, CODES)),
        np.zeros((PLACES, 4), np.int64), np.zeros((PLACES, GROUPS, 2 * (MAX_SETS + 1))))


@jit_part
def set_outer(by_need, tile, outer):
    """Writes the products of the chances of three tiles from `tile` on, by their needs, into float64[512]."""
    for first in range(WANTS):
        for second in range(WANTS):
            both = by_need[tile, first] * by_need[tile + 1, second]
            for third in range(WANTS):
                outer[(first * WANTS + second) * WANTS + third] = both * by_need[tile + 2, third]


@jit_part
def sum_suit(tables, by_need, suit, place, sets, least, suits):
    """Finds the rows of a suit in reach and sums them by group into suits.sums[place], see reach.suits.sum_suit.

    suits.melds[place] tells the suit's melds.
    """
    rows = tables.rows
    for triple in range(3):
        set_outer(by_need, 9 * suit + 3 * triple, suits.outer[place, triple])
    sums = suits.sums[place]
    for group in range(GROUPS):
        for slot in range(2 * (MAX_SETS + 1)):
            sums[group, slot] = 0.0
    outer = suits.outer[place]
    melds = suits.melds[place]
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
                suits.row[place, count] = row
                suits.groups[place, count] = groups
                suits.chance[place, count] = chance
                count += 1
                slot = rows.slots[row]
                while groups:
                    low = groups & -groups
                    sums[bit_count(low - 1), slot] += chance
                    groups ^= low
    suits.count[place] = count


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
def weigh_rows(rows, rest, place, sets, suits):
    """Writes into suits.weight what each row's chance is to be multiplied with.

    rest: float64[GROUPS, 10], the polynomials that go with the groups.
    """
    for at in range(suits.count[place]):
        slot = 2 * sets + 1 - rows.slots[suits.row[place, at]]
        weight = 0.0
        if slot >= 0:
            groups = np.int64(suits.groups[place, at])
            while groups:
                low = groups & -groups
                weight += rest[bit_count(low - 1), slot]
                groups ^= low
        suits.weight[place, at] = weight


@jit_part
def sum_weights(suits, place):
    """The weighed sum of the rows in reach."""
    total = 0.0
    for at in range(suits.count[place]):
        total += suits.weight[place, at] * suits.chance[place, at]
    return total


@jit_part
def sum_discarded(rows, by_need, tile, place, least, suits):
    """The same with the chances of a hand that has discarded `tile`; by_need: that hand's."""
    changed = tile % 9 // 3
    outer = suits.outer[_DISCARDED]
    for triple in range(3):
        if triple == changed:
            set_outer(by_need, tile - tile % 3, outer[triple])
        else:
            for code in range(CODES):
                outer[triple, code] = suits.outer[place, triple, code]
    total = 0.0
    for at in range(suits.count[place]):
        code = rows.codes[suits.row[place, at]]
        chance = outer[0, code[0]] * outer[1, code[1]] * outer[2, code[2]]
        if chance >= least:
            total += suits.weight[place, at] * chance
    return total


assert CHOW + CHOWS == CHOW_ALONE
