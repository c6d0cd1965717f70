"""Corrects intervals for the rule that ended a match.

A rule of stopping.py tends to end a match after lucky walls, so the usual interval contains the truth less often than
it says. Hybrid resampling corrects it: a difference d belongs to the interval if the studentised distance of the
observed mean from d is not rare among matches under the same rule whose true difference is d. These matches are
simulated: their differences a wall are normal, with the observed spread.

Source: C. Chuang and T. L. Lai 2000, Hybrid resampling methods for confidence intervals.
"""

from typing import Any

import numpy as np

from .schedule import MIN_WALLS, WALLS_A_MATCH
from .verdict import CONFIDENCE, ConfidenceInterval

METHOD = "hybrid resampling, Chuang and Lai 2000"
_PATHS = 2000
_STEPS = 14  # of the bisection for an end of the interval
_REACH = 8  # the ends are searched within this many standard errors around the mean
# After _DENSE walls the simulation looks less often than the rule: each time the walls have grown by this share.
_DENSE = 4000
_SPARSE = 0.0025


def list_looks(wall_count: int) -> np.ndarray:
    """Returns the numbers of walls, int[L], at which a simulated rule looks.

    At the last, wall_count, every match ends.
    """
    looks = list(range(MIN_WALLS, min(_DENSE, wall_count) + 1, WALLS_A_MATCH))
    while looks and looks[-1] < wall_count:
        looks.append(min(wall_count, looks[-1] + max(WALLS_A_MATCH, int(looks[-1] * _SPARSE))))
    return np.array(looks or [wall_count])


def draw_blocks(random: np.random.Generator, size: int, paths: int) -> tuple[np.ndarray, np.ndarray | float]:
    """Returns (mean, sum of squares around the mean) of `size` standard normal numbers, each of [paths]."""
    inner = random.chisquare(size - 1, paths) if size > 1 else 0.0
    return random.standard_normal(paths) / np.sqrt(size), inner


def simulate(
        rule: Any, mean: float, spread: float, *, wall_count: int, random: np.random.Generator,
        paths: int = _PATHS) -> np.ndarray:
    """Returns (walls, mean, variance) at the end of simulated matches, each of [paths].

    rule: with settles(walls, mean, variance) of arrays. mean, spread: of the difference a wall, points a game.
    wall_count: the most walls. random: numpy's Generator; the same gives the same noise, whatever the mean.
    """
    ends = np.empty((3, paths))
    going = np.arange(paths)
    count, centre, squares = 0, np.zeros(paths), np.zeros(paths)
    for look in list_looks(wall_count).tolist():
        size = look - count
        block, inner = draw_blocks(random, size, paths)
        distance = mean + spread * block - centre
        squares += spread ** 2 * inner + distance ** 2 * (count * size / look)
        centre += distance * (size / look)
        count = look
        variance = squares / (count - 1) if count > 1 else np.full(paths, np.inf)
        is_over = rule.settles(count, centre[going], variance[going]) | (count >= wall_count)
        over = going[is_over]
        ends[:, over] = np.full(len(over), count), centre[over], variance[over]
        going = going[~is_over]
        if not len(going):
            break
    return ends


def compute_chance(
        rule: Any, truth: float, observed: tuple[int, float, float], *, wall_count: int, seed: int = 0) -> float:
    """Returns the share of simulated matches of this truth that end with at most the observed studentised distance.

    rule: a rule of stopping.py. truth: the true difference, points a game. observed: (walls, mean, variance) of the
    difference of walls at the end of the match. wall_count: the most walls.
    """
    walls, mean, variance = observed
    ends = simulate(rule, truth, np.sqrt(variance), wall_count=wall_count, random=np.random.default_rng(seed))
    return float(np.mean(studentise(ends, truth) <= studentise(observed, truth)))


def studentise(ends: Any, truth: float) -> Any:
    """Returns the distances of means from the truth in standard errors.

    ends: (walls, mean, variance), each a number or array.
    """
    walls, mean, variance = ends
    return (mean - truth) / np.sqrt(variance / walls)


def correct_interval(rule: Any, values: np.ndarray, wall_count: int, *, seed: int = 0) -> ConfidenceInterval:
    """Returns the Interval of a difference after a rule ended the match. Its mean is the median-unbiased estimate.

    rule: a rule of stopping.py. values: float[W], the difference at each wall. wall_count: the most walls.
    """
    observed = len(values), float(np.mean(values)), float(np.var(values, ddof=1)) if len(values) > 1 else 0.0
    if not observed[2]:
        return ConfidenceInterval(observed[1], np.nan, np.nan)
    error = np.sqrt(observed[2] / observed[0])

    def solve_truth(chance: float) -> float:
        low, high = observed[1] - _REACH * error, observed[1] + _REACH * error
        for _ in range(_STEPS):
            middle = (low + high) / 2
            # The greater the truth, the lower the rank of the observed mean among the simulated ones.
            if compute_chance(rule, middle, observed, wall_count=wall_count, seed=seed) > chance:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    tail = (1 - CONFIDENCE) / 2
    return ConfidenceInterval(*(float(solve_truth(chance)) for chance in (0.5, 1 - tail, tail)))
