"""Networks for other programs: safetensors, which holds the weights, and ONNX, which can be run without mj_bot.

Both take the planes of network/planes.py, float32[B, planes, 34], and hold the card as JSON in their metadata, under
the key "mj_bot": its `plane_names` lists the planes, its `outputs` describes what the network returns.
"""

import inspect
import io
import json
import struct
import warnings

import torch

from ...mahjong.action import ACTION_COUNT
from ...mahjong.tile import TILE_COUNT
from ...network.forward import OUTCOMES, SCORE_UNIT
from ...network.planes import INPUTS
from ..run.files import format_json, write_whole

_METADATA = "mj_bot"
NETWORK_OUTPUTS = {
    "policy": "real[B, %d], logits of the actions of mj_bot/mahjong/action.py; mask the illegal ones" % ACTION_COUNT,
    "score": "real[B], final points of the seat, in units of %g" % SCORE_UNIT,
    "outcome": "real[B, %d], logits of: %s" % (len(OUTCOMES), ", ".join(OUTCOMES)),
    "fan": "real[B], binary logarithm of fan / 8 of a win of the seat",
}


def write_safetensors(network, path, card):
    """Writes the weights of a TileNetwork, in float32 under the names and in the shapes of torch.

    card: dict of further facts. The form has a header of JSON, its length before it, and the tensors behind it:
    https://github.com/huggingface/safetensors. Raises MahjongError: the file cannot be written.
    """
    header, parts, end = {"__metadata__": {_METADATA: _format_card(network, card)}}, [], 0
    for name, tensor in network.state_dict().items():
        data = tensor.detach().float().cpu().contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [end, end + len(data)]}
        parts.append(data)
        end += len(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # the tensors begin at a multiple of 8
    write_whole(path, b"".join([struct.pack("<Q", len(text)), text, *parts]))


def write_onnx(network, path, card):
    """Writes a TileNetwork as an ONNX graph: the input `planes`, the outputs of NETWORK_OUTPUTS, any number of rows.

    card: dict of further facts. Raises MahjongError: the file cannot be written. ModuleNotFoundError: no onnx.
    """
    import onnx

    file = io.BytesIO()
    planes = torch.zeros(2, network.config["planes"], TILE_COUNT)
    # The exporter that needs no other package; releases of torch before it was renamed have no such option.
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
    return format_json(dict(card, plane_names=list(INPUTS), outputs=NETWORK_OUTPUTS, **network.config))


# By the ending of a file's name; weight files of the tactic cnn have .npz.
EXCHANGE_WRITERS = {"safetensors": write_safetensors, "onnx": write_onnx}
