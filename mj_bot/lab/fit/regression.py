"""The fits: logistic and least squares, and how well they tell."""

import numpy as np

from ...observation.layout import WALL_DRAWS


def fit(features, is_won, ridge=1.0, steps=50):
    """Weights float64[F] of the logistic model, by Newton's method with a ridge penalty."""
    features = features.astype(np.float64)
    weights = np.zeros(features.shape[1])
    penalty = ridge * np.eye(len(weights))
    for _ in range(steps):
        chances = predict(features, weights)
        slope = features.T @ (is_won - chances) - ridge * weights
        curve = (features * (chances * (1 - chances))[:, None]).T @ features + penalty
        step = np.clip(np.linalg.solve(curve, slope), -3, 3)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def predict(features, weights):
    """Chances float64[K] of rows of features."""
    return 1 / (1 + np.exp(-(features @ weights)))


def reliability(chances, is_won, bins=10):
    """Reliability curve: list of (mean predicted, observed, rows), from the safest tenth to the most dangerous."""
    order = np.argsort(chances, kind="stable")
    parts = np.array_split(order, bins)
    return [(float(chances[part].mean()), float(is_won[part].mean()), len(part)) for part in parts]


def log_loss(chances, is_won):
    """Mean negative log likelihood."""
    return float(-np.where(is_won, np.log(chances), np.log1p(-chances)).mean())


def fit_points(worths, walls_left, scores, offset):
    """(squared error, weights float64[4]) of worth.points.expect_points, by least squares."""
    level, walls = np.log(worths + offset), walls_left / (4 * WALL_DRAWS)
    columns = np.stack([np.ones_like(level), level, walls, level * walls], axis=1)
    weights = np.linalg.lstsq(columns, scores, rcond=None)[0]
    return float(((scores - columns @ weights) ** 2).mean()), weights
