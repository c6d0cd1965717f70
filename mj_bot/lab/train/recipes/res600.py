"""The 600-channel design: ResNet-101 without pooling over 150 x 4 x 34 inputs, look-ahead among them.

600 planes of 34, four to a layer. The worth of a hand by the tactic `search` replaces the chance of a win of 8 fan and
its mean fan: as tenths of the best discard's worth, and in ten absolute steps.
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
_DISCARDS = 29
_STAGES = ((3, 64), (4, 128), (23, 256), (3, 512))
_RECENT = 4
# Worth of a ready hand that can win with 8 fan.
_READY = 8.0


class Res600(Recipe):
    """42 M parameters."""

    compute_facts = staticmethod(look_ahead.compute_facts)
    schedule = Schedule(batch_size=512, optimiser="sgd", rate=0.1, warmup=0.02, decay=1e-4, clip=5.0)

    def make_network(self):
        return _Network()

    def encode(self, observations, facts, dtype=torch.float32):
        """real[B, 600, 34]: hand 4, operation 12, melds 32, winds 8, discards 464, look-ahead 80."""
        read = parts.Reader(observations, dtype)
        planes = [_copies(read("hand"), read), _operation(read), _melds(read), _winds(read), _rivers(read),
                  _ahead(read, facts)]
        return torch.cat([read.real(part) for part in planes], 1)


def _copies(counts, read):
    return counts[..., None, :] > read.arange(4)[:, None]


def _operation(read):
    """The last tile by task, by giver, and the giver."""
    last, four = read.mark(read("last_tile")), read.arange(4)
    giver = (read("last_giver") == four)[..., None]
    return torch.cat([last & (read("task") == four)[..., None], last & giver, giver & read.board], 1)


def _melds(read):
    """A player: copies of tiles in melds, then the claimed tiles by giver."""
    copies = _copies(parts.count_meld_tiles(read).sum(2), read)
    claimed = read.mark(read("meld_claimed"))[:, :, None]
    givers = (read("meld_giver")[:, :, None] == read.arange(4)[:, None])[..., None]
    return torch.cat([copies, (claimed & givers).any(3)], 2).flatten(1, 2)


def _winds(read):
    four = read.arange(4)
    return torch.cat([read("seat_wind") == four, read("prevalent_wind") == four], 1)[..., None] & read.board


def _rivers(read):
    """A player: each discard in order, a layer each: itself, again if claimed, if after a claim, if recent."""
    marks = read.mark(read("river_tile"))
    times = read("river_time")
    is_claim = (read("meld_kind") == CHOW) | (read("meld_kind") == PUNG)
    follows = ((times[..., None] == read("meld_time")[:, :, None]) & is_claim[:, :, None]).any(3)
    is_recent = read("discard_count")[..., None] - times <= _RECENT
    planes = torch.stack([marks] + [marks & which[..., None] for which in (
        read("river_claimer") > 0, follows, is_recent)], 3)
    return functional.pad(planes, (0, 0, 0, 0, 0, _DISCARDS - RIVER_SIZE)).flatten(1, 3)


def _ahead(read, facts):
    """Copies seen 4; of regular hands, seven pairs, orphans and knitted hands: discards that leave the least shanten 4,
    that leave a ready hand of worth 4; worth as a share 10 and by steps 10; shanten after the discard 48."""
    shapes = look_ahead.spread(read, facts["shapes"])
    shapes = torch.cat([shapes[:, :, :3], shapes[:, :, 3:].amin(2, keepdim=True)], 2)
    worths = look_ahead.spread(read, facts["worths"])
    least = (shapes == shapes.amin(1, keepdim=True)).transpose(1, 2)
    ready = (shapes == 0).transpose(1, 2) & (worths >= _READY)[:, None]
    return torch.cat([_copies(4 - read("unseen"), read), least, ready, look_ahead.mark_shares(worths, 10),
                      look_ahead.mark_worths(worths, 10), look_ahead.mark_shapes(shapes)], 1)


class _Network(nn.Module):
    """Its one output channel, 4 x 34, is read as discard, chow by its middle, pung and kong of each tile."""

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
        self.register_buffer("_places", _make_places(), persistent=False)

    def forward(self, planes):
        board = self.output(self.stages(self.stem(planes.unflatten(1, (_LAYERS, _ROWS))))).flatten(1)
        return torch.cat([board, self.plain(board)], 1)[:, self._places]


def _make_places():
    """For each action its place in the 4 x 34 numbers, then pass and win."""
    places = torch.empty(235, dtype=torch.long)
    tiles = torch.arange(_TILES)
    places[DISCARD_BASE:OPEN_KONG_BASE] = tiles
    places[OPEN_KONG_BASE:PUNG_BASE] = 3 * _TILES + tiles.repeat(3)
    places[PUNG_BASE:CHOW_BASE] = 2 * _TILES + tiles
    for action in range(CHOW_BASE, len(places)):
        places[action] = _TILES + split_chow_index(action)[0]
    places[PASS_INDEX], places[WIN_INDEX] = _ROWS * _TILES, _ROWS * _TILES + 1
    return places


class _Bottleneck(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        outputs = 4 * width
        self.inner = nn.Sequential(
            *parts.convolve(inputs, width, (1, 1)), *parts.convolve(width, width, (3, 3)),
            *parts.convolve(width, outputs, (1, 1), activation=None))
        self.around = nn.Identity() if inputs == outputs else nn.Sequential(
            *parts.convolve(inputs, outputs, (1, 1), activation=None))

    def forward(self, board):
        return functional.relu(self.around(board) + self.inner(board))
