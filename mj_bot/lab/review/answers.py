"""Describes what a person may answer where the game has a mistake: each other choice, compared with the best one."""

from collections.abc import Callable, Sequence
from typing import Any

from ...mahjong.action import format_action
from ...mahjong.opening import split_discard
from ..page.constants import LEAST_LOSS, NAMED
from .facts import Facts
from .judges import Measure, Verdict, measure_own_loss
from .remarks import complete_remarks, list_remarks

_FACTS = ("shanten", "distance_to_8_fan", "improving", "wins", "win_ways")


class OtherAnswer(Measure):
    """Describes a choice that neither the judges nor the game made, with its Measure."""

    choice: str  # Action as Botzone's text; a claim that neither of the two makes comes with its best discard.
    judges: list  # {"name", "loss"} of each judge.
    causes: list  # Why it loses, by explain_loss; causes below LEAST_LOSS are left out, but "nobody" stays.
    remarks: list  # Of list_remarks.
    facts: dict  # _FACTS of the action, and its targets of NAMED tiles at most.


def list_answers(
        reviewed: dict[str, Any], opinions: Sequence, verdict: Verdict, *, source: Facts,
        explain: Callable) -> list[OtherAnswer]:
    """Returns the answers of a mistake.

    reviewed: the decision's JSON without its answers. opinions: a JudgedDecision per judge. source: the facts of the
    position. explain: function(action) that returns (causes of its loss, way).
    """
    answers = []
    for action in _list_choices(verdict, opinions[-1].logged):
        measure, facts, (causes, way) = verdict.measure(action), source.describe(action), explain(action)
        text = format_action(action)
        remarks = list_remarks(dict(reviewed, **measure, causes=causes, logged=text, logged_facts=facts))
        if measure["class"] not in (None, "good"):  # the draws take the most time
            remarks = complete_remarks(remarks, source, verdict.chosen, logged=action, way=way)
        answers.append(dict(
            measure, choice=text, remarks=remarks,
            judges=[{"name": opinion.name, "loss": measure_own_loss(opinion, action)} for opinion in opinions],
            causes=[cause for cause in causes if cause[0] == "nobody" or abs(cause[1]) >= LEAST_LOSS],
            facts=dict({name: facts[name] for name in _FACTS},
                       targets=[target for target in facts["targets"] if target[1] <= NAMED])))
    return answers


def _list_choices(verdict: Verdict, logged: tuple) -> list[tuple]:
    """Returns the other actions without a win. A claim comes once, with its best discard, unless both make it."""
    told = (verdict.chosen, logged)
    openings = {_name_opening(action) for action in told}
    choices = {}
    for action, _ in verdict.ranked:  # the best first
        opening = _name_opening(action)
        if action in told or action[0] == "HU":
            continue
        if action[0] not in ("CHI", "PENG"):
            choices[action] = action
        elif len(openings) == 1 and opening in openings:
            choices[action] = action
        elif opening not in openings:
            choices.setdefault(opening, action)
    return list(choices.values())


def _name_opening(action: tuple) -> tuple:
    """Returns the claim without its discard; another action stays as it is."""
    return split_discard(action)[0] if action[0] in ("CHI", "PENG") else action
