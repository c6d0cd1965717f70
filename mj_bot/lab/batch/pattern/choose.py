"""The choices of mj_bot/tactic/rule_based.py for many decisions at once."""

import numpy as np

from ....mahjong.action import CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX
from ....mahjong.fan import count_fan
from ....observation.layout import CHOW, FOLLOW, PLACES
from ....tactic.pattern.holding import RULED_OUT
from ....tactic.pattern.value import REACH
from ....tactic.rule_based import ACTION_COST
from ...engine.compile import jit, jit_part
from ...engine.games import UNKNOWN
from ...engine.winning import make_memo
from ..openings import list_openings, make_openings
from ..worth.waits import keep_answers, read_key
from .chow import value_chow_patterns
from .desk import ALL_PARTS, make_desk, make_parts
from .group import value_group_patterns
from .holding import set_holding
from .irregular import value_irregular_patterns
from .value import combine

_TASK = PLACES["task"][0]
_SEAT_WIND = PLACES["seat_wind"][0]
_PREVALENT_WIND = PLACES["prevalent_wind"][0]

_CHOW_COST, _KONG_COST = ACTION_COST["CHI"], ACTION_COST["GANG"]
assert ACTION_COST == {"PASS": 0, "PLAY": 0, "PENG": 0, "CHI": _CHOW_COST, "GANG": _KONG_COST, "BUGANG": _KONG_COST}
_MEMO_SIZE = 1 << 20


class Chooser(object):
    """The choices of RuleBasedTactic; for one thread.

    asked_count: hands that MahjongGB counted so far.
    """

    def __init__(self):
        self._desk = make_desk()
        self._parts = make_parts()
        self._openings = make_openings()
        self._memo = make_memo(_MEMO_SIZE)
        self._kept = 0
        self.asked_count = 0

    def choose(self, observations, masks):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235].

        A claim is chosen by its best discard; the same discard is chosen when its turn comes.
        """
        actions = np.empty(len(observations), np.int16)
        rows = np.arange(len(observations))
        while len(rows):
            if self._kept + self._desk["notes"].shape[1] > _MEMO_SIZE // 2:
                self._memo["fan"] = UNKNOWN
                self._kept = 0
            left = _choose_rows(self._desk, self._parts, self._openings, self._memo, observations, masks, rows, actions)
            self._answer_notes()
            rows = rows[:left]
        return actions

    def _answer_notes(self):
        desk = self._desk[0]
        keys = desk["notes"][:desk["note_count"][0]]
        fans = [count_fan(*read_key(first, second)) for first, second in keys.tolist()]
        keep_answers(self._memo, keys, np.array(fans, np.int16))
        desk["note_count"][0] = 0
        self._kept += len(fans)
        self.asked_count += len(fans)


@jit
def _choose_rows(desks, parts, openings, memo, observations, masks, rows, actions):
    """Chooses for the rows whose targets are all counted; returns how many are not, the first of `rows` then."""
    desk = desks[0]
    left = 0
    for row in rows:
        desk.is_uncounted = 0
        if masks[row, WIN_INDEX]:
            actions[row] = WIN_INDEX
        else:
            actions[row] = _choose_action(desk, parts, openings, memo, observations[row], masks[row])
        if desk.is_uncounted:
            rows[left] = row
            left += 1
    return left


@jit_part
def _choose_action(desk, parts, openings, memo, observation, mask):
    """The action whose state has the lowest value, the first of equals in the order of action_space()."""
    desk.seat_wind = observation[_SEAT_WIND]
    desk.prevalent_wind = observation[_PREVALENT_WIND]
    least = np.inf
    chosen = -1
    for number in range(list_openings(observation, mask, openings)):
        set_holding(desk, parts[ALL_PARTS], openings, number)
        limit = min(RULED_OUT - 1, value_chow_patterns(desk, parts, memo) + REACH)
        value_group_patterns(desk, parts, memo, limit)
        value_irregular_patterns(desk, parts, memo, limit)
        action = openings.action[number]
        for slot in range(desk.slot_count):
            total = combine(desk, slot) + _action_cost(observation, openings, number)
            if total < least:
                least = total
                chosen = action + (desk.slots[slot] if action == DISCARD_BASE else 0)
    return chosen


@jit_part
def _action_cost(observation, openings, number):
    """What an action adds to the value; a claim's is added to the discard that follows it too, as the tactic does."""
    action = openings.action[number]
    if observation[_TASK] == FOLLOW:
        return _CHOW_COST if openings.melds[number, openings.meld_count[number] - 1, 0] == CHOW else 0
    if action >= CHOW_BASE:
        return _CHOW_COST
    return _KONG_COST if OPEN_KONG_BASE <= action < PUNG_BASE else 0
