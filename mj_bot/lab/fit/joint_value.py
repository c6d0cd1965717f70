"""Joins the points of several judges into one value, and tells what a difference of this value really costs.

The best action has the weighted mean of the points that the judges give it. Each other action has less by the weighted
sum of the differences that they see. The weights of `cnn` and `search` come from a regression of what games brought on
both differences (`mj-bot fit verdict`), so their sum need not be 1; other judges count equally. The best of several
actions with errors looks better than it is. So a difference d from the best action, with the standard error e, costs
only

    d^3 / (d^2 + (k e)^2)

points: almost nothing far within the error, and almost d far beyond it.
Source: J. E. Smith, R. L. Winkler, The optimizer's curse: skepticism and postdecision surprise in decision analysis,
    Management Science 52, 2006.
"""

from collections.abc import Sequence
from typing import Any, Optional

import numpy as np

from ...mahjong.errors import MahjongError
from ...worth.parameters import FITTED

# Decisions of these groups have weights of their own.
DECISION_GROUPS = ("turn, ready", "turn, not ready", "claim, ready", "claim, not ready")


def check_verdict(section: dict) -> dict:
    """Returns the numbers of `mj-bot fit verdict`, which its docstring names. Raises MahjongError: no weights join.

    The best action gets the mean of the judges, so the weights of each group must have a sum above 0.
    """
    for group in DECISION_GROUPS:
        weights = section["weights"].get(group, {})
        if not sum(weights.values()) > 0:
            raise MahjongError("expected weights with a sum above 0 for %r in the section \"verdict cnn\", got %r",
                               group, weights)
    return section


VERDICT = check_verdict(FITTED["verdict cnn"])
# A player that loses this many points a decision has an accuracy of 50%.
HALF = 0.25


def name_group(is_claim: bool, is_ready: bool) -> str:
    """Returns the name of a decision's group, one of DECISION_GROUPS.

    is_claim: whether the seat may pass. is_ready: whether the hand is ready before the action.
    """
    return "%s, %s" % ("claim" if is_claim else "turn", "ready" if is_ready else "not ready")


def weigh_judges(judges: Sequence[str], group: str) -> list[float]:
    """Returns the weights of the differences that judges see.

    The weights of several judges that were fitted together sum to what the games say, those of other judges to 1.
    judges: specs, all of judges that value in points. group: one of DECISION_GROUPS.

    >>> weigh_judges(["search"], "turn, ready"), weigh_judges(["mine", "other"], "turn, ready")
    ([1.0], [0.5, 0.5])
    """
    fitted, names = VERDICT["weights"][group], [spec.partition(":")[0] for spec in judges]
    if sorted(names) == sorted(fitted):
        return [fitted[name] for name in names]
    return [1 / len(names)] * len(names)


def estimate_error(
        weights: Sequence[Any], errors: Sequence[Sequence[float]], differences: Sequence[Any],
        common_error: Sequence[float] = VERDICT["common_error"]) -> Any:
    """Returns the standard error of a difference of the one value, >= 0.

    weights: of the judges, as numbers or arrays. errors: (a, b) of each judge, its value_error, without the part that
    all judges share. differences: the difference that each judge sees. common_error: (a, b) of the shared part.
    """
    common, slope = common_error
    value = sum(weight * difference for weight, difference in zip(weights, differences))
    square = common ** 2 + (slope * value) ** 2
    for weight, (a, b), difference in zip(weights, errors, differences):
        square = square + weight ** 2 * (a ** 2 + (b * difference) ** 2)
    return np.sqrt(square)


def expect_loss(difference: Any, error: Any, curse: float = VERDICT["curse"]) -> Any:
    """Returns what a difference from the best action costs on average, in points, as a number or an array.

    difference: >= 0. error: its standard error; None where it is unknown, and then the loss is the difference.
    curse: k of the formula above.

    >>> expect_loss(3.0, None), float(expect_loss(0.0, 1.0))
    (3.0, 0.0)
    """
    if error is None:
        return difference
    return difference ** 3 / np.maximum(difference ** 2 + (curse * error) ** 2, 1e-12)


def compute_sureness(difference: float, error: Optional[float]) -> Optional[float]:
    """Returns the probability that an action is really worse than the best one, 0.5 .. 1; None where it is unknown.

    The error of the difference is taken as normal.
    """
    from math import erf, sqrt

    return None if not error or difference <= 0 else 0.5 * (1 + erf(difference / error / sqrt(2)))


def compute_accuracy(loss: float) -> float:
    """Returns the accuracy of decisions, 0 .. 1. It halves with every HALF points of mean loss a decision.

    >>> compute_accuracy(0.0), compute_accuracy(0.25)
    (1.0, 0.5)
    """
    return round(0.5 ** (loss / HALF), 4)
