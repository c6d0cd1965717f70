"""Checkpoints: folders with state.json and the tensors, replaced as a whole."""

import contextlib
import io
import os
import pickle
import shutil
import struct
from pathlib import Path

import torch

from ...mahjong.errors import MahjongError, ModelMismatchError
from ...network.planes import INPUTS
from ...observation.layout import VERSION
from ..run.files import read_json, write_json, write_whole

FORMAT = 1
_STATE, _TENSORS = "state.json", "tensors-%d.pt"  # the first checkpoints have several files of tensors
_MOST_BYTES = 1 << 32  # of a file of tensors
_FIGURES = ("samples", "samples_in_all", "seed", "epoch", "batch", "games", "iteration", "steps", "past", "parts")
_REALS = "minutes", "entropy_weight"
# Errors of torch and of readers of the state on anything but a checkpoint.
_MISFITS = (ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError,
            TypeError, ValueError, pickle.PickleError, struct.error)


def save_checkpoint(path, state, tensors):
    """Writes a checkpoint of a dict for JSON and {name: tensor}; replaces an older one. Raises MahjongError."""
    path = Path(path)
    unfinished, former = path.with_name(path.name + ".tmp"), _former(path)
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(parents=True)
    buffer = io.BytesIO()
    torch.save(tensors, buffer)
    write_whole(unfinished / (_TENSORS % 0), buffer.getvalue())
    write_json(unfinished / _STATE, dict(state, parts=1, **_versions()), sort_keys=True)
    if path.exists():
        shutil.rmtree(former, ignore_errors=True)
        os.replace(path, former)
    os.replace(unfinished, path)
    shutil.rmtree(former, ignore_errors=True)


@contextlib.contextmanager
def expect_checkpoint(path):
    """A context for what reads a checkpoint: errors of its content become ModelMismatchError, of one line."""
    try:
        yield
    except MahjongError:
        raise
    except _MISFITS as error:
        raise ModelMismatchError("expected a checkpoint, got %r: %s: %.300s" % (
            str(path), type(error).__name__, " ".join(str(error).split()))) from None


def load_checkpoint(path):
    """(state, {name: tensor on the processor}) of a checkpoint; read both inside expect_checkpoint.

    Raises ModelMismatchError: no checkpoint, one of another version, or weights that are not finite.
    """
    with expect_checkpoint(path):
        folder = _find_folder(Path(path))
        state = read_json(folder / _STATE)
        # The first checkpoints do not name their planes; they are those of today.
        wrong = [key for key, value in _versions().items() if state.get(key, list(INPUTS)) != value]
        if wrong:
            raise ModelMismatchError(
                "expected a checkpoint of today's %s, got another in %r: export its weights with the code that wrote "
                "it, `mj-bot train export FOLDER NEW.npz`, and start from that file" % (wrong[0], str(path)))
        for key in _FIGURES + _REALS:
            value = state.get(key, 0)
            if type(value) not in (int,) + (float,) * (key in _REALS) or not 0 <= value < 1 << 63:
                raise ValueError("expected a number from 0 on as %s, got %.80r" % (key, value))
        tensors = {}
        for number in range(state["parts"]):
            part = folder / (_TENSORS % number)
            if part.stat().st_size > _MOST_BYTES:
                raise ValueError("expected at most %d bytes, got more in %s" % (_MOST_BYTES, part.name))
            for name, tensor in torch.load(part, map_location="cpu", weights_only=True).items():
                if tensor.numel() * tensor.element_size() > _MOST_BYTES or not torch.isfinite(tensor).all():
                    raise ValueError("expected finite numbers, got others in %s" % name)
                tensors[name] = tensor
        return state, tensors


def _versions():
    return {"checkpoint_format": FORMAT, "view_version": VERSION, "plane_names": list(INPUTS)}


def has_checkpoint(path):
    """Whether there is a checkpoint, also after a kill while it was replaced."""
    return _find_folder(Path(path)).exists()


def pack(network, optimiser=None, prefix=""):
    """{name: tensor} of a network and of its optimiser's state, without the optimiser's settings."""
    tensors = {"%snetwork.%s" % (prefix, name): tensor for name, tensor in network.state_dict().items()}
    if optimiser is not None:
        tensors.update(("%soptimiser.%d.%s" % (prefix, number, name), torch.as_tensor(value))
                       for number, values in optimiser.state_dict()["state"].items() for name, value in values.items())
    return {name: tensor.detach().cpu().clone() for name, tensor in tensors.items()}


def unpack(tensors, network, optimiser=None, *, prefix=""):
    """Sets a network and its optimiser to tensors from pack."""
    network.load_state_dict(_take(tensors, prefix + "network."))
    if optimiser is not None:
        state, parameters = {}, [parameter for group in optimiser.param_groups for parameter in group["params"]]
        for name, tensor in _take(tensors, prefix + "optimiser.").items():
            number, key = name.split(".", 1)
            if tensor.shape != (() if key == "step" else parameters[int(number)].shape):
                raise ValueError("expected %s of the parameter's shape, got %r" % (name, tuple(tensor.shape)))
            state.setdefault(int(number), {})[key] = tensor
        if len(set(map(frozenset, state.values()))) > 1:
            raise ValueError("expected the same numbers for every parameter")
        optimiser.load_state_dict(dict(optimiser.state_dict(), state=state))


def _take(tensors, prefix):
    return {name[len(prefix):]: tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _find_folder(path):
    """The folder of a checkpoint; a kill while it was replaced leaves the older one under another name."""
    return path if path.exists() else _former(path)


def _former(path):
    return path.with_name(path.name + ".old")
