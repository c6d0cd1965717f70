"""Fits by least squares and counting, and how good predicted chances are."""

import numpy as np

from ...observation.layout import WALL_DRAWS
from ...worth.chance import CLASS_OF, CLASSES

_CLASSES = np.array(CLASS_OF)


def reliability(chances, is_won, bins=10):
    """Reliability curve: list of (mean predicted, observed, rows), from the safest tenth to the most dangerous."""
    order = np.argsort(chances, kind="stable")
    parts = np.array_split(order, bins)
    return [(float(chances[part].mean()), float(is_won[part].mean()), len(part)) for part in parts]


def fit_points(worths, walls_left, scores, *, offset):
    """(squared error, weights float64[4]) of worth.points.expect_points, by least squares."""
    level, walls = np.log(worths + offset), walls_left / (4 * WALL_DRAWS)
    columns = np.stack([np.ones_like(level), level, walls, level * walls], axis=1)
    weights = np.linalg.lstsq(columns, scores, rcond=None)[0]
    return float(((scores - columns @ weights) ** 2).mean()), weights


def fit_arrivals(unseen, coming):
    """How often an unseen copy of each class is drawn, discarded by the seat before, by another: float64[CLASSES, 3].

    The rates are shares of how often an unseen copy of any tile is drawn.
    unseen: uint8[D, 34]. coming: uint8[D, 3, 34]; both as of sample.Sample.
    """
    usual = coming[:, 0].sum(axis=1) / np.maximum(1, unseen.sum(axis=1))
    rates = np.zeros((CLASSES, 3))
    for kind in range(CLASSES):
        tiles = _CLASSES == kind
        copies = unseen[:, tiles]
        came = (coming[:, :, tiles] * (copies > 0)[:, None]).sum(axis=(0, 2))
        rates[kind] = came / max(1.0, (usual * copies.sum(axis=1)).sum())
    return rates
