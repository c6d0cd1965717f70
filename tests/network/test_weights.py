"""Weight files: what is written is read, and what does not belong to this code is refused."""

import io
import json

import numpy as np
import pytest

from mj_bot.mahjong.errors import ModelMismatchError
from mj_bot.network.weights import find_weights, load_weights, quantise, write_weights


@pytest.fixture
def path(tmp_path):
    """A weight file of one matrix and its bias."""
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(3, 3, 2, 5)).astype(np.float32)
    matrix[..., 4] = 0
    values, scale = quantise(matrix)
    write_weights(str(tmp_path / "a.npz"), {"blocks": 1, "note": "of a test"},
                  {"stem.weight": values, "stem.scale": scale, "stem.bias": np.arange(5, dtype=np.float32)})
    return tmp_path / "a.npz"


def test_what_is_written_is_read(path):
    weights = load_weights(path.read_bytes())
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(3, 3, 2, 5)).reshape(18, 5)
    matrix[:, 4] = 0
    assert sorted(weights.arrays) == ["stem.bias", "stem.weight"] and weights.blocks == 1
    assert weights.arrays["stem.weight"].dtype == np.float32
    # Of each column of each of the nine matrices.
    steps = np.repeat(abs(matrix.reshape(9, 2, 5)).max(axis=1), 2, axis=0) / 127
    assert (abs(weights.arrays["stem.weight"] - matrix) <= steps / 2 + 1e-6).all()
    assert weights.card == json.loads((path.parent / "a.json").read_text())


def test_same_weights_same_bytes(path, tmp_path):
    card, first = load_weights(path.read_bytes()).card, path.read_bytes()
    with np.load(str(path)) as file:
        write_weights(str(tmp_path / "b.npz"), card, {key: file[key] for key in file.files if key != "card"})
    assert (tmp_path / "b.npz").read_bytes() == first


@pytest.mark.parametrize("key", ["format", "view_version", "planes_version"])
def test_another_version_is_refused_with_the_command_that_converts(path, key):
    data = rewrite(path, lambda card: card.update({key: 77}))
    with pytest.raises(ModelMismatchError) as raised:
        load_weights(data, "old.npz")
    assert "%s 77" % key in str(raised.value)
    assert "in 'old.npz'; `python3 -m mj_bot.lab train convert old.npz NEW.npz`" in str(raised.value)


def rewrite(path, change):
    with np.load(str(path)) as file:
        stored = {key: file[key] for key in file.files}
    card = json.loads(stored["card"].tobytes().decode())
    change(card)
    stored["card"] = np.frombuffer(json.dumps(card).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **stored)
    return buffer.getvalue()


def save(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 and no more", b"no archive", save(a=np.zeros(3)),
                                  save(card=np.frombuffer(b"{", np.uint8))])
def test_what_is_no_weight_file(data):
    with pytest.raises(ModelMismatchError, match="expected a weight file, .npz with a card, got 'x.npz'"):
        load_weights(data, "x.npz")


def test_a_network_that_needs_advice_is_refused(path):
    data = rewrite(path, lambda card: card.update(is_advised=True))
    with pytest.raises(ModelMismatchError, match="needs no advice of a tactic, got 'old.npz'; train again"):
        load_weights(data, "old.npz")


def test_a_file_that_is_not_there():
    with pytest.raises(ModelMismatchError, match="expected a weight file, got 'nowhere.npz'"):
        find_weights("nowhere.npz")
