"""Compares nearly equal discards that leave a hand one tile short of ready, by the hands after its next draw.

The patterns count only their usual fans. waits.value_next_draw counts the ready hands that a draw really makes, and
their fans. In games with drawn discards, the points did not predict the results of such discards. This number did:
each point of it brought 0.16 +- 0.04. Matches: data/results/search_next_draw.json.
"""

import numpy as np

from ..mahjong.action import DISCARD_BASE
from ..mahjong.tile import TILE_COUNT

# Discards within NEAR points of the best action count as nearly equal; a point of the next draw counts WEIGHT points.
# In matches a weight of 0.4 within 1.0 did no worse than 0.2 within 0.75, or 0.4 within 1.5.
NEAR = 1.0
WEIGHT = 0.4
_DISCARDS = slice(DISCARD_BASE, DISCARD_BASE + TILE_COUNT)


def list_near(points, distances):
    """Returns near discards, bool[B, 34].

    A row has them if two or more actions are near the best one and all of these are discards to one tile from ready.
    points: float[B, 235], corrected, minus infinity for illegal actions. distances: correction.Distances.
    """
    is_near = points >= points.max(1)[:, None] - NEAR
    discards = is_near[:, _DISCARDS]
    is_asked = (discards.sum(1) == is_near.sum(1)) & (discards.sum(1) > 1)
    is_asked &= ((distances.after == 1) | ~discards).all(1)
    return discards & is_asked[:, None]


def add_next_draws(points, nears, next_draws):
    """Returns the points with the value of the next draw added, and what it added, both float[B, 235].

    Nearly equal discards get their values, then are shifted together so that the highest points of the row do not
    change, and can be compared with those of the other actions.
    points: float[B, 235], minus infinity for what is illegal. nears: bool[B, 34]. next_draws: float[B, 34].
    """
    rows = np.flatnonzero(nears.any(1))
    discards = points[rows, _DISCARDS]
    raised = np.where(nears[rows], discards + WEIGHT * next_draws[rows], -np.inf)
    common = raised.max(1) - discards.max(1)
    changed = points.copy()
    changed[rows, _DISCARDS] = np.where(nears[rows], raised - common[:, None], discards)
    added = np.zeros(points.shape)
    np.subtract(changed, points, out=added, where=np.isfinite(points))
    return changed, added
