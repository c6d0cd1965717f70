"""Compares nearly equal discards that leave a hand one tile short of ready, by the ready hands after its next draw.

The patterns count only their usual fans. So the points cannot tell such discards apart. waits.value_next_draw counts
the ready hands that a draw really makes, and their fans. data/results/search_next_draw.json has the matches in which
this was tried.
"""

from typing import Tuple

import numpy as np

from ..mahjong.action import DISCARD_BASE
from ..mahjong.tile import TILE_COUNT
from .correction import Distances

# Discards within NEAR points of the best action count as nearly equal. A point of the next draw counts WEIGHT points.
# Other values of the two did no better in matches.
NEAR = 1.0
WEIGHT = 0.4
_DISCARDS = slice(DISCARD_BASE, DISCARD_BASE + TILE_COUNT)


def list_near(points: np.ndarray, distances: Distances) -> np.ndarray:
    """Returns the nearly equal discards that are to be compared, bool[B, 34].

    A row has such discards if two or more actions are near the best one, and all of these are discards to one tile from
    ready.
    points: float[B, 235], corrected points, minus infinity for illegal actions.
    distances: how far the hands are from ready, as correction.measure_distances returns it.
    """
    is_near = points >= points.max(1)[:, None] - NEAR
    discards = is_near[:, _DISCARDS]
    is_asked = (discards.sum(1) == is_near.sum(1)) & (discards.sum(1) > 1)
    is_asked &= ((distances.after == 1) | ~discards).all(1)
    return discards & is_asked[:, None]


def add_next_draws(points: np.ndarray, nears: np.ndarray, next_draws: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Returns (points with the value of the next draw added, what was added), both float[B, 235].

    After the addition, nearly equal discards are shifted together so that the highest points of the row do not change.
    So they can be compared with the other actions.
    points: float[B, 235], minus infinity for illegal actions. nears: bool[B, 34], the nearly equal discards.
    next_draws: float[B, 34], value of the next draw after each of these discards.
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
