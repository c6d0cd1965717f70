"""The likely rows of one suit: found, summed by group, and weighed by their partials."""

from typing import NamedTuple

import numpy as np

from ..jit import IS_COMPILED, jit_part
from ..mahjong.tile import COPIES
from .chance import CLASS_OF, WANTS
from .hand import KINDS, SUMMED, place_of
from .rows import (
    ALL, CHOW, CHOW_ALONE, CHOWS, CHOWS_AT, CODE_BITS, CODES, INSIDE_AT, IS_PURE, LOWER, MAX_SETS, NO_CHOW, NO_PLACE,
    PLACES_AT, PUNGS_AT, PURE, PURE_TRIPLE, RANKS, SLOTS, THRICE_AT, TWICE_AT, UPPER)

_MOST_KEPT, _ROWS_KEPT = 1 << 16, 1 << 23
_CODE = CODES - 1
# Where a row's codes have what a rank is wanted for.
_WANT_AT = tuple([CODE_BITS * (rank // 3) + 6 - 3 * (rank % 3) for rank in range(RANKS)])
# Groups besides the chows and ALL: a row's kind has a bit for each, from bit 1 on; bit 0 is set where it has pungs.
_FLAGS = (NO_CHOW, PURE, PURE_TRIPLE, UPPER, LOWER)
assert KINDS == 2 << len(_FLAGS)


class LikelyRows(NamedTuple):
    """Cached rows that are likely enough for the tiles of a suit, if no copy of the missing tiles is seen.

    Most combinations of tiles in a suit occurred before, in this hand or another.

    The tiles, the sets that are missing and the step of the share make a key.
    """

    keys: np.ndarray  # int64[2 ** n], an open hash table; -1 for none
    places: np.ndarray  # int64[2 ** n, 2], where the rows of a key begin and end
    rows: np.ndarray  # int16[.]
    used: np.ndarray  # int64[2]: keys, rows


def make_likely_rows():
    """Room for the rows of one thread and one Settings."""
    keys = np.full(2 * _MOST_KEPT, -1, np.int64)
    return LikelyRows(keys, np.zeros((len(keys), 2), np.int64), np.zeros(_ROWS_KEPT, np.int16), np.zeros(2, np.int64))


@jit_part
def _set_outer(by_need, tile, outer):
    """Writes the products of the chances of three tiles from `tile` on, by their needs, into float64[512]."""
    for first in range(WANTS):
        for second in range(WANTS):
            start = (first * WANTS + second) * WANTS
            both = by_need[tile, first] * by_need[tile + 1, second]
            np.multiply(by_need[tile + 2], both, outer[start:start + WANTS])


@jit_part
def sum_suit(rows, settings, likely, hand, suit):
    """Finds the rows of a suit that are likely enough, and sums them by group into hand.sums.

    rows: RowIndex. likely: LikelyRows.
    """
    place = place_of(hand, suit)
    if _is_summed(hand, suit, place):
        return
    start, end = _load_likely(rows, settings, likely, hand, suit)
    outer, least = hand.outer, settings.values.least_chance
    for triple in range(3):
        _set_outer(hand.by_need, 9 * suit + 3 * triple, outer[triple])
    hand.by_kind[:] = 0.0
    hand.by_chow[:] = 0.0
    melds = hand.suit_melds[suit]
    kept, chances, kinds = hand.rows[place], hand.chances[place], hand.kinds[place]
    one, two, three = outer[0], outer[1], outer[2]
    count = 0
    for at in range(start, end):
        row = int(likely.rows[at])
        codes = int(rows.codes[row])
        chance = one[codes & _CODE] * two[codes >> CODE_BITS & _CODE] * three[codes >> 2 * CODE_BITS]
        if chance < least:
            continue
        bits = int(rows.bits[row])
        kind = _kind_of_row(bits, melds)
        slot = bits & 15
        kept[count], chances[count], kinds[count] = row, chance, kind
        count += 1
        hand.by_kind[kind, slot] += chance
        by_chow = hand.by_chow[kind & 1]
        for part in range(3):
            by_chow[bits >> PLACES_AT + 4 * part & 15, slot] += chance
    hand.row_count[place] = count
    _join_sums(hand, melds[0], hand.sums[place])


@jit_part
def _is_summed(hand, suit, place):
    """Whether the rows at a place were last summed for this hand; records this hand."""
    summed = hand.summed[place]
    is_same = True
    for column in range(SUMMED):
        if column < RANKS:
            number = int(hand.counts[9 * suit + column])
        elif column < 2 * RANKS:
            number = int(hand.unseen[9 * suit + column - RANKS])
        elif column < 2 * RANKS + 4:
            number = int(hand.suit_melds[suit, column - 2 * RANKS])
        elif column == 2 * RANKS + 4:
            number = hand.sets + (MAX_SETS + 1) * suit
        else:
            number = hand.draws if column == 2 * RANKS + 5 else hand.unseen_total
        is_same = is_same and summed[column] == number
        summed[column] = number
    return is_same


@jit_part
def _load_likely(rows, settings, likely, hand, suit):
    """(start, end) in likely.rows of the rows that can be likely enough for the tiles held in a suit.

    If there may be no room for them, all kept rows are dropped.
    """
    if likely.used[0] >= len(likely.keys) // 2 or likely.used[1] + len(rows.codes) > len(likely.rows):
        likely.keys[:] = -1
        likely.used[:] = 0
    step = settings.shares[hand.draws, hand.unseen_total]
    key = int(hand.sets) + (MAX_SETS + 1) * int(step)
    for tile in range(9 * suit, 9 * suit + 9):
        key = (COPIES + 1) * key + int(hand.counts[tile])
    mask = len(likely.keys) - 1
    at = key * 0x9E3779B1 >> 15 & mask
    while likely.keys[at] != key:
        if likely.keys[at] < 0:
            return _keep_likely(rows, settings, likely, hand, suit, step, key, at)
        at = (at + 1) & mask
    return int(likely.places[at, 0]), int(likely.places[at, 1])


@jit_part
def _keep_likely(rows, settings, likely, hand, suit, step, key, at):
    """Finds those rows and keeps them at the free place `at`."""
    start = int(likely.used[1])
    # All copies that are not held count as unseen, with the most draws: each row has its highest chance.
    chances = settings.chances[settings.largest[step, 0], settings.largest[step, 1]]
    for tile in range(9 * suit, 9 * suit + 9):
        of_tile = chances[CLASS_OF[tile], COPIES - hand.counts[tile], hand.counts[tile]]
        for want in range(WANTS):
            hand.most_by_need[tile, want] = of_tile[want]
    for triple in range(3):
        _set_outer(hand.most_by_need, 9 * suit + 3 * triple, hand.outer[triple])
    end = _list_likely(rows, settings.values.least_chance, hand, found=likely.rows, end=start)
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


if not IS_COMPILED:
    def _list_likely(rows, least, hand, *, found, end):
        """The same by arrays: without a compiler they are faster than the walk."""
        first, last = rows.second_begin[rows.first_begin[rows.bounds[hand.sets:hand.sets + 2]]]
        codes, outer = rows.codes[first:last], hand.outer
        chances = outer[0, codes & _CODE] * outer[1, codes >> CODE_BITS & _CODE] * outer[2, codes >> 2 * CODE_BITS]
        likely = first + np.flatnonzero(chances >= least)
        found[end:end + len(likely)] = likely
        return end + len(likely)


@jit_part
def _kind_of_row(bits, melds):
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
        kind |= np.int64(IS_PURE[chows]) << 2
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
def weigh_suit(rows, hand, suit, tiles):
    """Writes hand.by_want: what the rows of a suit bring, each times its partial by hand.partials[suit].

    tiles: bit t for tile t, those to write.
    """
    place = place_of(hand, suit)
    _set_row_partials(hand, hand.partials[suit], hand.suit_melds[suit, 0])
    ranks = hand.ranks
    rank_count = 0
    for rank in range(RANKS):
        if tiles >> (9 * suit + rank) & 1:
            ranks[rank_count] = rank
            rank_count += 1
            hand.by_want[rank, :] = 0.0
    last_slot = 2 * hand.sets + 1
    kept, chances, kinds, by_want = hand.rows[place], hand.chances[place], hand.kinds[place], hand.by_want
    for at in range(hand.row_count[place]):
        row, kind = int(kept[at]), int(kinds[at])
        bits = int(rows.bits[row])
        slot = last_slot - (bits & 15)
        weight = hand.kind_partials[kind, slot]
        partials = hand.chow_partials[kind & 1]
        for part in range(3):
            weight += partials[bits >> PLACES_AT + 4 * part & 15, slot]
        share = weight * chances[at]
        # A tile more or less changes what its own rank brings alone: all tiles of a suit take one walk over its rows.
        codes = int(rows.codes[row])
        for number in range(rank_count):
            rank = ranks[number]
            by_want[rank, codes >> _WANT_AT[rank] & WANTS - 1] += share


@jit_part
def _set_row_partials(hand, partials, melded):
    """Writes the partials of rows by their kind, hand.kind_partials, and by their chows, hand.chow_partials.

    melded: see _join_sums.
    """
    for slot in range(SLOTS):
        mixed_all = alone_all = partials[ALL, slot]
        for chow in range(CHOWS):
            mixed = partials[CHOW + chow, slot]
            alone = mixed + partials[CHOW_ALONE + chow, slot]
            if melded >> chow & 1:
                mixed_all += mixed
                alone_all += alone
                mixed = alone = 0.0
            hand.chow_partials[0, chow, slot] = alone
            hand.chow_partials[1, chow, slot] = mixed
        hand.chow_partials[0, NO_PLACE, slot] = hand.chow_partials[1, NO_PLACE, slot] = 0.0
        hand.kind_partials[0, slot] = alone_all
        hand.kind_partials[1, slot] = mixed_all
        for flag in range(len(_FLAGS)):
            first = 2 << flag
            more = partials[_FLAGS[flag], slot]
            for kind in range(first):
                hand.kind_partials[first + kind, slot] = hand.kind_partials[kind, slot] + more


@jit_part
def sum_changed(chances, hand, tile, change):
    """The sum of a suit's rows, each times its partial, with `change` copies more of `tile`; after weigh_suit.

    The counts, the unseen and hand.by_need have these copies already.

    chances: float64[class, unseen, held, ENTRIES].
    """
    before = chances[CLASS_OF[tile], hand.unseen[tile] + max(0, change), hand.counts[tile] - change]
    total = 0.0
    for want in range(WANTS):
        share = hand.by_want[tile % 9, want]
        if share:
            total += share * (hand.by_need[tile, want] / before[want])
    return total
