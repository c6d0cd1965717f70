"""Writes and reads checkpoints of runs.

A checkpoint is one file of torch. It has a dict of plain values, the state, and a dict of tensors. A new checkpoint
replaces the former one as a whole.
"""

import contextlib
import io
import os
import pickle
import struct
from collections.abc import Iterator
from pathlib import Path

import torch

from ...mahjong.errors import MahjongError, ModelMismatchError
from ...network.planes import INPUTS
from ...observation.layout import OBSERVATION_VERSION
from ..run.files import format_json, parse_json, write_whole

CHECKPOINT = "checkpoint.pt"  # name of the file in the folder of a run
_CHECKPOINT_FORMAT = 2
_MOST_BYTES = 1 << 32
# Errors that torch and the readers of the state raise when a file is no checkpoint.
_MISFITS = (ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, MemoryError, OSError, RuntimeError,
            TypeError, ValueError, pickle.PickleError, struct.error)


def save_checkpoint(folder: str | Path, state: dict, tensors: dict[str, torch.Tensor]) -> None:
    """Writes the checkpoint of a run. state: dict that JSON can express. tensors: {name: tensor}, as `pack` makes them.

    Raises MahjongError: the file cannot be written.
    """
    buffer = io.BytesIO()
    # The reader accepts plain values only, and torch.__version__ is a text of a class of its own. JSON makes it plain.
    state = parse_json(format_json(dict(state, **_versions())))
    torch.save({"state": state, "tensors": tensors}, buffer)
    write_whole(Path(folder) / CHECKPOINT, buffer.getvalue())


@contextlib.contextmanager
def expect_checkpoint(path: str | Path) -> Iterator[None]:
    """Turns errors of the code in its `with` block into a ModelMismatchError of one line.

    The block reads a checkpoint or uses its content. A MahjongError passes unchanged.
    path: file or folder that the message names.
    """
    try:
        yield
    except MahjongError:
        raise
    except _MISFITS as error:
        raise ModelMismatchError("expected a checkpoint, got %r: %s: %.300s", str(path), type(error).__name__,
                                 " ".join(str(error).split())) from None


def load_checkpoint(folder: str | Path) -> tuple[dict, dict[str, torch.Tensor]]:
    """Returns (state, {name: tensor on the processor}) of the checkpoint of a run.

    Callers use both inside `expect_checkpoint`, because a value may still be missing or misplaced.
    folder: folder of the run.
    Raises ModelMismatchError: there is no checkpoint, it is of another version, or its numbers are not finite.
    """
    path = Path(folder) / CHECKPOINT
    with expect_checkpoint(path):
        if os.path.getsize(path) > _MOST_BYTES:
            raise ValueError("expected at most %d bytes, got more" % _MOST_BYTES)
        data = torch.load(path, map_location="cpu", weights_only=True)
        state, tensors = data["state"], data["tensors"]
        if "view_version" in state:  # its former name
            state["observation_version"] = state.pop("view_version")
        wrong = [key for key, value in _versions().items() if state.get(key) != value]
        if wrong:
            raise ModelMismatchError(
                "expected a checkpoint of today's %s, got another in %s: export its weights with the code that wrote "
                "it, `mj-bot train export FOLDER -o NEW.npz`, and start from that file", wrong[0], path)
        for name, tensor in tensors.items():
            if tensor.numel() * tensor.element_size() > _MOST_BYTES or not torch.isfinite(tensor).all():
                raise ValueError("expected finite numbers, got others in %s" % name)
        return state, tensors


def _versions():
    """Returns the entries of the state that must equal those of this version of the project."""
    return {"checkpoint_format": _CHECKPOINT_FORMAT, "observation_version": OBSERVATION_VERSION,
            "plane_names": list(INPUTS)}


def has_checkpoint(folder: str | Path) -> bool:
    """Checks whether the folder of a run has a checkpoint."""
    return (Path(folder) / CHECKPOINT).exists()


def pack(
        network: torch.nn.Module, optimiser: torch.optim.Optimizer | None = None,
        prefix: str = "") -> dict[str, torch.Tensor]:
    """Returns copies on the processor of the tensors of a network and its optimiser, {name with the prefix: tensor}.

    The optimiser's settings, such as its learning rate, are not among them.
    """
    tensors = {"%snetwork.%s" % (prefix, name): tensor for name, tensor in network.state_dict().items()}
    if optimiser is not None:
        tensors.update(("%soptimiser.%d.%s" % (prefix, index, name), torch.as_tensor(value))
                       for index, values in optimiser.state_dict()["state"].items() for name, value in values.items())
    return {name: tensor.detach().cpu().clone() for name, tensor in tensors.items()}


def unpack(
        tensors: dict[str, torch.Tensor], network: torch.nn.Module, optimiser: torch.optim.Optimizer | None = None, *,
        prefix: str = "") -> None:
    """Sets a network and its optimiser to tensors that `pack` made.

    tensors: {name: tensor}; names with another prefix are ignored. optimiser: None to set the network alone.
    prefix: text before each name, as it was given to `pack`.
    Raises ValueError or RuntimeError: a tensor is missing or has another shape.
    """
    network.load_state_dict(_take(tensors, prefix + "network."))
    if optimiser is not None:
        state, parameters = {}, [parameter for group in optimiser.param_groups for parameter in group["params"]]
        for name, tensor in _take(tensors, prefix + "optimiser.").items():
            index, key = name.split(".", 1)
            if tensor.shape != (() if key == "step" else parameters[int(index)].shape):
                raise ValueError("expected %s of the parameter's shape, got %r" % (name, tuple(tensor.shape)))
            state.setdefault(int(index), {})[key] = tensor
        if len(set(map(frozenset, state.values()))) > 1:
            raise ValueError("expected the same numbers for every parameter")
        optimiser.load_state_dict(dict(optimiser.state_dict(), state=state))


def _take(tensors, prefix):
    """Returns the tensors whose names begin with a prefix, under their names without it."""
    return {name[len(prefix):]: tensor for name, tensor in tensors.items() if name.startswith(prefix)}
