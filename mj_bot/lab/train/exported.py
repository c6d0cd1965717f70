"""Trained networks to weight files, and weight files back to networks."""

import numpy as np
import torch

from ...mahjong.errors import ModelMismatchError
from ...network.planes import PLANES
from ...network.weights import load_weights, quantise, read_stored, versions, write_weights
from .network import TileNetwork, fold

PRECISIONS = ("int8", "float16", "float32")


def export_network(network, path, card, precision="int8"):
    """Writes a TileNetwork as a weight file with its card, path ending in .npz.

    card: dict of what else the card shall say. precision: of the matrices, one of PRECISIONS.
    """
    stored = {}
    for name, tensor in fold(network).state_dict().items():
        array = tensor.detach().float().cpu().numpy()
        name = name.replace(".conv.", ".")
        if name.endswith(".bias"):
            stored[name] = array
            continue
        array = array.transpose(2, 3, 1, 0) if array.ndim == 4 else array.T
        if precision == "int8":
            stored[name], stored[name[:-len("weight")] + "scale"] = quantise(array)
        else:
            stored[name] = array.astype(precision)
    card = dict(card, precision=precision, plane_names=list(PLANES), **network.config)
    write_weights(path, card, stored)


def import_network(data, name=""):
    """The folded TileNetwork of the bytes of a weight file.

    Raises ModelMismatchError: as network.weights.load_weights.
    """
    weights = load_weights(data, name)
    card = weights.card
    network = TileNetwork(card["channels"], card["blocks"], card["planes"], is_folded=True)
    state = {}
    for key, tensor in network.state_dict().items():
        array = weights.arrays[key.replace(".conv.", ".")]
        if tensor.ndim == 4:
            array = array.reshape(3, 3, tensor.shape[1], tensor.shape[0]).transpose(3, 2, 0, 1)
        elif tensor.ndim == 2:
            array = array.T
        state[key] = torch.from_numpy(np.ascontiguousarray(array))
    network.load_state_dict(state)
    return network.eval()


def convert_weights(data, path, name=""):
    """Writes weights of other planes as weights of today's.

    Planes are matched by name; new ones get weights of 0, so that the network answers as before.
    Raises ModelMismatchError: planes that it looks at are gone, or another format or view.
    """
    card, stored = read_stored(data, name)
    today = versions()
    for key in ("format", "view_version"):
        if card.get(key) != today[key]:
            raise ModelMismatchError("expected weights of %s %d, got %s in %r: nothing converts these; train again"
                                     % (key, today[key], card.get(key), name))
    gone = [plane for plane in card["plane_names"] if plane not in PLANES]
    if gone:
        raise ModelMismatchError("expected planes that are still made, got %s in %r: train again"
                                 % (", ".join(map(repr, gone)), name))
    old = stored["stem.weight"]
    new = np.zeros((3, 3, len(PLANES), old.shape[-1]), old.dtype)
    new[:, :, [PLANES.index(plane) for plane in card["plane_names"]]] = old
    stored["stem.weight"] = new
    write_weights(path, dict(card, planes=len(PLANES), plane_names=list(PLANES)), stored)
