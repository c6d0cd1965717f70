"""The batch form of search values and chooses what the tactic does."""

import numpy as np
import pytest

from mj_bot.lab.arena import engine_runner, referee_runner as table
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.batch import search
from mj_bot.lab.batch.search import SearchBatch, find_distances
from mj_bot.lab.table.choosers import load_chooser
from mj_bot.observation import fan_memo
from mj_bot.mahjong.action import ACTION_COUNT, WIN_INDEX, encode_action
from mj_bot.mahjong.errors import UnknownTacticError
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import CLAIM, FOLLOW, PLACES, TURN
from mj_bot.tactic.search import SearchTactic, find_best, find_plain_best
from tests.golden_decisions import list_golden_decisions
from tests.worth.states import list_states, measure

OTHERS = dict(sharpness=1.4, ready=0.5, chow_claims=0.7, least_chance=1e-4)


@pytest.fixture(scope="module")
def decisions():
    return list_golden_decisions(SearchTactic(), 23, 400)


class TestSameChoices:
    def test_on_golden_games(self, decisions):
        observations, masks, expected = decisions
        assert set(observations[:, PLACES["task"][0]].tolist()) >= {TURN, FOLLOW, CLAIM}
        assert SearchBatch()(observations, masks).tolist() == expected.tolist()

    @pytest.mark.parametrize("options", [OTHERS, dict(correction=0)], ids=["others", "without correction"])
    def test_with_other_parameters(self, options):
        observations, masks, expected = list_golden_decisions(SearchTactic(**options), 37, 150)
        assert SearchBatch(**options)(observations, masks).tolist() == expected.tolist()

    def test_without_the_next_draw(self, decisions):
        """It changes what is chosen, in both forms the same way."""
        observations, masks, expected = list_golden_decisions(SearchTactic(next_draw=0), 23, 400)
        assert load_chooser("search:next_draw=0")(observations, masks).tolist() == expected.tolist()
        assert (observations == decisions[0]).all() and 1 <= (expected != decisions[2]).sum() < 20

    @pytest.mark.slow
    def test_on_all_chosen_golden_games(self):
        observations, masks, expected = list_golden_decisions(SearchTactic(), 1, 10 ** 9)
        assert SearchBatch()(observations, masks).tolist() == expected.tolist()

    @pytest.mark.slow
    def test_in_whole_games(self):
        """By the referee with the tactic and by the engine with the batch form."""
        match = make_match(["search", "random"], seed=7, rotations=4)
        by_referee, by_engine = (
            [[dict(tally.as_dict(), times=None) for tally in tallies] for tallies in runner.play_walls(match, 0, 4)]
            for runner in (table, engine_runner))
        assert by_referee == by_engine


def test_little_room_for_answers(decisions, monkeypatch):
    """Keys noted one at a time, and answers forgotten while others are still to come."""
    observations, masks, _ = decisions
    plenty = SearchBatch()
    expected = plenty(observations, masks).tolist()
    assert plenty(observations, masks).tolist() == expected
    monkeypatch.setattr(fan_memo, "MOST_NOTED", 1)
    monkeypatch.setattr(search, "_FANS_KEPT", 128)
    sparing = SearchBatch()
    assert sparing(observations, masks).tolist() == expected
    assert sparing._fans.asked_count > plenty._fans.asked_count > 0


def test_unknown_option():
    with pytest.raises(UnknownTacticError, match="parameters out of horizon .* got depth"):
        load_chooser("search:depth=3")


def test_distances_are_those_that_the_tactic_measures():
    observations, masks, expected = [], [], []
    for state in list_states(6):
        mask = np.zeros(ACTION_COUNT, bool)
        mask[[encode_action(action, state.last_tile)[0] for action in state.action_space()]] = True
        observations.append(encode_observation(state))
        masks.append(mask)
        expected.append(measure(state))
        if len(observations) == 300:
            break
    masks = np.array(masks)
    found = find_distances(np.array(observations), masks)
    by_name = {name: np.concatenate([getattr(one, name) for one in expected]) for name in found._fields}
    is_owed = (by_name["after"] < 99).any(1)
    assert 50 < is_owed.sum() < 300
    assert (found.now == by_name["now"]).all() and (found.claimed == by_name["claimed"]).all()
    assert (found.after[is_owed] == by_name["after"][is_owed]).all()
    assert (found.useful[is_owed] == by_name["useful"][is_owed]).all()


class Noting(object):
    """Chooses as search does, and keeps (points float[235], worth) of each decision, None where it wins."""

    def __init__(self):
        self._search = SearchTactic()
        self.noted = []

    def __call__(self, state):
        chosen = self._search(state)
        actions = state.action_space()
        choices = [] if chosen[0] == "HU" else self._search.value_actions(state, actions)
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
    points, search = np.full(masks.shape, -np.inf), SearchBatch()
    actions = search(observations, masks, points=points)
    assert len(noting.noted) == len(points)
    compared = 0
    for row, noted, mask, action, worth in zip(points, noting.noted, masks, actions, search.worths):
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
    search, together, alone = SearchBatch(), np.zeros(masks.shape), np.zeros(masks.shape)
    search(observations, masks, points=together)
    for row in range(len(observations)):
        search(observations[row:row + 1], masks[row:row + 1], points=alone[row:row + 1])
    assert np.allclose(alone, together, atol=1e-9)
