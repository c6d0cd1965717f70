"""The batch form of mj_bot/tactic/cnn.py, with torch: on a GPU in bfloat16 where there is one, else in float32.

On a GPU two actions that are nearly equal may change places.
"""

import torch

from ...mahjong.action import WIN_INDEX
from ...network.ops import TorchOps
from ...network.planes import encode_planes
from ...network.weights import find_weights
from ...tactic import default_weights
from ..batch.search import Advisor
from .exported import import_network
from .threads import share_processors

# Positions at a time; more take memory and gain nothing.
_MOST = 8192


class CNNBatch(object):
    """CNNTactic for many decisions at once. weights: as of CNNTactic; torch is its way in any case."""

    name = "cnn"

    def __init__(self, weights=None, torch=1):
        name = weights or default_weights(self.name)
        self._player = NetworkPlayer(import_network(find_weights(name), name))

    def __call__(self, observations, masks, games, seats):
        return self._player(observations, masks)


class GuidedBatch(CNNBatch):
    """GuidedTactic for many decisions at once."""

    name = "guided"


class NetworkPlayer(object):
    """The choices of a network that takes the planes of network/planes.py, for many decisions at once.

    network: train.network.TileNetwork or alike, in evaluation mode.
    """

    def __init__(self, network, device=None):
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        dtype = "bfloat16" if device.startswith("cuda") else "float32"
        self._ops = TorchOps(device, dtype)
        self._network = network.to(device, getattr(torch, dtype))
        self._advise = Advisor() if network.is_advised else None
        share_processors()

    def __call__(self, observations, masks):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235]."""
        parts = [self._choose(observations[start:start + _MOST], masks[start:start + _MOST])
                 for start in range(0, len(observations), _MOST)]
        return torch.cat(parts).cpu().numpy()

    @torch.inference_mode()
    def _choose(self, observations, masks):
        advice = self._ops.array(self._advise(observations, masks)) if self._advise else None
        masks = self._ops.array(masks)
        logits = self._network(encode_planes(self._ops.array(observations), self._ops), advice).policy
        actions = torch.where(masks, logits.float(), -torch.inf).argmax(1)
        return torch.where(masks[:, WIN_INDEX], WIN_INDEX, actions).to(torch.int16)
