"""Writes networks for other programs: as safetensors, which has the weights, and as ONNX, which runs without mj_bot.

Both take the planes that network/planes.py lists, float32[B, planes, 34]. Both have the card as JSON in their metadata,
under the key "mj_bot". The card's `plane_names` lists the planes, and its `outputs` describes what the network returns.
"""

import inspect
import io
import warnings
from pathlib import Path

import torch

from ...mahjong.action import ACTION_COUNT
from ...mahjong.tile import TILE_COUNT
from ...network.forward import OUTCOMES, SCORE_UNIT
from ...network.planes import INPUTS
from ..run.files import format_json, write_whole
from .network import TileNetwork

_METADATA = "mj_bot"
NETWORK_OUTPUTS = {
    "policy": "real[B, %d], logits of the actions of mj_bot/mahjong/action.py; mask the illegal ones" % ACTION_COUNT,
    "score": "real[B], final points of the seat, in units of %g" % SCORE_UNIT,
    "outcome": "real[B, %d], logits of: %s" % (len(OUTCOMES), ", ".join(OUTCOMES)),
    "fan": "real[B], binary logarithm of fan / 8 of a win of the seat",
}


def write_safetensors(network: TileNetwork, path: str | Path, card: dict) -> None:
    """Writes the weights of a TileNetwork, in float32 and with torch's names and shapes.

    Raises MahjongError: the file cannot be written. ModuleNotFoundError: the package safetensors is not installed.
    """
    from safetensors.torch import save

    tensors = {name: tensor.detach().float().cpu().contiguous() for name, tensor in network.state_dict().items()}
    write_whole(path, save(tensors, {_METADATA: _format_card(network, card)}))


def write_onnx(network: TileNetwork, path: str | Path, card: dict) -> None:
    """Writes a TileNetwork as an ONNX graph.

    The graph has the input `planes` and the outputs that NETWORK_OUTPUTS describes, for any number of rows.
    network: TileNetwork. path: file to write. card: dict of further facts for the metadata.
    Raises MahjongError: the file cannot be written. ModuleNotFoundError: the package onnx is not installed.
    """
    import onnx

    file = io.BytesIO()
    planes = torch.zeros(2, network.config["planes"], TILE_COUNT)
    # dynamo=False chooses the exporter that needs no other package. Older releases of torch have no other exporter.
    options = {"dynamo": False} if "dynamo" in inspect.signature(torch.onnx.export).parameters else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(network.cpu().float().eval(), (planes,), file, input_names=["planes"],
                          output_names=list(NETWORK_OUTPUTS),
                          dynamic_axes={name: {0: "batch"} for name in ("planes", *NETWORK_OUTPUTS)}, **options)
    model = onnx.load_from_string(file.getvalue())
    onnx.helper.set_model_props(model, {_METADATA: _format_card(network, card)})
    write_whole(path, model.SerializeToString())


def _format_card(network, card):
    """Returns the card as JSON, with the names of the planes, the description of the outputs and the network's size."""
    return format_json(dict(card, plane_names=list(INPUTS), outputs=NETWORK_OUTPUTS, **network.config))


# {ending of the file's name: function that writes such a file}. The ending .npz is that of weight files of `cnn`.
EXCHANGE_WRITERS = {"safetensors": write_safetensors, "onnx": write_onnx}
