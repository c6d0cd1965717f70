"""The batch form of mj_bot/tactic/rule_based.py."""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX
from ...observation.fan_memo import FanMemo
from ...observation.layout import AT, CHOW, FOLLOW
from ...observation.openings import list_openings, make_openings
from ...tactic.pattern.holding import RULED_OUT
from ...tactic.pattern.value import MOST_BEYOND
from ...tactic.rule_based import ACTION_COST
from .pattern.chow import value_chow_patterns
from .pattern.group import value_group_patterns
from .pattern.irregular import value_irregular_patterns
from .pattern.scratch import ALL_PARTS, make_parts, make_scratch, set_holding
from .pattern.value import combine


_CHOW_COST, _KONG_COST = ACTION_COST["CHI"], ACTION_COST["GANG"]
assert ACTION_COST == {"PASS": 0, "PLAY": 0, "PENG": 0, "CHI": _CHOW_COST, "GANG": _KONG_COST, "BUGANG": _KONG_COST}
_FANS_KEPT = 1 << 19


class RuleBasedBatch(object):
    """RuleBasedTactic for many decisions at once; for one thread."""

    def __init__(self):
        self._scratch = make_scratch()
        self._parts = make_parts()
        self._openings = make_openings()
        self._fans = FanMemo(_FANS_KEPT)

    def __call__(self, observations, masks, games=None, seats=None):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235].

        A claim is chosen by its best discard; the same discard is chosen when its turn comes.
        """
        actions = np.empty(len(observations), np.int16)
        rows = np.arange(len(observations))
        while len(rows):
            left = _choose_rows(self._scratch, self._parts, self._openings, self._fans.memo, observations, masks, rows,
                                actions)
            self._fans.answer_notes()
            rows = rows[:left]
        return actions


@jit
def _choose_rows(scratches, parts, openings, memo, observations, masks, rows, actions):
    """Chooses for the rows whose targets are all counted; returns how many are not, the first of `rows` then."""
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
        set_holding(scratch, parts[ALL_PARTS], openings, number)
        limit = min(RULED_OUT - 1, value_chow_patterns(scratch, parts, memo) + MOST_BEYOND)
        value_group_patterns(scratch, parts, memo, limit)
        value_irregular_patterns(scratch, parts, memo, limit)
        action = openings.action[number]
        for slot in range(scratch.slot_count):
            total = combine(scratch, slot) + _action_cost(observation, openings, number)
            if total < least:
                least = total
                chosen = action + (scratch.slots[slot] if action == DISCARD_BASE else 0)
    return chosen


@jit_part
def _action_cost(observation, openings, number):
    """What an action adds to the value; a claim's is added to the discard that follows it too, as the tactic does."""
    action = openings.action[number]
    if observation[AT.task] == FOLLOW:
        return _CHOW_COST if openings.melds[number, openings.meld_count[number] - 1, 0] == CHOW else 0
    if action >= CHOW_BASE:
        return _CHOW_COST
    return _KONG_COST if OPEN_KONG_BASE <= action < PUNG_BASE else 0
