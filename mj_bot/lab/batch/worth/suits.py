"""The likely rows of one suit: found, summed by group, and weighed by what goes with them."""

import numpy as np

from ....worth.chance import WANTS
from ....worth.rows import CHOWS, MAX_SETS, RANKS, SLOTS
from ....worth.suits import ALL, CHOW, CHOW_ALONE, LOWER, NO_CHOW, PURE, PURE_TRIPLE, UPPER
from ...engine.compile import jit_part
from .hand import CLASSES, KINDS, place_of
from .tables import CHOWS_AT, INSIDE_AT, LISTS, NO_PLACE, PLACES_AT, PUNGS_AT, THRICE_AT, TWICE_AT

_NOT_READ = -1
# Groups beside the chows and ALL: a row's kind has a bit for each, from bit 1 on; bit 0 is set where it has pungs.
_FLAGS = (NO_CHOW, PURE, PURE_TRIPLE, UPPER, LOWER)
assert KINDS == 2 << len(_FLAGS)


@jit_part
def _set_outer(by_need, tile, outer):
    """Writes the products of the chances of three tiles from `tile` on, by their needs, into float64[512]."""
    for first in range(WANTS):
        for second in range(WANTS):
            both = by_need[tile, first] * by_need[tile + 1, second]
            for third in range(WANTS):
                outer[(first * WANTS + second) * WANTS + third] = both * by_need[tile + 2, third]


@jit_part
def _read_list(rows, number, outer, least, hand):
    """Writes the codes of a list whose chance is not below `least`, the most likely first; returns how many."""
    places, chances = hand.live_places[number], hand.live_chances[number]
    begin = rows.list_begin[number]
    count = 0
    for at in range(begin, rows.list_begin[number + 1]):
        chance = outer[rows.codes[at]]
        if chance < least:
            continue
        place = count
        while place and chances[place - 1] < chance:
            places[place], chances[place] = places[place - 1], chances[place - 1]
            place -= 1
        places[place], chances[place] = at - begin, chance
        count += 1
    hand.live_counts[number] = count
    return count


@jit_part
def sum_suit(tables, hand, suit, place, least):
    """Finds the rows of a suit whose chance is not below `least`, and sums them by group into hand.sums[place].

    See worth.suits.sum_suit; hand.suit_melds[place] has the suit's melds.
    """
    for triple in range(3):
        _set_outer(hand.by_need, 9 * suit + 3 * triple, hand.outer[triple])
    count = _find_rows(tables.rows, hand, place, least)
    hand.row_count[place] = count
    for kind in range(KINDS):
        for slot in range(SLOTS):
            hand.by_kind[kind, slot] = 0.0
    for has_pung in range(2):
        for chow in range(NO_PLACE + 1):
            for slot in range(SLOTS):
                hand.by_chow[has_pung, chow, slot] = 0.0
    melds = hand.suit_melds[place]
    for at in range(count):
        bits = tables.rows.bits[hand.rows[place, at]]
        kind = _find_kind(tables.is_pure, bits, melds)
        slot = bits & 15
        chance = hand.chances[place, at]
        hand.kinds[place, at] = kind
        hand.by_kind[kind, slot] += chance
        by_chow = hand.by_chow[kind & 1]
        for part in range(3):
            by_chow[bits >> PLACES_AT + 4 * part & 15, slot] += chance
    _join_sums(hand, melds[0], hand.sums[place])


@jit_part
def _find_rows(rows, hand, place, least):
    """Writes the likely rows of a suit and their chances; returns how many."""
    outer = hand.outer
    for number in range(LISTS):
        hand.live_counts[number] = _NOT_READ
    count = 0
    for first in range(rows.bounds[hand.sets], rows.bounds[hand.sets + 1]):
        one = outer[0, rows.first[first]]
        if one < least:
            continue
        # A list serves many nodes. Sorted, it ends at the first code that is too unlikely: that is a third of the
        # steps of a walk over all codes.
        seconds = rows.first_list[first]
        second_count = hand.live_counts[seconds]
        if second_count == _NOT_READ:
            second_count = _read_list(rows, seconds, outer[1], least, hand)
        for at_second in range(second_count):
            two = one * hand.live_chances[seconds, at_second]
            if two < least:
                break
            second = rows.first_begin[first] + hand.live_places[seconds, at_second]
            begin = rows.second_begin[second]
            thirds = rows.second_list[second]
            third_count = hand.live_counts[thirds]
            if third_count == _NOT_READ:
                third_count = _read_list(rows, thirds, outer[2], least, hand)
            for at_third in range(third_count):
                chance = two * hand.live_chances[thirds, at_third]
                if chance < least:
                    break
                hand.rows[place, count] = begin + hand.live_places[thirds, at_third]
                hand.chances[place, count] = chance
                count += 1
    return count


@jit_part
def _find_kind(is_pure, bits, melds):
    """The kind of a row with the suit's melds: bit 0 where it has pungs, then a bit for each of _FLAGS."""
    own = bits >> CHOWS_AT & 127
    chows = own | melds[0]
    pungs = bits >> PUNGS_AT & 511 | melds[3]
    kind = np.int64(pungs != 0) | np.int64(chows == 0) << 1
    # Four sets in one suit make a flush, which has sums of its own.
    if bits & 15 < 2 * MAX_SETS:
        once = melds[0] & ~melds[1]
        twice = melds[1] & ~melds[2]
        thrice = bits >> THRICE_AT & 127 | (bits >> TWICE_AT & once) | (own & twice) | melds[2]
        kind |= np.int64(is_pure[chows]) << 2
        kind |= np.int64((thrice | (pungs & pungs >> 1 & pungs >> 2)) != 0) << 3
        kind |= (bits >> INSIDE_AT & 3) << 4
    return kind


@jit_part
def _join_sums(hand, melded, sums):
    """Writes the sums by group; melded: bits of the chows that every row has by a meld."""
    for slot in range(SLOTS):
        total = alone_all = 0.0
        for flag in range(len(_FLAGS)):
            sums[_FLAGS[flag], slot] = 0.0
        for kind in range(KINDS):
            chance = hand.by_kind[kind, slot]
            if chance == 0.0:
                continue
            total += chance
            if kind & 1 == 0:
                alone_all += chance
            for flag in range(len(_FLAGS)):
                if kind >> flag + 1 & 1:
                    sums[_FLAGS[flag], slot] += chance
        sums[ALL, slot] = total
        for chow in range(CHOWS):
            is_melded = melded >> chow & 1
            alone = hand.by_chow[0, chow, slot]
            mixed = alone + hand.by_chow[1, chow, slot]
            if is_melded and slot < 2 * MAX_SETS:
                alone, mixed = alone_all, total
            sums[CHOW_ALONE + chow, slot] = alone
            sums[CHOW + chow, slot] = mixed


@jit_part
def weigh_suit(rows, hand, suit, discards):
    """The sum of the rows of a suit, each times what goes with it by hand.rests[suit].

    discards: bit t for tile t; writes hand.by_want of those in the suit, for sum_discarded.
    """
    place = place_of(hand, suit)
    _set_rests(hand, hand.rests[suit], hand.suit_melds[place, 0])
    ranks = hand.ranks
    rank_count = 0
    for rank in range(RANKS):
        if discards >> (9 * suit + rank) & 1:
            ranks[rank_count] = rank
            rank_count += 1
            for want in range(WANTS):
                hand.by_want[rank, want] = 0.0
    total = 0.0
    last_slot = 2 * hand.sets + 1
    for at in range(hand.row_count[place]):
        row = hand.rows[place, at]
        bits = rows.bits[row]
        kind = hand.kinds[place, at]
        slot = last_slot - (bits & 15)
        weight = hand.kind_rests[kind, slot]
        rests = hand.chow_rests[kind & 1]
        for part in range(3):
            weight += rests[bits >> PLACES_AT + 4 * part & 15, slot]
        share = weight * hand.chances[place, at]
        total += share
        # A discard changes what its own rank brings alone: all discards of a suit take one walk over its rows.
        wants = rows.wants[row]
        for number in range(rank_count):
            hand.by_want[ranks[number], wants >> 3 * ranks[number] & 7] += share
    return total


@jit_part
def _set_rests(hand, rest, melded):
    """Writes what goes with a row by its kind, hand.kind_rests, and by its chows, hand.chow_rests.

    melded: see _join_sums.
    """
    for slot in range(SLOTS):
        mixed_all = alone_all = rest[ALL, slot]
        for chow in range(CHOWS):
            mixed = rest[CHOW + chow, slot]
            alone = mixed + rest[CHOW_ALONE + chow, slot]
            if melded >> chow & 1:
                mixed_all += mixed
                alone_all += alone
                mixed = alone = 0.0
            hand.chow_rests[0, chow, slot] = alone
            hand.chow_rests[1, chow, slot] = mixed
        hand.chow_rests[0, NO_PLACE, slot] = hand.chow_rests[1, NO_PLACE, slot] = 0.0
        hand.kind_rests[0, slot] = alone_all
        hand.kind_rests[1, slot] = mixed_all
        for flag in range(len(_FLAGS)):
            first = 2 << flag
            more = rest[_FLAGS[flag], slot]
            for kind in range(first):
                hand.kind_rests[first + kind, slot] = hand.kind_rests[kind, slot] + more


@jit_part
def sum_discarded(chances, hand, tile):
    """The same sum after the discard of `tile`, which the counts and hand.by_need have already.

    chances: float64[class, unseen, held, ENTRIES].
    """
    before = chances[CLASSES[tile], hand.unseen[tile], hand.counts[tile] + 1]
    total = 0.0
    for want in range(WANTS):
        share = hand.by_want[tile % 9, want]
        if share:
            total += share * (hand.by_need[tile, want] / before[want])
    return total
