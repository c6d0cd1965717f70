"""The trained network, exported, in numpy and in torch: all answer alike. Its value head can be fitted anew."""

from itertools import permutations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: networks are not tested; `make train` installs it")

from mj_bot.lab.__main__ import main
from mj_bot.lab.dataset.reader import Dataset
from mj_bot.lab.records.compact import take_games
from mj_bot.lab.train.exported import ask_network, export_network, fit_values, import_network, write_weights
from mj_bot.lab.train.network import TileNetwork
from mj_bot.mahjong.action import DISCARD_BASE
from mj_bot.mahjong.errors import MahjongError
from mj_bot.mahjong.tile import TILE_COUNT
from mj_bot.network.ahead import compute_ahead_rows
from mj_bot.network.forward import KERNELS, SCORE_UNIT, Network, TorchNetwork
from mj_bot.network.planes import AHEAD_PLANES, INPUTS, encode_inputs
from mj_bot.network.weights import load_weights, read_stored
from mj_bot.tactic import default_weights, read_weight_file
from tests.lab.dataset.sets import play_observations, random_games


@pytest.fixture(scope="module")
def observations():
    return play_observations(400, seed=3)[0]


@pytest.fixture(scope="module")
def network():
    torch.manual_seed(1)
    return TileNetwork(24, 3).eval()


def answer(network, observations):
    return [part.numpy() for part in ask_network(network, observations)]


def farthest(ones, others):
    return max(abs(one - other).max() for one, other in zip(ones, others))


@pytest.mark.parametrize("order", list(permutations(range(3)))[1:])
def test_suits_are_alike(network, observations, order):
    """Exchanged suits exchange the logits of their discards, and nothing else."""
    planes = torch.from_numpy(encode_inputs(observations, compute_ahead_rows(observations)))
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
    assert farthest(shipped, TorchNetwork(load_weights(data), "cpu")(observations)) < 1e-4


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


def test_the_mean_of_several_weight_files(tmp_path, capsys):
    paths = [str(tmp_path / ("%d.npz" % place)) for place in range(5)]
    for seed, path in enumerate(paths[:4]):
        torch.manual_seed(seed)
        export_network(TileNetwork(8 if seed < 3 else 16, 1), path, {"games": seed}, precision="float32")
    assert main(["train", "export", *paths[:3], "-o", paths[4], "--precision", "float32"]) == 0
    (_, mean), *files = [read_stored(read_weight_file(path)) for path in paths[4:] + paths[:3]]
    for name, array in mean.items():
        assert np.allclose(array, np.mean([stored[name] for _, stored in files], axis=0), atol=1e-6)
    card = read_stored(read_weight_file(paths[4]))[0]
    assert card["mean_of"] == 3 and card["games"] == 2
    assert main(["train", "export", *paths[:-1], "-o", paths[-1]]) == 2
    assert "expected networks of one size" in capsys.readouterr().err


@pytest.mark.slow
def test_the_head_is_fitted_and_nothing_else():
    """A head that expects ten points too many is fitted to the mean score of the games."""
    torch.manual_seed(1)
    network, dataset = TileNetwork(64, 1).eval(), Dataset({}, random_games())
    with torch.no_grad():
        network.value.bias[0] += 10 / SCORE_UNIT
    batch = next(dataset.batches("train", 4096, seed=1))
    before = ask_network(network, batch.observation)
    kept = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    fit_values(network, dataset, samples=5 << 13)
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


@pytest.mark.slow
def test_the_same_best_action_in_10000_positions():
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
    observations, masks, _ = play_observations(10000, games=256, seed=9, player="cnn")
    shipped = Network(load_weights(data))
    same = 0
    for start in range(0, len(observations), 500):
        part = slice(start, start + 500)
        ours = np.where(masks[part], shipped(observations[part]).policy, -np.inf).argmax(1)
        same += (np.where(masks[part], answer(network, observations[part])[0], -np.inf).argmax(1) == ours).sum()
    assert same >= 9900
