"""Rules that end a match early; run_match.Scoreboard says when they look.

A rule has is_settled(scores), whether the match may end after these walls; judge(scores), its verdict as a dict for
JSON; find_pair(scores), the players (i, j) whose difference it goes by; and settles(walls, mean, variance), what
is_settled says of that difference, of numbers or arrays. scores: float[W, P], mean score a game of each player at each
wall.
"""

import functools
import math

import numpy as np
from scipy import stats

from ...mahjong.errors import MahjongError
from .verdict import CONFIDENCE, differences


class Until(object):
    """Ends when the widest 95% interval of a difference between two players is +-half_width points a game or less.

    Source: Chow and Robbins 1965, on intervals of fixed width by sequential sampling.
    """

    def __init__(self, half_width):
        if not half_width > 0:
            raise MahjongError("expected a half-width above 0 for --until, got %r" % half_width)
        self.half_width = half_width

    def is_settled(self, scores):
        """Whether the match may end after these walls."""
        widest = max(difference.high - difference.mean for difference in differences(scores).values())
        return bool(widest <= self.half_width)

    def find_pair(self, scores):
        """The players with the widest interval."""
        found = differences(scores)
        return max(found, key=lambda pair: found[pair].high - found[pair].mean)

    def settles(self, walls, mean, variance):
        """Whether the interval of a difference is narrow enough."""
        return _quantile(walls - 1) * np.sqrt(variance / walls) <= self.half_width

    def judge(self, scores):
        """Whether the interval is as narrow as it should be."""
        return {"until": self.half_width, "is_reached": self.is_settled(scores)}


class Sprt(object):
    """Wald's sequential test of the first player's score a game less the second's: at most `low`, or at least `high`?

    alpha: chance to say "better" where the difference is `low`; beta: to say "worse" where it is `high`.
    The differences a wall are taken as normal, their variance from the walls so far.
    Source: Wald 1945; the likelihood ratio with an estimated variance as in M. Van den Bergh, A practical introduction
    to the GSPRT, which the testing framework of Stockfish uses.
    """

    def __init__(self, low, high, *, alpha=0.05, beta=0.05):
        if not low < high:
            raise MahjongError("expected LOW,HIGH with LOW below HIGH for --sprt, got %g,%g" % (low, high))
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise MahjongError("expected error rates between 0 and 0.5, got alpha %g and beta %g" % (alpha, beta))
        self.low, self.high, self.alpha, self.beta = low, high, alpha, beta
        self.lower = math.log(beta / (1 - alpha))
        self.upper = math.log((1 - beta) / alpha)

    def is_settled(self, scores):
        """Whether the match may end after these walls."""
        return not self.lower < self._ratio(scores) < self.upper

    def find_pair(self, scores):
        """The first two players."""
        return 0, 1

    def settles(self, walls, mean, variance):
        """Whether the likelihood ratio is at a bound."""
        ratio = walls * (self.high - self.low) * (mean - (self.high + self.low) / 2) / variance
        return (ratio <= self.lower) | (ratio >= self.upper)

    def judge(self, scores):
        """The verdict "better", "worse" or "undecided", with the log likelihood ratio (None where it is infinite), its
        bounds, and what was asked."""
        ratio = self._ratio(scores)
        verdict = "undecided"
        if self.is_settled(scores):
            verdict = "better" if ratio > 0 else "worse"
        return {
            "sprt": [self.low, self.high], "alpha": self.alpha, "beta": self.beta, "verdict": verdict,
            "log_ratio": ratio if math.isfinite(ratio) else None, "lower": self.lower, "upper": self.upper,
        }

    def _ratio(self, scores):
        values = scores[:, 0] - scores[:, 1]
        variance = values.var(ddof=1) if len(values) > 1 else math.inf
        gain = (self.high - self.low) * (values.mean() - (self.high + self.low) / 2)
        if variance == 0:
            return math.copysign(math.inf, gain) if gain else 0.0
        return float(len(values) * gain / variance)


@functools.lru_cache(maxsize=None)
def _quantile(freedom):
    """Student's t that a half of CONFIDENCE lies below."""
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, freedom))
