"""Computes means, shares and rates of games with their intervals of 95%."""

from typing import Optional

import numpy as np

# Standard deviations on each side of the mean in an interval of 95% of the normal distribution.
_WIDTH = 1.96


# An interval of losses or of other sums needs this many games with one, any other interval this many values.
LEAST_EVENTS, _LEAST_VALUES = 3, 5


def measure_share(values: np.ndarray) -> Optional[list[float]]:
    """Returns [share of ones, low, high] of values 0 and 1 with Wilson's interval of 1927, None of no values.

    >>> measure_share(np.array([1.0, 0.0, 0.0, 0.0]))
    [0.25, 0.0456, 0.6994]
    """
    count = len(values)
    if not count:
        return None
    mean, weight = float(values.mean()), _WIDTH ** 2 / count
    centre = (mean + weight / 2) / (1 + weight)
    error = (weight * (mean * (1 - mean) + weight / 4)) ** 0.5 / (1 + weight)
    return [round(mean, 4), round(max(0.0, centre - error), 4), round(min(1.0, centre + error), 4)]


def measure_mean(values: np.ndarray) -> Optional[list[float]]:
    """Returns [mean, low, high] with the interval of 95%, [mean] of too few values for one, None of none.

    The interval of values that are never negative, such as losses, is symmetrical in the logarithm of the mean (delta
    method): most games have none, and the usual interval of few large values misses the mean too often.

    >>> measure_mean(np.array([-1.0, 2.0, 3.0, 0.0, 1.0])), measure_mean(np.array([0.0, 3.0]))
    ([1.0, -0.3859, 2.3859], [1.5])
    """
    count = len(values)
    if not count:
        return None
    mean = float(values.mean())
    if count < _LEAST_VALUES:
        return [round(mean, 4)]
    error = _WIDTH * float(values.std(ddof=1)) / count ** 0.5
    if values.min() < 0:
        return [round(mean, 4), round(mean - error, 4), round(mean + error, 4)]
    return _spread(mean, error, int((values > 0).sum()))


def _spread(mean: float, error: float, events: int) -> list[float]:
    """Returns [mean, low, high] of a positive mean, [mean] of too few events. error: half of the usual interval."""
    if events < LEAST_EVENTS:
        return [round(mean, 4)]
    factor = float(np.exp(error / mean))
    return [round(mean, 4), round(mean / factor, 4), round(mean * factor, 4)]


def measure_rate(sums: np.ndarray, counts: np.ndarray) -> Optional[list[float]]:
    """Returns [sum of all games / count of all games, low, high], or [it] of too few events; None of no count.

    sums, counts: float[games], such as the points lost in each game and the decisions of each game.
    """
    count = float(counts.sum())
    if not count:
        return None
    rate = float(sums.sum()) / count
    # The error of a ratio of sums.
    error = _WIDTH * float(((sums - rate * counts) ** 2).sum()) ** 0.5 / count
    return _spread(rate, error, int((sums > 0).sum()))
