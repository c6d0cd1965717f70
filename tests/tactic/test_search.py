"""The search tactic: its reasons, its parameters, and many decisions at once."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from mj_bot.lab.arena import engine_runner, referee_runner
from mj_bot.lab.arena.schedule import make_match
from mj_bot.mahjong.action import encode_action
from mj_bot.mahjong.state import GameState
from mj_bot.observation import fan_memo
from mj_bot.tactic import load_tactic
from mj_bot.tactic.base import Questions
from mj_bot.tactic.search import SearchTactic
from mj_bot.worth import valuer
from tests.golden_decisions import list_golden_decisions
from tests.tactic.positions import discard_of, positions, state_of

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BEFORE = "".join(discard_of(seat, name) + "; " for seat, name in enumerate(("F2", "F3", "F4")))


class TestReasons:
    def test_action_pattern_and_needs(self):
        tactic = SearchTactic()
        tactic(state_of(3, "W234 T345 B46888 F11", BEFORE + "2 J2"))
        assert re.fullmatch(
            r"PLAY J2 -?\d+\.\d\d(, PLAY \w\w -?\d+\.\d\d){2}; (danger \d+\.\d%; )?"
            r"aims at waits \d+%, mixed shifted chows \d+%(, [a-z ]+ \d+%)*; needs B5", tactic.reasons)

    def test_nothing_in_reach(self):
        """No tile is expected to come, and most are missing."""
        tactic = SearchTactic(horizon=0.0)
        tactic(state_of(3, "W159 T159 B159 F12 J12", BEFORE + "2 F3"))
        assert tactic.reasons.endswith("aims at nothing in reach; needs no tile")

    def test_wins_and_forced_answers(self):
        tactic = SearchTactic()
        tactic(state_of(1, "W234888 T234 B24 F11", discard_of(0, "B3")))
        assert tactic.reasons == "wins with 11 fan"
        tactic(state_of(1, "W234888 T234 B24 F11", discard_of(0, "F4")))
        assert tactic.reasons == "nothing to choose"


def test_the_same_position_gets_the_same_answer():
    """Whatever the tactic was asked before."""
    used = SearchTactic()
    for state in positions(every=100):
        fresh = SearchTactic()
        assert (used(state), used.reasons) == (fresh(state), fresh.reasons)


def test_parameters_are_named():
    assert SearchTactic(horizon=0.3)._valuer.parameters.horizon == 0.3
    with pytest.raises(TypeError, match="expected parameters out of horizon .* got nonsense"):
        SearchTactic(nonsense=1)


def test_flowers_leave_the_choice_and_the_size_of_points():
    """The one wall of a game with flowers counted four times, and a pung was broken for 514 points."""
    chosen = []
    for flowers in ("0 0 0 0", "1 0 0 0"):
        state = GameState()
        deal = "1 %s W1 W1 W1 W2 W3 T5 T5 T6 T7 B9 F1 F1 J2%s" % (flowers, " H1" if flowers[0] == "1" else "")
        for request in ("0 0 0", deal, "2 W9"):
            state.apply(request)
        tactic = SearchTactic()
        chosen.append(tactic(state))
        assert abs(tactic.ranked[0][1]) < 16
    assert chosen[0] == chosen[1]


OTHERS = dict(sharpness=1.4, ready=0.5, chow_claims=0.7, least_chance=1e-4)


class TestChoose:
    @pytest.mark.parametrize("options", [OTHERS, dict(correction=0)], ids=["others", "without correction"])
    def test_with_other_parameters(self, options):
        observations, masks, expected = list_golden_decisions(SearchTactic(**options), 37, 150)
        assert SearchTactic(**options).choose(observations, masks).tolist() == expected.tolist()

    def test_the_next_draw_changes_some_choices(self):
        observations, masks, expected = list_golden_decisions(SearchTactic(), 23, 400)
        changed = SearchTactic(next_draw=0).choose(observations, masks) != expected
        assert 1 <= changed.sum() < 20

    def test_little_room_for_fans(self, monkeypatch):
        """Keys noted one at a time, and answers forgotten while others are still to come."""
        observations, masks, _ = list_golden_decisions(load_tactic("random"), 23, 400)
        expected = SearchTactic().choose(observations, masks).tolist()
        monkeypatch.setattr(fan_memo, "MOST_NOTED", 1)
        monkeypatch.setattr(valuer, "_FANS_KEPT", 128)
        assert SearchTactic().choose(observations, masks).tolist() == expected

    def test_points_and_worths_are_those_of_the_single_decision(self):
        search = SearchTactic()
        for state in positions(every=60):
            actions = state.action_space()
            if len(actions) < 2 or any(action[0] == "HU" for action in actions):
                continue
            questions = Questions(state, actions)
            points = np.full((1, 235), -np.inf)
            chosen, = search.choose(questions.observations[:1], questions.masks[:1], points=points)
            assert encode_action(search(state), state.last_tile)[0] == chosen
            assert points[0, chosen] == pytest.approx(search.ranked[0][1])
            assert max(value for _, value in search.ranked) == pytest.approx(points.max())

    @pytest.mark.slow
    def test_in_whole_games(self):
        """By the referee one by one and by the engine many at a time."""
        match = make_match(["search", "random"], seed=7, rotations=4)
        by_referee, by_engine = (
            [[dict(tally.as_dict(), times=None) for tally in tallies] for tallies in runner.play_walls(match, 0, 4)]
            for runner in (referee_runner, engine_runner))
        assert by_referee == by_engine


INTERPRETED = """
import sys
import numpy as np
from mj_bot.jit import IS_COMPILED
from mj_bot.tactic.search import SearchTactic
assert not IS_COMPILED
decisions = np.load(sys.argv[1])
points = np.zeros(decisions["masks"].shape)
actions = SearchTactic().choose(decisions["observations"], decisions["masks"], points=points)
np.savez(sys.argv[1], actions=actions, points=points)
"""


def test_interpreted_and_compiled_do_the_same(tmp_path):
    """As on Botzone, where there is no numba."""
    observations, masks, _ = list_golden_decisions(load_tactic("random"), 47, 100)
    path = str(tmp_path / "decisions.npz")
    np.savez(path, observations=observations, masks=masks)
    subprocess.run([sys.executable, "-W", "error", "-c", INTERPRETED, path], cwd=REPOSITORY, check=True,
                   env=dict(os.environ, NUMBA_DISABLE_JIT="1"))
    found, points = np.load(path), np.zeros(masks.shape)
    assert SearchTactic().choose(observations, masks, points=points).tolist() == found["actions"].tolist()
    assert np.allclose(points, found["points"], atol=1e-9)
