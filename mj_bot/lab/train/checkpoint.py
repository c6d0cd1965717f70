"""Checkpoints: a folder with state.json and the tensors in files of at most MOST_BYTES, moved into place when whole."""

import json
import os
import shutil
from pathlib import Path

import torch

from ...mahjong.errors import ModelMismatchError
from ...network.weights import versions

FORMAT = 1
MOST_BYTES = 12 << 20
_STATE = "state.json"


def save_checkpoint(path, state, tensors):
    """Writes a checkpoint in the place of an older one.

    path: folder. state: dict for JSON. tensors: {name: tensor}, each smaller than MOST_BYTES.
    """
    path = Path(path)
    unfinished, former = path.with_name(path.name + ".tmp"), path.with_name(path.name + ".old")
    for folder in (unfinished, former):
        shutil.rmtree(folder, ignore_errors=True)
    unfinished.mkdir(parents=True)
    parts = _share_out(tensors)
    for number, part in enumerate(parts):
        torch.save(part, unfinished / ("tensors-%d.pt" % number))
    state = dict(state, checkpoint_format=FORMAT, parts=len(parts), **versions())
    (unfinished / _STATE).write_text(json.dumps(state, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    if path.exists():
        os.replace(path, former)
    os.replace(unfinished, path)
    shutil.rmtree(former, ignore_errors=True)


def load_checkpoint(path):
    """(state, {name: tensor on the processor}) of a checkpoint.

    Raises ModelMismatchError: none there, or one of another version.
    """
    path = Path(path)
    former = path.with_name(path.name + ".old")
    folder = path if path.exists() else former
    try:
        state = json.loads((folder / _STATE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelMismatchError("expected a checkpoint, got %r: %s" % (str(path), error)) from None
    expected = dict(versions(), checkpoint_format=FORMAT)
    found = {key: state.get(key) for key in expected}
    if found != expected:
        raise ModelMismatchError(
            "expected a checkpoint of %r, got %r in %r: export its weights with the code that wrote it and convert "
            "them with `python3 -m mj_bot.lab train convert OLD.npz NEW.npz`" % (expected, found, str(path)))
    tensors = {}
    for number in range(state["parts"]):
        tensors.update(torch.load(folder / ("tensors-%d.pt" % number), map_location="cpu", weights_only=True))
    return state, tensors


def has_checkpoint(path):
    """Whether there is one, also after a kill in the moment of replacing it."""
    path = Path(path)
    return path.exists() or path.with_name(path.name + ".old").exists()


def pack_network(network):
    """{name: tensor} of a network."""
    return {"network." + name: tensor.detach().cpu().clone() for name, tensor in network.state_dict().items()}


def unpack_network(network, tensors):
    """Sets a network from pack_network."""
    network.load_state_dict({name[len("network."):]: tensor for name, tensor in tensors.items()
                             if name.startswith("network.")})


def pack_optimiser(optimiser):
    """{name: tensor} of an optimiser; its settings come from the recipe."""
    return {"optimiser.%d.%s" % (number, name): torch.as_tensor(value).detach().cpu().clone()
            for number, values in optimiser.state_dict()["state"].items() for name, value in values.items()}


def unpack_optimiser(optimiser, tensors):
    """Sets an optimiser from pack_optimiser."""
    state = {}
    for name, tensor in tensors.items():
        if name.startswith("optimiser."):
            _, number, key = name.split(".", 2)
            state.setdefault(int(number), {})[key] = tensor
    optimiser.load_state_dict(dict(optimiser.state_dict(), state=state))


def _share_out(tensors):
    parts, size = [{}], 0
    for name, tensor in tensors.items():
        if size + tensor.nbytes > MOST_BYTES and parts[-1]:
            parts.append({})
            size = 0
        parts[-1][name] = tensor
        size += tensor.nbytes
    return parts
