"""`network:FOLDER`: the network of a run of `train`, of any recipe, as a player."""

import numpy as np
import torch

from ...mahjong.action import WIN_INDEX
from ...network.ops import TorchOps, list_parts
from ...tactic.base import Tactic
from .loop import load_trained
from .recipe import mask_logits


class NetworkTactic(Tactic):
    """Wins when it can, else takes the most probable legal action.

    weights: folder of the run. device: as torch names it; None for the GPU where there is one.
    """

    def __init__(self, weights, device=None):
        self._ops = TorchOps(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._recipe, network, _ = load_trained(weights)
        self._network = network.to(self._ops.device)

    def choose(self, observations, masks):
        return np.concatenate([self._choose(observations[part], masks[part])
                               for part in list_parts(len(observations), self._ops)])

    @torch.inference_mode()
    def _choose(self, observations, masks):
        facts = {name: self._ops.array(array) for name, array in self._recipe.compute_facts(observations).items()}
        legal = self._ops.array(masks)
        output = self._network(self._recipe.encode(self._ops.array(observations), facts, self._ops))
        actions = mask_logits(self._recipe.policy(output, legal), legal).argmax(1).cpu().numpy()
        return np.where(masks[:, WIN_INDEX], WIN_INDEX, actions)
