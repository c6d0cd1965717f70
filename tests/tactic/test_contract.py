"""What every registered tactic must do, and the registry itself."""

import os
import subprocess
import sys

import numpy as np
import pytest

from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
import mj_bot.tactic
from mj_bot.lab.table.choosers import find_engine_obstacle
from mj_bot.mahjong.action import WIN_INDEX, encode_action
from mj_bot.mahjong.errors import UnknownTacticError
from mj_bot.observation import fan_memo
from mj_bot.observation.layout import AT, FOLLOW
from mj_bot.tactic import TACTICS, load_tactic, parse_spec
from mj_bot.tactic.base import Questions, value_decisions
from mj_bot.worth import valuer
from tests.tactic.positions import list_golden_decisions, list_wins, positions, read_fields

PLAY_OUT = """
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import make_player
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.tactic import TACTICS
for name in sorted(TACTICS):
    record = play_game([make_player(name) for _ in range(4)], wall_from_seed(8), 0)  # a short game
    print([(answer.response, answer.debug) for step in record.steps for answer in step.answers])
"""
INTERPRETED = """
import sys
import numpy as np
from mj_bot.jit import IS_COMPILED
from mj_bot.tactic import load_tactic
from mj_bot.tactic.base import value_decisions
assert not IS_COMPILED
name, path = sys.argv[1:]
decisions = np.load(path)
actions, points = value_decisions(load_tactic(name), decisions["observations"], decisions["masks"])
np.savez(path, actions=actions, points=points)
"""
# All others rank their actions.
UNRANKED = {"random"}

# As docs/tactics.md registers them.
EXAMPLES = {"careful": "examples.careful:CarefulTactic", "follow": "examples.follow:FollowTactic",
            "taught": "examples.taught:TaughtTactic"}


@pytest.fixture
def examples(monkeypatch):
    """The tactics of examples/, registered."""
    for name, place in EXAMPLES.items():
        monkeypatch.setitem(TACTICS, name, place)
    monkeypatch.setitem(mj_bot.tactic._WEIGHTS, "taught", "examples/taught.npz")


@pytest.mark.usefixtures("examples")
@pytest.mark.parametrize("name", sorted(TACTICS) + sorted(EXAMPLES))
class TestContract:
    def test_answers_and_remarks(self, name):
        """Answers are legal and repeat, the state is left alone, and ranked actions begin with the chosen one."""
        tactic, other, checked, ranked_count = load_tactic(name), load_tactic(name), 0, 0
        for state in positions():
            legal, before = state.action_space(), read_fields(state)
            action = tactic(state)
            assert action in legal and read_fields(state) == before
            assert isinstance(tactic.reasons, str) and len(tactic.reasons.encode()) < 900
            checked += 1
            if checked % 3 == 0:  # it has seen other positions before
                assert (other(state), other.reasons) == (action, tactic.reasons)
            assert bool(tactic.ranked) == (action[0] != "HU" and name not in UNRANKED)
            if tactic.ranked:
                ranked_count += 1
                actions, values = zip(*tactic.ranked)
                assert actions[0] == action and set(actions) <= set(legal) and len(set(actions)) == len(actions)
                # Worths that differ by rounding alone count as equal.
                assert all(first > second - 1e-6 for first, second in zip(values, values[1:]))
        assert checked > 50 and (ranked_count > 40 or name in UNRANKED) and isinstance(tactic.value_unit, str)

    def test_choose_decides_as_one_by_one(self, name):
        """In the same positions, a chow or pung and the discard after it as two decisions."""
        obstacle = find_engine_obstacle(name)
        if obstacle:
            pytest.skip("the engine cannot play %s: %s" % (name, obstacle))
        observations, masks, expected = list_golden_decisions(load_tactic(name), 13, 200)
        chosen = load_tactic(name).choose(observations, masks)
        assert chosen.tolist() == expected.tolist()
        # Nor does it matter what else is asked in the same call.
        tactic = load_tactic(name)
        assert [tactic.choose(*row)[0] for row in zip(observations[:20, None], masks[:20, None])] \
            == expected[:20].tolist()
        assert WIN_INDEX in chosen and (observations[:, AT.task] == FOLLOW).any()

    def test_wins_when_it_can(self, name):
        tactic, wins = load_tactic(name), 0
        for state in list_wins():
            assert tactic(state.copy())[0] == "HU"
            wins += 1
        assert wins > 40


def test_pythons_hash_seed_changes_nothing(capsys):
    """Public bots walk through sets of text, and play another game on each start. This process has another seed."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    games = subprocess.run([sys.executable, "-c", PLAY_OUT], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True,
                           check=True, env=dict(os.environ, PYTHONHASHSEED=seed)).stdout
    exec(PLAY_OUT, {})
    assert games and games == capsys.readouterr().out


class TestChoose:
    @pytest.mark.parametrize("name", ["cnn", "rule_based", "search"])
    def test_points_are_those_of_the_ranked_actions(self, name):
        tactic, checked = load_tactic(name), 0
        for state in positions(every=60):
            questions, chosen = Questions(state, state.action_space()), tactic(state)
            if not tactic.ranked:
                continue
            (index,), points = value_decisions(tactic, questions.observations[:1], questions.masks[:1])
            assert index == encode_action(chosen, state.last_tile)[0]
            assert points.max() == pytest.approx(max(value for _, value in tactic.ranked), abs=1e-4)
            for action, value in tactic.ranked:
                if action[0] not in ("CHI", "PENG"):
                    assert points[0, encode_action(action, state.last_tile)[0]] == pytest.approx(value, abs=1e-4)
                    checked += 1
        assert checked > 50

    def test_little_room_for_fans(self, monkeypatch):
        """Few keys noted at a time, and answers forgotten while others are still to come."""
        observations, masks, _ = list_golden_decisions(load_tactic("random"), 23, 100)
        expected = load_tactic("search").choose(observations, masks).tolist()
        monkeypatch.setattr(fan_memo, "MOST_NOTED", 1)
        monkeypatch.setattr(valuer, "_FANS_KEPT", 128)
        assert load_tactic("search").choose(observations, masks).tolist() == expected

    @pytest.mark.parametrize("count", [30, pytest.param(300, marks=pytest.mark.slow)])
    @pytest.mark.parametrize("name", ["cnn", "rule_based", "search"])
    def test_interpreted_and_compiled_do_the_same(self, name, count, tmp_path):
        """As on Botzone, where there is no numba."""
        observations, masks, _ = list_golden_decisions(load_tactic("random"), 47, count)
        path = str(tmp_path / "decisions.npz")
        np.savez(path, observations=observations, masks=masks)
        subprocess.run([sys.executable, "-W", "error", "-c", INTERPRETED, name, path], cwd=REPOSITORY, check=True,
                       env=dict(os.environ, NUMBA_DISABLE_JIT="1"))
        found = np.load(path)
        actions, points = value_decisions(load_tactic(name), observations, masks)
        assert actions.tolist() == found["actions"].tolist()
        assert np.allclose(points, found["points"], atol=1e-9)


class TestRegistry:
    def test_specs(self):
        assert parse_spec("random") == ("random", {})
        assert parse_spec("random:seed=3,x=0.5,y=z") == ("random", {"seed": 3, "x": 0.5, "y": "z"})
        assert parse_spec("random:data/weights/a.npz") == ("random", {"weights": "data/weights/a.npz"})

    @pytest.mark.parametrize("spec, match", [
        ("randm", "did you mean 'random'"), ("", "expected a tactic"), ("random:3x=4", "key=value"),
    ])
    def test_specs_that_are_none(self, spec, match):
        with pytest.raises(UnknownTacticError, match=match):
            parse_spec(spec)

    def test_seeds_differ(self):
        answers = {seed: [load_tactic("random", seed=seed)(state) for state in positions(every=200)] for seed in (1, 2)}
        assert answers[1] != answers[2]

    @pytest.mark.parametrize("spec", [
        "random:seed=abc", "random:seed=0.5", "search:danger=abc", "random:nonsense=1",
        "cnn:depth=3",
    ])
    def test_options_and_values_that_are_not_taken(self, spec):
        with pytest.raises(UnknownTacticError, match="expected options that"):
            load_tactic(spec)
