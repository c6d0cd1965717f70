"""The trained network, exported, in numpy and in torch: all answer alike."""

from itertools import permutations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: networks are not tested; `make train` installs it")

from mj_bot.lab.batch import load_batch
from mj_bot.lab.engine.ahead import look_ahead_batch
from mj_bot.lab.train.exported import ask_network, convert_weights, export_network, import_network, write_weights
from mj_bot.lab.train.network import TileNetwork
from mj_bot.mahjong.action import DISCARD_BASE
from mj_bot.mahjong.errors import ModelMismatchError
from mj_bot.mahjong.tile import TILE_COUNT
from mj_bot.network import planes as layout
from mj_bot.network.ahead import INPUTS, encode_inputs
from mj_bot.network.forward import KERNELS, Network
from mj_bot.network.ops import NumpyOps, TorchOps
from mj_bot.network.weights import find_weights, load_weights, read_stored
from mj_bot.tactic import default_weights
from tests.lab.train.observations import play_observations


@pytest.fixture(scope="module")
def observations():
    return play_observations(400, seed=3)[0]


@pytest.fixture(scope="module")
def network(observations):
    torch.manual_seed(1)
    return TileNetwork(24, 3).eval()


def torch_inputs(observations):
    ahead = look_ahead_batch(observations)
    return encode_inputs(torch.from_numpy(observations), torch.from_numpy(ahead), TorchOps())


def answer(network, observations):
    return [part.numpy() for part in ask_network(network, observations)]


def farthest(ones, others):
    return max(abs(one - other).max() for one, other in zip(ones, others))


def test_planes_on_torch_are_those_of_numpy(observations):
    ahead = look_ahead_batch(observations)
    assert (torch_inputs(observations).numpy() == encode_inputs(observations, ahead, NumpyOps)).all()


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_suits_are_alike(network, observations, order):
    """Exchanged suits exchange what the network holds of their discards, and nothing else."""
    planes = torch_inputs(observations)
    planes[:, [name.startswith("board") for name in INPUTS]] = 0
    tiles = np.concatenate([np.arange(9) + 9 * suit for suit in order] + [np.arange(27, TILE_COUNT)])
    with torch.no_grad():
        ones, changed = network(planes), network(planes[:, :, tiles])
    discards = DISCARD_BASE + np.arange(TILE_COUNT)
    assert farthest([ones.score, ones.outcome], [changed.score, changed.outcome]) < 1e-4
    assert abs(ones.policy[:, discards][:, tiles] - changed.policy[:, discards]).max() < 1e-4


@pytest.mark.parametrize("precision, tolerance", [
    ("float32", 1e-4), ("float16", 2e-2), ("int16", 0.0625), ("int8", 0.5)])
def test_numpy_answers_as_torch(network, observations, tmp_path, precision, tolerance):
    """Up to what the precision of the stored matrices explains: the same stored matrices give the same in both."""
    path = str(tmp_path / "a.npz")
    export_network(network, path, {}, precision)
    data = (tmp_path / "a.npz").read_bytes()
    shipped = Network(load_weights(data))(observations)
    assert farthest(shipped, answer(network, observations)) < tolerance
    assert farthest(shipped, answer(import_network(data), observations)) < 1e-4
    on_torch = Network(load_weights(data), TorchOps())(observations)
    assert farthest(shipped, [part.numpy() for part in on_torch]) < 1e-4


def test_weights_of_other_planes_are_converted(network, observations, tmp_path, monkeypatch):
    """A file from before two planes were added, and after planes changed places, answers as it did."""
    path = str(tmp_path / "old.npz")
    export_network(network, path, {})
    card, stored = read_stored((tmp_path / "old.npz").read_bytes())
    order = np.random.default_rng(0).permutation(len(INPUTS))[:-2]
    stems = [layer + part for layer in (*KERNELS, "stem_honours") for part in (".weight", ".scale")]
    for name in stems:
        stored[name][np.setdiff1d(np.arange(len(INPUTS)), order)] = 0
    write_weights(path, card, stored)
    before = Network(load_weights((tmp_path / "old.npz").read_bytes()))(observations)
    for name in stems:
        stored[name] = stored[name][order]
    monkeypatch.setattr(layout, "VERSION", 0)
    write_weights(path, dict(card, planes=len(order), plane_names=[INPUTS[place] for place in order]), stored)
    monkeypatch.undo()
    data = (tmp_path / "old.npz").read_bytes()
    with pytest.raises(ModelMismatchError, match="planes_version 0"):
        load_weights(data)
    convert_weights(data, str(tmp_path / "new.npz"))
    after = Network(load_weights((tmp_path / "new.npz").read_bytes()))(observations)
    assert farthest(before, after) < 1e-6


def test_planes_that_are_gone_are_named(network, tmp_path):
    export_network(network, str(tmp_path / "old.npz"), {})
    card, stored = read_stored((tmp_path / "old.npz").read_bytes())
    write_weights(str(tmp_path / "old.npz"), dict(card, plane_names=["moon"] + list(INPUTS[1:])), stored)
    with pytest.raises(ModelMismatchError, match="'moon' in 'old.npz'"):
        convert_weights((tmp_path / "old.npz").read_bytes(), str(tmp_path / "new.npz"), "old.npz")


@pytest.mark.slow
def test_the_same_best_action_in_10000_positions(tmp_path):
    """The file's network in numpy against one in torch that is not rounded and may be what the file was made of."""
    path = default_weights("cnn")
    data = find_weights(path)
    network = import_network(data)
    card, stored = read_stored(data)
    rng = np.random.default_rng(0)
    state = network.state_dict()
    for name, tensor in state.items():
        scale = stored.get(name[:-len("weight")] + "scale") if name.endswith("weight") else None
        if scale is not None:
            step = torch.from_numpy(scale).reshape(-1, scale.shape[-1])
            step = step.repeat_interleave(tensor.shape[1] // len(step), 0).T
            tensor += step * torch.from_numpy(rng.uniform(-0.5, 0.5, tensor.shape).astype(np.float32))
    network.load_state_dict(state)
    observations, masks, _ = play_observations(10000, games=256, seed=9, chooser=load_batch("cnn"))
    shipped = Network(load_weights(data))
    same = 0
    for start in range(0, len(observations), 500):
        part = slice(start, start + 500)
        ours = np.where(masks[part], shipped(observations[part]).policy, -np.inf).argmax(1)
        same += (np.where(masks[part], answer(network, observations[part])[0], -np.inf).argmax(1) == ours).sum()
    assert same >= 9900
