"""Lists every way to make up to four sets and perhaps a pair of the tiles of one suit, as arrays with a row for each.

Sets of a suit are numbered 0..6, the chows by their lowest rank, and 7..15, the pungs by rank.
"""

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from ..mahjong.rules import MAX_SETS
from ..mahjong.tile import COPIES
from .chance import FOR_PAIR, FOR_PUNG, WANTS

RANKS = 9
CHOWS = 7
SLOTS = 2 * (MAX_SETS + 1)
# What three ranks are wanted for is a code of so many bits.
CODE_BITS = 9
CODES = 1 << CODE_BITS
assert CODES == WANTS ** 3
# Three chows of one suit that count 16 fan: the straight, and steps of one and of two.
PURE_CHOWS = ((0, 3, 6),) + tuple((k, k + 1, k + 2) for k in range(5)) + tuple((k, k + 2, k + 4) for k in range(3))

# The groups of rows that suits.py sums, in this order: all rows; those without a chow; with three chows that are
# pure (16 fan); with three equal chows or three pungs in a row (24 fan); of ranks 6-9 alone; of ranks 1-4 alone; with
# the chow from rank 1..7; with that chow and no pung. The melds of the suit are part of every row.
ALL, NO_CHOW, PURE_16_FAN, PURE_24_FAN, UPPER, LOWER, WITH_CHOW, WITH_CHOW_ALONE = 0, 1, 2, 3, 4, 5, 6, 6 + CHOWS
ROW_GROUPS = WITH_CHOW_ALONE + CHOWS
# The group after those: no rows, for patterns that use nothing of a suit.
NO_ROWS = ROW_GROUPS

# Where the bits of a row have its pungs, chows, those twice and thrice, whether it is upper (1) and lower (2), and the
# places of up to three chows; NO_PLACE for none, and in rows of four sets. The lowest bits are its slot, its place in a
# polynomial: 2 * sets + pair.
PUNGS_AT, CHOWS_AT, TWICE_AT, THRICE_AT, INSIDE_AT, PLACES_AT = 4, 13, 20, 27, 34, 36
NO_PLACE = CHOWS
_SETS = CHOWS + RANKS


def _list_rows():
    """Returns all rows in the order of their codes: (codes int64[R, 3], number of sets int64[R], bits int64[R]).

    codes: what ranks 1-3, 4-6, 7-9 are wanted for (chance.WANTS), as three digits to the base 8 each.
    """
    held = np.concatenate([_count_choices(count) for count in range(MAX_SETS + 1)])
    chows, pungs, sets = held[:, :CHOWS], held[:, CHOWS:], held.sum(axis=1)
    tiles = 3 * pungs
    for step in range(3):
        tiles[:, step:step + CHOWS] += chows
    ranks, digits = np.arange(RANKS), WANTS ** np.arange(RANKS)[::-1]
    bits = pungs @ (1 << ranks + PUNGS_AT)
    for copies, place in ((1, CHOWS_AT), (2, TWICE_AT), (3, THRICE_AT)):
        bits |= (chows >= copies) @ (1 << ranks[:CHOWS] + place)
    # The chows of each row in order, NO_PLACE after the last: at most three in rows of three sets.
    places = np.where((chows > 0) & (sets < MAX_SETS)[:, None], ranks[:CHOWS], NO_PLACE)
    bits |= np.sort(places, axis=1)[:, :3] @ (1 << PLACES_AT + 4 * np.arange(3))
    # Rows have a choice of sets and, in columns 1..9 of the arrays [choice, 10], the pair of a rank.
    is_row = np.insert(tiles <= COPIES - 2, 0, True, axis=1) & (tiles <= COPIES).all(axis=1)[:, None]
    codes = ((tiles + (FOR_PUNG - 3) * pungs) @ digits)[:, None] + np.insert(
        np.where(tiles > 0, 2, FOR_PAIR) * digits, 0, 0, axis=1)
    slots = (2 * sets[:, None] + (np.arange(RANKS + 1) > 0))[is_row]
    outside = (ranks < 5) + 2 * (ranks > 3)
    inside = 3 & ~(np.bitwise_or.reduce((tiles > 0) * outside, axis=1)[:, None] | np.append(0, outside))
    bits = (bits[:, None] | inside << INSIDE_AT)[is_row] | slots
    codes, sets = codes[is_row], np.repeat(sets, is_row.sum(axis=1))
    order = np.argsort(codes << PUNGS_AT | slots, kind="mergesort")
    return codes[order, None] // [WANTS ** 6, WANTS ** 3, 1] % CODES, sets[order], bits[order]


def _count_choices(sets):
    """Returns the copies of each set, int8[n, 16], for every choice of `sets` sets."""
    chosen = np.array(list(combinations_with_replacement(range(_SETS), sets)), dtype=np.intp)
    counts = np.zeros((len(chosen), _SETS), dtype=np.int8)
    for column in chosen.T:
        counts[np.arange(len(chosen)), column] += 1
    return counts


ROW_CODES, ROW_SETS, ROW_BITS = _list_rows()
# bool[128]: whether some chows, as bits, contain one of PURE_CHOWS.
IS_PURE = np.array([any(all(mask >> chow & 1 for chow in chows) for chows in PURE_CHOWS) for mask in range(1 << CHOWS)])


class RowIndex(NamedTuple):
    """Keeps the rows by their first code, then by their second.

    Rows of up to n sets: the nodes bounds[n] .. bounds[n + 1] - 1 of the first level have the code first[i] and the
    nodes first_begin[i] .. first_begin[i + 1] - 1 below them. These have the code second[j] and the rows
    second_begin[j] .. second_begin[j + 1] - 1.
    """

    bounds: np.ndarray
    first: np.ndarray
    first_begin: np.ndarray
    second: np.ndarray
    second_begin: np.ndarray
    codes: np.ndarray  # int64[R], what the ranks are wanted for, three bits each: the three codes, CODE_BITS each
    bits: np.ndarray  # int64[R], see PUNGS_AT


@lru_cache(maxsize=None)
def load_rows():
    """Returns the RowIndex of this process."""
    walks = [np.flatnonzero(ROW_SETS <= sets) for sets in range(MAX_SETS + 1)]
    order = np.concatenate(walks)
    codes = ROW_CODES[order]
    assert len(codes) < 1 << 15  # LikelyRows keeps their numbers in 16 bits
    nodes = np.column_stack([np.repeat(np.arange(len(walks)), list(map(len, walks))), codes[:, :2]])
    is_new = np.vstack([np.ones((1, 3), bool), nodes[1:] != nodes[:-1]])
    second_begin = np.flatnonzero(is_new.any(axis=1))
    first_begin = np.flatnonzero(is_new[second_begin, :2].any(axis=1))
    firsts, seconds = nodes[second_begin[first_begin]], nodes[second_begin]
    return RowIndex(
        np.searchsorted(firsts[:, 0], np.arange(len(walks) + 1)), firsts[:, 1].astype(np.int16),
        np.append(first_begin, len(seconds)), seconds[:, 2].astype(np.int16), np.append(second_begin, len(codes)),
        (codes << CODE_BITS * np.arange(3)).sum(axis=1), ROW_BITS[order])
