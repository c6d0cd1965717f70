"""Computes means, differences and ratings of a match, with their intervals.

Games on one wall share its tiles, so they depend on each other; walls do not. So every figure is first one number per
wall, and intervals come from the spread of these numbers (walls as clusters of equal size).
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import choix
import numpy as np
from scipy import stats

from .schedule import MIN_WALLS

CONFIDENCE = 0.95  # chance that an interval contains the truth
MIN_RATED_WALLS = 8
_POWER = 0.8  # chance that a difference of the asked size is shown
# The jackknife of ratings() leaves out this many groups of walls in turn. More groups take longer and change little.
_MOST_GROUPS = 200
_EQUAL = 1e-6  # a spread of ratings below this is rounding, as where all walls are equal
_ELO = 400 / np.log(10)  # Elo points per unit of a natural logarithm


class ConfidenceInterval(NamedTuple):
    """Keeps an estimate and the ends of its interval.

    low and high are NaN where the walls show no spread, because there is only one or all are equal.
    """

    mean: float
    low: float
    high: float


def mean_interval(values: np.ndarray, least: float = -np.inf, most: float = np.inf) -> ConfidenceInterval:
    """Returns the ConfidenceInterval of the mean of independent values, by Student's t distribution.

    values: float[W], W >= 1. least, most: bounds of the mean, which the interval does not pass.
    """
    values = np.asarray(values, float)
    mean = values.mean()
    if np.ptp(values) == 0:
        return ConfidenceInterval(mean, np.nan, np.nan)
    half = compute_quantile(len(values)) * stats.sem(values)
    return ConfidenceInterval(mean, max(least, mean - half), min(most, mean + half))


def share_interval(counts: np.ndarray, games: int) -> ConfidenceInterval:
    """Returns the ConfidenceInterval of the share of games, 0..1, in which something happened.

    Games on one wall depend on each other, so the number of independent games is estimated from the spread of the
    walls.
    counts: int[W], number of games of each wall in which it happened. games: number of games of each wall.
    Source: Wilson 1927. Without a spread the number of walls stands for the number of independent games.
    """
    walls = len(counts)
    share = np.mean(counts) / games
    if walls < 2:
        return ConfidenceInterval(share, np.nan, np.nan)
    variance = np.var(counts, ddof=1) / games ** 2 / walls
    size = np.clip(share * (1 - share) / variance, 1, walls * games) if variance else walls
    weight = compute_quantile(walls) ** 2 / size
    centre = (share + weight / 2) / (1 + weight)
    half = np.sqrt(weight * (share * (1 - share) + weight / 4)) / (1 + weight)
    # Rounding may put the ends 1e-17 outside 0..1, or on the wrong side of the share.
    return ConfidenceInterval(share, min(share, max(0, centre - half)), max(share, min(1, centre + half)))


def count_walls_to_show(interval: ConfidenceInterval, walls: int, difference: float) -> int:
    """Returns how many walls show a difference in points a game in four matches of five; `walls` gave `interval`."""
    spread = (interval.high - interval.mean) / compute_quantile(walls) * np.sqrt(walls)
    count = ((stats.norm.ppf((1 + CONFIDENCE) / 2) + stats.norm.ppf(_POWER)) * spread / difference) ** 2
    return int(float("%.2g" % max(MIN_WALLS, count)))


@cache
def compute_quantile(walls: int) -> float:
    """Returns Student's t of a two-sided interval of CONFIDENCE, for this number of walls."""
    return stats.t.ppf((1 + CONFIDENCE) / 2, walls - 1)


def match_points(scores: np.ndarray, lineup: tuple[int, ...]) -> np.ndarray:
    """Returns the match points of each player at each wall, float[W, P]: 4, 3, 2 and 1 for the places of the lineup."""
    # Ties share. Places of one player have the same score, so in A A B B the better player has 3.5 per wall.
    # Source: the contest's format, four different players over 24 seatings.
    lineup = np.asarray(lineup)
    points = stats.rankdata(np.asarray(scores, float)[:, lineup], method="average", axis=1)
    return np.stack([points[:, lineup == player].mean(axis=1) for player in range(lineup.max() + 1)], axis=1)


def differences(scores: np.ndarray) -> dict[tuple[int, int], ConfidenceInterval]:
    """Returns {(i, j): interval of player i less player j} for each i < j. scores: float[W, P], points per game."""
    return {(i, j): mean_interval(scores[:, i] - scores[:, j]) for i, j in combinations(range(scores.shape[1]), 2)}


def ratings(wins: np.ndarray) -> list[ConfidenceInterval]:
    """Returns the Elo rating of each player of a pool, with its interval.

    400 points are odds of 10 to 1 to score more than another player in a game. The mean of the pool is 0. One drawn
    game is added for each two players, so that ratings are finite. There is no interval where a player has games at
    fewer than MIN_RATED_WALLS walls.
    wins: float[W, P, P]; wins[w, i, j] is how often player i scored more than player j in the same game at wall w.
        Ties count half.
    Source: Bradley and Terry 1952, fitted by choix (Maystre and Grossglauser 2015); the jackknife over walls.
    """
    total = wins.sum(axis=0)
    fitted = _fit(total)
    walls = ((wins + wins.transpose(0, 2, 1)).sum(axis=2) > 0).sum(axis=0).min()
    if walls < MIN_RATED_WALLS:
        return [ConfidenceInterval(mean, np.nan, np.nan) for mean in fitted]
    groups = min(len(wins), _MOST_GROUPS)
    left_out = np.array([_fit(total - wins[group::groups].sum(axis=0)) for group in range(groups)])
    half = compute_quantile(min(walls, groups)) * np.sqrt((groups - 1) * left_out.var(axis=0))
    half[half < _EQUAL] = np.nan
    return [ConfidenceInterval(*figures) for figures in zip(fitted, fitted - half, fitted + half)]


def _fit(wins):
    """Returns the Elo ratings float[P] that fit wins float[P, P] best."""
    parameters = choix.ilsr_pairwise_dense(wins + 0.5 * (1 - np.eye(len(wins))))
    return _ELO * (parameters - parameters.mean())
