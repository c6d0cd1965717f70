"""Defines FoxThinker: dense layers over the own hand, one network for the discard, one for the number of waits.

The system never claims a chow or a pung, and declares every kong. Its input marks the tiles that are useful for every
hand. In the original these are the wild tiles. Chinese Standard rules have none, so here they are the honours that
count fan as a pung: dragons, seat wind and prevalent wind.
"""

import torch
from torch import nn
from torch.nn import functional

from ....mahjong.action import DISCARD_BASE, OPEN_KONG_BASE
from ....mahjong.tile import FIRST_DRAGON, FIRST_HONOUR
from ..recipe import Recipe, Schedule, TrainBatch, average_chosen
from . import parts
from .look_ahead import compute_useful

_MOST_WAITS = 4  # greatest number of waits that the network tells apart


class Fox(Recipe):
    """Trains two networks, which have 2.5 million parameters together."""

    compute_extras = staticmethod(compute_useful)
    schedule = Schedule(rate=5e-4, decay=1e-4)

    def make_network(self) -> nn.Module:
        """Returns the two networks: of the discard, and of the number of waits after it."""
        return parts.DecisionNetworks({"discard": make_layers(34), "waits": make_layers(_MOST_WAITS + 1)})

    def encode(self, observations: torch.Tensor, extras: dict, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Returns real[B, 68]: how many of each tile are in the hand, then 1 for each honour whose pung counts fan."""
        read = parts.Reader(observations, dtype)
        winds = read.mark(torch.cat([read("seat_wind"), read("prevalent_wind")], 1) + FIRST_HONOUR).any(1)
        return torch.cat([read.real(read("hand")), read.real(winds | (read.tiles >= FIRST_DRAGON))], 1)

    def losses(self, output: dict[str, torch.Tensor], batch: TrainBatch) -> dict[str, torch.Tensor]:
        """Returns the loss of the discard and of the number of waits after it. Only discards count."""
        is_discard = (batch.action >= DISCARD_BASE) & (batch.action < OPEN_KONG_BASE) & ~batch.is_random
        losses = functional.cross_entropy(output["waits"].float(), count_waits(batch), reduction="none")
        return {"discard": parts.discard_loss(output["discard"], batch), "waits": average_chosen(losses, is_discard)}

    def policy(self, output: dict[str, torch.Tensor], masks: torch.Tensor) -> torch.Tensor:
        """Returns logits of the actions, real[B, 235]. The network decides discards, and rules everything else."""
        return parts.compose_policy(masks, output["discard"])


def count_waits(batch: TrainBatch) -> torch.Tensor:
    """Returns how many different tiles win after the discard of each row, int64[B]: 0 to 3, or 4 for more than 3.

    A hand that is not ready has 0. Rows without a discard contain a number without meaning.
    """
    tile = (batch.action - DISCARD_BASE).clamp(0, 33)[:, None]
    useful = batch.extras["useful"].gather(1, tile)
    waits = (useful >> torch.arange(34, device=useful.device) & 1).sum(1)
    is_ready = batch.extras["shanten"].gather(1, tile)[:, 0] == 0
    return torch.where(is_ready, waits.clamp(max=_MOST_WAITS), 0)


def make_layers(outputs: int) -> nn.Sequential:
    """Returns the layers of one network, from real[B, 68] to logits real[B, outputs]."""
    return nn.Sequential(nn.Linear(68, 1024), nn.Tanh(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 128),
                         nn.Tanh(), nn.Linear(128, outputs))
