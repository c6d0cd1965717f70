"""Advice for many decisions at once is what the tactic makes of each."""

import numpy as np

from mj_bot.lab.batch.worth.advise import Advisor
from mj_bot.mahjong.action import WIN_INDEX, encode_action
from mj_bot.network.advice import ADVICE_TYPE, LEAST, make_advice
from mj_bot.tactic.search import SearchTactic, find_best, find_plain_best
from tests.golden_decisions import list_golden_decisions


class Noting(object):
    """Chooses as search does, and keeps what it would advise, in the order of the decisions asked."""

    def __init__(self):
        self._search = SearchTactic()
        self.advice = []

    def __call__(self, state):
        chosen = self._search(state)
        actions = state.action_space()
        choices = [] if chosen[0] == "HU" else self._search.value_actions(state, actions)
        for step in range(2 if chosen[0] in ("CHI", "PENG") else 1):
            if step:
                choices = [choice for choice in choices if choice.action[:-1] == chosen[:-1]]
            points = np.full((1, 235), -np.inf)
            for choice in choices:
                index = encode_action(choice.action, state.last_tile)[step]
                points[0, index] = max(points[0, index], choice.points)
            self.advice.append(make_advice(points, [_find_worth(choices, state, step)])[0] if choices else None)
        return chosen


def _find_worth(choices, state, step):
    """Of the hand after the best action; of a claim with the discard that is best before correction."""
    best = encode_action(find_best(choices).action, state.last_tile)[step]
    return find_plain_best([
        choice for choice in choices if encode_action(choice.action, state.last_tile)[step] == best]).worth


def test_the_tactics_own_points_and_worth():
    noting = Noting()
    observations, masks, chosen = list_golden_decisions(noting, 29, 300)
    found = Advisor()(observations, masks)
    assert found.dtype == ADVICE_TYPE and len(noting.advice) == len(found)
    compared = 0
    for row, expected, mask, action in zip(found, noting.advice, masks, chosen):
        if expected is None:
            assert mask[WIN_INDEX] and not row[:-1].any()
            continue
        # Half precision: 2 ** -11 of a number up to 20.
        assert np.allclose(row.astype(float), expected.astype(float), atol=0.01)
        assert row[action] == 0 and (row[:-1][~mask] == LEAST).all()
        compared += 1
    assert compared > 250


def test_what_is_said_does_not_hang_on_the_other_rows():
    observations, masks, _ = list_golden_decisions(SearchTactic(), 61, 60)
    advise = Advisor()
    together = advise(observations, masks)
    assert all((advise(observations[row:row + 1], masks[row:row + 1])[0] == together[row]).all()
               for row in range(len(observations)))
