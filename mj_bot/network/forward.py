"""Runs the network: suits and honours separately, a policy, and a forecast of the game's end.

A suit first goes through kernels shaped as patterns, each at all ranks: three neighbours (chows), every third rank
(knitted tiles), one rank (pairs and pungs). The three suits share their weights. A third part represents the table: it
sees the sum over the suits, which shows patterns across suits. mj_bot/lab/train/network.py trains the same network.

    kernels   suits [B, 3, 9, planes] -> KERNEL_CHANNELS at each place of each kernel, ReLU
    stem      suits: outputs of the kernels -> C, honours [B, planes * 9], the last two of each empty -> C, ReLU
    block     table   = relu(sum of the suits and honours, each times a matrix)
              suits   = relu(suits + suits times a matrix + table times a matrix); honours likewise
    policy    a number for each kind of action at each tile (POLICY_PLACES); pass and win from the table
    value     table -> C, ReLU -> score, logits of the OUTCOMES, fan
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, chow_index)
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from .ahead import look_ahead
from .planes import AHEAD_PLANES, BOARD_SIZE, TILE_COLUMNS, encode_inputs

# For the viewing seat: it wins; it pays the fan (it gave the winning tile, or the winner drew it); another seat gave
# that tile; nobody wins.
OUTCOMES = ("win", "pay", "spared", "draw")
# The score head gives points / SCORE_UNIT. The fan head gives log2(fan / 8) of the own win, if it wins.
SCORE_UNIT = 32.0
VALUE_SIZE = 1 + len(OUTCOMES) + 1

Answer = namedtuple("Answer", "policy score outcome fan")
Answer.__doc__ = "policy: logits real[B, 235]. score: real[B], in SCORE_UNIT. outcome: logits real[B, 4]. fan: real[B]."

# Planes of the policy: discard, open kong, concealed kong, added kong, pung, chows of their lowest, middle and highest
# tile. A chow lies at its middle tile.
POLICY_PLANES = 8
# Actions of no tile: pass, win.
POLICY_PLAIN = 2


def _make_policy_places():
    """Returns for each action 0..234 its index among pass, win and the POLICY_PLANES x 36 numbers of the board."""
    places = np.arange(ACTION_COUNT)
    for plane, base in enumerate((DISCARD_BASE, OPEN_KONG_BASE, CONCEALED_KONG_BASE, ADDED_KONG_BASE, PUNG_BASE)):
        places[base:base + TILE_COUNT] = POLICY_PLAIN + plane * BOARD_SIZE + np.arange(TILE_COUNT)
    for middle in range(FIRST_HONOUR):
        if middle % 9 in range(1, 8):
            for side in range(3):
                places[chow_index(middle, middle + side - 1)] = POLICY_PLAIN + (5 + side) * BOARD_SIZE + middle
    return places


POLICY_PLACES = _make_policy_places()
BOARD_SUITS = 3
# The ranks that a kernel sees: (number, step between them).
KERNELS = {"neighbours": (3, 1), "thirds": (3, 3), "single": (1, 1)}
KERNEL_CHANNELS = 64
# Positions that a network answers at once on a processor: more do not fit into its cache.
_AT_ONCE = 256


def count_places(size, step):
    """Returns the number of ranks at which a kernel fits into a suit.

    >>> [count_places(*kernel) for kernel in KERNELS.values()]
    [7, 3, 9]
    """
    return TILE_COLUMNS - (size - 1) * step


def list_layers(plane_count, channels, blocks):
    """Returns the shapes of the matrices of a network, {name: [in, out]}.

    The first matrices are [plane, rank, out]. Each matrix has a bias [out].
    """
    layers = {name: (plane_count, size, KERNEL_CHANNELS) for name, (size, _) in KERNELS.items()}
    found = KERNEL_CHANNELS * sum(count_places(*kernel) for kernel in KERNELS.values())
    layers.update({"stem_suits": (found, channels), "stem_honours": (plane_count, TILE_COLUMNS, channels)})
    for number in range(blocks):
        layers.update({"blocks.%d.%s" % (number, part): (channels, channels) for part in BLOCK_PARTS})
    tiles = TILE_COLUMNS * POLICY_PLANES
    layers.update({"policy_suits": (channels, tiles), "policy_honours": (channels, tiles),
                   "plain": (channels, POLICY_PLAIN), "hidden": (channels, channels), "value": (channels, VALUE_SIZE)})
    return layers


# Matrices of a block, by the parts of the board that they connect.
BLOCK_PARTS = ("suits_table", "honours_table", "suits", "table_suits", "honours", "table_honours")


def list_parts(count, device):
    """Returns slices of `count` positions, one after another, that a network on the device answers at once.

    device: text, "cpu" or the name of a GPU.
    """
    at_once = _AT_ONCE if device == "cpu" else 32 * _AT_ONCE
    return [slice(start, start + at_once) for start in range(0, count, at_once)]


class Network(object):
    """The network with its weights, on numpy; network(observations) answers.

    weights: weights.Weights.
    """

    device = "cpu"
    _library = np  # of arrays; torch names these functions alike: concatenate, stack

    def __init__(self, weights):
        self._blocks = weights.card["blocks"]
        self._planes = weights.planes
        arrays = dict(weights.arrays)
        for name, (ranks, _) in dict(KERNELS, stem_honours=(TILE_COLUMNS, 1)).items():
            # Ranks before planes: then a kernel sees whole rows of the board.
            array = arrays[name + ".weight"]
            array = array.reshape(-1, ranks, array.shape[-1]).swapaxes(0, 1).reshape(array.shape)
            arrays[name + ".weight"] = array
        self._arrays = {name: self._move(array) for name, array in arrays.items()}

    def __call__(self, observations):
        """Returns the Answer to observations uint8[B, OBSERVATION_SIZE], as arrays of numpy.

        Raises InvalidHandError: a hand of a wrong size.
        """
        ahead = None if set(self._planes).isdisjoint(AHEAD_PLANES) else look_ahead(observations)
        planes = self._move(encode_inputs(observations, ahead, self._planes))
        size, relu, multiply, concatenate = len(planes), self._relu, self._multiply, self._library.concatenate
        tiles = planes.swapaxes(1, 2)
        board = concatenate([tiles, 0 * tiles[:, :BOARD_SIZE - TILE_COUNT]], 1)
        board = board.reshape(size, BOARD_SUITS + 1, TILE_COLUMNS, -1)
        found = [multiply(name, self._cut(board[:, :BOARD_SUITS], *kernel)) for name, kernel in KERNELS.items()]
        found = concatenate([part.reshape(size, BOARD_SUITS, -1) for part in found], 2)
        suits = relu(multiply("stem_suits", relu(found)))
        honours = relu(multiply("stem_honours", board[:, BOARD_SUITS].reshape(size, -1)))
        for number in range(self._blocks):
            name = "blocks.%d." % number
            table = relu(multiply(name + "suits_table", suits.sum(1)) + multiply(name + "honours_table", honours))
            suits = relu(suits + multiply(name + "suits", suits) + multiply(name + "table_suits", table)[:, None])
            honours = relu(honours + multiply(name + "honours", honours) + multiply(name + "table_honours", table))
        tiles = concatenate([multiply("policy_suits", suits).reshape(size, -1), multiply("policy_honours", honours)], 1)
        tiles = tiles.reshape(size, BOARD_SIZE, POLICY_PLANES).swapaxes(1, 2).reshape(size, -1)
        policy = concatenate([multiply("plain", table), tiles], 1)[:, POLICY_PLACES]
        value = multiply("value", relu(multiply("hidden", table)))
        return Answer(*map(self._read, (policy, value[:, 0], value[:, 1:1 + len(OUTCOMES)], value[:, -1])))

    def _cut(self, suits, size, step):
        """Returns the input of a kernel at each rank, [B, 3, ranks, size * planes], from suits [B, 3, 9, planes]."""
        places = range(count_places(size, step))
        cut = self._library.stack([suits[:, :, place:place + (size - 1) * step + 1:step] for place in places], 2)
        return cut.reshape(len(suits), BOARD_SUITS, len(places), -1)

    def _multiply(self, name, array):
        return array @ self._arrays[name + ".weight"] + self._arrays[name + ".bias"]

    def _move(self, array):
        """Returns a numpy array in the library's form."""
        return array

    def _read(self, array):
        """Returns an array of the library as one of numpy."""
        return array

    def _relu(self, array):
        """Returns the positive part and overwrites the array with it."""
        return np.maximum(array, 0, out=array)


class TorchNetwork(Network):
    """Runs the network on torch: in float32 on a processor, in bfloat16 on a GPU.

    weights: weights.Weights. device: text, as torch names it; None for a GPU where there is one.
    """

    def __init__(self, weights, device=None):
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
