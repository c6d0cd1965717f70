"""Sums up the rows of one suit by group, and weighs them by partial derivatives of the worth."""

from typing import NamedTuple

import numpy as np

from ..jit import IS_COMPILED, jit_part
from ..mahjong.tile import COPIES
from .chance import CLASS_OF, WANTS
from .hand_record import Record, make_record_type
from .rows import (
    ALL, CHOW_LIST_AT, CHOWS, CHOWS_AT, CODE_BITS, CODES, INSIDE_AT, IS_PURE, LIST_END, LOWER, MAX_SETS, NO_CHOW,
    NO_ROWS, PUNGS_AT, PURE_16_FAN, PURE_24_FAN, RANKS, ROW_CODES, ROW_GROUPS, SLOTS, THRICE_AT, TWICE_AT, UPPER,
    WITH_CHOW, WITH_CHOW_ALONE, RowIndex)
from .settings import ValueSettings

_MOST_KEPT, _ROWS_KEPT = 1 << 16, 1 << 23
_CODE = CODES - 1
# From these bits on, a row's codes say what each rank is wanted for.
_WANT_AT = tuple([CODE_BITS * (rank // 3) + 6 - 3 * (rank % 3) for rank in range(RANKS)])
# Bit 0 of a row's kind tells whether the row has pungs. The next bits tell which of these groups contain it.
_FLAGS = (NO_CHOW, PURE_16_FAN, PURE_24_FAN, UPPER, LOWER)
_ROW_KINDS = 2 << len(_FLAGS)
# Rows and sums are stored for four suits: the three of the hand, and the one that an opening changes.
_STORED = 4
_CHANGED = 3

SUIT_SUMS = make_record_type(
    ("inputs", np.int64, (_STORED, 2), "the key of the hand for which the rows of each suit were summed up"),
    ("row_count", np.int64, (_STORED,), "how many likely rows each suit has"),
    ("rows", np.int32, (_STORED, len(ROW_CODES)), "the indices of the likely rows"),
    ("row_kinds", np.int32, (_STORED, len(ROW_CODES)), "the kinds of the likely rows"),
    ("chances", float, (_STORED, len(ROW_CODES)), "the chances of the likely rows"),
    ("sums", float, (_STORED, ROW_GROUPS + 1, SLOTS), "the sums of each suit by group, as polynomials"),
)
# This is the work space of this file, for one suit after another.
SUIT_WORK = make_record_type(
    ("highest_by_need", float, (RANKS, WANTS), "chances to get each rank, if all copies that are not held are unseen"),
    ("outer", float, (3, CODES), "products of the chances of three ranks by their code"),
    ("by_kind", float, (_ROW_KINDS, SLOTS), "sums of the rows by kind"),
    ("by_chow", float, (2, LIST_END + 1, SLOTS), "sums of the rows by chow, without pungs and with them"),
    ("kind_partials", float, (_ROW_KINDS, SLOTS), "partial derivatives by the rows of each kind"),
    ("chow_partials", float, (2, LIST_END + 1, SLOTS),
     "partial derivatives by the rows with each chow, without pungs and with them"),
    ("ranks", np.int64, (RANKS,), "the ranks of the tiles to be discarded or drawn"),
    ("by_want", float, (RANKS, WANTS), "what the rows bring to the worth, by what they want each rank for"),
)


class LikelyRows(NamedTuple):
    """Caches for the tiles held in a suit the rows that can reach `least_chance` in the best case.

    In the best case all copies of the missing tiles are still unseen. Most combinations of tiles in a suit occurred
    before, in this hand or another one. The key consists of the tiles, the missing sets, and the step of the share of
    unseen tiles that are drawn.
    """

    keys: np.ndarray  # int64[2 ** n], a hash table with open addressing; free slots have -1
    bounds: np.ndarray  # int64[2 ** n, 2], where the rows of each key begin and end in `rows`
    rows: np.ndarray  # int16[.], indices of rows
    used: np.ndarray  # int64[2], how many keys and how many rows there are


def make_likely_rows() -> LikelyRows:
    """Returns an empty cache for one thread, which must always be used with the same settings."""
    keys = np.full(2 * _MOST_KEPT, -1, np.int64)
    return LikelyRows(keys, np.zeros((len(keys), 2), np.int64), np.zeros(_ROWS_KEPT, np.int16), np.zeros(2, np.int64))


@jit_part
def index_of(hand: Record, suit: int) -> int:
    """Returns where SUIT_SUMS has a suit: 3 for the suit that an opening changes, else the suit."""
    return _CHANGED if suit == hand.changed_suit else suit


@jit_part
def _set_outer(by_need, first_tile, outer):
    """Writes the products of the chances of three neighbouring tiles into float64[512], by their code."""
    for first in range(WANTS):
        for second in range(WANTS):
            start = (first * WANTS + second) * WANTS
            both = by_need[first_tile, first] * by_need[first_tile + 1, second]
            np.multiply(by_need[first_tile + 2], both, outer[start:start + WANTS])


@jit_part
def sum_suit(
        rows: RowIndex, settings: ValueSettings, likely: LikelyRows, hand: Record, suits: Record, work: Record,
        suit: int) -> None:
    """Lists the rows of a suit that are likely enough, and writes their sums by group into suits.sums.

    Nothing is done where the sums are already those of this hand.
    rows: as load_rows returns it. hand, suits, work: records of type HAND, SUIT_SUMS and SUIT_WORK.
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
            by_chow[bits >> CHOW_LIST_AT + 4 * chow & 15, slot] += chance
    suits.row_count[index] = count
    _join_sums(work, melds[0], suits.sums[index])


@jit_part
def _is_summed(hand, inputs, suit):
    """Checks whether the rows of a suit were last summed for this hand, and notes its key, int64[2], in `inputs`."""
    tiles, others = hand.sets + (MAX_SETS + 1) * suit, hand.draws << 8 | hand.unseen_total
    for tile in range(9 * suit, 9 * suit + 9):
        tiles = (COPIES + 1) * ((COPIES + 1) * tiles + hand.counts[tile]) + hand.unseen[tile]
    for column in range(4):
        others = others << RANKS | hand.suit_melds[suit, column]
    is_same = inputs[0] == tiles and inputs[1] == others
    inputs[0], inputs[1] = tiles, others
    return is_same


@jit_part
def _load_likely(rows, settings, likely, hand, work, suit):
    """Returns (start, end) in likely.rows of the rows that can be likely enough for the tiles held in a suit."""
    # If there may be no room for new rows, the whole cache is emptied.
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
        if likely.keys[entry] >= 0:
            entry = (entry + 1) & mask
            continue
        # All copies that are not held count as unseen, with the most draws of the step, so that each row has its
        # highest chance.
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
    return int(likely.bounds[entry, 0]), int(likely.bounds[entry, 1])


@jit_part
def _walk_likely(rows, least, sets, outer, listed, end):
    """Writes the rows of up to `sets` sets with the chance `least` or more to listed[end:]. Returns the new end."""
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


def _select_likely(rows, least, sets, outer, listed, end):
    """Does what _walk_likely does, but computes the chances of all rows as arrays."""
    first, last = rows.second_begin[rows.first_begin[rows.bounds[sets:sets + 2]]]
    codes = rows.codes[first:last]
    chances = outer[0, codes & _CODE] * outer[1, codes >> CODE_BITS & _CODE] * outer[2, codes >> 2 * CODE_BITS]
    likely = first + np.flatnonzero(chances >= least)
    listed[end:end + len(likely)] = likely
    return end + len(likely)


# Interpreted, arrays are faster than to walk through the tree.
_list_likely = _walk_likely if IS_COMPILED else _select_likely


@jit_part
def _kind_of_row(bits, melds):
    """Returns the kind of a row with the melds of its suit: bit 0 where it has pungs, then a bit for each of _FLAGS."""
    own = bits >> CHOWS_AT & 127
    chows = own | melds[0]
    pungs = bits >> PUNGS_AT & 511 | melds[3]
    row_kind = np.int64(pungs != 0) | np.int64(chows == 0) << 1
    # Rows of four sets in one suit make a full flush, which has sums of its own.
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
    """Writes the sums by group, from the sums by kind and by chow in `work`."""
    for slot in range(SLOTS):
        # The sums named alone are of rows without pungs, the others of all rows.
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
def weigh_suit(
        rows: RowIndex, hand: Record, suits: Record, work: Record, partials: np.ndarray, suit: int, tiles: int) -> None:
    """Writes work.by_want: what the rows of a suit bring to the worth, by what they want each rank for.

    rows: as load_rows returns it. hand, suits, work: records of type HAND, SUIT_SUMS and SUIT_WORK.
    partials: float64[ROW_GROUPS + 1, SLOTS], partial derivatives of the worth with respect to the suit's sums.
    tiles: bit t for tile t; only the ranks of these tiles are written.
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
            weight += chow_partials[bits >> CHOW_LIST_AT + 4 * chow & 15, slot]
        share = weight * chances[entry]
        # A tile more or less changes only what its own rank brings. So one walk over the rows serves all tiles.
        codes = int(rows.codes[row])
        for position in range(rank_count):
            rank = ranks[position]
            by_want[rank, codes >> _WANT_AT[rank] & WANTS - 1] += share


@jit_part
def _set_row_partials(work, partials, melded):
    """Writes work.kind_partials and work.chow_partials, the partial derivatives with respect to rows."""
    for slot in range(SLOTS):
        # The partials named alone are those of rows without pungs, the ones named mixed of rows with pungs.
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
        work.chow_partials[0, LIST_END, slot] = work.chow_partials[1, LIST_END, slot] = 0.0
        work.kind_partials[0, slot] = alone_all
        work.kind_partials[1, slot] = mixed_all
        for flag in range(len(_FLAGS)):
            first = 2 << flag
            more = partials[_FLAGS[flag], slot]
            for row_kind in range(first):
                work.kind_partials[first + row_kind, slot] = work.kind_partials[row_kind, slot] + more


@jit_part
def sum_changed(chances: np.ndarray, hand: Record, by_want: np.ndarray, tile: int, change: int) -> float:
    """Returns what the rows of a suit bring to the worth after `change` copies of `tile` have come or gone.

    The record of the hand must already contain the change: its counts, unseen and by_need.
    chances: float64[class, unseen, held, ENTRIES]. hand: record of type HAND.
    by_want: float64[RANKS, WANTS], what the rows brought before the change, as weigh_suit writes it.
    """
    before = chances[CLASS_OF[tile], hand.unseen[tile] + max(0, change), hand.counts[tile] - change]
    total = 0.0
    for want in range(WANTS):
        share = by_want[tile % 9, want]
        if share:
            total += share * (hand.by_need[tile, want] / before[want])
    return total
