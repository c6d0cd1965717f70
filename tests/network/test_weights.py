"""Weight files: what is written is read, and what does not belong to this code is refused."""

import hashlib
import json

import numpy as np
import pytest

from mj_bot.mahjong.errors import ModelMismatchError
from mj_bot.network.ahead import compute_ahead_rows
from mj_bot.network.forward import KERNEL_CHANNELS, list_layers
from mj_bot.network.planes import INPUTS, encode_inputs
from mj_bot.network.weights import load_weights, pack_weights, quantise, read_stored
from mj_bot.tactic import default_weights, read_weight_file
from tests.tactic.positions import list_golden_decisions
from tests.damage import try_damaged
from tests.network.weight_files import BLOCKS, CHANNELS, check_file, make_arrays, make_files


@pytest.fixture
def path(tmp_path):
    """A weight file of a small network in int8."""
    write(tmp_path / "a.npz", make_arrays("int8"))
    return tmp_path / "a.npz"


def write(path, stored, **card):
    card = dict({"channels": CHANNELS, "blocks": BLOCKS, "note": "of a test"}, **card)
    path.write_bytes(pack_weights(card, stored)[0])


@pytest.mark.parametrize("precision, most", [("int8", 127), ("int16", 1023)])
def test_what_is_written_is_read(tmp_path, precision, most):
    write(tmp_path / "a.npz", make_arrays(precision))
    weights = load_weights((tmp_path / "a.npz").read_bytes())
    matrix = np.random.RandomState(0).normal(size=(len(INPUTS), 3, KERNEL_CHANNELS))
    assert sorted(weights.arrays) == sorted(
        layer + part for layer in list_layers(len(INPUTS), CHANNELS, BLOCKS) for part in (".bias", ".weight"))
    assert weights.card["blocks"] == BLOCKS and weights.card["note"] == "of a test"
    assert weights.arrays["neighbours.weight"].dtype == np.float32
    # Of each column of each plane.
    steps = abs(matrix).max(axis=1, keepdims=True) / most
    assert (abs(weights.arrays["neighbours.weight"].reshape(matrix.shape) - matrix) <= steps / 2 + 1e-6).all()


def test_same_weights_same_bytes(path):
    card, stored = read_stored(path.read_bytes())
    assert pack_weights(card, stored)[0] == path.read_bytes()


@pytest.mark.parametrize("change, message", [
    (lambda stored: stored.pop("value.bias"), "got 'value.bias' not"),
    (lambda stored: stored.update(more=np.zeros(3, np.float32)), "got 'more' without need"),
    (lambda stored: stored.pop("neighbours.scale"), "got 'neighbours.scale' not"),
    (lambda stored: stored.update({"plain.bias": np.zeros(3, np.float32)}), r"plain.bias of shape \(2,\)"),
    (lambda stored: stored.update({"plain.bias": np.zeros(2)}), "plain.bias .*got .*float64"),
    (lambda stored: stored.update({"plain.bias": np.full(2, np.nan, np.float32)}), "65504, .*plain.bias"),
    (lambda stored: stored.update({"plain.bias": np.full(2, 3e38, np.float32)}), "65504, .*plain.bias"),
])
def test_arrays_of_another_network_are_refused(change, message, tmp_path):
    """Wrong shapes and missing arrays were loaded, and the bot failed, or played nonsense, at its first decision."""
    stored = make_arrays("int8")
    change(stored)
    write(tmp_path / "a.npz", stored)
    with pytest.raises(ModelMismatchError, match=message):
        load_weights((tmp_path / "a.npz").read_bytes(), "x.npz")


@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_damaged_files(count):
    """Errors of zipfile, zlib and numpy came out as they were; so did MemoryError, for a size that a header claims."""
    try_damaged(make_files(), lambda name, data: check_file(data), count)


@pytest.mark.parametrize("change, message", [
    ({"format": 77}, "expected weights of format 3, got 77 in 'old.npz': train again"),
    ({"observation_version": 2}, "expected weights for observation 1, got 2 in 'old.npz': train again"),
    ({"plane_names": ["moon"] + list(INPUTS[1:])}, r"planes that this code makes, got \['moon'\] in 'old.npz'"),
    ({"plane_names": INPUTS[0]}, "expected the names of the planes"),
    ({"plane_names": list(INPUTS[1:])}, "shape"),
])
def test_other_formats_observations_and_planes_are_refused(change, message, path):
    """The version of the observation was written and never read, so weights of another one played nonsense."""
    with np.load(path) as file:
        stored = dict(file)
    card = dict(json.loads(stored["card"].tobytes().decode()), **change)
    np.savez(path, **dict(stored, card=np.frombuffer(json.dumps(card).encode(), np.uint8)))
    with pytest.raises(ModelMismatchError, match=message):
        load_weights(path.read_bytes(), "old.npz")


def test_a_card_without_names_means_all_planes_of_today(path):
    assert load_weights(path.read_bytes()).planes == INPUTS


def test_our_own_weights_name_planes_that_have_not_changed():
    """A plane with other numbers gets another name: under its old one it would spoil all weights that take it."""
    planes = load_weights(read_weight_file(default_weights("cnn"))).planes
    observations = list_golden_decisions(lambda state: state.action_space()[0], every=3, most=200)[0]
    encoded = encode_inputs(observations, compute_ahead_rows(observations), names=planes)
    assert encoded.dtype == np.float32 and hashlib.sha256(encoded.tobytes()).hexdigest()[:16] == "5dad4831b56928ed"


@pytest.mark.parametrize("precision", ["int8", "int16"])
def test_a_column_too_small_for_a_step_is_zero(precision):
    """Its step had been 1."""
    steps, scale = quantise(np.array([[0, 1e-9, 1], [0, -2e-9, 0.5]], np.float32), precision)
    assert scale.dtype == np.float16 and (scale[:2] == 0).all() and scale[2] > 0
    assert (steps[:, :2] == 0).all() and abs(steps[:, 2] * scale[2].astype(float) - (1, 0.5)).max() < 0.005
