"""Computes the chance to get tiles that are missing in the time that is left.

An unseen copy may be drawn, discarded by the seat before, or discarded by one of the other two seats. How often each
happens was measured for four classes of tiles. Which of the discards a hand can use depends on what it wants the tile
for.
"""

from math import factorial

import numpy as np

from ..mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from .parameters import FITTED, Parameters

# Tiles of a class are discarded about equally often.
CLASS_NAMES = ("terminals", "next to terminals", "middle tiles", "honours")
CLASSES = len(CLASS_NAMES)
CLASS_OF = np.array([3 if tile >= FIRST_HONOUR else min(2, tile % 9, 8 - tile % 9) for tile in range(TILE_COUNT)])
# This is float[CLASSES, 3]: how often an unseen copy of each class is drawn, discarded by the seat before, and
# discarded by one of the other two seats. The unit is how often an average unseen copy is drawn.
ARRIVALS = np.array([FITTED["calibrate"]["arrivals"][name] for name in CLASS_NAMES])
# The wants say what a target uses a tile for. 0 is nothing. 1..4 are that many copies, for chows or for chows and the
# pair. 5 is the pair, 6 a pung, 7 a pung and a chow.
FOR_NOTHING, FOR_ONE_CHOW, _, _, _, FOR_PAIR, FOR_PUNG, FOR_PUNG_AND_CHOW = range(8)
WANTS = 8
# The wants 0..7 are the first entries of a table of chances. For a hand that must stay concealed, entry CONCEALED + n
# is the chance of at least n = 1..4 copies.
CONCEALED = WANTS - 1
ENTRIES = WANTS + COPIES
# No chance to get a missing copy is higher than this, however long the game is.
MAX_SHARE = 0.95


def base_share(draws: np.ndarray, unseen_total: np.ndarray, horizon: float) -> np.ndarray:
    """Returns the share of the unseen tiles that a hand draws itself before the game ends.

    draws: tiles left in the own wall. unseen_total: number of unseen tiles. horizon: share of the own wall that is
        drawn before somebody wins.

    >>> round(float(base_share(20, 120, 0.45)), 4)
    0.075
    """
    return horizon * np.maximum(1, draws) / np.maximum(1, unseen_total)


def tabulate_chances(base: np.ndarray, parameters: Parameters) -> np.ndarray:
    """Returns the chances to get the copies of a tile that a hand wants, each to the power of parameters.sharpness.

    The array is float64[*base.shape, CLASSES, 5, 5, ENTRIES]. The indices are the class of the tile, its unseen copies,
    its copies in hand, and what it is wanted for.
    base: array of shares, as base_share returns them.
    """
    base = np.asarray(base)
    shares = base[..., None, None] * ARRIVALS
    drawn, before, others = shares[..., 0], shares[..., 1], shares[..., 2]
    by_chow = drawn + parameters.chow_claims * before + parameters.pair_claims * others
    by_pair = drawn + parameters.pair_claims * (before + others)
    concealed = drawn + parameters.concealed_claims * (before + others)
    by_pung = drawn + parameters.pung_claims * (before + others)
    own_part = ARRIVALS[:, 0] / (ARRIVALS[:, 0] + parameters.pung_claims * ARRIVALS[:, 1:].sum(axis=1))
    table = np.zeros(base.shape + (CLASSES, COPIES + 1, COPIES + 1, ENTRIES))
    for unseen in range(COPIES + 1):
        for held in range(COPIES + 1 - unseen):
            entries = table[..., unseen, held, :]
            entries[..., FOR_NOTHING] = 1.0
            for need in range(1, COPIES + 1):
                entries[..., need] = _at_least(need - held, unseen, by_chow)
                entries[..., CONCEALED + need] = _at_least(need - held, unseen, concealed)
            entries[..., FOR_PAIR] = _at_least(2 - held, unseen, by_pair)
            entries[..., FOR_PUNG] = _pung(3 - held, unseen, by_pung, own_part=own_part)
            entries[..., FOR_PUNG_AND_CHOW] = _pung(4 - held, unseen, by_pung, own_part=own_part)
    return table ** parameters.sharpness


def _at_least(missing, unseen, share):
    """Returns the chance that at least `missing` of the unseen copies come. share: chance of each copy to come."""
    share = np.minimum(MAX_SHARE, share)
    if missing <= 0:
        return np.ones_like(share)
    return sum((_exactly(count, unseen, share) for count in range(missing, unseen + 1)), np.zeros_like(share))


def _pung(missing, unseen, share, *, own_part):
    """Returns the chance to complete a pung. All missing copies but the last must be drawn; the last may be claimed."""
    share = np.minimum(MAX_SHARE, share)
    if missing <= 0:
        return np.ones_like(share)
    total = np.zeros_like(share)
    for count in range(missing, unseen + 1):
        # All missing copies but one must be drawn among the copies that come before the last one.
        total += _exactly(count, unseen, share) * _at_least(missing - 1, count - 1, own_part)
    return total


def _exactly(count, of, share):
    """Returns the chance that exactly `count` of `of` copies come. share: chance of each copy to come."""
    ways = factorial(of) // factorial(count) // factorial(of - count)
    return ways * share ** count * (1.0 - share) ** (of - count)
