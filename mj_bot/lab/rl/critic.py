"""Critics: networks that see all hands and walls, while the policy sees its own observation.

A critic has

    network, optimiser     what learns, a torch.nn.Module, and its optimiser
    prepare(decisions)     its inputs, a tensor with a row for each of actor.Decisions with full observations
    value(inputs)          the score that it expects at each row, real[M], in SCORE_UNIT
    losses(inputs, batch)  {name: loss} of rows; batch: learner.LearnBatch of the same rows
"""

import torch
from torch import nn
from torch.nn import functional

from ...mahjong.tile import COPIES, TILE_COUNT
from ...network.planes import PLANE_COUNT, Reader, encode_planes
from ...observation.layout import OBSERVATION_SIZE, WALL_DRAWS
from ..fit.advantages import FACT_COUNT, compute_facts
from ..train.network import TileNetwork
from ..train.recipe import value_losses

# Planes mark the tiles among the next 1, 3, 8 and all draws of each wall.
_DRAWS = (1, 3, 8, WALL_DRAWS)
# Hands of the three others; then of each of four walls the marks of _DRAWS and the count of all copies.
HIDDEN_PLANES = 3 * COPIES + 4 * (len(_DRAWS) + 1)


def make_critic(config, device):
    """The critic of config.critic.

    config: of one process, see config.share_games. device: policy.Device.
    """
    critic = (PlaneCritic if config.critic.kind == "full" else FactCritic)(config, device)
    critic.optimiser = torch.optim.Adam(critic.network.parameters(), lr=config.critic.rate)
    return critic


class PlaneCritic(object):
    """A network over the policy's planes and those of all that is hidden."""

    def __init__(self, config, device):
        self._device = device
        self.network = TileNetwork(config.critic.channels, config.critic.blocks,
                                   PLANE_COUNT + HIDDEN_PLANES).to(device.name)

    def prepare(self, decisions):
        return self._device.move(decisions.observation)

    def value(self, inputs):
        return self._ask(inputs).score.float()

    def losses(self, inputs, batch):
        answer = self._ask(inputs)
        # The losses that `train` has for the same heads; but the score head learns the target of the advantages.
        return dict(value_losses(answer, batch), score=0.5 * functional.mse_loss(answer.score.float(), batch.target))

    def _ask(self, observations):
        ops = self._device.ops
        with torch.no_grad():
            planes = torch.cat([encode_planes(observations[:, :OBSERVATION_SIZE], ops),
                                encode_hidden(observations, ops)], 1)
        with self._device.cast():
            return self.network(planes)


def encode_hidden(observations, ops):
    """Planes of the hidden part of full observations, real[B, HIDDEN_PLANES, 34]."""
    read = Reader(observations, ops)
    hands = read("hands")[:, :, None] > ops.arange(COPIES)[:, None]
    marks = ops.real(read.mark(read("wall_tiles")))
    counts = [marks[:, :, :draws].sum(2) for draws in _DRAWS]
    walls = ops.stack([ops.real(count > 0) for count in counts] + [counts[-1] / COPIES], 2)
    return ops.concatenate([ops.real(hands).reshape(len(observations), -1, TILE_COUNT),
                            walls.reshape(len(observations), -1, TILE_COUNT)], 1)


class FactCritic(object):
    """A small network over the facts of fit/advantages.py."""

    def __init__(self, config, device):
        size = config.critic.channels
        self._device = device
        self.network = nn.Sequential(nn.Linear(FACT_COUNT, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU(),
                                     nn.Linear(size, 1)).to(device.name)

    def prepare(self, decisions):
        return self._device.move(compute_facts(decisions.observation, decisions.forecasts))

    def value(self, inputs):
        return self.network(inputs)[:, 0]

    def losses(self, inputs, batch):
        return {"score": 0.5 * functional.mse_loss(self.value(inputs), batch.reward)}
