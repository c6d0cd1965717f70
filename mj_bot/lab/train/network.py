"""Defines in torch, for training, the network that ships in numpy as mj_bot/network/forward.py."""

import math

import torch
from torch import nn
from torch.nn import functional

from ...mahjong.tile import TILE_COUNT
from ...network.forward import (
    BLOCK_PARTS, BOARD_SUITS, KERNELS, OUTCOMES, POLICY_INDEX, POLICY_PLANES, Prediction, list_layers)
from ...network.planes import BOARD_SIZE, INPUT_COUNT, TILE_COLUMNS


class TileNetwork(nn.Module):
    """Computes a policy and a forecast of the game's end from planes.

    The three suits share their weights, the honours have their own, and the table joins them in each block. The
    docstring of mj_bot/network/forward.py lists the layers.
    channels: numbers per suit, for the honours and for the table in each layer. blocks: number of blocks.
    planes: number of input planes.
    """

    def __init__(self, channels: int, blocks: int, planes: int = INPUT_COUNT):
        super().__init__()
        self.config = {"channels": channels, "blocks": blocks, "planes": planes}
        shapes = list_layers(planes, channels, blocks)
        self.blocks = nn.ModuleList([
            nn.ModuleDict({layer: nn.Linear(*shapes["blocks.%d.%s" % (index, layer)]) for layer in BLOCK_PARTS})
            for index in range(blocks)])
        for name, shape in shapes.items():
            if not name.startswith("blocks."):
                setattr(self, name, nn.Linear(math.prod(shape[:-1]), shape[-1]))
        self.register_buffer("_policy_index", torch.from_numpy(POLICY_INDEX), persistent=False)

    def forward(self, planes: torch.Tensor, is_value_apart: bool = False) -> Prediction:
        """Returns the Prediction for planes.

        planes: real[B, planes, 34]. is_value_apart: whether the losses of the value head train that head only.
        """
        board = functional.pad(planes, (0, BOARD_SIZE - TILE_COUNT)).unflatten(2, (BOARD_SUITS + 1, TILE_COLUMNS))
        flat = board[:, :, :BOARD_SUITS].transpose(1, 2).flatten(0, 1)
        patterns = torch.cat([self._apply_kernel(flat, name).transpose(1, 2).flatten(1) for name in KERNELS], 1)
        suits = functional.relu(self.stem_suits(functional.relu(patterns).unflatten(0, (-1, BOARD_SUITS))))
        honours = functional.relu(self.stem_honours(board[:, :, BOARD_SUITS].flatten(1)))
        for block in self.blocks:
            table = functional.relu(block["suits_table"](suits.sum(1)) + block["honours_table"](honours))
            suits = functional.relu(suits + block["suits"](suits) + block["table_suits"](table)[:, None])
            honours = functional.relu(honours + block["honours"](honours) + block["table_honours"](table))
        tiles = torch.cat([self.policy_suits(suits).flatten(1), self.policy_honours(honours)], 1)
        tiles = tiles.unflatten(1, (BOARD_SIZE, POLICY_PLANES)).transpose(1, 2).flatten(1)
        policy = torch.cat([self.plain(table), tiles], 1).index_select(1, self._policy_index)
        value = self.value(functional.relu(self.hidden(table.detach() if is_value_apart else table)))
        return Prediction(policy, value[:, 0], value[:, 1:1 + len(OUTCOMES)], value[:, -1])

    def _apply_kernel(self, suits, name):
        """Returns the result of a kernel at each position of each suit, real[suits, KERNEL_CHANNELS, positions]."""
        layer, (size, step) = getattr(self, name), KERNELS[name]
        return functional.conv1d(suits, layer.weight.unflatten(1, (-1, size)), layer.bias, dilation=step)
