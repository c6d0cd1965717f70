"""FoxThinker: dense layers over the own hand; one network for the discard, one for the number of winning tiles.

The system knows no chow and no pung: it passes on every claim, and kongs by rule. Its flags mark wild tiles; our rules
have none, and the flags mark the honours that count fan as a pung: dragons, seat and prevalent wind.
"""

import torch
from torch import nn
from torch.nn import functional

from ....mahjong.action import DISCARD_BASE, OPEN_KONG_BASE
from ....mahjong.tile import FIRST_DRAGON, FIRST_HONOUR
from ..recipe import Recipe, Schedule, mean_of
from . import parts
from .look_ahead import compute_useful

_MOST_WAITS = 4


class Fox(Recipe):
    """2.5 M parameters in two networks."""

    compute_facts = staticmethod(compute_useful)
    schedule = Schedule(batch_size=1024, optimiser="adamw", rate=5e-4, warmup=0.02, decay=1e-4, clip=1.0)

    def make_network(self):
        return parts.DecisionNetworks({"discard": make_layers(34), "waits": make_layers(_MOST_WAITS + 1)})

    def encode(self, observations, facts, dtype=torch.float32):
        """real[B, 68]: tiles of the hand by kind, then flags of kinds."""
        read = parts.Reader(observations, dtype)
        winds = read.mark(torch.cat([read("seat_wind"), read("prevalent_wind")], 1) + FIRST_HONOUR).any(1)
        return torch.cat([read.real(read("hand")), read.real(winds | (read.tiles >= FIRST_DRAGON))], 1)

    def losses(self, output, batch):
        is_discard = (batch.action >= DISCARD_BASE) & (batch.action < OPEN_KONG_BASE) & ~batch.is_random
        losses = functional.cross_entropy(output["waits"].float(), count_waits(batch), reduction="none")
        return {"discard": parts.discard_loss(output["discard"], batch), "waits": mean_of(losses, is_discard)}

    def policy(self, output, masks):
        return parts.compose_policy(masks, output["discard"])


def count_waits(batch):
    """Kinds of winning tiles after the discard of each row, 4 for more, int64[B]; 0 for a hand that is not ready."""
    place = (batch.action - DISCARD_BASE).clamp(0, 33)[:, None]
    useful = batch.facts["useful"].gather(1, place)
    kinds = (useful >> torch.arange(34, device=useful.device) & 1).sum(1)
    is_ready = batch.facts["shanten"].gather(1, place)[:, 0] == 0
    return torch.where(is_ready, kinds.clamp(max=_MOST_WAITS), 0)


def make_layers(outputs):
    """The layers of one network, from real[B, 68] to logits real[B, outputs]."""
    return nn.Sequential(nn.Linear(68, 1024), nn.Tanh(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 128),
                         nn.Tanh(), nn.Linear(128, outputs))
