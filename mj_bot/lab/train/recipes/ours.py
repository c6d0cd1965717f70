"""Our own: planes of the observation and of the look-ahead, a network that fits the file as int16.

A pair, a chow and knitted tiles look the same at every rank of every suit: kernels of their shapes learn them once.
Matrices join the results of the kernels: processors multiply matrices fastest, above all in bfloat16.
"""

import torch

from ....network.ahead import look_ahead
from ....network.planes import encode_inputs
from ...dataset.teach import look_ahead_with
from ..network import TileNetwork
from ..recipe import Recipe, policy_loss, value_losses


class Ours(Recipe):
    """2.4 M parameters."""

    channels, blocks = 420, 1
    schedule = Recipe.schedule._replace(rate=4e-3)

    def make_network(self):
        return TileNetwork(self.channels, self.blocks)

    def compute_facts(self, observations):
        return {"planes": encode_inputs(observations, look_ahead(observations))}

    def compute_batch_facts(self, batch):
        if not batch.wins.shape[1]:
            return self.compute_facts(batch.observation)
        return {"planes": encode_inputs(batch.observation, look_ahead_with(batch.observation, batch.wins))}

    def encode(self, observations, facts, dtype=torch.float32):
        return facts["planes"].to(dtype)

    def losses(self, output, batch):
        return dict(value_losses(output, batch), policy=policy_loss(output.policy, batch))

    def policy(self, output, masks):
        return output.policy


class Small(Ours):
    """For a first try, and for learning by play."""

    channels, blocks = 128, 1
