"""Averages the weights of the networks of several runs."""

from collections.abc import Sequence

import torch

from ...mahjong.errors import MahjongError
from ...network.weights import read_stored
from ...tactic import read_weight_file
from .checkpoint import expect_checkpoint
from .exported import import_network
from .network import TileNetwork
from .training_loop import load_trained


def load_mean(paths: Sequence[str]) -> tuple[TileNetwork, dict]:
    """Returns (TileNetwork with the mean of the weights, card of the last network).

    paths: folders of runs or weight files. Their networks must have one size.
    Raises MahjongError: the networks have different sizes, or one of them is not a TileNetwork.
    """
    mean = None
    for count, path in enumerate(paths, 1):
        network, card = _load_network(path)
        if mean is None:
            mean = network.requires_grad_(False)
        elif network.config != mean.config:
            raise MahjongError("expected networks of one size, got %r in %r and %r in %r", mean.config, paths[0],
                               network.config, path)
        with torch.no_grad():
            for total, tensor in zip(mean.parameters(), network.parameters()):
                total.lerp_(tensor, 1 / count)
    return mean, dict(card, mean_of=len(paths)) if len(paths) > 1 else card


def _load_network(path):
    """Returns (TileNetwork, card that says how it was made) of a run's folder or a weight file."""
    if path.endswith(".npz"):
        data = read_weight_file(path)
        card, _ = read_stored(data, path)
        # The agreement was measured on that file, and does not hold for a file that is exported later.
        return import_network(data, path), {key: value for key, value in card.items() if key != "agreement"}
    _, network, state = load_trained(path)
    if not isinstance(network, TileNetwork):
        raise MahjongError("expected a recipe whose network ships, ours or small, got a run of %r", state["recipe"])
    with expect_checkpoint(path):
        return network, {key: state[key] for key in (
            "recipe", "schedule", "samples", "samples_in_all", "data", "seed", "commit", "changed")}
