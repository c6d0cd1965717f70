"""`network:FOLDER`: the network of a run of `train`, of any recipe, as a player."""

from functools import partial

import numpy as np
import torch

from ...network.forward import list_parts
from ...tactic.base import Evaluation, Tactic
from .training_loop import load_trained
from .recipe import mask_logits
from .stream import move


class NetworkTactic(Tactic):
    """Wins when it can, else takes the most probable legal action.

    weights: folder of the run. device: as torch names it; None for the GPU where there is one.
    """

    def __init__(self, weights, device=None):
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._recipe, network, _ = load_trained(weights)
        self._network = network.to(self._device)

    def evaluate(self, observations, masks):
        """Returns the Evaluation, without points: the logits by which an action is chosen.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        """
        return Evaluation(None, np.concatenate([self._compute_logits(observations[part], masks[part])
                                                for part in list_parts(len(observations), self._device)]))

    @torch.inference_mode()
    def _compute_logits(self, observations, masks):
        to_device = partial(move, device=self._device)
        facts = {name: to_device(array) for name, array in self._recipe.compute_facts(observations).items()}
        legal = to_device(masks)
        output = self._network(self._recipe.encode(to_device(observations), facts))
        return mask_logits(self._recipe.policy(output, legal), legal).cpu().numpy()
