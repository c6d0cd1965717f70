"""Computes extra inputs of the hand after each discard on the processor, and makes planes of them on the device.

Arrays [B, 35] have a column for each tile that may be discarded, and column 34 (AS_IS) for the hand as it is. Where a
discard is to be decided, column 34 is unused. Where a claim is to be decided, only column 34 is used; the hand has 13
tiles less 3 per meld, and the planes have the same value for every tile. Unused elements contain FAR, 0 or NaN.
"""

import threading

import numpy as np
import torch

from ....mahjong.action import ACTION_COUNT, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX
from ....mahjong.shanten_tables import SHAPE_COUNT, discard_batch, least_batch, shanten_batch
from ....mahjong.tile import TILE_COUNT
from ....observation.layout import FOLLOW, TURN, field
from ....tactic.search import SearchTactic
from .parts import Reader

AS_IS = TILE_COUNT  # column of the hand without a discard
_HANDS = TILE_COUNT + 1
_DISCARDS = slice(DISCARD_BASE, OPEN_KONG_BASE)
FAR = 10  # greatest shanten, also that of a tile that cannot be discarded
LEVELS = FAR + 2  # number of values of shanten, -1 .. FAR

_own = threading.local()  # keeps a SearchTactic for each thread


def compute_useful(observations: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the shanten and the useful tiles after each discard, over all winning shapes.

    Returns {"shanten": int8[B, 35], "useful": int64[B, 35]}. Bit t of an element of `useful` is set where tile t lowers
    the shanten.
    observations: uint8[B, OBSERVATION_SIZE].
    """
    shanten = np.full((len(observations), _HANDS), FAR, np.int8)
    useful = np.zeros((len(observations), _HANDS), np.int64)
    hands, melds, to_discard = _read_hands(observations)
    shanten[to_discard, :AS_IS], useful[to_discard, :AS_IS] = discard_batch(hands[to_discard], melds[to_discard])
    shanten[~to_discard, AS_IS], useful[~to_discard, AS_IS] = least_batch(hands[~to_discard], melds[~to_discard])
    return {"shanten": np.minimum(shanten, FAR), "useful": useful}


def compute_shapes(observations: np.ndarray) -> np.ndarray:
    """Returns the shanten of each winning shape after each discard, int8[B, 35, 5], in the order of SHAPES.

    observations: uint8[B, OBSERVATION_SIZE].
    """
    shanten = np.full((len(observations), _HANDS, SHAPE_COUNT), FAR, np.int8)
    hands, melds, to_discard = _read_hands(observations)
    rows, tiles = np.nonzero((hands > 0) & to_discard[:, None])
    left = hands[rows]
    left[np.arange(len(rows)), tiles] -= 1
    shanten[rows, tiles] = shanten_batch(left, melds[rows])[0]
    shanten[~to_discard, AS_IS] = shanten_batch(hands[~to_discard], melds[~to_discard])[0]
    return np.minimum(shanten, FAR)


def compute_worths(observations: np.ndarray) -> np.ndarray:
    """Returns what the hand is worth after each discard, float32[B, 35]; NaN for unused elements.

    The worth is that of the tactic `search`, without opponents.
    observations: uint8[B, OBSERVATION_SIZE].
    """
    hands, _, to_discard = _read_hands(observations)
    masks = np.zeros((len(observations), ACTION_COUNT), bool)
    masks[:, _DISCARDS] = (hands > 0) & to_discard[:, None]
    masks[:, PASS_INDEX] = ~to_discard
    if not hasattr(_own, "search"):
        _own.search = SearchTactic()
    worths = np.where(masks, _own.search.compute_worths(observations, masks), np.nan).astype(np.float32)
    return np.concatenate([worths[:, _DISCARDS], worths[:, PASS_INDEX, None]], 1)


def _read_hands(observations):
    """Returns (hands uint8[B, 34], numbers of melds uint8[B], bool[B] whether a discard is to be decided)."""
    melds = (14 - field(observations, "hand_sizes")[:, 0].astype(np.int64)) // 3
    to_discard = np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW))
    return field(observations, "hand"), melds.astype(np.uint8), to_discard


def compute_shapes_and_worths(observations: np.ndarray) -> dict[str, np.ndarray]:
    """Returns {"shapes": int8[B, 35, 5], "worths": float32[B, 35]} of uint8[B, OBSERVATION_SIZE]."""
    return {"shapes": compute_shapes(observations), "worths": compute_worths(observations)}


def spread(read: Reader, fact: torch.Tensor) -> torch.Tensor:
    """Returns a fact for each tile: after its discard, or of the hand as it is where a claim is to be decided.

    read: parts.Reader of the observations. fact: [B, 35] or [B, 35, N]. The result is [B, 34] or [B, 34, N].
    """
    to_discard = (read("task") == TURN) | (read("task") == FOLLOW)
    if fact.ndim == 3:
        to_discard = to_discard[..., None]
    return torch.where(to_discard, fact[:, :AS_IS], fact[:, AS_IS:])


def mark_shapes(shapes: torch.Tensor) -> torch.Tensor:
    """Returns bool[B, N * LEVELS, 34]: LEVELS planes for the shanten int[B, 34, N] of each shape after each discard."""
    levels = torch.arange(-1, LEVELS - 1, device=shapes.device)
    return (shapes[..., None] == levels).flatten(2).transpose(1, 2)


def mark_worths(worths: torch.Tensor, count: int) -> torch.Tensor:
    """Returns planes that mark worths of at least 32 / 2 ** (n / 2), for n = count - 1 .. 0, bool[B, count, 34]."""
    limits = 32 / 2 ** (torch.arange(count - 1, -1, -1, device=worths.device) / 2)
    return worths.nan_to_num(0)[:, None] >= limits[:, None]


def mark_shares(worths: torch.Tensor, count: int) -> torch.Tensor:
    """Returns planes that mark worths of at least n / count of the row's best one, n = 1 .. count, bool[B, count, 34].

    worths: real[B, 34], NaN where there is no hand.
    """
    worths = worths.nan_to_num(0)
    shares = worths / worths.amax(1, keepdim=True).clamp(min=1e-6)
    limits = torch.arange(1, count + 1, device=worths.device) / count
    return shares[:, None] >= limits[:, None] - 1e-6
