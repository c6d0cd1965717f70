"""The player `network:FOLDER`: what a run of `train` came to, whatever its recipe, as a tactic and as a batch form.

It wins when it can, else takes the most probable legal action.
"""

from pathlib import Path

import numpy as np
import torch

from ...mahjong.action import ACTION_COUNT, WIN_INDEX, decode_action, encode_action
from ...network.ops import TorchOps
from ...observation.encoder import encode_observation
from .checkpoint import load_checkpoint
from .loop import CHECKPOINT, load_trained
from .recipe import load_recipe, mask_logits
from .threads import share_processors

_MOST = 1024


class NetworkBatch(object):
    """weights: folder of a run. device: as torch names it; the GPU where there is one if None."""

    def __init__(self, weights, device=None):
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        state, _ = load_checkpoint(Path(weights) / CHECKPOINT)
        self._recipe = load_recipe(state["recipe"])
        self._network = load_trained(self._recipe, weights)[0].to(device)
        self._ops = TorchOps(device)
        share_processors()

    def __call__(self, observations, masks, games, seats):
        return self.choose(observations, masks)

    def choose(self, observations, masks):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235]."""
        parts = [self._choose(observations[start:start + _MOST], masks[start:start + _MOST])
                 for start in range(0, len(observations), _MOST)]
        return np.concatenate(parts)

    @torch.inference_mode()
    def _choose(self, observations, masks):
        facts = {name: self._ops.array(array) for name, array in self._recipe.find_facts(observations).items()}
        told = self._ops.array(masks)
        output = self._network(self._recipe.encode(self._ops.array(observations), facts, self._ops))
        actions = mask_logits(self._recipe.policy(output, told), told).argmax(1).cpu().numpy()
        return np.where(masks[:, WIN_INDEX], WIN_INDEX, actions).astype(np.int16)


class NetworkTactic(object):
    """The same for one decision at a time; options as of NetworkBatch."""

    def __init__(self, weights, device=None):
        self._batch = NetworkBatch(weights, device)
        self.reasons = ""

    def __call__(self, game_state):
        by_indices = {encode_action(action, game_state.last_tile): action for action in game_state.action_space()}
        first = self._choose(encode_observation(game_state), {indices[0] for indices in by_indices})
        if (first,) in by_indices:
            return by_indices[first,]
        claim = decode_action(first, discard=next(indices[1] for indices in by_indices if indices[0] == first))
        discards = {indices[1] for indices in by_indices if indices[0] == first}
        return by_indices[first, self._choose(encode_observation(game_state, claim), discards)]

    def _choose(self, observation, legal):
        mask = np.zeros(ACTION_COUNT, bool)
        mask[list(legal)] = True
        return int(self._batch.choose(observation[None], mask[None])[0])
