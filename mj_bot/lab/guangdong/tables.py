"""Tables by suit: how many tiles the tiles of a suit lack to be so many sets, and the pair; wild tiles may be these.

Keys and rows of suits are those of mj_bot/lab/engine/tables.py. Wild tiles are in no key: they are counted apart.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..engine.compile import jit, jit_with_memory
from ..engine.tables import number_rows, row

MOST_SETS = 4
_PARTS = 2 * (MOST_SETS + 1)
_MOST_TILES = 14
_NONE = -100
# Chows of one kind: three alike are three triplets too. Triplets of one kind: a third one were of wild tiles alone.
_MOST_ALIKE = 2
_CHOWS = _MOST_ALIKE + 1
# A state: sets and pair so far, chows that began at the rank before and at the one before that.
_STATES = _PARTS * _CHOWS * _CHOWS


class Suits(NamedTuple):
    """What hand.py reads."""

    place: np.ndarray  # as of engine.tables.Shapes
    lack: np.ndarray  # uint64[rows]: nibble 2 m + p, tiles short of m sets (0..4) and p pairs (0..1)
    # uint8[rows]: fewest sets that take in all tiles of the suit, with wild tiles where they lack some; low nibble
    # without the pair, high nibble beside it; 5 for none
    tight: np.ndarray


@lru_cache(maxsize=None)
def load_suits():
    """The Suits of this process. A wild tile may be the fifth of its kind."""
    place, rows, totals = number_rows()
    suits = Suits(place, np.zeros(rows, np.uint64), np.zeros(rows, np.uint8))
    for suit, ranks in ((0, 9), (3, 7)):
        used = np.full((1, _STATES), _NONE, np.int8)
        used[0, 0] = 0
        for rank in range(ranks):
            used = _add_rank(used, totals, ranks == 9 and rank < 7)
        _fill(suits, suit, used, totals)
    return suits


@jit_with_memory
def _add_rank(used, totals, can_begin):
    """The most tiles used, int8[5 n, _STATES], with one more rank; used: the same of n keys without it."""
    count = len(used)
    more = np.full((5 * count, _STATES), _NONE, np.int8)
    for key in range(count):
        for state in range(_STATES):
            former = used[key, state]
            if former < 0:
                continue
            part, before = state // (_CHOWS * _CHOWS), state % (_CHOWS * _CHOWS)
            last, older = before // _CHOWS, before % _CHOWS
            for chows in range(_CHOWS if can_begin else 1):
                for triplets in range(_MOST_ALIKE + 1):
                    for pairs in range(2 - part % 2):
                        sets = part // 2 + chows + triplets
                        if sets > MOST_SETS:
                            continue
                        wanted = last + older + chows + 3 * triplets + 2 * pairs
                        after = ((2 * sets + part % 2 + pairs) * _CHOWS + chows) * _CHOWS + last
                        for tiles in range(5):
                            larger = tiles * count + key
                            if totals[larger] <= _MOST_TILES:
                                more[larger, after] = max(more[larger, after], former + min(tiles, wanted))
    return more


@jit
def _fill(suits, suit, used, totals):
    for key in range(len(used)):
        if totals[key] > _MOST_TILES:
            continue
        packed, tight = np.uint64(0), np.int64(0)
        for pairs in range(2):
            fewest = MOST_SETS + 1
            for sets in range(MOST_SETS, -1, -1):
                part = 2 * sets + pairs
                # No chow is left open.
                most = np.int64(used[key, part * _CHOWS * _CHOWS])
                packed |= np.uint64(3 * sets + 2 * pairs - most) << np.uint64(4 * part)
                if most == totals[key]:
                    fewest = sets
            tight |= fewest << 4 * pairs
        r = row(suits, suit, key)
        suits.lack[r], suits.tight[r] = packed, tight
