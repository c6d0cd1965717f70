"""Networks as safetensors and as ONNX: the same weights, the same answers, the card in the file."""

import json
import sys

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: training is not tested; `make train` installs it")

from safetensors import safe_open

from mj_bot.lab.__main__ import main
from mj_bot.lab.train.exported import export_network, import_network
from mj_bot.lab.train.network import TileNetwork
from mj_bot.network.planes import INPUTS
from mj_bot.tactic import read_weight_file


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    """Returns a small network and its weight file, which has zeros for weights of tiles that are none."""
    torch.manual_seed(3)
    path = str(tmp_path_factory.mktemp("weights") / "small.npz")
    export_network(TileNetwork(8, 2), path, {"recipe": "small"}, precision="float32")
    return import_network(read_weight_file(path)), path


def test_safetensors(network, tmp_path):
    network, weights = network
    path = str(tmp_path / "small.safetensors")
    assert main(["train", "export", weights, "-o", path]) == 0
    other = TileNetwork(8, 2)
    with safe_open(path, "pt") as file:
        card = json.loads(file.metadata()["mj_bot"])
        other.load_state_dict({name: file.get_tensor(name) for name in file.keys()})
    assert card["recipe"] == "small" and card["plane_names"] == list(INPUTS) and card["channels"] == 8
    for name, tensor in other.state_dict().items():
        assert tensor.dtype == torch.float32 and torch.allclose(tensor, network.state_dict()[name], atol=1e-6)


def test_onnx_answers_as_the_network(network, tmp_path):
    onnx = pytest.importorskip("onnx", reason="no onnx: expected the extra onnx")
    runtime = pytest.importorskip("onnxruntime", reason="no onnxruntime")
    network, weights = network
    path = str(tmp_path / "small.onnx")
    assert main(["train", "export", weights, "-o", path]) == 0
    planes = torch.randn(5, network.config["planes"], 34)
    answer = runtime.InferenceSession(path).run(None, {"planes": planes.numpy()})
    with torch.inference_mode():
        for ours, theirs in zip(network(planes), answer, strict=True):
            assert np.allclose(ours.numpy(), theirs, atol=1e-4)
    card = json.loads({entry.key: entry.value for entry in onnx.load(path).metadata_props}["mj_bot"])
    assert card["recipe"] == "small" and list(card["outputs"]) == ["policy", "score", "outcome", "fan"]


@pytest.mark.parametrize("words, message", [
    (["-o", "a.pt"], "expected a file name that ends in .npz, .safetensors or .onnx, got 'a.pt'"),
    (["-o", "a.npz", "--precision", "int4"], "expected a precision, one of int8, int16, float16, float32, got 'int4'"),
    (["-o", "a.safetensors", "--precision", "int8"], "expected a precision, one of float32, got 'int8'")])
def test_other_names_are_refused(network, words, message, capsys):
    assert main(["train", "export", network[1], *words]) == 2
    assert message in capsys.readouterr().err


def test_onnx_without_its_package_is_a_line(network, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert main(["train", "export", network[1], "-o", str(tmp_path / "small.onnx")]) == 2
    assert "train: expected the package onnx, which is not installed; run" in capsys.readouterr().err
