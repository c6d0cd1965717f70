"""What several of the published systems share: tiles of melds, and decisions split among networks."""

import torch
from torch import nn
from torch.nn import functional

from ....mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX
from ....observation.layout import CHOW, OPEN_KONG, PUNG
from ..recipe import mean_of

# Above any logarithm of a probability: what a rule takes whenever it is legal.
_BY_RULE, _WIN = 10.0, 20.0


def count_meld_tiles(read):
    """Tiles of each meld, real[B, 4 players, 4 melds, 34]; none for another's concealed kong. read: planes.Reader."""
    kinds, tiles = read("meld_kind")[..., None], read("meld_tile")
    marks = read.mark(tiles)
    chow = read.mark(tiles - 1) | marks | read.mark(tiles + 1)
    real = read.ops.real
    return real(chow & (kinds == CHOW)) + 3 * real(marks & (kinds == PUNG)) + 4 * real(marks & (kinds >= OPEN_KONG))


def find_chows(masks):
    """bool[B, 3]: whether a chow is legal in which the claimed tile is lowest, middle, highest."""
    return masks[:, CHOW_BASE:].unflatten(1, (-1, 3)).any(1)


def find_pung(masks):
    return masks[:, PUNG_BASE:CHOW_BASE].any(1)


def find_kong(masks):
    return masks[:, OPEN_KONG_BASE:PUNG_BASE].any(1)


def find_discards(masks):
    return masks[:, DISCARD_BASE:OPEN_KONG_BASE]


def discard_loss(logits, batch):
    """Cross entropy of the discards to be learnt. logits: real[B, 34]."""
    is_discard = (batch.action >= DISCARD_BASE) & (batch.action < OPEN_KONG_BASE)
    legal = find_discards(batch.mask)
    # A row without a discard takes part in the arithmetic, with all tiles legal, and counts for nothing.
    logits = torch.where(legal | ~is_discard[:, None], logits.float(), -torch.inf)
    target = torch.where(is_discard, batch.action - DISCARD_BASE, 0)
    return mean_of(functional.cross_entropy(logits, target, reduction="none"), is_discard & ~batch.is_random)


def binary_loss(logits, is_taken, is_asked, *, batch):
    """Cross entropy of taking a claim or not. logits: real[B, 2], not and taken."""
    losses = functional.cross_entropy(logits.float(), is_taken.long(), reduction="none")
    return mean_of(losses, is_asked & ~batch.is_random)


def pung_loss(logits, batch):
    is_taken = (batch.action >= PUNG_BASE) & (batch.action < CHOW_BASE)
    return binary_loss(logits, is_taken, find_pung(batch.mask), batch=batch)


def kong_loss(logits, batch):
    is_taken = (batch.action >= OPEN_KONG_BASE) & (batch.action < PUNG_BASE)
    return binary_loss(logits, is_taken, find_kong(batch.mask), batch=batch)


def chow_loss(logits, batch):
    """Cross entropy of none or the claimed tile lowest, middle, highest. logits: real[B, 4]."""
    is_chow = batch.action >= CHOW_BASE
    target = torch.where(is_chow, 1 + (batch.action - CHOW_BASE) % 3, 0)
    losses = functional.cross_entropy(_mask_chows(logits, batch.mask), target, reduction="none")
    return mean_of(losses, find_chows(batch.mask).any(1) & ~batch.is_random)


def _mask_chows(logits, masks):
    legal = find_chows(masks)
    return torch.where(functional.pad(legal, (1, 0), value=True), logits.float(), -torch.inf)


def compose_policy(masks, discard, pung=None, chow=None, kong=None):
    """Logarithms of probabilities of the 235 actions, from those of networks that decide one thing each.

    discard: logits real[B, 34]. pung, kong: real[B, 2], not and taken; chow: real[B, 4]. Where a network is missing, a
    rule decides: kongs and wins are taken, chows and pungs are not.
    """
    policy = torch.full(masks.shape, -_BY_RULE, device=masks.device)
    discard = torch.where(find_discards(masks), discard.float(), -torch.inf)
    policy[:, DISCARD_BASE:OPEN_KONG_BASE] = torch.log_softmax(discard, 1).nan_to_num(0.0, neginf=-_WIN)
    policy[:, PASS_INDEX] = 0
    if pung is not None:
        pung = torch.log_softmax(pung.float(), 1) * find_pung(masks)[:, None]
        policy[:, PASS_INDEX] += pung[:, 0]
        policy[:, PUNG_BASE:CHOW_BASE] = pung[:, 1:]
    if chow is not None:
        has_chow = find_chows(masks).any(1)
        logs = torch.where(has_chow[:, None], torch.log_softmax(_mask_chows(chow, masks), 1), 0)
        policy[:, PASS_INDEX] += logs[:, 0]
        refused = 0 if pung is None else pung[:, :1]
        policy[:, CHOW_BASE:] = refused + logs[:, 1:].repeat(1, (ACTION_COUNT - CHOW_BASE) // 3)
    kongs = slice(OPEN_KONG_BASE, PUNG_BASE)
    if kong is None:
        policy[:, kongs] = _BY_RULE
    else:
        logs = torch.log_softmax(kong.float(), 1) * find_kong(masks)[:, None]
        policy = policy + logs[:, :1]
        policy[:, kongs] = logs[:, 1:]
    policy[:, WIN_INDEX] = _WIN
    return policy


class Residual(nn.Module):
    """Two convolutions around which the input goes, with normalisation. kernel: size; activation: function."""

    def __init__(self, channels, kernel, activation=functional.relu):
        super().__init__()
        padding = tuple(size // 2 for size in kernel)
        self.first = nn.Conv2d(channels, channels, kernel, padding=padding, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, kernel, padding=padding, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        self._activation = activation

    def forward(self, board):
        inner = self._activation(self.first_norm(self.first(board)))
        return self._activation(board + self.second_norm(self.second(inner)))
