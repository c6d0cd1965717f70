"""Every way to make up to four sets and perhaps a pair of the tiles of one suit, as arrays with a row for each.

Sets of a suit are numbered 0..6, the chows by their lowest rank, and 7..15, the pungs by rank.
"""

from itertools import combinations_with_replacement

import numpy as np

from ..mahjong.rules import MAX_SETS
from ..mahjong.tile import COPIES
from .chance import PAIR, PUNG, WANTS

RANKS = 9
CHOWS = 7
SLOTS = 2 * (MAX_SETS + 1)
CODES = WANTS ** 3
# Three chows of one suit that count 16 fan: the straight, and steps of one and of two.
PURE_CHOWS = ((0, 3, 6),) + tuple((k, k + 1, k + 2) for k in range(5)) + tuple((k, k + 2, k + 4) for k in range(3))

# What the sums of rows in suits.py are over, in this order: all rows; those without a chow; with three chows that are
# pure (16 fan); with three equal chows or three pungs in a row (24 fan); of ranks 6-9 alone; of ranks 1-4 alone; with
# the chow from rank 1..7; with that chow and no pung. The melds of the suit are part of every row.
ALL, NO_CHOW, PURE, PURE_TRIPLE, UPPER, LOWER, CHOW, CHOW_ALONE = 0, 1, 2, 3, 4, 5, 6, 6 + CHOWS
GROUPS = CHOW_ALONE + CHOWS

_SETS = CHOWS + RANKS


class Rows(object):
    """The table; one instance, ROWS, serves all.

    codes: intp[3, R], what ranks 1-3, 4-6, 7-9 are wanted for (chance.WANTS), as three digits to the base 8 each.
    sets: intp[R], 0..4. slots: intp[R], 2 * sets + pair, the place in a polynomial. All rows are ordered by codes.
    chows: intp[R], bit k: has the chow from rank k + 1. pungs: intp[R], bit r: has the pung of rank r + 1.
    twice, thrice: intp[R], bit k: has the chow k at least twice, three times.
    is_upper, is_lower: bool[R], only ranks 6-9, only ranks 1-4.
    """

    def __init__(self):
        need = np.zeros((_SETS, RANKS), dtype=np.int8)
        for chow in range(CHOWS):
            need[chow, chow:chow + 3] = 1
        need[CHOWS + np.arange(RANKS), np.arange(RANKS)] = 3
        held = np.concatenate([_count_choices(sets) for sets in range(MAX_SETS + 1)])
        pairs = np.concatenate([np.zeros((1, RANKS), dtype=np.int8), 2 * np.eye(RANKS, dtype=np.int8)])
        tiles = (held @ need)[:, None] + pairs
        row, pair = np.nonzero((tiles <= COPIES).all(axis=2))
        tiles, held = tiles[row, pair], held[row]
        sets = held.sum(axis=1)
        slots = 2 * sets + (pair > 0)
        wants = _compute_wants(tiles, held, pairs[pair])
        codes = wants.reshape(-1, 3, 3) @ np.array([WANTS ** 2, WANTS, 1])
        order = np.argsort(codes @ np.array([CODES ** 2, CODES, 1]) * SLOTS + slots, kind="mergesort")
        tiles, held = tiles[order], held[order]
        self.codes = np.ascontiguousarray(codes[order].T)
        self.sets, self.slots = sets[order], slots[order]
        bits = 1 << np.arange(RANKS)
        chows, pungs = held[:, :CHOWS], held[:, CHOWS:]
        self.chows, self.twice, self.thrice = ((chows >= n) @ bits[:CHOWS] for n in (1, 2, 3))
        self.pungs = (pungs > 0) @ bits
        self.is_upper = ~tiles[:, :5].any(axis=1)
        self.is_lower = ~tiles[:, 4:].any(axis=1)


def _count_choices(sets):
    """int8[n, 16]: copies of each set, for every choice of some number of sets."""
    chosen = np.array(list(combinations_with_replacement(range(_SETS), sets)), dtype=np.intp)
    counts = np.zeros((len(chosen), _SETS), dtype=np.int8)
    for column in chosen.T:
        counts[np.arange(len(chosen)), column] += 1
    return counts


def _compute_wants(tiles, held, pairs):
    """int64[R, 9]: what each rank is wanted for."""
    wants = tiles.astype(np.int64)
    has_pung = held[:, CHOWS:] > 0
    wants[has_pung] += PUNG - 3
    wants[(pairs > 0) & (tiles == 2)] = PAIR
    return wants


def _tabulate_pure():
    table = np.zeros(1 << CHOWS, dtype=bool)
    for mask in range(1 << CHOWS):
        table[mask] = any(all(mask >> chow & 1 for chow in chows) for chows in PURE_CHOWS)
    return table


ROWS = Rows()
# bool[128]: whether some chows, as bits, contain one of PURE_CHOWS.
IS_PURE = _tabulate_pure()
