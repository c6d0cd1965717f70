"""Parts that several of the published systems share: tiles of melds, and a network for each decision."""

from functools import partial

import torch
from torch import nn
from torch.nn import functional

from ....mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX
from ....mahjong.tile import TILE_COUNT
from ....observation.layout import CHOW, OPEN_KONG, PUNG, field
from ..recipe import Recipe, mean_of

DISCARDS, KONG_ACTIONS = slice(DISCARD_BASE, OPEN_KONG_BASE), slice(OPEN_KONG_BASE, PUNG_BASE)
PUNG_ACTIONS, CHOW_ACTIONS = slice(PUNG_BASE, CHOW_BASE), slice(CHOW_BASE, ACTION_COUNT)
# Above any logarithm of a probability: for actions that a rule takes whenever they are legal.
_BY_RULE, _WIN = 10.0, 20.0


class Reader(object):
    """Reads the fields of observations as integers, and marks tiles.

    observations: uint8[B, OBSERVATION_SIZE], tensor. dtype: of torch, for the results of `real`.
    """

    def __init__(self, observations, dtype):
        self._observations = observations
        self._dtype = dtype
        self.tiles = self.arange(TILE_COUNT)
        self.board = self.tiles >= 0

    def __call__(self, name):
        return field(self._observations, name).to(torch.int16)

    def arange(self, *limits):
        return torch.arange(*limits, device=self._observations.device, dtype=torch.int16)

    def real(self, tensor):
        return tensor.to(self._dtype)

    def mark(self, tiles):
        """Returns bool[..., 34] of tiles [...]; NONE marks nothing."""
        return tiles[..., None] == self.tiles


def count_meld_tiles(read):
    """Tiles of each meld, real[B, 4 players, 4 melds, 34]; none for another's concealed kong. read: Reader."""
    kinds, tiles = read("meld_kind")[..., None], read("meld_tile")
    marks = read.mark(tiles)
    chow = read.mark(tiles - 1) | marks | read.mark(tiles + 1)
    real = read.real
    return real(chow & (kinds == CHOW)) + 3 * real(marks & (kinds == PUNG)) + 4 * real(marks & (kinds >= OPEN_KONG))


def discard_loss(logits, batch):
    """Cross entropy of the discards. logits: real[B, 34]."""
    is_discard = _is_in(batch.action, DISCARDS)
    # A row without a discard gets all tiles, and does not count.
    logits = torch.where(batch.mask[:, DISCARDS] | ~is_discard[:, None], logits.float(), -torch.inf)
    target = torch.where(is_discard, batch.action - DISCARD_BASE, 0)
    return mean_of(functional.cross_entropy(logits, target, reduction="none"), is_discard & ~batch.is_random)


def claim_loss(actions, logits, batch):
    """Cross entropy of taking one of the actions, a slice, where it is legal. logits: real[B, 2], not and taken."""
    losses = functional.cross_entropy(logits.float(), _is_in(batch.action, actions).long(), reduction="none")
    return mean_of(losses, batch.mask[:, actions].any(1) & ~batch.is_random)


def chow_loss(logits, batch):
    """Cross entropy of no chow or the claimed tile lowest, middle, highest. logits: real[B, 4]."""
    target = torch.where(batch.action >= CHOW_BASE, 1 + (batch.action - CHOW_BASE) % 3, 0)
    losses = functional.cross_entropy(_mask_chows(logits, batch.mask), target, reduction="none")
    return mean_of(losses, batch.mask[:, CHOW_ACTIONS].any(1) & ~batch.is_random)


def _is_in(actions, chosen):
    return (actions >= chosen.start) & (actions < chosen.stop)


def _mask_chows(logits, masks):
    # Is a chow legal in which the claimed tile is lowest, middle, highest?
    legal = masks[:, CHOW_ACTIONS].unflatten(1, (-1, 3)).any(1)
    return torch.where(functional.pad(legal, (1, 0), value=True), logits.float(), -torch.inf)


LOSSES = {"discard": discard_loss, "pung": partial(claim_loss, PUNG_ACTIONS), "chow": chow_loss,
          "kong": partial(claim_loss, KONG_ACTIONS)}


def compose_policy(masks, discard, pung=None, *, chow=None, kong=None):
    """Logarithms of probabilities of the 235 actions, from networks that decide one thing each.

    discard: logits real[B, 34]. pung, kong: real[B, 2], not and taken; chow: real[B, 4]. A rule replaces a missing
    network: kongs and wins are taken, chows and pungs are not.
    """
    policy = torch.full(masks.shape, -_BY_RULE, device=masks.device)
    discard = torch.where(masks[:, DISCARDS], discard.float(), -torch.inf)
    policy[:, DISCARDS] = torch.log_softmax(discard, 1).nan_to_num(0.0, neginf=-_WIN)
    policy[:, PASS_INDEX] = 0
    if pung is not None:
        pung = torch.log_softmax(pung.float(), 1) * masks[:, PUNG_ACTIONS].any(1)[:, None]
        policy[:, PASS_INDEX] += pung[:, 0]
        policy[:, PUNG_ACTIONS] = pung[:, 1:]
    if chow is not None:
        has_chow = masks[:, CHOW_ACTIONS].any(1)
        logs = torch.where(has_chow[:, None], torch.log_softmax(_mask_chows(chow, masks), 1), 0)
        policy[:, PASS_INDEX] += logs[:, 0]
        refused = 0 if pung is None else pung[:, :1]
        policy[:, CHOW_ACTIONS] = refused + logs[:, 1:].repeat(1, (ACTION_COUNT - CHOW_BASE) // 3)
    if kong is None:
        policy[:, KONG_ACTIONS] = _BY_RULE
    else:
        logs = torch.log_softmax(kong.float(), 1) * masks[:, KONG_ACTIONS].any(1)[:, None]
        policy = policy + logs[:, :1]
        policy[:, KONG_ACTIONS] = logs[:, 1:]
    policy[:, WIN_INDEX] = _WIN
    return policy


class DecisionNetworks(nn.ModuleDict):
    """A network for each decision, all of the same input."""

    def forward(self, inputs):
        return {name: network(inputs) for name, network in self.items()}


class Separate(Recipe):
    """Base of recipes whose network is Networks with some of the names discard, pung, chow and kong."""

    def losses(self, output, batch):
        return {name: LOSSES[name](logits, batch) for name, logits in output.items()}

    def policy(self, output, masks):
        return compose_policy(masks, **output)


def convolve(inputs, outputs, kernel, *, activation=nn.ReLU):
    """The layers of a normalised convolution that keeps the size. activation: class of the last layer, or None."""
    padding = tuple(size // 2 for size in kernel)
    layers = [nn.Conv2d(inputs, outputs, kernel, padding=padding, bias=False), nn.BatchNorm2d(outputs)]
    return layers + [activation()] if activation else layers


class Residual(nn.Module):
    """Two normalised convolutions whose result is added to the input. kernel: size; activation: function."""

    def __init__(self, channels, kernel, activation=functional.relu):
        super().__init__()
        self.first, self.first_norm = convolve(channels, channels, kernel, activation=None)
        self.second, self.second_norm = convolve(channels, channels, kernel, activation=None)
        self._activation = activation

    def forward(self, board):
        inner = self._activation(self.first_norm(self.first(board)))
        return self._activation(board + self.second_norm(self.second(inner)))
