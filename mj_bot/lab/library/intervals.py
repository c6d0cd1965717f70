"""Computes means, shares and rates of games with their intervals of 95%."""

from typing import Optional

import numpy as np

# Standard deviations on each side of the mean in an interval of 95% of the normal distribution.
_WIDTH = 1.96


def measure_mean(values: np.ndarray) -> Optional[list[float]]:
    """Returns [mean, low, high] with the interval of 95%, [mean] of fewer than two values, None of none.

    The interval of a share, where all values are 0 or 1, is Wilson's of 1927, which stays between 0 and 1. The interval
    of values that are never negative, such as losses, never begins below 0.

    >>> measure_mean(np.array([1.0, 2.0, 3.0])), measure_mean(np.array([]))
    ([2.0, 0.8684, 3.1316], None)
    >>> measure_mean(np.array([1.0, 0.0, 0.0, 0.0]))
    [0.25, 0.0456, 0.6994]
    """
    count = len(values)
    if not count:
        return None
    mean = centre = float(values.mean())
    if count < 2:
        return [round(mean, 4)]
    if np.isin(values, (0, 1)).all():
        weight = _WIDTH ** 2 / count
        centre = (mean + weight / 2) / (1 + weight)
        error = (weight * (mean * (1 - mean) + weight / 4)) ** 0.5 / (1 + weight)
    else:
        error = _WIDTH * float(values.std(ddof=1)) / count ** 0.5
    low = max(0.0, centre - error) if values.min() >= 0 else centre - error
    return [round(mean, 4), round(low, 4), round(centre + error, 4)]


def compare_halves(values: np.ndarray) -> Optional[list]:
    """Returns [mean of the first half of the games, of the second half, whether they differ beyond chance].

    values: float[games], in the order of the games. Returns None for fewer than four games.
    """
    first, second = values[:len(values) // 2], values[len(values) // 2:]
    if len(first) < 2:
        return None
    error = _WIDTH * (first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second)) ** 0.5
    change = second.mean() - first.mean()
    return [round(float(first.mean()), 4), round(float(second.mean()), 4), bool(abs(change) > error)]


def measure_rate(sums: np.ndarray, counts: np.ndarray) -> Optional[tuple[float, float]]:
    """Returns (sum of all games / count of all games, half of its interval of 95%), None where nothing was counted.

    sums, counts: float[games], such as the points lost in each game and the decisions of each game.
    """
    count = float(counts.sum())
    if not count:
        return None
    rate = float(sums.sum()) / count
    # The error of a ratio of sums.
    return rate, _WIDTH * float(((sums - rate * counts) ** 2).sum()) ** 0.5 / count
