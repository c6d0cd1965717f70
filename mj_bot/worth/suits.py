"""The likely rows of one suit: listed, summed by group, and weighed by their partials."""

from typing import NamedTuple

import numpy as np

from ..jit import IS_COMPILED, jit_part
from ..mahjong.tile import COPIES
from .chance import CLASS_OF, WANTS
from .hand_record import make_record_type
from .rows import (
    ALL, CHOWS, CHOWS_AT, CODE_BITS, CODES, INSIDE_AT, IS_PURE, LOWER, MAX_SETS, NO_CHOW, NO_PLACE, NO_ROWS, PLACES_AT,
    PUNGS_AT, PURE_16_FAN, PURE_24_FAN, RANKS, ROW_CODES, ROW_GROUPS, SLOTS, THRICE_AT, TWICE_AT, UPPER, WITH_CHOW,
    WITH_CHOW_ALONE)

_MOST_KEPT, _ROWS_KEPT = 1 << 16, 1 << 23
_CODE = CODES - 1
# Where a row's codes have what a rank is wanted for.
_WANT_AT = tuple([CODE_BITS * (rank // 3) + 6 - 3 * (rank % 3) for rank in range(RANKS)])
# Groups besides the chows and ALL: a row's kind has a bit for each, from bit 1 on; bit 0 is set where it has pungs.
_FLAGS = (NO_CHOW, PURE_16_FAN, PURE_24_FAN, UPPER, LOWER)
_ROW_KINDS = 2 << len(_FLAGS)
# Suits are stored four times: the three as they are held, and the one that an opening changes.
_STORED = 4
_CHANGED = 3
# The numbers that the sums of a suit depend on.
_INPUTS = 2 * RANKS + 7

SUIT_SUMS = make_record_type(
    ("inputs", np.int64, (_STORED, _INPUTS), "what the rows of each suit were summed for"),
    ("row_count", np.int64, (_STORED,), "likely rows of each suit"),
    ("rows", np.int32, (_STORED, len(ROW_CODES)), "their numbers"),
    ("row_kinds", np.int32, (_STORED, len(ROW_CODES)), "their kinds"),
    ("chances", float, (_STORED, len(ROW_CODES)), "their chances"),
    ("sums", float, (_STORED, ROW_GROUPS + 1, SLOTS), "polynomials of each suit by group"),
)
# Work space of this file, for one suit after another.
SUIT_WORK = make_record_type(
    ("highest_by_need", float, (RANKS, WANTS), "chances to get each rank, if all copies that are not held are unseen"),
    ("outer", float, (3, CODES), "products of three ranks' chances by codes"),
    ("by_kind", float, (_ROW_KINDS, SLOTS), "sums of the rows by kind"),
    ("by_chow", float, (2, NO_PLACE + 1, SLOTS), "without pungs, with them: sums of the rows by chow"),
    ("kind_partials", float, (_ROW_KINDS, SLOTS), "partials by the rows by kind"),
    ("chow_partials", float, (2, NO_PLACE + 1, SLOTS), "without pungs, with them: partials by those rows by chow"),
    ("ranks", np.int64, (RANKS,), "those to be discarded or drawn"),
    ("by_want", float, (RANKS, WANTS), "what the rows bring, by what they want a rank for"),
)


class LikelyRows(NamedTuple):
    """A cache: for the tiles held in one suit, the rows that could reach `least_chance` in the best case.

    The best case is that all copies of the missing tiles are still unseen. Most combinations of tiles in a suit
    occurred before, in this hand or another. The tiles, the sets that are missing and the step of the share make a key.
    """

    keys: np.ndarray  # int64[2 ** n], an open hash table; -1 for none
    bounds: np.ndarray  # int64[2 ** n, 2], where the rows of a key begin and end
    rows: np.ndarray  # int16[.]
    used: np.ndarray  # int64[2]: keys, rows


def make_likely_rows():
    """Returns room for the rows of one thread and one Settings."""
    keys = np.full(2 * _MOST_KEPT, -1, np.int64)
    return LikelyRows(keys, np.zeros((len(keys), 2), np.int64), np.zeros(_ROWS_KEPT, np.int16), np.zeros(2, np.int64))


@jit_part
def index_of(hand, suit):
    """Returns where the rows and sums of a suit are stored in SUIT_SUMS."""
    return _CHANGED if suit == hand.changed_suit else suit


@jit_part
def _set_outer(by_need, first_tile, outer):
    """Writes the products of the chances of three tiles, by their needs, into float64[512].

    by_need: float64[., WANTS], from its row `first_tile` on.
    """
    for first in range(WANTS):
        for second in range(WANTS):
            start = (first * WANTS + second) * WANTS
            both = by_need[first_tile, first] * by_need[first_tile + 1, second]
            np.multiply(by_need[first_tile + 2], both, outer[start:start + WANTS])


@jit_part
def sum_suit(rows, settings, likely, hand, suits, work, suit):
    """Lists the rows of a suit that are likely enough, and sums them by group into suits.sums.

    rows: RowIndex. likely: LikelyRows. hand: HAND. suits: SUIT_SUMS. work: SUIT_WORK.
    """
    index = index_of(hand, suit)
    if _is_summed(hand, suits.inputs[index], suit):
        return
    start, end = _load_likely(rows, settings, likely, hand, work, suit)
    outer, least = work.outer, settings.values.least_chance
    for triple in range(3):
        _set_outer(hand.by_need, 9 * suit + 3 * triple, outer[triple])
    work.by_kind[:] = 0.0
    work.by_chow[:] = 0.0
    melds = hand.suit_melds[suit]
    kept, chances, row_kinds = suits.rows[index], suits.chances[index], suits.row_kinds[index]
    one, two, three = outer[0], outer[1], outer[2]
    count = 0
    for entry in range(start, end):
        row = int(likely.rows[entry])
        codes = int(rows.codes[row])
        chance = one[codes & _CODE] * two[codes >> CODE_BITS & _CODE] * three[codes >> 2 * CODE_BITS]
        if chance < least:
            continue
        bits = int(rows.bits[row])
        row_kind = _kind_of_row(bits, melds)
        slot = bits & 15
        kept[count], chances[count], row_kinds[count] = row, chance, row_kind
        count += 1
        work.by_kind[row_kind, slot] += chance
        by_chow = work.by_chow[row_kind & 1]
        for chow in range(3):
            by_chow[bits >> PLACES_AT + 4 * chow & 15, slot] += chance
    suits.row_count[index] = count
    _join_sums(work, melds[0], suits.sums[index])


@jit_part
def _is_summed(hand, inputs, suit):
    """Returns whether the rows were last summed for this hand; writes this hand into inputs, int64[_INPUTS]."""
    is_same = True
    for column in range(_INPUTS):
        if column < RANKS:
            value = int(hand.counts[9 * suit + column])
        elif column < 2 * RANKS:
            value = int(hand.unseen[9 * suit + column - RANKS])
        elif column < 2 * RANKS + 4:
            value = int(hand.suit_melds[suit, column - 2 * RANKS])
        elif column == 2 * RANKS + 4:
            value = hand.sets + (MAX_SETS + 1) * suit
        else:
            value = hand.draws if column == 2 * RANKS + 5 else hand.unseen_total
        is_same = is_same and inputs[column] == value
        inputs[column] = value
    return is_same


@jit_part
def _load_likely(rows, settings, likely, hand, work, suit):
    """Returns (start, end) in likely.rows of the rows that can be likely enough for the tiles held in a suit.

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
    entry = key * 0x9E3779B1 >> 15 & mask
    while likely.keys[entry] != key:
        if likely.keys[entry] < 0:
            # All copies that are not held count as unseen, with the most draws: each row has its highest chance.
            chances = settings.chances[settings.largest[step, 0], settings.largest[step, 1]]
            for rank in range(RANKS):
                held = hand.counts[9 * suit + rank]
                of_tile = chances[CLASS_OF[9 * suit + rank], COPIES - held, held]
                for want in range(WANTS):
                    work.highest_by_need[rank, want] = of_tile[want]
            for triple in range(3):
                _set_outer(work.highest_by_need, 3 * triple, work.outer[triple])
            start = int(likely.used[1])
            end = _list_likely(rows, settings.values.least_chance, hand.sets, work.outer, likely.rows, start)
            likely.keys[entry] = key
            likely.bounds[entry, 0], likely.bounds[entry, 1] = start, end
            likely.used[0] += 1
            likely.used[1] = end
            return start, end
        entry = (entry + 1) & mask
    return int(likely.bounds[entry, 0]), int(likely.bounds[entry, 1])


if IS_COMPILED:
    @jit_part
    def _list_likely(rows, least, sets, outer, listed, end):
        """Writes the rows of up to `sets` sets that are likely enough into `listed`, from `end` on.

        outer: float64[3, CODES]; the chance of such a row is not below `least`. Returns the new end.
        """
        for first in range(rows.bounds[sets], rows.bounds[sets + 1]):
            one = outer[0, rows.first[first]]
            if one < least:
                continue
            for second in range(rows.first_begin[first], rows.first_begin[first + 1]):
                two = one * outer[1, rows.second[second]]
                if two < least:
                    continue
                for row in range(rows.second_begin[second], rows.second_begin[second + 1]):
                    if two * outer[2, rows.codes[row] >> 2 * CODE_BITS] >= least:
                        listed[end] = row
                        end += 1
        return end
else:
    def _list_likely(rows, least, sets, outer, listed, end):
        """Writes these rows by arrays: without a compiler that is faster than the walk."""
        first, last = rows.second_begin[rows.first_begin[rows.bounds[sets:sets + 2]]]
        codes = rows.codes[first:last]
        chances = outer[0, codes & _CODE] * outer[1, codes >> CODE_BITS & _CODE] * outer[2, codes >> 2 * CODE_BITS]
        likely = first + np.flatnonzero(chances >= least)
        listed[end:end + len(likely)] = likely
        return end + len(likely)


@jit_part
def _kind_of_row(bits, melds):
    """Returns the kind of a row with the suit's melds: bit 0 where it has pungs, then a bit for each of _FLAGS."""
    own = bits >> CHOWS_AT & 127
    chows = own | melds[0]
    pungs = bits >> PUNGS_AT & 511 | melds[3]
    row_kind = np.int64(pungs != 0) | np.int64(chows == 0) << 1
    # Four sets in one suit make a flush, which has sums of its own.
    if bits & 15 < 2 * MAX_SETS:
        once = melds[0] & ~melds[1]
        twice = melds[1] & ~melds[2]
        thrice = bits >> THRICE_AT & 127 | (bits >> TWICE_AT & once) | (own & twice) | melds[2]
        row_kind |= np.int64(IS_PURE[chows]) << 2
        row_kind |= np.int64((thrice | (pungs & pungs >> 1 & pungs >> 2)) != 0) << 3
        row_kind |= (bits >> INSIDE_AT & 3) << 4
    return row_kind


@jit_part
def _join_sums(work, melded, sums):
    """Writes the sums by group; melded: bits of the chows that every row has by a meld."""
    for slot in range(SLOTS):
        total = alone_all = 0.0
        for flag in range(len(_FLAGS)):
            sums[_FLAGS[flag], slot] = 0.0
        for row_kind in range(_ROW_KINDS):
            chance = work.by_kind[row_kind, slot]
            if chance == 0.0:
                continue
            total += chance
            if row_kind & 1 == 0:
                alone_all += chance
            for flag in range(len(_FLAGS)):
                if row_kind >> flag + 1 & 1:
                    sums[_FLAGS[flag], slot] += chance
        sums[ALL, slot] = total
        for chow in range(CHOWS):
            is_melded = melded >> chow & 1
            alone = work.by_chow[0, chow, slot]
            mixed = alone + work.by_chow[1, chow, slot]
            if is_melded and slot < 2 * MAX_SETS:
                alone, mixed = alone_all, total
            sums[WITH_CHOW_ALONE + chow, slot] = alone
            sums[WITH_CHOW + chow, slot] = mixed
    sums[NO_ROWS, 0] = 1.0


@jit_part
def weigh_suit(rows, hand, suits, work, partials, suit, tiles):
    """Writes work.by_want: what the rows of a suit bring, each times its partial.

    partials: float64[GROUPS + 1, SLOTS], by the suit's sums. tiles: bit t for tile t; only their ranks are written.
    """
    index = index_of(hand, suit)
    _set_row_partials(work, partials, hand.suit_melds[suit, 0])
    ranks = work.ranks
    rank_count = 0
    for rank in range(RANKS):
        if tiles >> (9 * suit + rank) & 1:
            ranks[rank_count] = rank
            rank_count += 1
            work.by_want[rank, :] = 0.0
    last_slot = 2 * hand.sets + 1
    kept, chances, row_kinds, by_want = suits.rows[index], suits.chances[index], suits.row_kinds[index], work.by_want
    for entry in range(suits.row_count[index]):
        row, row_kind = int(kept[entry]), int(row_kinds[entry])
        bits = int(rows.bits[row])
        slot = last_slot - (bits & 15)
        weight = work.kind_partials[row_kind, slot]
        chow_partials = work.chow_partials[row_kind & 1]
        for chow in range(3):
            weight += chow_partials[bits >> PLACES_AT + 4 * chow & 15, slot]
        share = weight * chances[entry]
        # A tile more or less changes what its own rank brings alone: all tiles of a suit take one walk over its rows.
        codes = int(rows.codes[row])
        for position in range(rank_count):
            rank = ranks[position]
            by_want[rank, codes >> _WANT_AT[rank] & WANTS - 1] += share


@jit_part
def _set_row_partials(work, partials, melded):
    """Writes the partials of rows by their kind, work.kind_partials, and by their chows, work.chow_partials.

    melded: bits of the chows that every row has by a meld.
    """
    for slot in range(SLOTS):
        mixed_all = alone_all = partials[ALL, slot]
        for chow in range(CHOWS):
            mixed = partials[WITH_CHOW + chow, slot]
            alone = mixed + partials[WITH_CHOW_ALONE + chow, slot]
            if melded >> chow & 1:
                mixed_all += mixed
                alone_all += alone
                mixed = alone = 0.0
            work.chow_partials[0, chow, slot] = alone
            work.chow_partials[1, chow, slot] = mixed
        work.chow_partials[0, NO_PLACE, slot] = work.chow_partials[1, NO_PLACE, slot] = 0.0
        work.kind_partials[0, slot] = alone_all
        work.kind_partials[1, slot] = mixed_all
        for flag in range(len(_FLAGS)):
            first = 2 << flag
            more = partials[_FLAGS[flag], slot]
            for row_kind in range(first):
                work.kind_partials[first + row_kind, slot] = work.kind_partials[row_kind, slot] + more


@jit_part
def sum_changed(chances, hand, by_want, tile, change):
    """Returns the sum of a suit's rows, each times its partial, with `change` copies more of `tile`.

    The counts, the unseen and hand.by_need have these copies already.

    chances: float64[class, unseen, held, ENTRIES]. by_want: float64[RANKS, WANTS], of weigh_suit.
    """
    before = chances[CLASS_OF[tile], hand.unseen[tile] + max(0, change), hand.counts[tile] - change]
    total = 0.0
    for want in range(WANTS):
        share = by_want[tile % 9, want]
        if share:
            total += share * (hand.by_need[tile, want] / before[want])
    return total
