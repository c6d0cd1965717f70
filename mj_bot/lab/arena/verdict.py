"""Computes means, differences and ratings of a match, with their intervals.

Games of one wall share its tiles and are not independent; walls are. So every figure is first one number a wall, and
intervals come from the spread of these numbers (walls as clusters of equal size).
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

import choix
import numpy as np
from scipy import stats

from .columns import describe
from .schedule import MIN_WALLS

CONFIDENCE = 0.95
MIN_RATED_WALLS = 8
_POWER = 0.8
# Parts of the walls that ratings() leaves out in turn; more take longer and change little.
_MOST_PARTS = 200
# Elo; a smaller spread is rounding, as where all walls are equal.
_EQUAL = 1e-6
_ELO = 400 / np.log(10)


class ConfidenceInterval(NamedTuple):
    """Keeps an estimate with its interval.

    low and high are NaN where the walls show no spread: one wall, or all equal.
    """

    mean: float
    low: float
    high: float


def mean_interval(values: np.ndarray, least: float = -np.inf, most: float = np.inf) -> ConfidenceInterval:
    """Returns the Interval of the mean of independent values, float[W], by Student's t distribution; W >= 1.

    least, most: bounds of the mean, which the interval does not pass.
    """
    values = np.asarray(values, float)
    mean = values.mean()
    if np.ptp(values) == 0:
        return ConfidenceInterval(mean, np.nan, np.nan)
    half = compute_quantile(len(values)) * stats.sem(values)
    return ConfidenceInterval(mean, max(least, mean - half), min(most, mean + half))


def describe_interval(values: np.ndarray) -> dict:
    """Returns mean and 95% interval of independent values, float[W], as a dict for JSON.

    The ends are None where the values have no spread.
    """
    return describe(mean_interval(values))


def share_interval(counts: np.ndarray, games: int) -> ConfidenceInterval:
    """Returns the Interval of the share of games, 0..1, in which something happened.

    Games of one wall depend on each other.

    counts: int[W], the games of each wall in which it happened. games: number of games of each wall.
    Source: Wilson 1927, with the number of independent games by the spread of the walls; without a spread, the number
    of walls.
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
    # Rounded, the ends may lie 1e-17 outside.
    return ConfidenceInterval(share, min(share, max(0, centre - half)), max(share, min(1, centre + half)))


def count_walls_to_show(interval: ConfidenceInterval, walls: int, difference: float) -> int:
    """Returns after how many walls, rounded to two digits, four matches in five show a difference of this size.

    interval: of the difference between two players after `walls` walls.
    """
    spread = (interval.high - interval.mean) / compute_quantile(walls) * np.sqrt(walls)
    count = ((stats.norm.ppf((1 + CONFIDENCE) / 2) + stats.norm.ppf(_POWER)) * spread / difference) ** 2
    return int(float("%.2g" % max(MIN_WALLS, count)))


@cache
def compute_quantile(walls: int) -> float:
    """Returns Student's t of a two-sided interval of CONFIDENCE over this number of walls."""
    return stats.t.ppf((1 + CONFIDENCE) / 2, walls - 1)


def match_points(scores: np.ndarray, lineup: tuple[int, ...]) -> np.ndarray:
    """Returns the match points of each player at each wall, float[W, P], a mean over its places in the lineup.

    scores: float[W, P], mean score a game and seat of each player at each wall. lineup: 4 indices of players.
    The four places of the lineup are ranked by their scores, 4 points for the best, 3, 2, 1; ties share. Places of one
    player have the same score: of A A B B the better has 3.5 a wall.
    Source: the contest's format, four different players over 24 seatings.
    """
    lineup = np.asarray(lineup)
    places = stats.rankdata(np.asarray(scores, float)[:, lineup], method="average", axis=1)
    return np.stack([places[:, lineup == player].mean(axis=1) for player in range(lineup.max() + 1)], axis=1)


def differences(scores: np.ndarray) -> dict[tuple[int, int], ConfidenceInterval]:
    """Returns {(i, j): Interval of i less j}, i < j, of players on the same walls.

    scores: float[W, P], points a game.
    """
    return {(i, j): mean_interval(scores[:, i] - scores[:, j]) for i, j in combinations(range(scores.shape[1]), 2)}


def ratings(wins: np.ndarray) -> list[ConfidenceInterval]:
    """Returns Elo ratings of a pool, a list of Interval. 400 points are odds of 10 to 1 to outscore another in a game.

    wins: float[W, P, P], at each wall how often the first scored more than the second in the same game; half for ties.
    The mean of the pool is 0. One drawn game is added for each two players, so that ratings are finite. There is no
    interval where a player has games at fewer than MIN_RATED_WALLS walls.
    Source: Bradley and Terry 1952, fitted by choix (Maystre and Grossglauser 2015); the jackknife over walls.
    """
    total = wins.sum(axis=0)
    fitted = _fit(total)
    walls = ((wins + wins.transpose(0, 2, 1)).sum(axis=2) > 0).sum(axis=0).min()
    if walls < MIN_RATED_WALLS:
        return [ConfidenceInterval(mean, np.nan, np.nan) for mean in fitted]
    parts = min(len(wins), _MOST_PARTS)
    left = np.array([_fit(total - wins[part::parts].sum(axis=0)) for part in range(parts)])
    half = compute_quantile(min(walls, parts)) * np.sqrt((parts - 1) * left.var(axis=0))
    half[half < _EQUAL] = np.nan
    return [ConfidenceInterval(*figures) for figures in zip(fitted, fitted - half, fitted + half)]


def _fit(wins):
    parameters = choix.ilsr_pairwise_dense(wins + 0.5 * (1 - np.eye(len(wins))))
    return _ELO * (parameters - parameters.mean())
