"""The tactic that asks a network; that it keeps the contract is tested with the others."""

import json

import numpy as np
import pytest

from mj_bot.lab.table import choosers
from mj_bot.mahjong.action import DISCARD_BASE
from mj_bot.mahjong.errors import ModelMismatchError
from mj_bot.network.forward import OUTCOMES, POLICY_INDEX, Prediction, TorchNetwork
from mj_bot.observation.layout import FOLLOW, field
from mj_bot.tactic import default_weights, load_tactic, read_weight_file
from mj_bot.tactic.cnn import COSTS_WITHOUT_CARD, CNNTactic
from tests.tactic.positions import discard_of, state_of

HAND = "W1244 T159 B159 F1 J12"
CLAIM, TURN = state_of(1, HAND, discard_of(0, "W4")), state_of(0, HAND, "2 W3")


class Scripted(object):
    """In place of the network: logits by index, for the discard after a claim others."""

    device = "cpu"

    def __init__(self, logits, follow=()):
        self._logits, self._follow = dict(logits), dict(follow)

    def __call__(self, observations):
        policy = np.zeros((len(observations), 235), np.float32)
        for row, observation in zip(policy, observations):
            for index, logit in (self._follow if field(observation, "task")[0] == FOLLOW else self._logits).items():
                row[index] = logit
        count = len(observations)
        return Prediction(policy, np.full(count, 0.5, np.float32), np.zeros((count, 4), np.float32), None)


@pytest.fixture
def tactic():
    return CNNTactic()


def ask(tactic, state, logits, follow=()):
    tactic._network = Scripted(logits, follow)
    return tactic(state)


def test_the_most_probable_legal_discard(tactic):
    """W9 is not in the hand, whatever the network thinks of it."""
    assert ask(tactic, TURN, {DISCARD_BASE + 8: 50, DISCARD_BASE + 27: 9, DISCARD_BASE + 31: 8}) == ("PLAY", "F1")
    # A gap of 1 at chances to win and to pay of 1/4 costs 1.03 * (3/8) ** 2, of 9 logits 9 ** 1.25 times as much.
    assert tactic.reasons.startswith("PLAY F1 +16.00, PLAY J1 +15.86, PLAY W1 +13.74; expects win 25%")
    assert tactic.ranked[1] == (("PLAY", "J1"), pytest.approx(16 - 1.03 * 0.375 ** 2))


def test_a_claim_with_its_own_best_discard(tactic):
    """The discard is chosen among what the claim leaves: both W4 are in the pung."""
    action = ask(tactic, CLAIM, {0: 1, 141: 3}, {DISCARD_BASE + 3: 9, DISCARD_BASE + 33: 8, DISCARD_BASE + 32: 7})
    assert action == ("PENG", "J2")
    values = dict(tactic.ranked)
    assert values["PENG", "J1"] == pytest.approx(values["PENG", "J2"] - 7 ** 1.25 * 1.03 * 0.375 ** 2)
    assert values["PASS",] == pytest.approx(16 - 2 ** 1.25 * 1.2 * 0.375 ** 2)
    assert ask(tactic, CLAIM, {0: 4, 141: 3}) == ("PASS",)


def test_options():
    assert default_weights("search") is None
    with pytest.raises(ModelMismatchError, match="expected a weight file, got 'nowhere.npz'"):
        load_tactic("cnn:nowhere.npz")


def test_what_belongs_to_a_weight_file_is_in_its_card(tactic, tmp_path):
    """The costs and the error were constants of the tactic: other networks got those of the network that ships."""
    assert tactic.value_error == (1.43, 0.39)
    path, card = tmp_path / "own.npz", tmp_path / "own.json"
    path.write_bytes(read_weight_file(default_weights("cnn")))
    other = CNNTactic(str(path))
    assert other.value_error is None
    ask(other, TURN, {DISCARD_BASE + 27: 9, DISCARD_BASE + 31: 8})
    assert other.ranked[1] == (("PLAY", "J1"), pytest.approx(16 - 0.375 ** 2))
    card.write_text(json.dumps({
        "costs": dict(COSTS_WITHOUT_CARD, discard=2.0), "verdict cnn": {"value_error": [1, 0]}}))
    other = CNNTactic(str(path))
    assert other.value_error == (1, 0)
    ask(other, TURN, {DISCARD_BASE + 27: 9, DISCARD_BASE + 31: 8})
    assert other.ranked[1][1] == pytest.approx(16 - 2 * 0.375 ** 2)
    card.write_text('{"costs": {"pass": 1}}')
    with pytest.raises(ModelMismatchError, match="expected costs with the numbers pass, discard, kong"):
        CNNTactic(str(path))


def test_computes_with_torch_too(tactic):
    pytest.importorskip("torch", reason="no torch: the tactic's option torch is not tested")
    other = CNNTactic(torch=1)
    assert other(CLAIM) == tactic(CLAIM)
    assert [points for _, points in other.ranked] == pytest.approx([points for _, points in tactic.ranked], abs=1e-2)


def test_matches_compute_with_torch():
    """Every match with cnn was refused, then took a quarter longer, as the option that choosers give it was gone."""
    pytest.importorskip("torch", reason="no torch: matches compute in numpy")
    assert type(choosers._make("cnn", None)._network) is TorchNetwork


def test_every_action_has_a_place_of_its_own():
    assert len(set(POLICY_INDEX.tolist())) == 235 and POLICY_INDEX.min() == 0
    assert len(OUTCOMES) == 4


def test_the_projects_own_weights_are_found_from_any_folder(tmp_path, monkeypatch):
    """`rl` on shipped settings, start = "data/weights/cnn.npz", ended with "No such file" outside the clone."""
    monkeypatch.chdir(tmp_path)
    assert read_weight_file("data/weights/cnn.npz") == read_weight_file(default_weights("cnn"))
