"""rl-final: three small networks, for discard, pung and chow, on 63 x 34 x 4 inputs; kongs and wins by rule.

Nine groups of tiles, own hand, melds of the four players, discards of the four players, now and at the last six own
turns. A group is 34 x 4; the copies of a tile fill the four columns from the left. An observation does not say when a
tile was drawn: the hand of an earlier turn is the present one with all tiles that left it since.
"""

import torch
from torch import nn

from ....observation.layout import NONE
from ..recipe import Schedule
from . import parts

_TURNS = 6
_COPIES = 4


class RlFinal(parts.Separate):
    """The system trained with batches of 32 for 20 epochs; a GPU needs larger ones."""

    schedule = Schedule(batch_size=512, optimiser="adamw", rate=1e-3, warmup=0.02, decay=1e-4, clip=1.0)

    def make_network(self):
        return parts.DecisionNetworks({name: _make_network(outputs) for name, outputs in (
            ("discard", 34), ("pung", 2), ("chow", 4))})

    def encode(self, observations, facts, dtype=torch.float32):
        """real[B, 63, 34, 4]: now and the turns before, the latest first; each: hand, melds and discards by player."""
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
    """Clock now and at the last six own discards, int16[B, 7]; -1 where there were fewer."""
    places = read("river_sizes")[:, :1] - read.arange(1, _TURNS + 1)
    times = read("river_time")[:, 0].gather(1, places.clamp(min=0).long())
    return torch.cat([read("discard_count"), torch.where(places >= 0, times, -1)], 1)


def _make_network(outputs):
    layers = []
    inputs = 9 * (_TURNS + 1)
    for _ in range(3):
        layers += [nn.Conv2d(inputs, 100, (5, 2)), nn.BatchNorm2d(100), nn.ReLU(), nn.Dropout(0.5)]
        inputs = 100
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(22 * 100, 300), nn.ReLU(), nn.Linear(300, outputs))
