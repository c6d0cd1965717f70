import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: learning is not tested; `make train` installs it")

from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.rl.critic import HIDDEN_PLANES, encode_hidden
from mj_bot.lab.rl.policy import Device
from mj_bot.observation.layout import field


def test_hidden_planes_contain_hands_and_walls():
    engine = Engine(6, seed_source(3, 6))
    engine.reset()
    observations = torch.from_numpy(engine.observations(full=True))
    planes = encode_hidden(observations, Device("cpu").ops).numpy()
    assert planes.shape == (len(observations), HIDDEN_PLANES, 34)
    hands = planes[:, :12].reshape(-1, 3, 4, 34).sum(2)
    np.testing.assert_array_equal(hands, field(observations.numpy(), "hands"))
    walls = planes[:, 12:].reshape(-1, 4, 5, 34)
    assert (4 * walls[:, :, 4]).sum() == field(observations.numpy(), "walls").sum()
    assert (walls[:, :, 0].sum(2) == 1).all()
