"""Look-ahead: facts of the hand after each discard, computed on the processor, and planes of them on the device.

Arrays [B, 35] have a place for each tile that may be discarded. Place 34 is the hand without a discard, 13 tiles less 3
a meld, where a claim is to be decided; it fills the whole plane. Places without a hand contain FAR, 0 or NaN.
"""

import threading

import numpy as np
import torch

from ....mahjong.action import ACTION_COUNT, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX
from ....mahjong.shanten_tables import SHAPE_COUNT, discard_batch, least_batch, shanten_batch
from ....mahjong.tile import TILE_COUNT
from ....observation.layout import FOLLOW, TURN, field
from ....tactic.search import SearchTactic

# The hands after a decision: one for each discard, and the hand without a discard.
AS_IS = TILE_COUNT
_HANDS = TILE_COUNT + 1
_DISCARDS = slice(DISCARD_BASE, OPEN_KONG_BASE)
# The shanten where there is no hand.
FAR = 10
# Shanten of a winning shape: -1 .. FAR.
LEVELS = FAR + 2

_own = threading.local()


def compute_useful(observations):
    """{"shanten": int8[B, 35], least over all shapes, "useful": int64[B, 35], bit t set where tile t lowers it}."""
    shanten = np.full((len(observations), _HANDS), FAR, np.int8)
    useful = np.zeros((len(observations), _HANDS), np.int64)
    hands, melds, to_discard = _read_hands(observations)
    shanten[to_discard, :AS_IS], useful[to_discard, :AS_IS] = discard_batch(hands[to_discard], melds[to_discard])
    shanten[~to_discard, AS_IS], useful[~to_discard, AS_IS] = least_batch(hands[~to_discard], melds[~to_discard])
    return {"shanten": np.minimum(shanten, FAR), "useful": useful}


def compute_shapes(observations):
    """int8[B, 35, 5]: shanten by shape, in the order of mahjong.shanten.SHAPES."""
    shanten = np.full((len(observations), _HANDS, SHAPE_COUNT), FAR, np.int8)
    hands, melds, to_discard = _read_hands(observations)
    rows, tiles = np.nonzero((hands > 0) & to_discard[:, None])
    left = hands[rows]
    left[np.arange(len(rows)), tiles] -= 1
    shanten[rows, tiles] = shanten_batch(left, melds[rows])[0]
    shanten[~to_discard, AS_IS] = shanten_batch(hands[~to_discard], melds[~to_discard])[0]
    return np.minimum(shanten, FAR)


def compute_worths(observations):
    """float32[B, 35]: the worth of the hand by the tactic `search` without opponents; NaN where there is no hand."""
    hands, _, to_discard = _read_hands(observations)
    masks = np.zeros((len(observations), ACTION_COUNT), bool)
    masks[:, _DISCARDS] = (hands > 0) & to_discard[:, None]
    masks[:, PASS_INDEX] = ~to_discard
    if not hasattr(_own, "search"):
        _own.search = SearchTactic()
    worths = np.where(masks, _own.search.compute_worths(observations, masks), np.nan).astype(np.float32)
    return np.concatenate([worths[:, _DISCARDS], worths[:, PASS_INDEX, None]], 1)


def _read_hands(observations):
    """(hands uint8[B, 34], melds uint8[B], bool[B] whether a discard is to be chosen)."""
    melds = (14 - field(observations, "hand_sizes")[:, 0].astype(np.int64)) // 3
    to_discard = np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW))
    return field(observations, "hand"), melds.astype(np.uint8), to_discard


def compute_facts(observations):
    """The facts of the planes below."""
    return {"shapes": compute_shapes(observations), "worths": compute_worths(observations)}


def spread(read, fact):
    """Facts [B, 35] or [B, 35, N] by tile, [B, 34] or [B, 34, N]. read: parts.Reader."""
    to_discard = (read("task") == TURN) | (read("task") == FOLLOW)
    if fact.ndim == 3:
        to_discard = to_discard[..., None]
    return torch.where(to_discard, fact[:, :AS_IS], fact[:, AS_IS:])


def mark_shapes(shapes):
    """bool[B, N * LEVELS, 34] of shanten [B, 34, N]: the levels of the first shape, of the next shape and so on."""
    levels = torch.arange(-1, LEVELS - 1, device=shapes.device)
    return (shapes[..., None] == levels).flatten(2).transpose(1, 2)


def mark_worths(worths, count):
    """bool[B, count, 34] of worths [B, 34]: at least 32 / 2 ** (n / 2) for n = count - 1 .. 0."""
    limits = 32 / 2 ** (torch.arange(count - 1, -1, -1, device=worths.device) / 2)
    return worths.nan_to_num(0)[:, None] >= limits[:, None]


def mark_shares(worths, count):
    """bool[B, count, 34] of worths [B, 34]: at least n / count of the best of the row, n = 1 .. count."""
    worths = worths.nan_to_num(0)
    shares = worths / worths.amax(1, keepdim=True).clamp(min=1e-6)
    limits = torch.arange(1, count + 1, device=worths.device) / count
    return shares[:, None] >= limits[:, None] - 1e-6
