"""Defines rl-final: three small networks, for discard, pung and chow, on 63 x 34 x 4 inputs; kongs and wins by rule.

The input has nine groups of tiles: the own hand, the melds and the discards of each of the four players. Each group
appears seven times: now and at each of the last six own turns. A group is 34 x 4; the copies of a tile fill its four
columns from the left. An observation does not say when a tile was drawn, so the hand of an earlier turn is taken to be
the present hand with all tiles that have left it since.
"""

import torch
from torch import nn

from ....observation.layout import NONE
from ..recipe import Schedule
from . import parts

_TURNS = 6  # earlier own turns in the input
_COPIES = 4


class RlFinal(parts.Separate):
    """Trains three networks. The original used batches of 32 for 20 epochs; a GPU needs larger ones."""

    schedule = Schedule(batch_size=512, decay=1e-4)

    def make_network(self) -> nn.Module:
        """Returns three networks, for discard, pung and chow. The networks take what `encode` returns."""
        return parts.DecisionNetworks({name: _make_network(outputs) for name, outputs in (
            ("discard", 34), ("pung", 2), ("chow", 4))})

    def encode(self, observations: torch.Tensor, extras: dict, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Returns real[B, 63, 34, 4]: nine groups of tiles now, then nine for each earlier turn, the latest first.

        The groups are the own hand, the melds of each player and the discards of each player.
        """
        read = parts.Reader(observations, dtype)
        real = read.real
        times = _list_turns(read)
        exists = (times >= 0)[:, :, None]
        rivers, river_times = real(read.mark(read("river_tile"))), read("river_time")[:, None]
        is_there = (read("river_tile") != NONE)[:, None]
        thrown = (river_times < times[:, :, None, None]) & is_there
        discards = torch.einsum("bkpn,bpnt->bkpt", real(thrown), rivers)
        melds, meld_times = parts.count_meld_tiles(read), read("meld_time")[:, None]
        laid = meld_times <= times[:, :, None, None]
        shown = torch.einsum("bkpm,bpmt->bkpt", real(laid), melds)
        own = melds[:, 0] - real(read.mark(read("meld_claimed"))[:, 0])
        later = real(~thrown & is_there)[:, :, 0]
        hand = real(read("hand"))[:, None] + torch.einsum("bkn,bnt->bkt", later, rivers[:, 0])
        hand = (hand + torch.einsum("bkm,bmt->bkt", real(~laid)[:, :, 0], own)) * exists
        counts = torch.cat([hand[:, :, None], shown, discards], 2).flatten(1, 2)
        return real(counts[..., None] > read.arange(_COPIES))


def _list_turns(read):
    """Returns the discards of all players before now and before the last six own ones, int16[B, 7]; -1 for none."""
    indices = read("river_sizes")[:, :1] - read.arange(1, _TURNS + 1)
    times = read("river_time")[:, 0].gather(1, indices.clamp(min=0).long())
    return torch.cat([read("discard_count"), torch.where(indices >= 0, times, -1)], 1)


def _make_network(outputs):
    """Returns the layers of one network, from real[B, 63, 34, 4] to logits real[B, outputs]."""
    layers = []
    inputs = 9 * (_TURNS + 1)
    for _ in range(3):
        layers += [nn.Conv2d(inputs, 100, (5, 2)), nn.BatchNorm2d(100), nn.ReLU(), nn.Dropout(0.5)]
        inputs = 100
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(22 * 100, 300), nn.ReLU(), nn.Linear(300, outputs))
