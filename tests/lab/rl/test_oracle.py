import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: learning is not tested; 3rdparty/requirements-train.txt")

from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.rl.config import Oracle, fade
from mj_bot.lab.rl.oracle import (
    HIDDEN_PLANES, SEEN_SIZE, draw_seen, encode_hidden, encode_seen, extend, has_hidden_planes, strip,
)
from mj_bot.lab.rl.policy import Device, ask
from mj_bot.lab.train.network import TileNetwork
from mj_bot.observation.layout import field


@pytest.fixture(scope="module")
def owed():
    """(full observations, masks) of first decisions, as tensors."""
    engine = Engine(6, seed_source(3, 6))
    engine.reset()
    return torch.from_numpy(engine.observations(full=True)), torch.from_numpy(engine.mask())


def test_an_extended_network_answers_as_before_and_learns_to_look(owed):
    observations, masks = owed
    device = Device("cpu", "float32")
    network = TileNetwork(4, 1, is_folded=True).eval()
    other = extend(network)
    seen = draw_seen(len(observations), 1.0, device, device.generator(0))
    assert has_hidden_planes(other) and not has_hidden_planes(network)
    plain = ask(network, observations, masks, device, 1.0)[0]
    for what in (None, seen):
        torch.testing.assert_close(ask(other, observations, masks, device, 1.0, what)[0], plain)
    with torch.no_grad():
        other.stem.conv.weight[:, network.config["planes"]:] = 1.0
    assert not torch.equal(ask(other, observations, masks, device, 1.0, seen)[0], plain)
    torch.testing.assert_close(ask(strip(other), observations, masks, device, 1.0)[0], plain)


def test_hidden_planes_hold_hands_and_walls(owed):
    observations, _ = owed
    planes = encode_hidden(observations, Device("cpu").ops).numpy()
    assert planes.shape == (len(observations), HIDDEN_PLANES, 34)
    hands = planes[:, :12].reshape(-1, 3, 4, 34).sum(2)
    np.testing.assert_array_equal(hands, field(observations.numpy(), "hands"))
    walls = planes[:, 12:].reshape(-1, 4, 5, 34)
    assert (4 * walls[:, :, 4]).sum() == field(observations.numpy(), "walls").sum()
    assert (walls[:, :, 0].sum(2) == 1).all()


def test_planes_are_seen_with_the_share(owed):
    observations, _ = owed
    device = Device("cpu")
    seen = draw_seen(2000, 0.3, device, device.generator(1))
    assert seen.shape == (2000, SEEN_SIZE)
    assert abs(np.unpackbits(seen.numpy()).mean() - 0.3) < 0.01
    assert not encode_seen(observations, torch.zeros(len(observations), SEEN_SIZE, dtype=torch.uint8), device.ops).any()


def test_the_share_falls_to_nothing():
    assert [fade(Oracle(games=10), games) for games in (0, 5, 10, 20)] == [1, 0.5, 0, 0]
    assert fade(Oracle(), 0) == 0
