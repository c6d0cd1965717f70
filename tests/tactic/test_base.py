"""The base class: one path from a position to an action, for the engine, the referee and the built file."""

import json
import subprocess
import sys

import numpy as np
import pytest

from mj_bot.lab.arena.engine_runner import choose
from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.table.choosers import load_chooser
from mj_bot.lab.table.match import play_game
from mj_bot.lab.table.players import PLAYERS, make_player
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.lab.upload.pyz import build
from mj_bot.mahjong.action import PUNG_BASE, encode_action, format_action
from mj_bot.mahjong.errors import TacticError
from mj_bot.mahjong.state import GameState
from mj_bot.tactic.base import Evaluation, Questions, Tactic, value_decisions
from mj_bot.tactic.cnn import CNNTactic
from tests.golden_games import read_games
from tests.tactic.positions import list_golden_decisions, positions

OWN_CHOICE = """
from mj_bot.mahjong.action import PUNG_BASE
from mj_bot.tactic.cnn import CNNTactic


class OwnTactic(CNNTactic):
    def choose(self, observations, masks):
        masks = masks.copy()
        masks[:, PUNG_BASE:] = False
        return super(OwnTactic, self).choose(observations, masks)
"""
OWN_VALUES = """
from mj_bot.mahjong.action import PUNG_BASE
from mj_bot.tactic.cnn import CNNTactic


class OwnTactic(CNNTactic):
    def evaluate(self, observations, masks):
        evaluation = super(OwnTactic, self).evaluate(observations, masks)
        evaluation.preference[:, PUNG_BASE:] -= 1000
        return evaluation
"""
CLAIMS = ("CHI", "PENG")


def find_claim():
    """The requests and answers of a seat up to a discard that cnn claims."""
    tactic = CNNTactic()
    for game in read_games():
        for seat in range(4):
            state, requests, responses = GameState(), [], []
            for asked, _, answers in game["steps"][:-1]:
                state.apply(asked[seat])
                requests.append(asked[seat])
                actions = state.action_space()
                if len(actions) > 1 and tactic(state)[0] in CLAIMS:
                    return requests, responses
                if answers[seat] not in map(format_action, actions):
                    break
                state.answer(answers[seat])
                responses.append(answers[seat])
    raise AssertionError("expected a claim in the golden games")


@pytest.mark.parametrize("code", [
    pytest.param(OWN_CHOICE, id="choose"), pytest.param(OWN_VALUES, id="evaluate", marks=pytest.mark.slow)])
class TestOneMethodReplaced:
    """A subclass of cnn that claims nothing.

    With `choose` replaced it claimed nothing on the engine and lost 8 points a game; by the referee and in the built
    file it played as cnn.
    """

    @pytest.fixture
    def own(self, code, tmp_path, monkeypatch):
        (tmp_path / "own.py").write_text(code)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "own", raising=False)
        monkeypatch.setitem(PLAYERS, "own", "own:OwnTactic")
        return tmp_path

    @pytest.mark.usefixtures("own")
    def test_on_the_engine(self):
        claims = {}
        for player in ("own", "cnn"):
            engine, choosers = Engine(16, seed_source(5, 16)), [load_chooser(player)]
            engine.reset()
            claims[player] = 0
            while len(engine.pending):
                actions, _ = choose(engine, choosers, np.zeros(len(engine.pending), int))
                claims[player] += (actions >= PUNG_BASE).sum()
                engine.step(actions)
        assert claims["own"] == 0 < claims["cnn"]

    @pytest.mark.usefixtures("own")
    def test_by_the_referee(self):
        claims = {}
        for player in ("own", "cnn"):
            record = play_game([make_player(player, 60) for _ in range(4)], wall_from_seed(5), 0)
            claims[player] = sum(answer.response.split(" ")[0] in CLAIMS
                                 for step in record.steps for answer in step.answers)
        assert claims["own"] == 0 < claims["cnn"]

    @pytest.mark.usefixtures("own")
    def test_one_by_one_as_many_at_once(self):
        tactic = make_player("own", 60).tactic
        observations, masks, expected = list_golden_decisions(tactic, 31, 150)
        assert tactic.choose(observations, masks).tolist() == expected.tolist()

    def test_in_the_built_file(self, own):
        requests, responses = find_claim()
        message = json.dumps({"requests": requests, "responses": responses})
        answers = {}
        for player in (str(own / "own.py"), "cnn"):
            (own / "bot.pyz").write_bytes(build(player))
            answers[player] = subprocess.run([sys.executable, own / "bot.pyz"], input=message, cwd=own, text=True,
                                             capture_output=True, check=True).stdout
        assert ['"PASS"' in answer for answer in answers.values()] == [True, False]


class Fixed(Tactic):
    """Prefers discards of high tiles; the points of all actions are `value`."""

    def __init__(self, value=0.0):
        self._value = value

    def evaluate(self, observations, masks):
        return Evaluation(np.full(masks.shape, self._value), np.arange(masks.shape[1]) * np.ones((len(masks), 1)))


class TestEvaluation:
    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_values_that_are_no_numbers(self, value):
        """A tactic whose values were NaN played its first action, and was handed in."""
        state = next(positions())
        with pytest.raises(TacticError, match="expected finite points of legal actions, got -?(nan|inf) for "):
            Fixed(value)(state)
        questions = Questions(state, state.action_space())
        with pytest.raises(TacticError, match="expected finite points of legal actions, got -?(nan|inf) for "):
            Fixed(value).choose(questions.observations, questions.masks)

    def test_other_shapes(self):
        with pytest.raises(TacticError, match=r"expected points as an array float\[2, 235\], got float64\[2\]"):
            Evaluation(np.zeros(2)).choose(np.ones((2, 235), bool))

    def test_the_preferred_action_is_first_whatever_its_points(self):
        tactic = Fixed()
        for state in positions(every=300):
            chosen = tactic(state)
            if chosen[0] != "HU":
                last = max(encode_action(action, state.last_tile)[0] for action in state.action_space())
                assert encode_action(chosen, state.last_tile)[0] == last
                assert tactic.ranked[0] == (chosen, 0.0) and tactic.best == chosen

    def test_points_are_asked_of_the_values_and_actions_of_choose(self):
        class Passing(Fixed):
            def choose(self, observations, masks):
                return masks.argmax(1)

        masks = np.zeros((2, 235), bool)
        masks[0, [0, 140]] = masks[1, [1, 5]] = True
        actions, points = value_decisions(Passing(), np.zeros((2, 700), np.uint8), masks)
        assert actions.tolist() == [0, 1]
        assert np.flatnonzero(np.isfinite(points)).tolist() == [0, 140]
