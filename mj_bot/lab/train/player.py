"""Trained networks as players: `cnn` with torch, and `network:FOLDER`, a run of `train` of any recipe.

They win when they can, else take the most probable legal action. `cnn` computes in bfloat16 on a GPU, where two nearly
equal actions may change places.
"""

import multiprocessing

import numpy as np
import torch

from ...mahjong.action import WIN_INDEX
from ...network.ops import TorchOps
from ...network.weights import find_weights
from ...tactic import default_weights
from ...tactic.base import Tactic
from .exported import import_network
from .loop import load_trained
from .recipe import mask_logits
from .recipes.ours import Ours


class NetworkPlayer(Tactic):
    """Takes what a recipe's network chooses.

    network: in evaluation mode. device: as torch names it; None for the GPU where there is one. gpu_precision: of the
    numbers on a GPU. at_once: positions; more take memory and gain nothing.
    """

    def __init__(self, recipe, network, device=None, *, gpu_precision="float32", at_once=1024):
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        precision = gpu_precision if device.startswith("cuda") else "float32"
        self._recipe = recipe
        self._ops = TorchOps(device, precision)
        self._network = network.to(device, getattr(torch, precision))
        self._at_once = at_once
        if multiprocessing.parent_process() is not None:
            # One of many workers, which share the processors; threads of torch would wait for each other.
            torch.set_num_threads(1)

    def choose(self, observations, masks):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235]."""
        parts = [self._choose(observations[start:start + self._at_once], masks[start:start + self._at_once])
                 for start in range(0, len(observations), self._at_once)]
        return np.concatenate(parts)

    @torch.inference_mode()
    def _choose(self, observations, masks):
        facts = {name: self._ops.array(array) for name, array in self._recipe.find_facts(observations).items()}
        legal = self._ops.array(masks)
        output = self._network(self._recipe.encode(self._ops.array(observations), facts, self._ops))
        actions = mask_logits(self._recipe.policy(output, legal), legal).argmax(1).cpu().numpy()
        return np.where(masks[:, WIN_INDEX], WIN_INDEX, actions).astype(np.int16)


class CNNPlayer(NetworkPlayer):
    """Plays as CNNTactic. weights: as of CNNTactic; torch: it computes with torch in any case."""

    def __init__(self, weights=None, torch=1):
        name = weights or default_weights("cnn")
        super().__init__(Ours(), import_network(find_weights(name), name), gpu_precision="bfloat16", at_once=8192)


class NetworkTactic(NetworkPlayer):
    """The network of a run. weights: its folder. device: as of NetworkPlayer."""

    def __init__(self, weights, device=None):
        recipe, network, _ = load_trained(weights)
        super().__init__(recipe, network, device)
