"""Critics apart from the policy's network: they see all hands and walls while the policy sees its own observation.

A critic has

    network               torch.nn.Module, what learns
    prepare(notes)        what it looks at, a tensor with a row for each of actor.Notes with full observations
    value(inputs)         what it says of each row, real[M], in SCORE_UNIT
    losses(inputs, part)  {name: loss} of rows; part: learner.Batch of the same rows
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...network.planes import PLANE_COUNT, encode_planes
from ...observation.layout import OBSERVATION_SIZE
from ..fit.facts import FACT_COUNT, FactFinder
from ..train.network import TileNetwork
from ..train.recipe import Rows, value_losses
from .oracle import HIDDEN_PLANES, encode_hidden

def make_critic(config, device):
    """The critic of config.critic, None for the policy network's own head.

    config: of one process, see Ranks.share. device: policy.Device.
    """
    if config.critic.kind == "own":
        return None
    return (PlaneCritic if config.critic.kind == "full" else FactCritic)(config, device)


class PlaneCritic(object):
    """A residual tower over the policy's planes and those of all that is hidden."""

    def __init__(self, config, device):
        self._device = device
        self.network = TileNetwork(config.critic.channels, config.critic.blocks,
                                   PLANE_COUNT + HIDDEN_PLANES).to(device.name)

    def prepare(self, notes):
        return self._device.move(notes.observation)

    def value(self, inputs):
        return self._ask(inputs).score.float()

    def losses(self, inputs, part):
        return find_value_losses(self._ask(inputs), part)

    def _ask(self, observations):
        with torch.no_grad():
            planes = encode_full(observations, self._device.ops)
        with self._device.cast():
            return self.network(planes)


class FactCritic(object):
    """A small network over the numbers of facts.py."""

    def __init__(self, config, device):
        size = config.critic.channels
        self._device = device
        self.network = nn.Sequential(nn.Linear(FACT_COUNT, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU(),
                                     nn.Linear(size, 1)).to(device.name)
        self._share = config.run.games_an_iteration // config.run.groups
        self._finders = [FactFinder() for _ in range(config.run.groups)]

    def prepare(self, notes):
        # The notes of a group that played lie together, and a game is in one group.
        ends = np.searchsorted(notes.game // self._share, np.arange(1, len(self._finders)))
        parts = [type(notes)(*columns) for columns in zip(*(np.split(column, ends) for column in notes))]
        with ThreadPoolExecutor(len(self._finders)) as executor:
            found = list(executor.map(lambda find, part: find(part), self._finders, parts))
        return self._device.move(np.concatenate(found))

    def value(self, inputs):
        return self.network(inputs)[:, 0]

    def losses(self, inputs, part):
        return {"score": 0.5 * functional.mse_loss(self.value(inputs), part.reward)}


def encode_full(observations, ops):
    """Planes of full observations, real[B, PLANE_COUNT + HIDDEN_PLANES, 34]."""
    return ops.concatenate([encode_planes(observations[:, :OBSERVATION_SIZE], ops),
                            encode_hidden(observations, ops)], 1)


def find_value_losses(answer, part):
    """As `train` has them for the same heads, but that the score's target is the one of the advantages."""
    rows = Rows(None, None, None, part.score, part.winner, part.fan, None, None)
    return dict(value_losses(answer, rows), score=0.5 * functional.mse_loss(answer.score.float(), part.target))
