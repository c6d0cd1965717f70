"""Describes what judges think of a decision, and joins their points into one verdict.

A judge is a tactic. Where judges value in points, their points make one value, see fit/joint_value.py. Judges without
points, and judges that do not value a win where one is possible, have no weight. Where no judge has points, the values
of the last judge count, in its unit.
"""

import re
from typing import Any, NamedTuple, Optional, TypedDict

from ...mahjong.action import format_action
from ...tactic.base import find_batch_obstacle
from ..fit.joint_value import compute_sureness, estimate_error, expect_loss, name_group, weigh_judges
from ..table.players import TIME_LIMIT, TacticPlayer, make_tactic_player

# The least loss in points of each class.
LIMITS = (("blunder", 4.0), ("mistake", 1.5), ("inaccuracy", 0.5))
# The least chance of a clear mistake.
CLEAR = 0.8
_POINTS = "points"


class JudgeOpinion(TypedDict):
    """Keeps what one judge thinks of a decision by its own values."""

    name: str  # Its spec.
    chosen: str  # Its action as Botzone's text.
    ranked: list  # Its actions as [action, value], the best first. Only search lists a win.
    loss: Optional[float]  # Its value of its own action minus that of the game's, >= 0; None where one is unknown.


# Its class by its loss: a name of LIMITS or "good"; None without a loss in points. "class" cannot name a field.
_Classified = TypedDict("_Classified", {"class": Optional[str]})


class Measure(_Classified):
    """Keeps what the verdict says of one action."""

    agreement: Optional[str]  # How it agrees with the chosen action, by grade_agreement.
    loss: Optional[float]  # What it costs on average, >= 0, in the verdict's unit; None where its value is unknown.
    chance: Optional[float]  # The probability that it is really worse; None where it is unknown or nothing was lost.
    is_clear: bool  # Whether this chance reaches CLEAR.


class Verdict(NamedTuple):
    """Keeps the one value of each action of a decision.

    unit: of the values, may be "". chosen: the best action. ranked: list of (action, value), the best first.
    values: {action: value} of each judge with a weight. weights: of these judges. errors: value_error of each; None
        where a judge has none.
    """

    unit: str
    chosen: tuple
    ranked: list
    values: list
    weights: list
    errors: Optional[list]

    def measure(self, action: Optional[tuple]) -> Measure:
        """Returns what the verdict says of an action. action: None where the record has none."""
        loss, chance = _subtract(self.ranked, self.chosen, action), None
        if loss and self.unit == _POINTS:
            error = self.errors and float(estimate_error(
                self.weights, self.errors, [values[self.chosen] - values[action] for values in self.values]))
            loss, chance = float(expect_loss(loss, error)), compute_sureness(loss, error)
        loss, chance = loss and round(loss, 4), chance and round(chance, 3)
        return {"agreement": grade_agreement(action, self.chosen), "loss": loss, "chance": chance,
                "is_clear": (chance or 0.0) >= CLEAR, "class": classify(loss) if self.unit == _POINTS else None}


def split_judges(text: str) -> list[str]:
    """Returns the specs of judges: "cnn,search:danger=4.4,correction=0" has two, and "" has none."""
    return re.split(r",(?=[a-z_]\w*(?:[:,]|$))", text) if text else []


def make_judges(text: str, time_limit: Optional[float] = TIME_LIMIT) -> list[TacticPlayer]:
    """Returns a new TacticPlayer of each judge. Raises UnknownTacticError, TacticError: a judge cannot be made."""
    return [make_tactic_player(spec, time_limit) for spec in split_judges(text)]


def join_units(players: list[TacticPlayer]) -> str:
    """Returns the unit of the one value of some judges, "" for none."""
    units = [getattr(player.tactic, "value_unit", "") for player in players]
    return _POINTS if _POINTS in units else units[-1]


def is_reusable(tactic: Any) -> bool:
    """Checks whether a tactic answers a position as a new one would; then its weights need no second loading."""
    return getattr(tactic, "is_repeatable", False) and not find_batch_obstacle(type(tactic))


def describe_opinion(decision: Any) -> JudgeOpinion:
    """Returns the opinion of the judge of a decision, a JudgedDecision of review/decisions.py."""
    return {"name": decision.name, "chosen": format_action(decision.chosen), "ranked": format_ranked(decision.ranked),
            "loss": measure_own_loss(decision, decision.logged)}


def format_ranked(ranked: list) -> list[list]:
    """Returns a list of (action, value) as JSON."""
    return [[format_action(action), round(value, 4)] for action, value in ranked]


def measure_own_loss(decision: Any, action: Optional[tuple]) -> Optional[float]:
    """Returns what a judge sees lost by an action against its own choice, >= 0; None where a value is unknown.

    decision: a JudgedDecision. action: None where the record has none.
    """
    loss = _subtract(decision.ranked, decision.chosen, action)
    return loss and round(loss, 4)


def _subtract(ranked: list, chosen: tuple, action: Optional[tuple]) -> Optional[float]:
    """Returns how much less than the chosen action another one is worth, >= 0; None where a value is unknown."""
    if grade_agreement(action, chosen) == "same":
        return 0.0
    values = dict(ranked)
    return max(0.0, values[chosen] - values[action]) if chosen in values and action in values else None


def join_judges(decisions: list, is_ready: bool) -> Verdict:
    """Returns the verdict of the judges of one decision.

    decisions: a JudgedDecision of each judge. is_ready: whether the hand is ready before the action.
    """
    last, legal = decisions[-1], decisions[-1].legal
    counted = [decision for decision in decisions if decision.unit == _POINTS and decision.ranked]
    # Where a win is possible, a judge that does not value it can compare nothing with it.
    counted = [decision for decision in counted if len(decision.ranked) == len(legal)] or counted
    valued = [dict(decision.ranked) for decision in counted]
    shared = [action for action in (valued[-1] if valued else ()) if all(action in values for values in valued)]
    if not shared:
        return Verdict(last.unit, last.chosen, last.ranked, [], [], None)
    weights = weigh_judges([decision.name for decision in counted], name_group(("PASS",) in legal, is_ready))
    sums = {action: sum(weight * values[action] for weight, values in zip(weights, valued)) for action in shared}
    # The best action has the mean, and the others differ from it as the weights say.
    shift = max(sums.values()) * (1 / sum(weights) - 1)
    points = [(action, value + shift) for action, value in sums.items()]
    # Every judge wins where it can. The order of the last judge decides between equal values.
    ranked = sorted(points, key=lambda entry: (entry[0][0] != "HU", -entry[1]))
    errors = [decision.error for decision in counted]
    return Verdict(_POINTS, ranked[0][0], ranked, valued, weights, errors if all(errors) else None)


def classify(loss: Optional[float]) -> Optional[str]:
    """Returns the class of a loss in points: a name of LIMITS, "good" for a smaller one, None for an unknown one."""
    return None if loss is None else next((name for name, least in LIMITS if loss >= least), "good")


def grade_agreement(logged: Optional[tuple], chosen: tuple) -> Optional[str]:
    """Returns how two actions agree: "same", "kind" for the same kind of action, "other"; None without a logged one."""
    if logged is None:
        return None
    if logged[0] == chosen[0] == "HU" or logged == chosen:
        return "same"
    return "kind" if logged[0] == chosen[0] else "other"
