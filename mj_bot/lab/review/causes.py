"""Explains why an action brings fewer points than another: the forecast of `search` for both, in terms that sum up.

The search expects points of a hand (worth/points.py). They are read as three endings of the game:

    points = win * pay - other * cost         win + nobody + other = 1

The seat wins with the chance `win` and is paid `pay`, by the fans of the targets that the hand's worth comes from; or
nobody wins; or another seat does, which costs COST. The ratio of `nobody` to `other` depends only on the tiles
left. So `win` follows from the points. It is limited to 0..1; what is left over raises the cost or the pay.
"""

from math import exp
from typing import Any, NamedTuple, Optional

import numpy as np

from ...mahjong.action import encode_action
from ...mahjong.state import GameState
from ...observation.layout import WALL_DRAWS
from ...tactic.base import Questions
from ...tactic.search import AIMS, Choice, SearchTactic
from ...worth.correction import (
    CORRECTED_ACTIONS,
    CORRECTION_FEATURES,
    CORRECTION_WEIGHTS,
    correct_points,
    measure_distances,
)
from ...worth.parameters import FITTED
from ...worth.patterns import BASE_PAY, PATTERN_FANS
from ...worth.points import LOSS, expect_points

# How games of the search end. NOBODY: a logistic in the share of the walls that is left. COST: of a game that another
# seat wins. SELF_DRAWN_SHARE: the share of self-drawn wins, which pay the fans three times.
NOBODY, COST, SELF_DRAWN_SHARE = (FITTED["calibrate"]["endings"][name] for name in ("nobody", "cost", "self_drawn"))
# {cause: beginnings of the names of its correction features}; a feature counts for the first cause that matches.
_CORRECTIONS = {"opening": ("chow: first meld", "pung: first meld", "open kong: first meld"),
                "claim": tuple(name + ":" for name, *_ in CORRECTED_ACTIONS),
                "nearer": ("goes back", "useful tiles lost")}
_CAUSE_OF = [next((cause for cause, beginnings in _CORRECTIONS.items() if name.startswith(beginnings)), None)
             for name in CORRECTION_FEATURES]
# A smaller gain of the chance to win with a pattern is no reason.
_LEAST_GAIN = 0.005


class ActionOutlook(NamedTuple):
    """Tells how `search` expects the game to go on after an action; chances are 0 .. 1."""

    points: float  # of the hand, if the discard is safe
    win: float
    pay: float  # points of a win
    fan: float  # mean fan of a win
    nobody: float
    other: float  # the chance that another seat wins
    cost: float  # points that a win of another seat costs
    deal_in: float  # the chance that the discard is won on
    risk: float  # points, <= 0
    next_draw: float


def list_choices(tactic: Any, state: GameState, legal: list[tuple]) -> list[Choice]:
    """Returns the values of the legal actions by a search that has just chosen, the best first; [] by another tactic.

    A win has its score as points.
    """
    if not isinstance(tactic, SearchTactic):
        return []
    wins = [action for action in legal if action[0] == "HU"]
    if not wins:
        return tactic.choices
    choices = tactic.value_actions(state, [action for action in legal if action[0] != "HU"])
    for action in wins:
        score = BASE_PAY + (3 if state.is_my_turn else 1) * action[1]
        choices.append(Choice(action, score, None, 0.0, score, 0.0))
    return sorted(choices, key=lambda choice: (choice.action not in wins, -choice.points))


def compute_outlook(tactic: SearchTactic, state: GameState, choice: Choice) -> ActionOutlook:
    """Returns what a search expects after one of its choices."""
    if choice.worth is None:
        return ActionOutlook(choice.points, 1.0, choice.points, choice.action[1], 0.0, 0.0, COST, 0.0, 0.0, 0.0)
    points = expect_points(choice.worth, sum(state.walls))
    fan = _average_fan(state, *tactic.explain_worth(state, choice))
    pay = BASE_PAY + (1 + 2 * SELF_DRAWN_SHARE) * fan
    nobody = 1 / (1 + exp(-NOBODY[0] - NOBODY[1] * sum(state.walls) / (4 * WALL_DRAWS)))
    win, cost = (points + (1 - nobody) * COST) / (pay + (1 - nobody) * COST), COST
    if win < 0:
        win, cost = 0.0, -points / (1 - nobody)
    elif win > 1:
        win, pay = 1.0, points
    return ActionOutlook(points, win, pay, fan, (1 - win) * nobody, (1 - win) * (1 - nobody), cost, choice.danger,
                         choice.forecast - points, choice.next_draw)


def compare_ways(tactic: SearchTactic, state: GameState, chosen: Choice, *, logged: Choice) -> Optional[list]:
    """Returns the way to win that gains most by the chosen action, None where none gains _LEAST_GAIN or an action wins.

    It is [aim, chance to win with it after the chosen action, after the logged one], aim: of tactic.search.AIMS.
    """
    if None in (chosen.worth, logged.worth):
        return None
    here, there = (_split_win(tactic, state, choice) for choice in (chosen, logged))
    name = max(here, key=lambda name: here[name] - there[name])
    return [name, here[name], there[name]] if here[name] - there[name] >= _LEAST_GAIN else None


def _split_win(tactic: SearchTactic, state: GameState, choice: Choice) -> dict[str, float]:
    """Returns {aim: chance to win with it}; the chance to win is split as the worth of the hand is."""
    worths, win = tactic.explain_worth(state, choice)[0], compute_outlook(tactic, state, choice).win
    total = sum(worths) or 1.0
    return {name: round(win * worth / total, 4) for name, worth in zip(AIMS, worths)}


def _average_fan(state: GameState, worths: list[float], _: Any, waits: list[tuple]) -> float:
    """Returns the mean fan of the targets, weighted by how much each adds to the worth."""
    copies = sum(state.unseen[tile] for tile, _, _ in waits)
    of_waits = sum(state.unseen[tile] * (fan or drawn) for tile, fan, drawn in waits) / copies if copies else 0.0
    fans = [*PATTERN_FANS.values(), of_waits]
    shares = worths[:-1] + [worths[-1] if copies else 0.0]
    return sum(share * fan for share, fan in zip(shares, fans)) / sum(shares) if sum(shares) else 8.0


def _compare_corrections(state: GameState, chosen: Choice, logged: Choice) -> dict[str, float]:
    """Returns {cause: points} of the corrections of two choices, by _CORRECTIONS; {} where one is a win."""
    if None in (chosen.worth, logged.worth):
        return {}
    questions = Questions(state, [chosen.action, logged.action])
    observations, masks = questions.observations[:1], questions.masks[:1]
    worth = max((chosen, logged), key=lambda choice: choice.forecast).worth
    indices = [encode_action(choice.action, state.last_tile)[0] for choice in (chosen, logged)]
    compared = {}
    for cause in _CORRECTIONS:
        weights = [weight * (of == cause) for of, weight in zip(_CAUSE_OF, CORRECTION_WEIGHTS)]
        points = correct_points(np.where(masks, 0.0, -np.inf), observations, measure_distances(observations, masks),
                                worths=np.array([worth]), weights=weights)[0, indices]
        compared[cause] = float(points[0] - points[1])
    return compared


def explain_loss(tactic: SearchTactic, state: GameState, chosen: Choice, *, logged: Choice) -> list[list]:
    """Returns the causes of the points that the chosen action brings more than the logged one; they sum up to these.

    A cause is [name, points, figure of the chosen action, figure of the logged one, ...]. In this order:

        win         chance to win
        fan         average fan of a win
        other       chance that another seat wins, then the cost of that after each
        nobody      chance that nobody wins, which brings 0 points
        deal_in     chance of the deal-in, its cost after the logged action, the search's factor of the chance
        next_draw   the ready hands that the next draw makes
        opening, claim, nearer, usual   corrections by self-play: for opening a concealed hand, for other claims and
                    kongs, for the distance from ready and useful tiles, and the rest
    """
    here, there = compute_outlook(tactic, state, chosen), compute_outlook(tactic, state, logged)
    causes = [
        ["win", (here.win - there.win) * (here.pay + there.pay) / 2, here.win, there.win],
        ["fan", (here.pay - there.pay) * (here.win + there.win) / 2, here.fan, there.fan],
        ["other", there.other * there.cost - here.other * here.cost, here.other, there.other, here.cost, there.cost],
        ["nobody", 0.0, here.nobody, there.nobody],
        ["deal_in", here.risk - there.risk, here.deal_in, there.deal_in, LOSS + there.points,
         tactic.parameters.danger],
        ["next_draw", here.next_draw - there.next_draw],
    ]
    if tactic.parameters.correction:
        causes += map(list, _compare_corrections(state, chosen, logged).items())
    causes.append(["usual", chosen.points - logged.points - sum(cause[1] for cause in causes)])
    return [[name] + [round(figure, 4) for figure in figures] for name, *figures in causes]
