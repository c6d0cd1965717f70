"""Lists every way to make up to four sets and perhaps a pair of the tiles of one suit.

Each way is a row of the arrays below. A suit has 16 different sets: 0..6 are the chows by their lowest rank, 7..15 the
pungs by rank.
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
# A code says what three ranks are wanted for, in this many bits.
CODE_BITS = 9
CODES = 1 << CODE_BITS
assert CODES == WANTS ** 3
# Three chows of one suit count 16 fan if they are a straight or go up by steps of one or of two. Here are their lowest
# ranks.
PURE_CHOWS = ((0, 3, 6),) + tuple((k, k + 1, k + 2) for k in range(5)) + tuple((k, k + 2, k + 4) for k in range(3))

# suits.py sums up these groups of rows. The melds of the suit are part of every row.
#     ALL                 all rows
#     NO_CHOW             the rows without a chow
#     PURE_16_FAN         with one of PURE_CHOWS
#     PURE_24_FAN         with three equal chows, or with three pungs of neighbouring ranks
#     UPPER, LOWER        of ranks 6-9 alone, of ranks 1-4 alone
#     WITH_CHOW + c       with the chow whose lowest rank is c = 0..6
#     WITH_CHOW_ALONE + c with this chow and without a pung
ALL, NO_CHOW, PURE_16_FAN, PURE_24_FAN, UPPER, LOWER, WITH_CHOW, WITH_CHOW_ALONE = 0, 1, 2, 3, 4, 5, 6, 6 + CHOWS
ROW_GROUPS = WITH_CHOW_ALONE + CHOWS
# One more group is for patterns that use nothing of a suit. It has no rows; its polynomial is 1.
NO_ROWS = ROW_GROUPS

# Bits 0..3 of a row are its slot: 2 * sets + pair. From the bits named below on there are:
#     PUNGS_AT        9 bits, one for each pung
#     CHOWS_AT        7 bits, one for each chow that the row has; TWICE_AT: at least twice; THRICE_AT: three times
#     INSIDE_AT       2 bits: the row is of ranks 6-9 alone (1), of ranks 1-4 alone (2)
#     CHOW_LIST_AT    three times 4 bits: its chows in order, then LIST_END; rows of four sets have LIST_END only
PUNGS_AT, CHOWS_AT, TWICE_AT, THRICE_AT, INSIDE_AT, CHOW_LIST_AT = 4, 13, 20, 27, 34, 36
LIST_END = CHOWS
_SETS = CHOWS + RANKS


def _list_rows():
    """Returns all rows in the order of their codes: (codes int64[R, 3], number of sets int64[R], bits int64[R])."""
    set_counts = np.concatenate([_count_choices(count) for count in range(MAX_SETS + 1)])
    chows, pungs, sets = set_counts[:, :CHOWS], set_counts[:, CHOWS:], set_counts.sum(axis=1)
    tiles = 3 * pungs
    for step in range(3):
        tiles[:, step:step + CHOWS] += chows
    ranks, digits = np.arange(RANKS), WANTS ** np.arange(RANKS)[::-1]
    bits = pungs @ (1 << ranks + PUNGS_AT)
    for copies, first_bit in ((1, CHOWS_AT), (2, TWICE_AT), (3, THRICE_AT)):
        bits |= (chows >= copies) @ (1 << ranks[:CHOWS] + first_bit)
    # Each row lists its chows in order, then LIST_END. Rows of at most three sets have at most three chows.
    chow_list = np.where((chows > 0) & (sets < MAX_SETS)[:, None], ranks[:CHOWS], LIST_END)
    bits |= np.sort(chow_list, axis=1)[:, :3] @ (1 << CHOW_LIST_AT + 4 * np.arange(3))
    # In the arrays [choice, 10] each choice of sets gives ten rows: without a pair, and with the pair of each rank.
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
# This is bool[128]: whether the chows whose bits are set in the index contain one of PURE_CHOWS.
IS_PURE = np.array([any(all(mask >> chow & 1 for chow in chows) for chows in PURE_CHOWS) for mask in range(1 << CHOWS)])


class RowIndex(NamedTuple):
    """Keeps the rows as five trees of their codes: tree n has the rows of at most n = 0..4 sets.

    The first level of the tree for n sets is the nodes bounds[n] .. bounds[n + 1] - 1. Node i of the first level has
    the code first[i] for the ranks 1-3, and the nodes first_begin[i] .. first_begin[i + 1] - 1 below it. Node j of the
    second level has the code second[j] for the ranks 4-6, and the rows second_begin[j] .. second_begin[j + 1] - 1.
    """

    bounds: np.ndarray
    first: np.ndarray
    first_begin: np.ndarray
    second: np.ndarray
    second_begin: np.ndarray
    codes: np.ndarray  # int64[R], the three codes of each row, CODE_BITS each, that of the ranks 1-3 lowest
    bits: np.ndarray  # int64[R], the bits of each row


@lru_cache(maxsize=None)
def load_rows() -> RowIndex:
    """Returns the rows as trees. The first call of a process builds them."""
    tree_rows = [np.flatnonzero(ROW_SETS <= sets) for sets in range(MAX_SETS + 1)]
    order = np.concatenate(tree_rows)
    codes = ROW_CODES[order]
    # suits.LikelyRows keeps the index of a row in 16 bits.
    assert len(codes) < 1 << 15
    nodes = np.column_stack([np.repeat(np.arange(len(tree_rows)), list(map(len, tree_rows))), codes[:, :2]])
    is_new = np.vstack([np.ones((1, 3), bool), nodes[1:] != nodes[:-1]])
    second_begin = np.flatnonzero(is_new.any(axis=1))
    first_begin = np.flatnonzero(is_new[second_begin, :2].any(axis=1))
    firsts, seconds = nodes[second_begin[first_begin]], nodes[second_begin]
    return RowIndex(
        np.searchsorted(firsts[:, 0], np.arange(len(tree_rows) + 1)), firsts[:, 1].astype(np.int16),
        np.append(first_begin, len(seconds)), seconds[:, 2].astype(np.int16), np.append(second_begin, len(codes)),
        (codes << CODE_BITS * np.arange(3)).sum(axis=1), ROW_BITS[order])
