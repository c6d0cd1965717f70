"""Provides what several published systems share: reading observations, a network for each decision, and layers."""

from collections.abc import Callable
from functools import partial

import torch
from torch import nn
from torch.nn import functional

from ....mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX
from ....mahjong.tile import TILE_COUNT
from ....observation.layout import CHOW, OPEN_KONG, PUNG, field
from ..recipe import Recipe, TrainBatch, average_chosen

DISCARDS, KONG_ACTIONS = slice(DISCARD_BASE, OPEN_KONG_BASE), slice(OPEN_KONG_BASE, PUNG_BASE)
PUNG_ACTIONS, CHOW_ACTIONS = slice(PUNG_BASE, CHOW_BASE), slice(CHOW_BASE, ACTION_COUNT)
# Logits of actions that a rule takes wherever they are legal. Logits of networks are logarithms of probabilities here,
# so they are 0 at most.
_BY_RULE, _WIN = 10.0, 20.0


class Reader(object):
    """Reads fields of observations as integers, by reader(name), and marks tiles.

    observations: uint8[B, OBSERVATION_SIZE], tensor. dtype: precision of what `real` returns.
    tiles: int16[34], the indices 0..33. board: bool[34], True everywhere; `x & board` gives x a column per tile.
    """

    def __init__(self, observations: torch.Tensor, dtype: torch.dtype):
        self._observations = observations
        self._dtype = dtype
        self.tiles = self.arange(TILE_COUNT)
        self.board = self.tiles >= 0

    def __call__(self, name: str) -> torch.Tensor:
        """Returns a field of the observations, int16[B, ...]. name: a name of FIELDS in observation/layout.py."""
        return field(self._observations, name).to(torch.int16)

    def arange(self, *limits: int) -> torch.Tensor:
        """Returns int16 numbers on the device of the observations. limits: arguments of torch.arange."""
        return torch.arange(*limits, device=self._observations.device, dtype=torch.int16)

    def real(self, tensor: torch.Tensor) -> torch.Tensor:
        """Returns a tensor in the precision of this reader."""
        return tensor.to(self._dtype)

    def mark(self, tiles: torch.Tensor) -> torch.Tensor:
        """Returns bool[..., 34], True at the tile of each element of tiles [...]. NONE marks nothing."""
        return tiles[..., None] == self.tiles


def count_meld_tiles(read: Reader) -> torch.Tensor:
    """Returns how many of each tile each meld has, real[B, 4 players, 4 melds, 34].

    Concealed kongs of others have no tiles, because their tiles are not seen. read: Reader of the observations.
    """
    meld_types, tiles = read("meld_kind")[..., None], read("meld_tile")
    marks = read.mark(tiles)
    chow = read.mark(tiles - 1) | marks | read.mark(tiles + 1)
    chows, pungs, kongs = chow & (meld_types == CHOW), marks & (meld_types == PUNG), marks & (meld_types >= OPEN_KONG)
    return read.real(chows) + 3 * read.real(pungs) + 4 * read.real(kongs)


def discard_loss(logits: torch.Tensor, batch: TrainBatch) -> torch.Tensor:
    """Returns the cross entropy of the discards. logits: real[B, 34]. Other and random actions do not count."""
    is_discard = _is_in(batch.action, DISCARDS)
    # A row without a discard does not count. All its tiles stay legal, as its loss would be NaN otherwise.
    logits = torch.where(batch.mask[:, DISCARDS] | ~is_discard[:, None], logits.float(), -torch.inf)
    target = torch.where(is_discard, batch.action - DISCARD_BASE, 0)
    return average_chosen(functional.cross_entropy(logits, target, reduction="none"), is_discard & ~batch.is_random)


def claim_loss(actions: slice, logits: torch.Tensor, batch: TrainBatch) -> torch.Tensor:
    """Returns the cross entropy of taking one of some actions or none, logits real[B, 2], where one is legal."""
    losses = functional.cross_entropy(logits.float(), _is_in(batch.action, actions).long(), reduction="none")
    return average_chosen(losses, batch.mask[:, actions].any(1) & ~batch.is_random)


def chow_loss(logits: torch.Tensor, batch: TrainBatch) -> torch.Tensor:
    """Returns the cross entropy of no chow, or one with the claimed tile lowest, middle, highest: logits real[B, 4]."""
    target = torch.where(batch.action >= CHOW_BASE, 1 + (batch.action - CHOW_BASE) % 3, 0)
    losses = functional.cross_entropy(_mask_chows(logits, batch.mask), target, reduction="none")
    return average_chosen(losses, batch.mask[:, CHOW_ACTIONS].any(1) & ~batch.is_random)


def _is_in(actions, chosen):
    """Returns whether each action is in a slice, bool[B]."""
    return (actions >= chosen.start) & (actions < chosen.stop)


def _mask_chows(logits, masks):
    """Returns logits real[B, 4] of no chow and of chows by the rank of the claimed tile, minus infinity if illegal."""
    # The three columns say whether a chow is legal in which the claimed tile is lowest, middle and highest.
    legal = masks[:, CHOW_ACTIONS].unflatten(1, (-1, 3)).any(1)
    return torch.where(functional.pad(legal, (1, 0), value=True), logits.float(), -torch.inf)


# {name of a network: function(logits, batch) that returns its loss}
LOSSES = {"discard": discard_loss, "pung": partial(claim_loss, PUNG_ACTIONS), "chow": chow_loss,
          "kong": partial(claim_loss, KONG_ACTIONS)}


def compose_policy(
        masks: torch.Tensor, discard: torch.Tensor, pung: torch.Tensor | None = None, *,
        chow: torch.Tensor | None = None, kong: torch.Tensor | None = None) -> torch.Tensor:
    """Returns logits of all actions, real[B, 235], from networks that decide one thing each.

    A rule replaces a missing network: it declares kongs, and claims no chow and no pung. Wins are always taken.
    masks: bool[B, 235], the legal actions. discard: logits real[B, 34].
    pung, kong: logits real[B, 2], of not taking and of taking it; None without a network.
    chow: logits real[B, 4], of no chow and of a chow in which the claimed tile is lowest, middle or highest; None
        without a network.
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
    """Keeps a network for each decision; all of them take the same input."""

    def forward(self, inputs: torch.Tensor) -> dict[str, torch.Tensor]:
        """Returns {name of the network: its output}."""
        return {name: network(inputs) for name, network in self.items()}


class Separate(Recipe):
    """Base of recipes with a separate network for each decision.

    make_network returns DecisionNetworks whose names are some of "discard", "pung", "chow" and "kong".
    """

    def losses(self, output: dict[str, torch.Tensor], batch: TrainBatch) -> dict[str, torch.Tensor]:
        """Returns the loss of each network, {name: scalar tensor}."""
        return {name: LOSSES[name](logits, batch) for name, logits in output.items()}

    def policy(self, output: dict[str, torch.Tensor], masks: torch.Tensor) -> torch.Tensor:
        """Returns logits of all actions, real[B, 235], from the decisions of the networks and of rules."""
        return compose_policy(masks, **output)


def convolve(
        inputs: int, outputs: int, kernel: tuple[int, int], *,
        activation: type[nn.Module] | None = nn.ReLU) -> list[nn.Module]:
    """Returns the layers of a normalised convolution that keeps the size of the board. kernel: (height, width), odd."""
    padding = tuple(size // 2 for size in kernel)
    layers = [nn.Conv2d(inputs, outputs, kernel, padding=padding, bias=False), nn.BatchNorm2d(outputs)]
    return layers + [activation()] if activation else layers


class Residual(nn.Module):
    """Adds the result of two normalised convolutions to their input.

    channels: number of channels. kernel: (height, width), odd numbers. activation: function of a tensor.
    """

    def __init__(
            self, channels: int, kernel: tuple[int, int],
            activation: Callable[[torch.Tensor], torch.Tensor] = functional.relu):
        super().__init__()
        self.first, self.first_norm = convolve(channels, channels, kernel, activation=None)
        self.second, self.second_norm = convolve(channels, channels, kernel, activation=None)
        self._activation = activation

    def forward(self, board: torch.Tensor) -> torch.Tensor:
        """Returns the board after the block. board: real[B, channels, height, width]."""
        inner = self._activation(self.first_norm(self.first(board)))
        return self._activation(board + self.second_norm(self.second(inner)))
