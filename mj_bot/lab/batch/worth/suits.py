"""The likely rows of one suit: found, summed by group, and weighed by what goes with them."""

import numpy as np

from ....jit import jit_part
from ....mahjong.tile import COPIES
from ....worth.chance import WANTS
from ....worth.rows import CHOWS, CODES, MAX_SETS, RANKS, SLOTS
from ....worth.suits import ALL, CHOW, CHOW_ALONE, LOWER, NO_CHOW, PURE, PURE_TRIPLE, UPPER
from .hand import CLASSES, KINDS, place_of
from .tables import CHOWS_AT, CODE_BITS, INSIDE_AT, NO_PLACE, PLACES_AT, PUNGS_AT, THRICE_AT, TWICE_AT

_CODE = CODES - 1
# Where a row's codes have what a rank is wanted for.
_WANT_AT = np.array([CODE_BITS * (rank // 3) + 6 - 3 * (rank % 3) for rank in range(RANKS)])
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
def sum_suit(tables, settings, likely, hand, suit, place):
    """Finds the rows of a suit that are likely enough, and sums them by group into hand.sums[place].

    See worth.suits.sum_suit; hand.suit_melds[place] has the suit's melds. likely: tables.LikelyRows.
    """
    start, end = _find_likely(tables.rows, settings, likely, hand, suit)
    outer, least = hand.outer, settings.values.least_chance
    for triple in range(3):
        _set_outer(hand.by_need, 9 * suit + 3 * triple, outer[triple])
    for kind in range(KINDS):
        for slot in range(SLOTS):
            hand.by_kind[kind, slot] = 0.0
    for has_pung in range(2):
        for chow in range(NO_PLACE + 1):
            for slot in range(SLOTS):
                hand.by_chow[has_pung, chow, slot] = 0.0
    melds = hand.suit_melds[place]
    count = 0
    for at in range(start, end):
        row = likely.rows[at]
        codes = tables.rows.codes[row]
        chance = outer[0, codes & _CODE] * outer[1, codes >> CODE_BITS & _CODE] * outer[2, codes >> 2 * CODE_BITS]
        if chance < least:
            continue
        bits = tables.rows.bits[row]
        kind = _find_kind(tables.is_pure, bits, melds)
        slot = bits & 15
        hand.rows[place, count] = row
        hand.chances[place, count] = chance
        hand.kinds[place, count] = kind
        count += 1
        hand.by_kind[kind, slot] += chance
        by_chow = hand.by_chow[kind & 1]
        for part in range(3):
            by_chow[bits >> PLACES_AT + 4 * part & 15, slot] += chance
    hand.row_count[place] = count
    _join_sums(hand, melds[0], hand.sums[place])


@jit_part
def _find_likely(rows, settings, likely, hand, suit):
    """(start, end) in likely.rows of the rows that can be likely enough for the tiles held in a suit.

    Where there might be no room for them, all that is kept is forgotten.
    """
    if likely.used[0] >= len(likely.keys) // 2 or likely.used[1] + len(rows.codes) > len(likely.rows):
        likely.keys[:] = -1
        likely.used[:] = 0
    step = settings.shares[hand.draws, hand.unseen_total]
    key = np.int64(hand.sets) + (MAX_SETS + 1) * step
    for tile in range(9 * suit, 9 * suit + 9):
        key = (COPIES + 1) * key + hand.counts[tile]
    mask = len(likely.keys) - 1
    at = np.int64(np.uint64(key) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) & mask
    while likely.keys[at] != key:
        if likely.keys[at] < 0:
            return _keep_likely(rows, settings, likely, hand, suit, step, key, at)
        at = (at + 1) & mask
    return likely.places[at, 0], likely.places[at, 1]


@jit_part
def _keep_likely(rows, settings, likely, hand, suit, step, key, at):
    """Finds those rows and keeps them at the free place `at`."""
    start = likely.used[1]
    # With all copies unseen that are not held, and the most draws, no row is less likely than it ever can be.
    chances = settings.chances[settings.largest[step, 0], settings.largest[step, 1]]
    for tile in range(9 * suit, 9 * suit + 9):
        of_tile = chances[CLASSES[tile], COPIES - hand.counts[tile], hand.counts[tile]]
        for want in range(WANTS):
            hand.most_by_need[tile, want] = of_tile[want]
    for triple in range(3):
        _set_outer(hand.most_by_need, 9 * suit + 3 * triple, hand.outer[triple])
    end = _list_likely(rows, settings.values.least_chance, hand, likely.rows, start)
    likely.keys[at] = key
    likely.places[at, 0], likely.places[at, 1] = start, end
    likely.used[0] += 1
    likely.used[1] = end
    return start, end


@jit_part
def _list_likely(rows, least, hand, found, end):
    """Writes the rows whose chance by hand.outer is not below `least` into `found` from `end` on; the new end."""
    outer = hand.outer
    for first in range(rows.bounds[hand.sets], rows.bounds[hand.sets + 1]):
        one = outer[0, rows.first[first]]
        if one < least:
            continue
        for second in range(rows.first_begin[first], rows.first_begin[first + 1]):
            two = one * outer[1, rows.second[second]]
            if two < least:
                continue
            for row in range(rows.second_begin[second], rows.second_begin[second + 1]):
                if two * outer[2, rows.codes[row] >> 2 * CODE_BITS] >= least:
                    found[end] = row
                    end += 1
    return end


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
        codes = rows.codes[row]
        for number in range(rank_count):
            hand.by_want[ranks[number], codes >> _WANT_AT[ranks[number]] & WANTS - 1] += share
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
