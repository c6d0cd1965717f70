"""Defines rules that end a match early. run_match.Scoreboard asks them after every fourth wall."""

import math
from typing import Any

import numpy as np

from ...mahjong.errors import MahjongError
from .verdict import compute_quantile, differences

_ERROR_RATE = 0.05  # at which the sequential test may say "better" by mistake, and "worse"
_LOWER, _UPPER = math.log(_ERROR_RATE / (1 - _ERROR_RATE)), math.log((1 - _ERROR_RATE) / _ERROR_RATE)


class StoppingRule(object):
    """Base of all rules. A rule tests the difference between two players.

    Everywhere `scores` is float[W, P], the mean score per game of each player at each wall. A rule has three methods:
    choose_pair(scores) returns the indices of the two players whose difference it tests; settles(walls, mean, variance)
    returns whether a difference with this mean and variance per wall ends the match after some walls, for numbers or
    arrays; judge(scores) returns the verdict as a dict for JSON.
    """

    def is_settled(self, scores: np.ndarray) -> bool:
        """Returns whether the match may end after these walls."""
        return bool(self.settles(*_moments(scores, self.choose_pair(scores))))


class Until(StoppingRule):
    """Ends a match when the widest 95% interval of a difference is +-half_width points per game or less.

    Source: Chow and Robbins 1965, on intervals of fixed width by sequential sampling.
    """

    def __init__(self, half_width: float):
        self.half_width = half_width

    def choose_pair(self, scores: np.ndarray) -> tuple[int, int]:
        """Returns the two players with the widest interval."""
        intervals = differences(scores)
        return max(intervals, key=lambda pair: np.nan_to_num(intervals[pair].high - intervals[pair].mean))

    def settles(self, walls: int, mean: Any, variance: Any) -> Any:
        """Returns whether the interval of the difference is narrow enough after some walls."""
        return compute_quantile(walls) * np.sqrt(variance / walls) <= self.half_width

    def judge(self, scores: np.ndarray) -> dict:
        """Returns {"until": half_width, "is_reached": whether the interval is narrow enough}."""
        return {"until": self.half_width, "is_reached": self.is_settled(scores)}


class Sprt(StoppingRule):
    """Decides by Wald's sequential test whether the first player is better than the second.

    The test has two bounds for the first player's score per game less the second's: at most `low`, or at least `high`.
    The differences of walls are taken as normal, and their variance is estimated from the walls so far.
    The chance to say "better" if the difference is `low`, and "worse" if it is `high`, is _ERROR_RATE.
    Source: Wald 1945; the likelihood ratio with an estimated variance by M. Van den Bergh, A practical introduction to
        the GSPRT, which the testing framework of Stockfish uses.
    """

    def __init__(self, low: float, high: float):
        if not -math.inf < low < high < math.inf:
            raise MahjongError("expected finite LOW,HIGH with LOW below HIGH for --sprt, got %g,%g", low, high)
        self.low, self.high = low, high

    def choose_pair(self, scores: np.ndarray) -> tuple[int, int]:
        """Returns the first and the second player."""
        return 0, 1

    def settles(self, walls: int, mean: Any, variance: Any) -> Any:
        """Returns whether the test has decided after some walls."""
        ratio = self._compute_ratio(walls, mean, variance)
        return (ratio <= _LOWER) | (ratio >= _UPPER)

    def judge(self, scores: np.ndarray) -> dict:
        """Returns a dict for JSON: the verdict "better", "worse" or "undecided", the test, and its log ratio.

        The log ratio is None where it is infinite.
        """
        ratio = float(self._compute_ratio(*_moments(scores, (0, 1))))
        verdict = "undecided" if _LOWER < ratio < _UPPER else "better" if ratio > 0 else "worse"
        return {"sprt": [self.low, self.high], "alpha": _ERROR_RATE, "beta": _ERROR_RATE, "verdict": verdict,
                "log_ratio": ratio if math.isfinite(ratio) else None, "lower": _LOWER, "upper": _UPPER}

    def _compute_ratio(self, walls, mean, variance):
        """Returns the logarithm of the likelihood ratio of the two bounds. mean, variance: numbers or arrays."""
        gain = walls * (self.high - self.low) * (mean - (self.high + self.low) / 2)
        # Without variance the ratio is infinite, or 0 where the mean favours neither bound.
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(gain == 0, 0.0, np.divide(gain, variance))


def _moments(scores, pair):
    """Returns (number of walls, mean, variance) of a difference; the variance of a single wall is infinite."""
    values = scores[:, pair[0]] - scores[:, pair[1]]
    return len(values), values.mean(), values.var(ddof=1) if len(values) > 1 else math.inf
