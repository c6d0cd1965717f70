"""The value head fitted anew: it predicts the ends of games, and the policy does not change."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: networks are not tested; `make train` installs it")

from mj_bot.lab.dataset.reader import Dataset
from mj_bot.lab.records.compact import take_games
from mj_bot.lab.train.exported import ask_network
from mj_bot.lab.train.network import TileNetwork
from mj_bot.lab.train.values import fit_values
from mj_bot.mahjong.errors import MahjongError
from mj_bot.network.forward import SCORE_UNIT
from tests.lab.dataset.sets import random_games


def test_the_head_is_fitted_and_nothing_else():
    """A head that expects ten points too many is fitted to the mean score of the games."""
    torch.manual_seed(1)
    network, dataset = TileNetwork(64, 1).eval(), Dataset({}, random_games())
    with torch.no_grad():
        network.value.bias[0] += 10 / SCORE_UNIT
    batch = next(dataset.batches("train", 4096, seed=1))
    before = ask_network(network, batch.observation)
    kept = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    fit_values(network, dataset, samples=1 << 16)
    after = ask_network(network, batch.observation)
    assert torch.equal(before.policy, after.policy)
    assert {name.partition(".")[0] for name, tensor in network.state_dict().items()
            if not torch.equal(tensor, kept[name])} == {"hidden", "value"}
    far, near = (abs(SCORE_UNIT * np.mean(answer.score.numpy()) - np.mean(batch.score)) for answer in (before, after))
    assert far > 5 and near < 1


def test_a_set_without_a_batch_is_refused():
    """The set was read again and again, without end."""
    with pytest.raises(MahjongError, match="expected at least a batch of 1024 decisions to train on, got [1-9]"):
        fit_values(TileNetwork(8, 1), Dataset({}, take_games(random_games(), np.arange(6))))
