"""Defines the 600-channel design: ResNet-101 without pooling over 150 x 4 x 34 inputs, with look-ahead.

Its 600 planes of 34 are stacked to 150 layers of 4 x 34. The original has planes of the chance to win with 8 fan and of
the mean fan. Here the worth of the hand by the tactic `search` replaces both: as tenths of the best discard's worth,
and in ten absolute steps.
"""

import torch
from torch import nn
from torch.nn import functional

from ....mahjong.action import (
    CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX, split_chow_index)
from ....observation.layout import CHOW, PUNG, RIVER_SIZE
from ..recipe import Recipe, Schedule
from . import look_ahead, parts

RES600_PLANES = 600
_LAYERS, _ROWS, _TILES = RES600_PLANES // 4, 4, 34
_DISCARDS = 29  # discards of a player that have planes
_STAGES = ((3, 64), (4, 128), (23, 256), (3, 512))  # (number of blocks, inner channels) of each stage
_RECENT = 4  # a discard is recent if it is among this many last discards of all players
_READY = 8.0  # least worth of a ready hand that can win with 8 fan


class Res600(Recipe):
    """Trains one network with 42 million parameters."""

    compute_extras = staticmethod(look_ahead.compute_shapes_and_worths)
    schedule = Schedule(batch_size=512, optimiser="sgd", rate=0.1, decay=1e-4, clip=5.0)

    def make_network(self) -> nn.Module:
        """Returns a new network. The network takes what `encode` returns."""
        return _Network()

    def encode(
            self, observations: torch.Tensor, extras: dict[str, torch.Tensor],
            dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Returns real[B, 600, 34]: hand 4 planes, last tile 12, melds 32, winds 8, discards 464, look-ahead 80."""
        read = parts.Reader(observations, dtype)
        planes = [_mark_copies(read("hand"), read), _mark_last_tile(read), _mark_melds(read), _mark_winds(read),
                  _mark_rivers(read), _mark_look_ahead(read, extras)]
        return torch.cat([read.real(group) for group in planes], 1)


def _mark_copies(counts, read):
    """Returns bool[B, ..., 4, 34] from counts [B, ..., 34]: whether there are more than 0, 1, 2 and 3 of a tile."""
    return counts[..., None, :] > read.arange(4)[:, None]


def _mark_last_tile(read):
    """Returns bool[B, 12, 34]: the last tile in a plane per task and in one per giver, and a filled plane per giver."""
    last, four = read.mark(read("last_tile")), read.arange(4)
    giver = (read("last_giver") == four)[..., None]
    return torch.cat([last & (read("task") == four)[..., None], last & giver, giver & read.board], 1)


def _mark_melds(read):
    """Returns bool[B, 32, 34]: for each player, copies of tiles in melds in 4 planes, claimed tiles by giver in 4."""
    copies = _mark_copies(parts.count_meld_tiles(read).sum(2), read)
    claimed = read.mark(read("meld_claimed"))[:, :, None]
    givers = (read("meld_giver")[:, :, None] == read.arange(4)[:, None])[..., None]
    return torch.cat([copies, (claimed & givers).any(3)], 2).flatten(1, 2)


def _mark_winds(read):
    """Returns bool[B, 8, 34]: four planes for the seat wind, four for the prevalent wind, one of each filled."""
    four = read.arange(4)
    return torch.cat([read("seat_wind") == four, read("prevalent_wind") == four], 1)[..., None] & read.board


def _mark_rivers(read):
    """Returns bool[B, 464, 34]: a discard is marked in its planes always, if claimed, after a claim, and if recent."""
    marks = read.mark(read("river_tile"))
    times = read("river_time")
    is_claim = (read("meld_kind") == CHOW) | (read("meld_kind") == PUNG)
    follows = ((times[..., None] == read("meld_time")[:, :, None]) & is_claim[:, :, None]).any(3)
    is_recent = read("discard_count")[..., None] - times <= _RECENT
    planes = torch.stack([marks] + [marks & which[..., None] for which in (
        read("river_claimer") > 0, follows, is_recent)], 3)
    return functional.pad(planes, (0, 0, 0, 0, 0, _DISCARDS - RIVER_SIZE)).flatten(1, 3)


def _mark_look_ahead(read, extras):
    """Returns bool[B, 80, 34], planes of the hand after each discard."""
    # Four planes mark copies seen. For each of regular hands, seven pairs, thirteen orphans and knitted hands, a plane
    # marks discards that leave the least shanten, and another those that leave a ready hand of worth _READY or more.
    # Ten planes show the worth as a share of the best one, ten show it in steps, and 48 show the shanten.
    shapes = look_ahead.spread(read, extras["shapes"])
    shapes = torch.cat([shapes[:, :, :3], shapes[:, :, 3:].amin(2, keepdim=True)], 2)
    worths = look_ahead.spread(read, extras["worths"])
    least = (shapes == shapes.amin(1, keepdim=True)).transpose(1, 2)
    ready = (shapes == 0).transpose(1, 2) & (worths >= _READY)[:, None]
    return torch.cat([_mark_copies(4 - read("unseen"), read), least, ready, look_ahead.mark_shares(worths, 10),
                      look_ahead.mark_worths(worths, 10), look_ahead.mark_shapes(shapes)], 1)


class _Network(nn.Module):
    """Computes one channel of 4 x 34 logits, and two more for pass and win.

    The rows of the channel are discard, chow by its middle tile, pung, and kong of each tile.
    """

    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(*parts.convolve(_LAYERS, 64, (3, 3)))
        stages = []
        inputs = 64
        for count, width in _STAGES:
            for _ in range(count):
                stages.append(_Bottleneck(inputs, width))
                inputs = 4 * width
        self.stages = nn.Sequential(*stages)
        self.output = nn.Conv2d(inputs, 1, 1)
        self.plain = nn.Linear(_ROWS * _TILES, 2)
        self.register_buffer("_policy_index", _index_actions(), persistent=False)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Returns logits real[B, 235]. planes: real[B, 600, 34]."""
        board = self.output(self.stages(self.stem(planes.unflatten(1, (_LAYERS, _ROWS))))).flatten(1)
        return torch.cat([board, self.plain(board)], 1)[:, self._policy_index]


def _index_actions():
    """Returns the index of each action's logit among the 4 x 34 outputs, pass and win, int64[235]."""
    index = torch.empty(235, dtype=torch.long)
    tiles = torch.arange(_TILES)
    index[DISCARD_BASE:OPEN_KONG_BASE] = tiles
    index[OPEN_KONG_BASE:PUNG_BASE] = 3 * _TILES + tiles.repeat(3)
    index[PUNG_BASE:CHOW_BASE] = 2 * _TILES + tiles
    for action in range(CHOW_BASE, len(index)):
        index[action] = _TILES + split_chow_index(action)[0]
    index[PASS_INDEX], index[WIN_INDEX] = _ROWS * _TILES, _ROWS * _TILES + 1
    return index


class _Bottleneck(nn.Module):
    """Adds the result of three normalised convolutions, the middle one narrow, to the input, which it widens if needed.

    inputs: channels of the input. width: channels of the inner convolutions; the output has four times as many.
    """

    def __init__(self, inputs: int, width: int):
        super().__init__()
        outputs = 4 * width
        self.inner = nn.Sequential(
            *parts.convolve(inputs, width, (1, 1)), *parts.convolve(width, width, (3, 3)),
            *parts.convolve(width, outputs, (1, 1), activation=None))
        self.around = nn.Identity() if inputs == outputs else nn.Sequential(
            *parts.convolve(inputs, outputs, (1, 1), activation=None))

    def forward(self, board: torch.Tensor) -> torch.Tensor:
        """Returns the board after the block, real[B, 4 width, 4, 34]. board: real[B, inputs, 4, 34]."""
        return functional.relu(self.around(board) + self.inner(board))
