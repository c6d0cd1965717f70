"""A player by rule: it takes the action that leads to the state nearest to a winning hand worth 8 fan.

Source: the rule-based player of rl-final, as its report describes it. Where the report is silent:

- A claim is valued with its best discard, against passing. A pung is claimed where it gains anything.
- A kong is valued by the tiles that stay, without the tile that will be drawn for it.
- Of equal actions the one of the lowest index is taken, so passing comes before claiming.
"""

import numpy as np

from ..jit import jit, jit_part
from ..mahjong.action import CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE
from ..mahjong.opening import hand_after, split_discard
from ..observation.layout import AT, CHOW, FOLLOW
from ..observation.openings import list_openings
from .base import Evaluation, Tactic
from .pattern.hand import HandValues, value_hand
from .pattern.value import combine

# Added to the value of the state after an action, in thousandths of a tile: a chow must gain about a tile.
CHOW_COST, KONG_COST = 800, -1500
_PATTERNS_SHOWN = 6


class RuleBasedTactic(Tactic):
    """Wins when it can, else takes the action whose state has the lowest value; does not defend.

    The same position always gets the same answer, whatever was played before.
    """

    value_unit = "tiles"

    def __init__(self):
        self.hands = HandValues()
        self._points = None  # of the latest evaluate(), minus infinity where it has not come to

    def evaluate(self, observations, masks):
        """Returns the Evaluation: minus the value of the state; a claim has that of its best discard.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions, without a win.
        """
        self._points = np.full(masks.shape, -np.inf)
        rows = np.arange(len(observations))
        while len(rows):
            left = _value_rows(self.hands.scratch, self.hands.parts, self.hands.openings, self.hands.fans.memo,
                               observations, masks, rows, self._points)
            self.hands.fans.answer_notes()
            rows = rows[:left]
        return Evaluation(self._points)

    def choose_so_far(self, questions):
        if self._points is None:
            return None
        points, self._points = self._points, None
        known = [action for action, (first, row, last) in questions.indices.items()
                 if np.isfinite([points[0, first], points[row, last]]).all()]
        values = questions.value_actions(points, points)
        return max(known, key=values.get) if known else None

    def explain(self, game_state, questions, evaluation):
        opening, discard = split_discard(self.best)
        counts, melds = hand_after(game_state, opening)
        _, of_patterns = self.hands.list_values(
            counts, melds, game_state.unseen, discards=[discard],
            winds=(game_state.my_pid, game_state.prevalent_wind))[0]
        patterns = [[name, value / 1000] for value, name in of_patterns[:_PATTERNS_SHOWN]]
        self.explanation = {"value": -self.ranked[0][1], "patterns": patterns}
        self.reasons = "%.3f: %s" % (
            -self.ranked[0][1], ", ".join("%s %.3f" % tuple(pattern) for pattern in patterns) or "no pattern in reach")


@jit
def _value_rows(scratches, parts, openings, memo, observations, masks, rows, points):
    """Writes the points of rows whose targets are all counted; puts the others first in `rows`, returns their number.
    """
    scratch = scratches[0]
    left = 0
    for row in rows:
        scratch.is_uncounted = 0
        _value_actions(scratch, parts, openings, memo, observations[row], masks[row], points[row])
        if scratch.is_uncounted:
            rows[left] = row
            left += 1
    return left


@jit_part
def _value_actions(scratch, parts, openings, memo, observation, mask, points):
    scratch.seat_wind = observation[AT.seat_wind]
    scratch.prevalent_wind = observation[AT.prevalent_wind]
    for action in range(len(points)):
        points[action] = -np.inf
    for number in range(list_openings(observation, mask, openings)):
        value_hand(scratch, parts, memo, openings, number)
        action = openings.action[number]
        for discard in range(scratch.discard_count):
            total = combine(scratch.values, discard) + _action_cost(observation, openings, number)
            index = action + (scratch.discards[discard] if action == DISCARD_BASE else 0)
            points[index] = max(points[index], -total / 1000)


@jit_part
def _action_cost(observation, openings, number):
    """What an action adds to the value; the discard after a chow has the chow's cost too."""
    action = openings.action[number]
    if observation[AT.task] == FOLLOW:
        return CHOW_COST if openings.melds[number, openings.meld_count[number] - 1, 0] == CHOW else 0
    if action >= CHOW_BASE:
        return CHOW_COST
    return KONG_COST if OPEN_KONG_BASE <= action < PUNG_BASE else 0
