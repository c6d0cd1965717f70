"""Computes the network: a policy, and a forecast of how the game ends.

The input is a board of planes. Each suit first goes through kernels of three shapes, each at all ranks where it fits:
three neighbours (chows), every third rank (knitted tiles), one rank (pairs and pungs). The three suits share their
weights; the honours have weights of their own. A vector for the table combines suits and honours. It gets the sum over
the three suits, in which patterns across suits show. Each matrix is followed by a bias. With B positions, C channels:

    kernels   suits [B, 3, 9, planes] -> KERNEL_CHANNELS for each kernel and rank, ReLU
    stem      suits: outputs of the kernels -> C, ReLU. Honours [B, planes * 9] -> C, ReLU
    block     table   = relu(sum of the suits times a matrix + honours times a matrix)
              suits   = relu(suits + suits times a matrix + table times a matrix)
              honours = relu(honours + honours times a matrix + table times a matrix)
    policy    8 numbers for each tile of the board; pass and win from the table
    value     table -> C, ReLU -> score, logits of the OUTCOMES, fan

mj_bot/lab/train/network.py trains this network. A test compares the two.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

from ..blas import check_room
from ..mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE,
    split_chow_index)
from ..mahjong.tile import TILE_COUNT
from .ahead import compute_ahead_rows
from .planes import AHEAD_PLANES, BOARD_SIZE, TILE_COLUMNS, encode_inputs

# These are the ways in which a game ends for the viewing seat. "win": it wins. "pay": it pays the fan, because it gave
# the winning tile or the winner drew it. "spared": another seat gave the winning tile. "draw": nobody wins.
OUTCOMES = ("win", "pay", "spared", "draw")
# The network gives the score in units of 32 points, and the fan of a win of the viewing seat as log2(fan / 8).
SCORE_UNIT = 32.0
VALUE_SIZE = 1 + len(OUTCOMES) + 1


class Prediction(NamedTuple):
    """Keeps what a network predicts for B observations, in real numbers."""

    policy: np.ndarray  # [B, 235], logits of the actions
    score: np.ndarray  # [B], expected points / SCORE_UNIT
    outcome: np.ndarray  # [B, 4], logits of the OUTCOMES
    fan: np.ndarray  # [B], log2(fan / 8) of the own win, if the seat wins


# The policy has eight numbers for each tile: discard, open kong, concealed kong, added kong, pung, and chows that claim
# their lowest, middle and highest tile. A chow is at its middle tile.
POLICY_PLANES = 8
# Two actions have no tile: pass and win.
POLICY_PLAIN = 2


def _make_policy_index():
    """Returns for each action 0..234 its index among pass, win and the 8 x 36 numbers of the board."""
    index = np.arange(ACTION_COUNT)
    for plane, base in enumerate((DISCARD_BASE, OPEN_KONG_BASE, CONCEALED_KONG_BASE, ADDED_KONG_BASE, PUNG_BASE)):
        index[base:base + TILE_COUNT] = POLICY_PLAIN + plane * BOARD_SIZE + np.arange(TILE_COUNT)
    for action in range(CHOW_BASE, ACTION_COUNT):
        middle, claimed = split_chow_index(action)
        index[action] = POLICY_PLAIN + (6 + claimed - middle) * BOARD_SIZE + middle
    return index


POLICY_INDEX = _make_policy_index()
BOARD_SUITS = 3
# A kernel sees some ranks: (how many, distance between two of them).
KERNELS = {"neighbours": (3, 1), "thirds": (3, 3), "single": (1, 1)}
KERNEL_CHANNELS = 64
# This many positions are answered in one call on a processor: more do not fit into its cache.
_AT_ONCE = 256


def count_positions(size: int, step: int) -> int:
    """Returns at how many ranks of a suit a kernel fits that sees `size` ranks at distance `step`."""
    return TILE_COLUMNS - (size - 1) * step


def list_layers(plane_count: int, channels: int, blocks: int) -> Dict[str, Tuple[int, ...]]:
    """Returns the shapes of the matrices of a network, {name: (in, out)}.

    The first matrices, which read the board, have the shape (plane, rank, out). Each matrix has a bias (out,).
    """
    layers = {name: (plane_count, size, KERNEL_CHANNELS) for name, (size, _) in KERNELS.items()}
    kernel_outputs = KERNEL_CHANNELS * sum(count_positions(*kernel) for kernel in KERNELS.values())
    layers.update({"stem_suits": (kernel_outputs, channels), "stem_honours": (plane_count, TILE_COLUMNS, channels)})
    for block in range(blocks):
        layers.update({"blocks.%d.%s" % (block, matrix): (channels, channels) for matrix in BLOCK_PARTS})
    tiles = TILE_COLUMNS * POLICY_PLANES
    layers.update({"policy_suits": (channels, tiles), "policy_honours": (channels, tiles),
                   "plain": (channels, POLICY_PLAIN), "hidden": (channels, channels), "value": (channels, VALUE_SIZE)})
    return layers


# The matrices of a block are named by what they connect: "suits_table" is applied to the suits and added to the table.
BLOCK_PARTS = ("suits_table", "honours_table", "suits", "table_suits", "honours", "table_honours")


def list_batches(count: int, device: str) -> List[slice]:
    """Returns slices that divide `count` positions into batches for one call of the network on a device."""
    at_once = _AT_ONCE if device == "cpu" else 32 * _AT_ONCE
    return [slice(start, start + at_once) for start in range(0, count, at_once)]


class Network(object):
    """Computes a network in numpy: network(observations) returns the Prediction.

    weights: a Weights of network/weights.py. That file imports this one, so the type cannot stand in the signature.
    """

    device = "cpu"
    # This library computes: numpy, or torch in TorchNetwork. Both have the functions concatenate and stack.
    _library = np

    def __init__(self, weights: Any) -> None:
        self._blocks = weights.card["blocks"]
        self._planes = weights.planes
        arrays = dict(weights.arrays)
        for name, (ranks, _) in dict(KERNELS, stem_honours=(TILE_COLUMNS, 1)).items():
            # With ranks before planes a kernel sees whole rows of the board.
            array = arrays[name + ".weight"]
            array = array.reshape(-1, ranks, array.shape[-1]).swapaxes(0, 1).reshape(array.shape)
            arrays[name + ".weight"] = array
        self._arrays = {name: self._move(array) for name, array in arrays.items()}

    def __call__(self, observations: np.ndarray) -> Prediction:
        """Returns the Prediction for observations, in arrays of numpy.

        observations: uint8[B, OBSERVATION_SIZE or more].
        Raises InvalidHandError: a hand has a wrong number of tiles. MemoryError: numpy would not have enough memory.
        """
        check_room()
        ahead = None if set(self._planes).isdisjoint(AHEAD_PLANES) else compute_ahead_rows(observations)
        planes = self._move(encode_inputs(observations, ahead, self._planes))
        size, relu, multiply, concatenate = len(planes), self._relu, self._multiply, self._library.concatenate
        tiles = planes.swapaxes(1, 2)
        board = concatenate([tiles, 0 * tiles[:, :BOARD_SIZE - TILE_COUNT]], 1)
        board = board.reshape(size, BOARD_SUITS + 1, TILE_COLUMNS, -1)
        outputs = [multiply(name, self._cut(board[:, :BOARD_SUITS], *kernel)) for name, kernel in KERNELS.items()]
        outputs = concatenate([output.reshape(size, BOARD_SUITS, -1) for output in outputs], 2)
        suits = relu(multiply("stem_suits", relu(outputs)))
        honours = relu(multiply("stem_honours", board[:, BOARD_SUITS].reshape(size, -1)))
        for block in range(self._blocks):
            name = "blocks.%d." % block
            table = relu(multiply(name + "suits_table", suits.sum(1)) + multiply(name + "honours_table", honours))
            suits = relu(suits + multiply(name + "suits", suits) + multiply(name + "table_suits", table)[:, None])
            honours = relu(honours + multiply(name + "honours", honours) + multiply(name + "table_honours", table))
        tiles = concatenate([multiply("policy_suits", suits).reshape(size, -1), multiply("policy_honours", honours)], 1)
        tiles = tiles.reshape(size, BOARD_SIZE, POLICY_PLANES).swapaxes(1, 2).reshape(size, -1)
        policy = concatenate([multiply("plain", table), tiles], 1)[:, POLICY_INDEX]
        value = multiply("value", relu(multiply("hidden", table)))
        return Prediction(*map(self._read, (policy, value[:, 0], value[:, 1:1 + len(OUTCOMES)], value[:, -1])))

    def _cut(self, suits, size, step):
        """Returns the input of a kernel at each rank, [B, 3, ranks, size * planes]. suits: [B, 3, 9, planes]."""
        first_ranks = range(count_positions(size, step))
        cut = self._library.stack([suits[:, :, rank:rank + (size - 1) * step + 1:step] for rank in first_ranks], 2)
        return cut.reshape(len(suits), BOARD_SUITS, len(first_ranks), -1)

    def _multiply(self, name, array):
        """Returns the array times the matrix `name`, plus its bias."""
        return array @ self._arrays[name + ".weight"] + self._arrays[name + ".bias"]

    def _move(self, array):
        """Returns a numpy array as an array of the library that computes."""
        return array

    def _read(self, array):
        """Returns an array of the library that computes as one of numpy."""
        return array

    def _relu(self, array):
        """Returns the positive part of an array, which is overwritten."""
        return np.maximum(array, 0, out=array)


class TorchNetwork(Network):
    """Computes a network in torch: in float32 on a processor, in bfloat16 on a GPU.

    weights: a Weights of network/weights.py. That file imports this one, so the type cannot stand in the signature.
    device: text, as torch names it; None for a GPU if there is one, else the processor.
    """

    def __init__(self, weights: Any, device: Optional[str] = None) -> None:
        import torch

        self._library = torch
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._dtype = torch.float32 if self.device == "cpu" else torch.bfloat16
        super().__init__(weights)

    def _move(self, array):
        return self._library.from_numpy(np.ascontiguousarray(array)).to(self.device, self._dtype)

    def _read(self, array):
        return array.float().cpu().numpy()

    def _relu(self, array):
        return array.relu_()
