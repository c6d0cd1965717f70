"""Corrects intervals for the rule that ended a match.

A rule of stopping.py tends to end a match after lucky walls, so the usual interval contains the truth less often than
it says. Hybrid resampling corrects the interval. A difference d belongs to it if the studentised distance of the
observed mean from d is not rare among matches under the same rule whose true difference is d. These matches are
simulated: their differences per wall are normal, with the observed spread.

Source: C. Chuang and T. L. Lai 2000, Hybrid resampling methods for confidence intervals.
"""

from typing import Any

import numpy as np

from .schedule import MIN_WALLS, WALLS_PER_MATCH
from .stopping import StoppingRule
from .verdict import CONFIDENCE, ConfidenceInterval

METHOD = "hybrid resampling, Chuang and Lai 2000"
_PATHS = 2000  # number of simulated matches
_STEPS = 14  # steps of the bisection that finds an end of the interval
_REACH = 8  # the ends are searched for within this many standard errors around the mean
# After _DENSE walls the simulation looks less often than the rule: only when the walls have grown by the share _SPARSE.
_DENSE = 4000
_SPARSE = 0.0025


def list_looks(wall_count: int) -> np.ndarray:
    """Returns the numbers of walls after which a simulated rule looks, int[L]; at the last, wall_count, matches end."""
    looks = list(range(MIN_WALLS, min(_DENSE, wall_count) + 1, WALLS_PER_MATCH))
    while looks and looks[-1] < wall_count:
        looks.append(min(wall_count, looks[-1] + max(WALLS_PER_MATCH, int(looks[-1] * _SPARSE))))
    return np.array(looks or [wall_count])


def draw_blocks(random: np.random.Generator, size: int, paths: int) -> tuple[np.ndarray, np.ndarray | float]:
    """Returns (means, sums of squares around the mean) of blocks of `size` standard normal numbers, float[paths] each.
    """
    inner = random.chisquare(size - 1, paths) if size > 1 else 0.0
    return random.standard_normal(paths) / np.sqrt(size), inner


def simulate(
        rule: StoppingRule, mean: float, spread: float, *, wall_count: int, random: np.random.Generator,
        paths: int = _PATHS) -> np.ndarray:
    """Simulates matches under a rule, and returns (walls, mean, variance) at their ends, float[3, paths].

    mean, spread: mean and standard deviation of the difference per wall, in points per game.
    wall_count: walls after which a match ends at the latest.
    random: generator of the noise. Equal generators give equal noise, whatever the mean is. paths: number of matches.
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


def rank_observed(
        rule: StoppingRule, truth: float, observed: tuple[int, float, float], *, wall_count: int,
        seed: int = 0) -> float:
    """Returns the share of simulated matches that end at most as far from the truth as observed, in standard errors."""
    walls, mean, variance = observed
    ends = simulate(rule, truth, np.sqrt(variance), wall_count=wall_count, random=np.random.default_rng(seed))
    return float(np.mean(studentise(ends, truth) <= studentise(observed, truth)))


def studentise(ends: Any, truth: float) -> Any:
    """Returns the distances of means from the truth in standard errors. ends: (walls, mean, variance), or arrays."""
    walls, mean, variance = ends
    return (mean - truth) / np.sqrt(variance / walls)


def correct_interval(rule: StoppingRule, values: np.ndarray, wall_count: int, *, seed: int = 0) -> ConfidenceInterval:
    """Returns the ConfidenceInterval of a difference after a rule ended the match; its mean is median-unbiased.

    values: float[W], difference at each wall. wall_count: walls after which the match would have ended at the latest.
    seed: seed of the simulation.
    """
    observed = len(values), float(np.mean(values)), float(np.var(values, ddof=1)) if len(values) > 1 else 0.0
    if not observed[2]:
        return ConfidenceInterval(observed[1], np.nan, np.nan)
    error = np.sqrt(observed[2] / observed[0])

    def solve_truth(chance: float) -> float:
        """Returns the true difference under which the observed mean has the rank `chance`, by bisection."""
        low, high = observed[1] - _REACH * error, observed[1] + _REACH * error
        for _ in range(_STEPS):
            middle = (low + high) / 2
            # The greater the truth, the lower the rank of the observed mean among the simulated ones.
            if rank_observed(rule, middle, observed, wall_count=wall_count, seed=seed) > chance:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    tail = (1 - CONFIDENCE) / 2
    return ConfidenceInterval(*(float(solve_truth(chance)) for chance in (0.5, 1 - tail, tail)))
