"""The trained network, exported, in numpy and in torch: all answer alike."""

from itertools import permutations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: networks are not tested; `make train` installs it")

from mj_bot.lab.table.choosers import load_chooser
from mj_bot.lab.train.exported import ask_network, export_network, import_network, write_weights
from mj_bot.lab.train.network import TileNetwork
from mj_bot.mahjong.action import DISCARD_BASE
from mj_bot.mahjong.tile import TILE_COUNT
from mj_bot.network.ahead import look_ahead
from mj_bot.network.forward import KERNELS, Network
from mj_bot.network.ops import NumpyOps, TorchOps
from mj_bot.network.planes import AHEAD_PLANES, INPUTS, encode_inputs
from mj_bot.network.weights import load_weights, read_stored
from mj_bot.tactic import default_weights, read_weight_file
from tests.lab.train.observations import play_observations


@pytest.fixture(scope="module")
def observations():
    return play_observations(400, seed=3)[0]


@pytest.fixture(scope="module")
def network(observations):
    torch.manual_seed(1)
    return TileNetwork(24, 3).eval()


def torch_inputs(observations):
    ahead = look_ahead(observations)
    return encode_inputs(torch.from_numpy(observations), torch.from_numpy(ahead), TorchOps())


def answer(network, observations):
    return [part.numpy() for part in ask_network(network, observations)]


def farthest(ones, others):
    return max(abs(one - other).max() for one, other in zip(ones, others))


def test_planes_on_torch_are_those_of_numpy(observations):
    ahead = look_ahead(observations)
    assert (torch_inputs(observations).numpy() == encode_inputs(observations, ahead, NumpyOps)).all()


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_suits_are_alike(network, observations, order):
    """Exchanged suits exchange the logits of their discards, and nothing else."""
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
    export_network(network, path, {}, precision=precision)
    data = (tmp_path / "a.npz").read_bytes()
    shipped = Network(load_weights(data))(observations)
    assert farthest(shipped, answer(network, observations)) < tolerance
    assert farthest(shipped, answer(import_network(data), observations)) < 1e-4
    on_torch = Network(load_weights(data), TorchOps())(observations)
    assert farthest(shipped, [part.numpy() for part in on_torch]) < 1e-4


@pytest.mark.parametrize("gone", [[5, 100], [INPUTS.index(name) for name in AHEAD_PLANES]])
def test_weights_of_other_planes_answer_as_before(gone, network, observations, tmp_path):
    """A file of fewer planes than today, in another order: it gets the planes that it names, and can be trained on."""
    path = tmp_path / "old.npz"
    export_network(network, str(path), {})
    card, stored = read_stored(path.read_bytes())
    order = np.random.default_rng(0).permutation(np.setdiff1d(np.arange(len(INPUTS)), gone))
    stems = [layer + part for layer in (*KERNELS, "stem_honours") for part in (".weight", ".scale")]
    for name in stems:
        stored[name][gone] = 0
    write_weights(str(path), card, stored)
    before = Network(load_weights(path.read_bytes()))(observations)
    for name in stems:
        stored[name] = stored[name][order]
    write_weights(str(path), dict(card, planes=len(order), plane_names=[INPUTS[place] for place in order]), stored)
    data = path.read_bytes()
    assert farthest(before, Network(load_weights(data))(observations)) < 1e-5
    assert farthest(before, answer(import_network(data), observations)) < 1e-4


@pytest.mark.slow
def test_the_same_best_action_in_10000_positions(tmp_path):
    """The file's network in numpy against one in torch that is not rounded and may be what the file was made of."""
    path = default_weights("cnn")
    data = read_weight_file(path)
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
    observations, masks, _ = play_observations(10000, games=256, seed=9, chooser=load_chooser("cnn"))
    shipped = Network(load_weights(data))
    same = 0
    for start in range(0, len(observations), 500):
        part = slice(start, start + 500)
        ours = np.where(masks[part], shipped(observations[part]).policy, -np.inf).argmax(1)
        same += (np.where(masks[part], answer(network, observations[part])[0], -np.inf).argmax(1) == ours).sum()
    assert same >= 9900
