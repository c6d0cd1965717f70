"""Defines our own recipes: planes of the observation and the look-ahead, and the network that ships as int16.

A pair, a chow and knitted tiles look the same at every rank of every suit, so kernels of their shapes learn them once.
Matrices join the results of the kernels, because processors multiply matrices fastest, above all in bfloat16.
"""

import numpy as np
import torch

from ....network.ahead import compute_ahead_rows
from ....network.forward import Prediction
from ....network.planes import encode_inputs
from ...dataset.reader import Batch
from ...dataset.teach import look_ahead_with
from ..network import TileNetwork
from ..recipe import Recipe, Schedule, TrainBatch, policy_loss, value_losses


class Ours(Recipe):
    """Trains the network of the tactic `cnn`, with 2.4 million parameters."""

    channels, blocks = 420, 1  # sizes of the TileNetwork
    schedule = Schedule(rate=4e-3)

    def make_network(self) -> TileNetwork:
        """Returns a new TileNetwork of this recipe's size."""
        return TileNetwork(self.channels, self.blocks)

    def compute_extras(self, observations: np.ndarray) -> dict[str, np.ndarray]:
        """Returns {"planes": array [B, planes, 34]}, the planes of the observations and of their look-ahead."""
        return {"planes": encode_inputs(observations, compute_ahead_rows(observations))}

    def compute_batch_extras(self, batch: Batch) -> dict[str, np.ndarray]:
        """Returns {"planes": array} of a batch. A teacher's set has the wins, which take longest to compute."""
        if not batch.wins.shape[1]:
            return self.compute_extras(batch.observation)
        return {"planes": encode_inputs(batch.observation, look_ahead_with(batch.observation, batch.wins))}

    def encode(
            self, observations: torch.Tensor, extras: dict[str, torch.Tensor],
            dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Returns the planes in a precision, as the processor has already computed them."""
        return extras["planes"].to(dtype)

    def losses(self, output: Prediction, batch: TrainBatch) -> dict[str, torch.Tensor]:
        """Returns the losses of the policy and of the value head."""
        return dict(value_losses(output, batch), policy=policy_loss(output.policy, batch))

    def policy(self, output: Prediction, masks: torch.Tensor) -> torch.Tensor:
        """Returns the logits of the actions, real[B, 235], which are a field of the network's Prediction."""
        return output.policy


class Small(Ours):
    """Trains a small network of the same form, for a first try and for self-play."""

    channels, blocks = 128, 1
