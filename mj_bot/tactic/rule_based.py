"""A player by rule: it takes the action that leads to the state nearest to a winning hand worth 8 fan.

Source: the rule-based player of rl-final, as its report describes it. Where the report is silent:

- A claim is valued with its best discard, against passing. A pung is claimed where it gains anything.
- A kong is valued by the tiles that stay, without the tile that will be drawn for it.
- Of equal actions the first in action_space() is taken, so passing comes before claiming.
"""

import numpy as np

from ..jit import jit, jit_part
from ..mahjong.action import CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX
from ..mahjong.opening import group_by_opening, hand_after
from ..mahjong.tile import TILE_NAMES
from ..observation.layout import AT, CHOW, FOLLOW
from ..observation.openings import list_openings
from .base import Tactic
from .pattern.hand import HandValues, value_hand
from .pattern.value import combine

# Added to the value of the state after an action, in thousandths of a tile: a chow must gain about a tile.
CHOW_COST, KONG_COST = 800, -1500
_ACTION_COST = {"CHI": CHOW_COST, "GANG": KONG_COST, "BUGANG": KONG_COST}
_PATTERNS_SHOWN = 6


class RuleBasedTactic(Tactic):
    """Wins when it can, else takes the action whose state has the lowest value; does not defend.

    The same position always gets the same answer, whatever was played before.
    """

    value_unit = "tiles"

    def __init__(self):
        self.hands = HandValues()

    def decide(self, game_state, actions):
        valued = []
        for opening, discards in group_by_opening(actions):
            counts, melds = hand_after(game_state, opening)
            values = self.hands.list_values(
                counts, melds, game_state.unseen, discards=discards,
                winds=(game_state.my_pid, game_state.prevalent_wind))
            for tile, (total, of_patterns) in zip(discards, values):
                action = opening if tile is None else opening + (TILE_NAMES[tile],)
                valued.append((total + _ACTION_COST.get(action[0], 0), action, of_patterns))
            self.best = min(valued, key=lambda entry: entry[0])[1]
        valued.sort(key=lambda entry: entry[0])
        self.ranked = [(action, -total / 1000) for total, action, _ in valued]
        total, action, of_patterns = valued[0]
        patterns = [[name, value / 1000] for value, name in of_patterns[:_PATTERNS_SHOWN]]
        self.explanation = {"value": total / 1000, "patterns": patterns}
        self.reasons = "%.3f: %s" % (
            total / 1000, ", ".join("%s %.3f" % tuple(pattern) for pattern in patterns) or "no pattern in reach")
        return action

    def choose(self, observations, masks):
        """Index of an action by row; a claim is valued with its best discard, which is a later decision."""
        actions = np.empty(len(observations), np.int16)
        rows = np.arange(len(observations))
        while len(rows):
            left = _choose_rows(self.hands.scratch, self.hands.parts, self.hands.openings, self.hands.fans.memo,
                                observations, masks, rows, actions)
            self.hands.fans.answer_notes()
            rows = rows[:left]
        return actions


@jit
def _choose_rows(scratches, parts, openings, memo, observations, masks, rows, actions):
    """Chooses for rows whose targets are all counted; puts the others first in `rows`, returns their number."""
    scratch = scratches[0]
    left = 0
    for row in rows:
        scratch.is_uncounted = 0
        if masks[row, WIN_INDEX]:
            actions[row] = WIN_INDEX
        else:
            actions[row] = _choose_action(scratch, parts, openings, memo, observations[row], masks[row])
        if scratch.is_uncounted:
            rows[left] = row
            left += 1
    return left


@jit_part
def _choose_action(scratch, parts, openings, memo, observation, mask):
    """The action whose state has the lowest value, the first of equals in the order of action_space()."""
    scratch.seat_wind = observation[AT.seat_wind]
    scratch.prevalent_wind = observation[AT.prevalent_wind]
    least = np.inf
    chosen = -1
    for number in range(list_openings(observation, mask, openings)):
        value_hand(scratch, parts, memo, openings, number)
        action = openings.action[number]
        for discard in range(scratch.discard_count):
            total = combine(scratch.values, discard) + _action_cost(observation, openings, number)
            if total < least:
                least = total
                chosen = action + (scratch.discards[discard] if action == DISCARD_BASE else 0)
    return chosen


@jit_part
def _action_cost(observation, openings, number):
    """What an action adds to the value; the discard after a chow has the chow's cost too, as in decide()."""
    action = openings.action[number]
    if observation[AT.task] == FOLLOW:
        return CHOW_COST if openings.melds[number, openings.meld_count[number] - 1, 0] == CHOW else 0
    if action >= CHOW_BASE:
        return CHOW_COST
    return KONG_COST if OPEN_KONG_BASE <= action < PUNG_BASE else 0
