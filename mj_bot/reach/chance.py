"""The chance to get tiles that are missing, in the time that is left."""

from math import factorial

import numpy as np

from ..mahjong.tile import COPIES

# No hand gets more of what it lacks than this, however long the game goes on.
MAX_SHARE = 0.9


def share_of_unseen(draws, unseen_total, claims):
    """Share of the unseen tiles that come to this hand: by its own draws, and `claims` times as many by claiming.

    >>> round(share_of_unseen(9.0, 120, 0.5), 4)
    0.1125
    """
    return min(MAX_SHARE, draws * (1 + claims) / max(1, unseen_total))


def tabulate_chances(share, sharpness):
    """float64[5, 5]: [u, k] the chance that at least k of u unseen copies come, to the power of `sharpness`.

    share: the chance of each copy, independent of the others.
    """
    table = np.zeros((COPIES + 1, COPIES + 1))
    for unseen in range(COPIES + 1):
        exactly = [_choose(unseen, k) * share ** k * (1 - share) ** (unseen - k) for k in range(unseen + 1)]
        for wanted in range(unseen + 1):
            table[unseen, wanted] = sum(exactly[wanted:]) ** sharpness
    return table


def chances_by_need(chances, counts, unseen):
    """float64[..., 5]: the chance that a hand comes to hold 0..4 of a tile kind.

    chances: of tabulate_chances. counts, unseen: integer arrays of one shape, held and unseen copies.
    """
    missing = np.maximum(0, np.arange(COPIES + 1) - np.asarray(counts)[..., None])
    return chances[np.asarray(unseen)[..., None], missing]


def _choose(n, k):
    return factorial(n) // factorial(k) // factorial(n - k)
