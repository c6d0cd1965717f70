"""Checkpoints: one file of torch, replaced as a whole, with a dict of plain values and a dict of tensors."""

import contextlib
import io
import os
import pickle
import struct
from pathlib import Path

import torch

from ...mahjong.errors import MahjongError, ModelMismatchError
from ...network.planes import INPUTS
from ...observation.layout import OBSERVATION_VERSION
from ..run.files import format_json, parse_json, write_whole

CHECKPOINT = "checkpoint.pt"  # its name in the folder of a run
_CHECKPOINT_FORMAT = 2
_FORMER = "checkpoint", "checkpoint.old"  # folders of format 1
_MOST_BYTES = 1 << 32
_FIGURES = ("samples", "samples_in_all", "seed", "epoch", "batch", "games", "iteration", "steps", "past")
_REALS = "minutes", "entropy_weight"
# Errors of torch and of readers of the state on anything but a checkpoint.
_MISFITS = (ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError,
            TypeError, ValueError, pickle.PickleError, struct.error)


def save_checkpoint(folder, state, tensors):
    """Writes the checkpoint of a run: a dict for JSON and {name: tensor}. Raises MahjongError."""
    buffer = io.BytesIO()
    # Plain values alone are read back: torch.__version__ is a text of a class of its own.
    state = parse_json(format_json(dict(state, **_versions())))
    torch.save({"state": state, "tensors": tensors}, buffer)
    write_whole(Path(folder) / CHECKPOINT, buffer.getvalue())


@contextlib.contextmanager
def expect_checkpoint(path):
    """Returns a context that reads a checkpoint; errors of its content become ModelMismatchError, of one line."""
    try:
        yield
    except MahjongError:
        raise
    except _MISFITS as error:
        raise ModelMismatchError("expected a checkpoint, got %r: %s: %.300s" % (
            str(path), type(error).__name__, " ".join(str(error).split()))) from None


def load_checkpoint(folder):
    """Returns (state, {name: tensor on the processor}) of the checkpoint of a run; read both inside expect_checkpoint.

    Raises ModelMismatchError: no checkpoint, one of another version, or weights that are not finite.
    """
    path = Path(folder) / CHECKPOINT
    refuse_former(folder)
    with expect_checkpoint(path):
        if os.path.getsize(path) > _MOST_BYTES:
            raise ValueError("expected at most %d bytes, got more" % _MOST_BYTES)
        data = torch.load(path, map_location="cpu", weights_only=True)
        state, tensors = data["state"], data["tensors"]
        wrong = [key for key, value in _versions().items() if state.get(key) != value]
        if wrong:
            raise ModelMismatchError(
                "expected a checkpoint of today's %s, got another in %s: export its weights with the code that wrote "
                "it, `mj-bot train export FOLDER -o NEW.npz`, and start from that file" % (wrong[0], path))
        for key in _FIGURES + _REALS:
            value = state.get(key, 0)
            if type(value) not in (int,) + (float,) * (key in _REALS) or not 0 <= value < 1 << 63:
                raise ValueError("expected a number from 0 on as %s, got %.80r" % (key, value))
        for name, tensor in tensors.items():
            if tensor.numel() * tensor.element_size() > _MOST_BYTES or not torch.isfinite(tensor).all():
                raise ValueError("expected finite numbers, got others in %s" % name)
        return state, tensors


def _versions():
    return {"checkpoint_format": _CHECKPOINT_FORMAT, "view_version": OBSERVATION_VERSION, "plane_names": list(INPUTS)}


def refuse_former(folder):
    """Raises ModelMismatchError: the folder of a run has a checkpoint in the form of version 1.0."""
    for name in _FORMER:
        if (Path(folder) / name).is_dir():
            raise ModelMismatchError(
                "expected a run of this version, got one of version 1.0 in %s: that version continues it, and its "
                "`mj-bot train export` writes a weight file to start from" % folder)


def has_checkpoint(folder):
    """Checks whether a run has a checkpoint. Raises ModelMismatchError: one in the form of version 1.0."""
    refuse_former(folder)
    return (Path(folder) / CHECKPOINT).exists()


def pack(network, optimiser=None, prefix=""):
    """Returns {name: tensor} of a network and of its optimiser's state, without the optimiser's settings."""
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
