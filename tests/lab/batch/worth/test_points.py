"""The points and worths of many decisions at once are those of the tactic `search`."""

import numpy as np

from mj_bot.lab.batch.worth.choose import Chooser
from mj_bot.mahjong.action import WIN_INDEX, encode_action
from mj_bot.tactic.search import SearchTactic, find_best, find_plain_best
from mj_bot.worth.parameters import PARAMETERS
from mj_bot.worth.waits import Waits
from tests.golden_decisions import list_golden_decisions


class Noting(object):
    """Chooses as search does, and keeps (points float[235], worth) of each decision, None where it wins."""

    def __init__(self):
        self._search = SearchTactic()
        self.noted = []

    def __call__(self, state):
        chosen = self._search(state)
        actions = state.action_space()
        choices = [] if chosen[0] == "HU" else self._search._value_actions(state, Waits(state, PARAMETERS), actions)
        for step in range(2 if chosen[0] in ("CHI", "PENG") else 1):
            if step:
                choices = [choice for choice in choices if choice.action[:-1] == chosen[:-1]]
            points = np.full(235, -np.inf)
            for choice in choices:
                index = encode_action(choice.action, state.last_tile)[step]
                points[index] = max(points[index], choice.points)
            self.noted.append((points, _find_worth(choices, state, step)) if choices else None)
        return chosen


def _find_worth(choices, state, step):
    """Of the hand after the best action; of a claim with the discard that is best before correction."""
    best = encode_action(find_best(choices).action, state.last_tile)[step]
    return find_plain_best([
        choice for choice in choices if encode_action(choice.action, state.last_tile)[step] == best]).worth


def test_the_tactics_own_points_and_worth():
    noting = Noting()
    observations, masks, _ = list_golden_decisions(noting, 29, 300)
    points, chooser = np.full(masks.shape, -np.inf), Chooser(PARAMETERS)
    actions = chooser.choose(observations, masks, points)
    assert len(noting.noted) == len(points)
    compared = 0
    for row, noted, mask, action, worth in zip(points, noting.noted, masks, actions, chooser.worths):
        if noted is None:
            assert mask[WIN_INDEX] and np.isnan(worth)
            continue
        # Points of a claim and of its discard differ by what they have in common, the best action's.
        assert np.allclose((row - row.max())[mask], (noted[0] - noted[0].max())[mask], atol=1e-6)
        assert np.isneginf(row[~mask]).all() and row[action] >= row.max() - 1e-6
        assert np.isclose(np.log(max(worth, 0.05)), np.log(max(noted[1], 0.05)), atol=1e-6)
        compared += 1
    assert compared > 250


def test_points_do_not_depend_on_the_other_rows():
    observations, masks, _ = list_golden_decisions(SearchTactic(), 61, 60)
    chooser, together, alone = Chooser(PARAMETERS), np.zeros(masks.shape), np.zeros(masks.shape)
    chooser.choose(observations, masks, together)
    for row in range(len(observations)):
        chooser.choose(observations[row:row + 1], masks[row:row + 1], alone[row:row + 1])
    assert np.allclose(alone, together, atol=1e-9)
