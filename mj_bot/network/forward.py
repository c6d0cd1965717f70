"""The network's forward pass: a residual tower over the board of tiles, a policy and a forecast of the game's end.

A board is [B, 36, C], place by place; mj_bot/lab/train/network.py trains the same network.

    stem      3x3 convolution to C channels, ReLU
    block     relu(x + conv(relu(conv(x) + mean of x over the board, times a matrix)))
    policy    a number for each kind of action at each tile (POLICY_PLACES), pass and win from the mean over the board
    value     mean over the board -> C, ReLU -> score, logits of the OUTCOMES, fan

Batch normalisation is folded into the convolutions before the weights come here.
"""

from collections import namedtuple

import numpy as np

from ..mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, chow_index,
)
from ..mahjong.tile import FIRST_HONOUR, TILE_COUNT
from .ops import NumpyOps
from .planes import COLUMNS, BOARD_SIZE, ROWS, encode_planes

# For the seat that looks: it wins; it pays the fan, for it gave the winning tile or the winner drew it; another seat
# gave that tile; nobody wins.
OUTCOMES = ("win", "pay", "spared", "draw")
# The score head gives points / SCORE_UNIT. The fan head gives log2(fan / 8) of the own win, should it win.
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
    """For each action 0..234 its place among pass, win and the POLICY_PLANES x 36 numbers of the board."""
    places = np.arange(ACTION_COUNT)
    for plane, base in enumerate((DISCARD_BASE, OPEN_KONG_BASE, CONCEALED_KONG_BASE, ADDED_KONG_BASE, PUNG_BASE)):
        places[base:base + TILE_COUNT] = POLICY_PLAIN + plane * BOARD_SIZE + np.arange(TILE_COUNT)
    for middle in range(FIRST_HONOUR):
        if middle % 9 in range(1, 8):
            for side in range(3):
                places[chow_index(middle, middle + side - 1)] = POLICY_PLAIN + (5 + side) * BOARD_SIZE + middle
    return places


POLICY_PLACES = _make_policy_places()


def _make_neighbours():
    """int[36, 9]: the places around each place, row by row; BOARD_SIZE, one beyond the board, where there is none."""
    around = np.full((ROWS + 2, COLUMNS + 2), BOARD_SIZE)
    around[1:-1, 1:-1] = np.arange(BOARD_SIZE).reshape(ROWS, COLUMNS)
    return np.array([around[row:row + 3, column:column + 3].ravel()
                     for row in range(ROWS) for column in range(COLUMNS)])


NEIGHBOURS = _make_neighbours()


def list_layers(plane_count, channels, blocks):
    """{name: shape} of the matrices of a network, [in, out], of convolutions [3, 3, in, out]. Each has a bias [out]."""
    layers = {"stem": (3, 3, plane_count, channels)}
    for number in range(blocks):
        name = "blocks.%d." % number
        layers.update({name + "first": (3, 3, channels, channels), name + "pool": (channels, channels),
                       name + "second": (3, 3, channels, channels)})
    layers.update({"policy": (channels, POLICY_PLANES), "plain": (channels, POLICY_PLAIN),
                   "hidden": (channels, channels), "value": (channels, VALUE_SIZE)})
    return layers


class Network(object):
    """The network with its weights; network(observations) answers.

    weights: weights.Weights. ops: the library that computes, NumpyOps or an ops.TorchOps.
    """

    def __init__(self, weights, ops=NumpyOps):
        self._ops = ops
        self._blocks = weights.blocks
        self._arrays = {name: ops.array(array) for name, array in weights.arrays.items()}
        self._neighbours = ops.array(NEIGHBOURS.ravel())
        self._policy_places = ops.array(POLICY_PLACES)

    def __call__(self, observations):
        """The Answer to observations uint8[B, OBSERVATION_SIZE]."""
        planes = encode_planes(observations, self._ops)
        board = self._ops.concatenate([planes, 0 * planes[:, :, :BOARD_SIZE - TILE_COUNT]], 2).swapaxes(1, 2)
        board = self._ops.relu(self._convolve("stem", board))
        for number in range(self._blocks):
            name = "blocks.%d." % number
            inner = self._convolve(name + "first", board)
            inner += self._multiply(name + "pool", board.mean(1))[:, None]
            inner = self._convolve(name + "second", self._ops.relu(inner))
            inner += board
            board = self._ops.relu(inner)
        mean = board.mean(1)
        tiles = self._multiply("policy", board).swapaxes(1, 2)
        plain = self._multiply("plain", mean)
        policy = self._ops.concatenate([plain, tiles.reshape(len(tiles), -1)], 1)[:, self._policy_places]
        value = self._multiply("value", self._ops.relu(self._multiply("hidden", mean)))
        return Answer(policy, value[:, 0], value[:, 1:1 + len(OUTCOMES)], value[:, -1])

    def _multiply(self, name, array):
        return array @ self._arrays[name + ".weight"] + self._arrays[name + ".bias"]

    def _convolve(self, name, board):
        beyond = 0 * board[:, :1]
        around = self._ops.concatenate([board, beyond], 1)[:, self._neighbours]
        return self._multiply(name, around.reshape(len(board), BOARD_SIZE, -1))
