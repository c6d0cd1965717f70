"""Plays with the network of a run of `train`, of any recipe; its name as a player is `network:FOLDER`."""

from functools import partial

import numpy as np
import torch

from ...network.forward import list_batches
from ...tactic.base import Evaluation, Tactic
from .recipe import mask_logits
from .stream import move
from .training_loop import load_trained


class NetworkTactic(Tactic):
    """Chooses the most probable legal action, and wins where it can.

    weights: folder of the run. device: name for torch; None chooses the GPU where there is one.
    """

    def __init__(self, weights: str, device: str | None = None):
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._recipe, network, _ = load_trained(weights)
        self._network = network.to(self._device)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> Evaluation:
        """Returns the Evaluation, without points. Its preference has the logits of the legal actions."""
        return Evaluation(None, np.concatenate([self._compute_logits(observations[rows], masks[rows])
                                                for rows in list_batches(len(observations), self._device)]))

    @torch.inference_mode()
    def _compute_logits(self, observations, masks):
        """Returns logits of the actions, float32[M, 235], minus infinity for illegal ones."""
        to_device = partial(move, device=self._device)
        extras = {name: to_device(array) for name, array in self._recipe.compute_extras(observations).items()}
        legal = to_device(masks)
        output = self._network(self._recipe.encode(to_device(observations), extras))
        return mask_logits(self._recipe.policy(output, legal), legal).cpu().numpy()
