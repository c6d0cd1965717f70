"""The critic: a small network that predicts a seat's score from facts of all hands and walls, see fit/advantages.py.

The policy sees its own observation alone; the critic is needed only while the policy learns.
"""

import torch
from torch import nn
from torch.nn import functional

from ..fit.advantages import FACT_COUNT, compute_facts


class Critic(object):
    """network, optimiser: what learns, a torch.nn.Module, and its optimiser."""

    def __init__(self, settings, device):
        """settings: config.Critic. device: policy.Device."""
        size = settings.channels
        self._device = device
        self.network = nn.Sequential(nn.Linear(FACT_COUNT, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU(),
                                     nn.Linear(size, 1)).to(device.name)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=settings.rate)

    def prepare(self, decisions):
        """The network's inputs, a tensor with a row for each of actor.Decisions with full observations."""
        return self._device.move(compute_facts(decisions.observation, decisions.forecasts))

    def value(self, inputs):
        """The score expected at each row, float32[M], in SCORE_UNIT points."""
        return self.network(inputs)[:, 0]

    def loss(self, inputs, rewards):
        """The loss of rows whose seats got these rewards, float32[M]."""
        return 0.5 * functional.mse_loss(self.value(inputs), rewards)
