"""Defines rules that end a match early. run_match.Scoreboard asks them after every fourth wall.

A rule has is_settled(scores), whether the match may end after these walls; choose_pair(scores), the players (i, j)
whose difference the rule tests; settles(walls, mean, variance), whether a difference a wall of these moments (numbers
or arrays) ends it; and judge(scores), the verdict as a dict for JSON. scores: float[W, P], mean score a game of
each player at each wall.
"""

import math
from typing import Any

import numpy as np

from ...mahjong.errors import MahjongError
from .verdict import compute_quantile, differences


class _Rule(object):
    def is_settled(self, scores: np.ndarray) -> bool:
        return bool(self.settles(*_moments(scores, self.choose_pair(scores))))


class Until(_Rule):
    """Ends when the widest 95% interval of a difference between two players is +-half_width points a game or less.

    Source: Chow and Robbins 1965, on intervals of fixed width by sequential sampling.
    """

    def __init__(self, half_width: float):
        if not half_width > 0:
            raise MahjongError("expected a half-width above 0 for --until, got %r" % half_width)
        self.half_width = half_width

    def choose_pair(self, scores: np.ndarray) -> tuple[int, int]:
        """Returns the two players with the widest interval."""
        found = differences(scores)
        return max(found, key=lambda pair: np.nan_to_num(found[pair].high - found[pair].mean))

    def settles(self, walls: int, mean: Any, variance: Any) -> Any:
        return compute_quantile(walls) * np.sqrt(variance / walls) <= self.half_width

    def judge(self, scores: np.ndarray) -> dict:
        return {"until": self.half_width, "is_reached": self.is_settled(scores)}


class Sprt(_Rule):
    """Decides by Wald's sequential test between two bounds of the first player's score a game less the second's.

    The difference is at most `low`, or at least `high`.

    alpha: chance to say "better" if the difference is `low`. beta: chance to say "worse" if it is `high`.
    The differences of walls are taken as normal, their variance from the walls so far.
    Source: Wald 1945; the likelihood ratio with an estimated variance by M. Van den Bergh, A practical introduction to
    the GSPRT, which the testing framework of Stockfish uses.
    """

    def __init__(self, low: float, high: float, *, alpha: float = 0.05, beta: float = 0.05):
        if not -math.inf < low < high < math.inf:
            raise MahjongError("expected finite LOW,HIGH with LOW below HIGH for --sprt, got %g,%g" % (low, high))
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise MahjongError("expected error rates between 0 and 0.5, got alpha %g and beta %g" % (alpha, beta))
        self.low, self.high, self.alpha, self.beta = low, high, alpha, beta
        self.lower = math.log(beta / (1 - alpha))
        self.upper = math.log((1 - beta) / alpha)

    def choose_pair(self, scores: np.ndarray) -> tuple[int, int]:
        return 0, 1

    def settles(self, walls: int, mean: Any, variance: Any) -> Any:
        ratio = self._compute_ratio(walls, mean, variance)
        return (ratio <= self.lower) | (ratio >= self.upper)

    def judge(self, scores: np.ndarray) -> dict:
        """Returns the verdict "better", "worse" or "undecided", the test and its log ratio, None where it is infinite.
        """
        ratio = float(self._compute_ratio(*_moments(scores, (0, 1))))
        verdict = "undecided" if self.lower < ratio < self.upper else "better" if ratio > 0 else "worse"
        return {"sprt": [self.low, self.high], "alpha": self.alpha, "beta": self.beta, "verdict": verdict,
                "log_ratio": ratio if math.isfinite(ratio) else None, "lower": self.lower, "upper": self.upper}

    def _compute_ratio(self, walls, mean, variance):
        gain = walls * (self.high - self.low) * (mean - (self.high + self.low) / 2)
        # Without any variance the ratio is infinite, or 0 where the mean favours neither bound.
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(gain == 0, 0.0, np.divide(gain, variance))


def _moments(scores, pair):
    """Returns (number of walls, mean, variance) of the difference of two players.

    The variance of a single wall is infinite.
    """
    values = scores[:, pair[0]] - scores[:, pair[1]]
    return len(values), values.mean(), values.var(ddof=1) if len(values) > 1 else math.inf
