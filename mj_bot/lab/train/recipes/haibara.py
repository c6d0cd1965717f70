"""Haibara: one residual network over all 235 actions, with 60 planes of 4 x 9 and 117 numbers, shanten among them.

It ignores the 8 fan: the chance of a ready hand to win is the share of its winning tiles among the unseen tiles.
"""

import torch
from torch import nn
from torch.nn import functional

from ....network.planes import TILE_COLUMNS, BOARD_SIZE, TILE_ROWS
from ....observation.layout import ADDED_KONG, CHOW, CONCEALED_KONG, OPEN_KONG, PUNG, RIVER_SIZE
from ..recipe import Recipe, Schedule
from . import parts
from .look_ahead import AS_IS, FAR, compute_useful

_CHANNELS, _BLOCKS, _PLANES, _NUMBERS = 128, 20, 60, 117
_FADING = 0.9


class Haibara(Recipe):
    """15.6 M parameters."""

    compute_facts = staticmethod(compute_useful)
    schedule = Schedule(batch_size=1024, optimiser="adamw", rate=5e-4, warmup=0.02, decay=1e-2, clip=1.0)

    def make_network(self):
        return _Network()

    def encode(self, observations, facts, dtype=torch.float32):
        """(planes real[B, 60, 34], numbers real[B, 117])."""
        read = parts.Reader(observations, dtype)
        real = read.real
        kinds, marks = read("meld_kind")[..., None], read.mark(read("meld_tile"))
        melds = [real(marks & which).sum(2) for which in (
            kinds == PUNG, kinds == CHOW, (kinds == OPEN_KONG) | (kinds == ADDED_KONG), kinds == CONCEALED_KONG)]
        ages = (read("river_sizes")[..., None] - 1 - read.arange(RIVER_SIZE)).clamp(min=0)
        rivers = (real(_FADING ** ages.float())[:, :, None] @ real(read.mark(read("river_tile"))))[:, :, 0]
        winds = read.mark(torch.cat([read("prevalent_wind"), read("seat_wind")], 1) + 27)
        # First the hand after a pass, then after each discard.
        order = [AS_IS] + list(range(AS_IS))
        helps = (facts["useful"][:, order, None] >> read.arange(34).long() & 1).bool()
        unseen = real(read("unseen"))
        planes = torch.cat(melds + [
            rivers, real(read.mark(read("last_tile"))), unseen[:, None], real(read("hand"))[:, None], real(winds),
            real(helps)], 1)
        total = unseen.sum(1, keepdim=True)
        chances = (real(helps) * unseen[:, None]).sum(2) / total.clamp(min=1)
        shanten = real(facts["shanten"][:, order])
        is_legal = shanten < FAR
        numbers = torch.cat([
            real(read("hand_sizes")), total, real(read("prevalent_wind")), real(read("seat_wind")), real(read("walls")),
            real(read("discard_count")), torch.where(is_legal, chances * (shanten == 0), 0),
            torch.where(is_legal, shanten - chances, FAR), shanten], 1)
        return planes, numbers


class _Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(*parts.convolve(_PLANES, _CHANNELS, (3, 3), activation=nn.GELU),
                                  *parts.convolve(_CHANNELS, _CHANNELS, (3, 3), activation=nn.GELU))
        self.blocks = nn.Sequential(*(parts.Residual(_CHANNELS, (3, 3), functional.gelu) for _ in range(_BLOCKS)))
        self.head = nn.Sequential(nn.Linear(_CHANNELS * BOARD_SIZE + _NUMBERS, 1736), nn.GELU(), nn.Linear(1736, 632),
                                  nn.GELU(), nn.Linear(632, 235))

    def forward(self, inputs):
        planes, numbers = inputs
        board = functional.pad(planes, (0, BOARD_SIZE - planes.shape[2])).unflatten(2, (TILE_ROWS, TILE_COLUMNS))
        return self.head(torch.cat([self.blocks(self.stem(board)).flatten(1), numbers], 1))
