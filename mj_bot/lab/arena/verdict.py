"""Means, differences and ratings of a match, with their intervals.

Games of one wall share its tiles and are not independent; walls are. So every figure is first one number a wall, and
intervals come from the spread of these numbers (walls as clusters of equal size).
"""

from itertools import combinations
from typing import NamedTuple

import choix
import numpy as np
from scipy import stats

CONFIDENCE = 0.95
_ELO = 400 / np.log(10)


class Interval(NamedTuple):
    """An estimate with its interval; low and high are NaN if there is only one wall."""

    mean: float
    low: float
    high: float


def mean_interval(values):
    """Interval of the mean of independent values, float[W], by Student's t distribution; W >= 1."""
    values = np.asarray(values, float)
    mean = values.mean()
    if len(values) < 2:
        return Interval(mean, np.nan, np.nan)
    half = stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * stats.sem(values)
    return Interval(mean, mean - half, mean + half)


def match_points(scores, lineup):
    """Match points of each player at each wall, float[W, P], the mean over the player's places in the lineup.

    scores: float[W, P], mean score a game and seat of each player at each wall. lineup: 4 indices of players.
    The four places of the lineup are ranked by their scores, 4 points for the best, 3, 2, 1; ties share. Places of one
    player have the same score: of A A B B the better has 3.5 a wall.
    Source: the contest's format, four different players over 24 seatings.
    """
    lineup = np.asarray(lineup)
    places = stats.rankdata(np.asarray(scores, float)[:, lineup], method="average", axis=1)
    return np.stack([places[:, lineup == player].mean(axis=1) for player in range(lineup.max() + 1)], axis=1)


def differences(scores):
    """Intervals of the score a game between players on the same walls, as {(i, j): Interval of i less j}, i < j.

    scores: float[W, P].
    """
    return {(i, j): mean_interval(scores[:, i] - scores[:, j]) for i, j in combinations(range(scores.shape[1]), 2)}


def ratings(wins, *, samples=1000, seed=0):
    """Elo ratings of a pool, a list of Interval: 400 points are odds of 10 to 1 to score more than the other in a game.

    wins: float[W, P, P], at each wall how often the first scored more than the second in the same game; half for ties.
    samples, seed: of the bootstrap over walls that gives the intervals.
    The mean of the pool is 0. One drawn game is added for each two players, so that ratings are finite.
    Source: Bradley and Terry 1952, fitted by choix (Maystre and Grossglauser 2015); Efron's percentile bootstrap.
    """
    fitted = _fit(wins.sum(axis=0))
    random = np.random.default_rng(seed)
    drawn = []
    for _ in range(samples):
        weights = np.bincount(random.integers(len(wins), size=len(wins)), minlength=len(wins))
        drawn.append(_fit(np.tensordot(weights.astype(float), wins, axes=1)))
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return [Interval(*figures) for figures in zip(fitted, low, high)]


def _fit(wins):
    count = len(wins)
    parameters = choix.ilsr_pairwise_dense(wins + 0.5 * (1 - np.eye(count)))
    return _ELO * (parameters - parameters.mean())
