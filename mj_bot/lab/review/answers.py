"""Describes what a person may answer where the game has a mistake: each other choice, compared with the best one.

An answer as JSON has these keys:

    choice      action as Botzone's text; a claim that is neither the best nor the played one comes with its best
                discard
    loss, class, agreement, disputed    what the judges would agree on if the game had this action, see judges.py
    judges      list of {"loss", "uncertainty", "class"} of each judge
    causes, remarks     if the game had this action, see decisions.py; causes below LEAST_LOSS are left out,
                        but "nobody" stays
    facts               of the action, see facts.py: _FACTS and aims of NAMED tiles at most
"""

from typing import Any

from ...mahjong.action import format_action
from ...mahjong.opening import split_discard
from .facts import NAMED, Facts
from .judges import LEAST_LOSS, describe_opinion, join_opinions, sees_mistake
from .remarks import complete_remarks, list_remarks

_TOLD = ("loss", "uncertainty", "class")
_FACTS = ("shanten", "distance_to_8_fan", "improving", "wins", "win_ways")


def list_answers(reviewed: dict[str, Any], opinions: list, source: Facts) -> list[dict]:
    """Returns the answers of a decision in which a judge sees a mistake, [] for any other decision.

    reviewed: the decision's JSON without its answers. opinions: a JudgedDecision of review/decisions.py per
    judge, the judge that gives the words last. source: the facts of the position.
    """
    if not any(map(sees_mistake, reviewed["judges"])):
        return []
    return [_describe_answer(reviewed, opinions, source, action=action) for action in _list_choices(opinions[-1])]


def _list_choices(decision: Any) -> list[tuple]:
    """Returns the actions that are neither chosen nor logged, without a win.

    A claim that neither of the two makes is listed once, with its best discard. Other discards after a claim are listed
    only where the chosen and the logged action both make this claim.
    """
    told = (decision.chosen, decision.logged)
    openings = {_name_opening(action) for action in told}
    choices = {}
    for action, _ in decision.ranked:  # the best first
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


def _describe_answer(
        reviewed: dict[str, Any], opinions: list, source: Facts, *, action: tuple) -> dict[str, Any]:
    """Returns the answer with an action, by the keys at the top of this file."""
    answered = [opinion.suppose(action) for opinion in opinions]
    judges = [describe_opinion(opinion) for opinion in answered]
    joined = join_opinions(judges, [opinion.unit for opinion in answered])
    facts, chosen = source.describe(action), opinions[-1].chosen
    remarks = list_remarks(dict(reviewed, logged=format_action(action), logged_facts=facts, **joined))
    # The draws take the most time; a disputed question does without them.
    if not reviewed["disputed"] and judges[-1]["class"] not in (None, "good"):
        remarks = complete_remarks(remarks, source, chosen, logged=action, way=answered[-1].way)
    return {"choice": format_action(action), **{key: joined[key] for key in ("loss", "class", "agreement", "disputed")},
            "judges": [{key: judge[key] for key in _TOLD} for judge in judges],
            "causes": [cause for cause in answered[-1].causes if cause[0] == "nobody" or abs(cause[1]) >= LEAST_LOSS],
            "remarks": remarks,
            "facts": dict({name: facts[name] for name in _FACTS},
                          aims=[aim for aim in facts["targets"] if aim[1] <= NAMED])}
