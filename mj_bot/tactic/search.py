"""Defines the player that aims at hands of eight fan: an action is worth the winning hands that it may lead to.

mj_bot/worth values a hand. The points include the risk of a discard. A claim is valued with its best discard and
compared with passing.
"""

from collections import namedtuple
from typing import List, Optional, Tuple

import numpy as np

from ..mahjong.opening import hand_after, split_discard
from ..mahjong.state import GameState
from ..mahjong.tile import TILE_NAMES
from ..observation.encoder import meld_kind
from ..worth.parameters import FITTED, replace_parameters
from ..worth.patterns import PATTERNS
from ..worth.valuer import POINTS, TARGETS, Hand, Valuer, prefer_best
from ..worth.waits import list_waits
from .base import Evaluation, Questions, Tactic, format_best

_DRAGONS = {4, 5, 6}
AIMS = PATTERNS + ("waits",)
_AIMS_SHOWN = 4

Choice = namedtuple("Choice", "action points worth danger forecast next_draw")
Choice.__doc__ = """Keeps an action and its value.

points: expected points of the game. worth: worth of the hand after the action, in points.
danger: chance that the discard deals in. forecast: the points before worth/correction.py corrects them.
next_draw: what the comparison of next draws adds to the points (worth/waits.py).
"""


class SearchTactic(Tactic):
    """Wins when it can, else takes the action of most points. The same position gets the same answer.

    parameters: values that replace those of worth/parameters.py, by their names.
    choices: list of Choice of the latest position, the chosen one first.
    Raises TypeError: a parameter is unknown, or its value has the wrong type.
    """

    value_unit = "points"
    value_error = tuple(FITTED["verdict search"]["value_error"])

    def __init__(self, **parameters: float) -> None:
        self.parameters = replace_parameters(parameters)
        self._valuer = Valuer(self.parameters)
        self.choices = []

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> Evaluation:
        """Returns the points of each action. A claim is valued with its best discard, which is a later decision.

        The details are the other fields of Choice by action, float64[M, 235] each.
        """
        forecasts, worths, dangers = self._valuer.value_batch(observations, masks)
        points, next_draws = self._valuer.correct(observations, masks, forecasts, worths=worths)
        return Evaluation(points, prefer_best(points), {
            "worth": worths, "danger": dangers, "forecast": forecasts, "next_draw": next_draws})

    def choose_so_far(self, questions: Questions) -> Optional[Tuple]:
        """Returns the best action valued so far, None before the first.

        Until all actions have points, their targets decide.
        questions: the decisions of the position.
        """
        if self._valuer.valued is None:
            return None
        actions = list(questions.indices)
        valued, self._valuer.valued = self._valuer.valued[0, :len(actions)], None
        values = valued[:, POINTS if valued[:, POINTS].all() else TARGETS]
        return actions[values.argmax()] if values.any() else None

    def explain(self, game_state: GameState, questions: Questions, evaluation: Evaluation) -> None:
        """Sets the choices and the reasons: the best actions with their points, and what the hand aims at.

        questions: the decisions of the position. evaluation: their values.
        """
        choices = {choice.action: choice for choice in _list_choices(questions, evaluation)}
        self.choices = [choices[action] for action, _ in self.ranked]
        self.explanation = self._explain(game_state, self.choices[0])
        self.reasons = "%s; %s" % (format_best(self.ranked, "%s %.2f"), _format_explanation(**self.explanation))

    def compute_worths(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Returns the worth of the hand after each legal action, float64[M, 235]; 0 for wins and illegal actions."""
        return self._valuer.value_batch(observations, masks)[1]

    def value_actions(self, game_state: GameState, actions: List[Tuple]) -> List[Choice]:
        """Returns a Choice for each of some legal actions but wins; a claim is valued with the discard after it."""
        questions = Questions(game_state, actions)
        return _list_choices(questions, self.evaluate(questions.observations, questions.masks))

    def explain_worth(self, state: GameState, choice: Choice) -> Tuple[List[float], List[int], List[Tuple]]:
        """Returns (shares of the worth of the hand after a choice, tiles 0..33 that it needs, its waits).

        The shares are what each of PATTERNS and then the waits add to worth ** sharpness; the tiles are at most six.
        The waits are a list of (tile, fan on a discard, fan by self-draw). state: the position before the choice.
        """
        counts, melds = hand_after(state, *split_discard(choice.action))
        hand = Hand(counts, [(meld_kind(meld), meld.tile) for meld in melds], state.unseen, state.walls[state.my_pid],
                    _DRAGONS | {state.my_pid, state.prevalent_wind})
        waits = list_waits(state, counts, melds)
        return self._valuer.explain(hand, choice.worth, waits) + (waits,)

    def _explain(self, state, best):
        """Returns the explanation of the best choice, a dict: danger, aims with their shares, and needed tiles."""
        shares, needs, _ = self.explain_worth(state, best)
        total = sum(shares)
        aims = [[name, share / total] for share, name in sorted(zip(shares, AIMS), reverse=True)
                if share > 0.01 * total]
        return {"danger": best.danger, "aims": aims[:_AIMS_SHOWN], "needs": [TILE_NAMES[tile] for tile in needs]}


def _list_choices(questions, evaluation):
    """Returns a list of Choice, one for each action of the questions."""
    points, details = evaluation.points, evaluation.details
    values, next_draws = (questions.combine_values(array, points) for array in (points, details["next_draw"]))
    return [Choice(action, values[action], float(details["worth"][row, last]), float(details["danger"][row, last]),
                   float(details["forecast"][row, last]), next_draws[action])
            for action, (_, row, last) in questions.indices.items()]


def _format_explanation(danger, aims, needs):
    """Returns the explanation of a choice as text."""
    return "danger %.1f%%; aims at %s; needs %s" % (
        100 * danger, ", ".join("%s %d%%" % (name, round(100 * share)) for name, share in aims) or "nothing in reach",
        " ".join(needs) or "no tile")
