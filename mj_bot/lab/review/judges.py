"""Describes what a judge thinks of a decision, and what several judges agree on.

A judge is a tactic. Its opinion as JSON has these keys:

    chosen          the judge's action as Botzone's text
    agreement       "same", "kind" (the same kind of action) or "other" than the game's; null without the game's action
    ranked          list of [action, value], the best first; only search lists a win
    loss            value of the judge's action minus that of the game's, >= 0; null where one of them has no value
    uncertainty     standard error of a positive loss in points, by the tactic's value_error; null where it has none
    class           "inaccuracy", "mistake" or "blunder" by LIMITS, "good" for a smaller loss or one within its
                    uncertainty; null without a loss in points

The agreed loss of several judges is the smallest of their losses, each less its uncertainty, and never below 0. So it
is positive only where each judge with a known loss sees one beyond its error. Its class is by LIMITS again. A mistake
of one judge is disputed where another judge sees none; it counts for nothing.

The last judge speaks: the words, causes and ranked actions of a page are its own. The forecast is of the first judge
that has one.
"""

import re
from math import hypot
from typing import Any, Optional

from ...mahjong.action import format_action
from ...tactic.base import find_batch_obstacle
from ..table.players import TacticPlayer, make_tactic_player

# Actions whose values differ by less count as equally good.
LEAST_LOSS = 0.005
# The least loss in points of each class.
LIMITS = (("blunder", 4.0), ("mistake", 1.5), ("inaccuracy", 0.5))
_POINTS = "points"
_AGREEMENTS = ("same", "kind", "other", None)  # the nearest first


def split_judges(text: str) -> list[str]:
    """Returns the specs of judges that are written one after another, [] for "".

    >>> split_judges("cnn,search:danger=4.4,correction=0.5"), split_judges("")
    (['cnn', 'search:danger=4.4,correction=0.5'], [])
    """
    return re.split(r",(?=[a-z_]\w*(?:[:,]|$))", text) if text else []


def make_judges(text: str, time_limit: Optional[float]) -> list[TacticPlayer]:
    """Returns a new TacticPlayer of each judge.

    text: specs of the judges, as split_judges takes them. time_limit: seconds for an answer, None for no limit.
    Raises UnknownTacticError, TacticError: a judge cannot be made.
    """
    return [make_tactic_player(spec, time_limit) for spec in split_judges(text)]


def is_reusable(tactic: Any) -> bool:
    """Checks whether a tactic answers a position as a new one would; then its weights need no second loading."""
    return getattr(tactic, "is_repeatable", False) and not find_batch_obstacle(type(tactic))


def describe_opinion(decision: Any) -> dict[str, Any]:
    """Returns the opinion of the judge of a decision, by the keys at the top of this file.

    decision: a JudgedDecision of review/decisions.py.
    """
    loss = measure_loss(decision)
    return {"chosen": format_action(decision.chosen), "agreement": compare(decision.logged, decision.chosen),
            "ranked": [[format_action(action), round(value, 4)] for action, value in decision.ranked],
            "loss": loss, "uncertainty": decision.uncertainty,
            "class": classify(loss, decision.uncertainty) if decision.unit == _POINTS else None}


def join_opinions(opinions: list[dict], units: list[str]) -> dict[str, Any]:
    """Returns what judges agree on: "agreement", "loss", "uncertainty", "class" and "disputed" of decisions.py.

    opinions: of describe_opinion. units: of the values of each judge. Where one judge values in points, the losses in
    other units do not count, but the choices of their judges do.
    """
    if len(opinions) == 1:
        return dict({key: opinions[0][key] for key in ("agreement", "loss", "uncertainty", "class")}, disputed=False)
    unit = _POINTS if _POINTS in units else units[-1]
    margins = [_measure_margin(opinion, own_unit == unit) for opinion, own_unit in zip(opinions, units)]
    known = [margin for margin in margins if margin is not None]
    loss = round(min(known), 4) if known else None
    grade = classify(loss, None) if unit == _POINTS else None
    seen = [sees_mistake(opinion) for opinion in opinions]
    agreement = min((opinion["agreement"] for opinion in opinions), key=_AGREEMENTS.index)
    return {"agreement": agreement, "loss": loss, "uncertainty": None, "class": grade,
            "disputed": any(seen) and not all(seen)}


def _measure_margin(opinion: dict, is_comparable: bool) -> Optional[float]:
    """Returns a loss less its uncertainty, >= 0; None where it is unknown or in another unit.

    A loss in another unit that is below LEAST_LOSS is 0 in any unit.

    is_comparable: whether the judge values in the unit of the agreed loss.
    """
    loss = opinion["loss"]
    if opinion["agreement"] == "same":
        return 0.0
    if loss is None or not is_comparable:
        return None if loss is None or loss >= LEAST_LOSS else 0.0
    return max(0.0, loss - (opinion["uncertainty"] or 0.0))


def sees_mistake(opinion: dict) -> bool:
    """Checks whether a judge calls the action of the game a mistake.

    Without points this is any other action of less value.
    """
    if opinion["class"] is not None:
        return opinion["class"] != "good"
    return opinion["agreement"] in ("kind", "other") and (opinion["loss"] is None or opinion["loss"] >= LEAST_LOSS)


def classify(loss: Optional[float], uncertainty: Optional[float]) -> Optional[str]:
    """Returns the class of a loss in points: a name of LIMITS, "good" for a smaller loss or one within its error.

    Returns None for an unknown loss.

    >>> classify(0.4, None), classify(1.6, 0.3), classify(4.5, 5.0), classify(None, None)
    ('good', 'mistake', 'good', None)
    """
    if loss is None:
        return None
    return next((name for name, least in LIMITS if loss >= least and loss > (uncertainty or 0.0)), "good")


def compare(logged: Optional[tuple], chosen: tuple) -> Optional[str]:
    """Returns how two actions agree: "same", "kind" for the same kind of action, "other"; None without a logged one."""
    if logged is None:
        return None
    if logged[0] == chosen[0] == "HU" or logged == chosen:
        return "same"
    return "kind" if logged[0] == chosen[0] else "other"


def measure_loss(decision: Any) -> Optional[float]:
    """Returns the judge's value of its own action minus that of the logged one, >= 0; None where one is unknown."""
    if decision.logged is None:
        return None
    if compare(decision.logged, decision.chosen) == "same":
        return 0.0
    values = dict(decision.ranked)
    if decision.logged not in values or decision.chosen not in values:
        return None
    return round(max(0.0, values[decision.chosen] - values[decision.logged]), 4)


def estimate_uncertainty(error: tuple, loss: float) -> Optional[float]:
    """Returns the standard error of a loss, None where the tactic has none.

    error: (a, b), a tactic's value_error, or () for none.

    >>> estimate_uncertainty((3.0, 0.4), 10.0), estimate_uncertainty((), 10.0)
    (5.0, None)
    """
    return round(hypot(error[0], error[1] * loss), 3) if error else None
