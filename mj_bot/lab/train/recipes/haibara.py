"""Defines Haibara: one residual network over all 235 actions, with 60 planes of 4 x 9 and 117 figures as its input.

The figures include the shanten after each discard. The system ignores the minimum of 8 fan: it takes the share of
useful tiles among the unseen tiles as the chance that a ready hand wins.
"""

import torch
from torch import nn
from torch.nn import functional

from ....network.planes import BOARD_SIZE, TILE_COLUMNS, TILE_ROWS
from ....observation.layout import ADDED_KONG, CHOW, CONCEALED_KONG, OPEN_KONG, PUNG, RIVER_SIZE
from ..recipe import Recipe, Schedule
from . import parts
from .look_ahead import AS_IS, FAR, compute_useful

_CHANNELS, _BLOCKS, _PLANES, _FIGURES = 128, 20, 60, 117
_FADING = 0.9  # weight of a discard in its plane, relative to the next discard of that seat


class Haibara(Recipe):
    """Trains one network with 15.6 million parameters."""

    compute_extras = staticmethod(compute_useful)
    schedule = Schedule(rate=5e-4)

    def make_network(self) -> nn.Module:
        """Returns a new network. The network takes what `encode` returns."""
        return _Network()

    def encode(
            self, observations: torch.Tensor, extras: dict[str, torch.Tensor],
            dtype: torch.dtype = torch.float32) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns (planes real[B, 60, 34], figures real[B, 117]), the input of the network.

        The planes are the melds of each type and player, the fading discards of each player, the last tile, the unseen
        tiles, the hand, the winds, and the useful tiles of 35 hands. The figures are sizes of hands and walls, the
        winds, the number of discards, and for 35 hands the chance to win at once, the shanten less that chance, and the
        shanten. The 35 hands are the hand after a pass, then the hand after each discard.
        """
        read = parts.Reader(observations, dtype)
        real = read.real
        meld_types, marks = read("meld_kind")[..., None], read.mark(read("meld_tile"))
        is_open_kong = (meld_types == OPEN_KONG) | (meld_types == ADDED_KONG)
        melds = [real(marks & which).sum(2) for which in (
            meld_types == PUNG, meld_types == CHOW, is_open_kong, meld_types == CONCEALED_KONG)]
        ages = (read("river_sizes")[..., None] - 1 - read.arange(RIVER_SIZE)).clamp(min=0)
        rivers = (real(_FADING ** ages.float())[:, :, None] @ real(read.mark(read("river_tile"))))[:, :, 0]
        winds = read.mark(torch.cat([read("prevalent_wind"), read("seat_wind")], 1) + 27)
        # The hand after a pass comes first, then the hand after each discard.
        order = [AS_IS] + list(range(AS_IS))
        useful = (extras["useful"][:, order, None] >> read.arange(34).long() & 1).bool()
        unseen = real(read("unseen"))
        planes = torch.cat(melds + [
            rivers, real(read.mark(read("last_tile"))), unseen[:, None], real(read("hand"))[:, None], real(winds),
            real(useful)], 1)
        total = unseen.sum(1, keepdim=True)
        chances = (real(useful) * unseen[:, None]).sum(2) / total.clamp(min=1)
        shanten = real(extras["shanten"][:, order])
        is_legal = shanten < FAR
        figures = torch.cat([
            real(read("hand_sizes")), total, real(read("prevalent_wind")), real(read("seat_wind")), real(read("walls")),
            real(read("discard_count")), torch.where(is_legal, chances * (shanten == 0), 0),
            torch.where(is_legal, shanten - chances, FAR), shanten], 1)
        return planes, figures


class _Network(nn.Module):
    """Computes logits real[B, 235] from the planes and the figures that Haibara.encode returns."""

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(*parts.convolve(_PLANES, _CHANNELS, (3, 3), activation=nn.GELU),
                                  *parts.convolve(_CHANNELS, _CHANNELS, (3, 3), activation=nn.GELU))
        self.blocks = nn.Sequential(*(parts.Residual(_CHANNELS, (3, 3), functional.gelu) for _ in range(_BLOCKS)))
        self.head = nn.Sequential(nn.Linear(_CHANNELS * BOARD_SIZE + _FIGURES, 1736), nn.GELU(), nn.Linear(1736, 632),
                                  nn.GELU(), nn.Linear(632, 235))

    def forward(self, inputs: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
        """Returns logits real[B, 235]. inputs: (planes real[B, 60, 34], figures real[B, 117])."""
        planes, figures = inputs
        board = functional.pad(planes, (0, BOARD_SIZE - planes.shape[2])).unflatten(2, (TILE_ROWS, TILE_COLUMNS))
        return self.head(torch.cat([self.blocks(self.stem(board)).flatten(1), figures], 1))
