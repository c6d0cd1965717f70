"""What hands come to after each discard, found on the processor for the recipes that look ahead.

Place 34 of a row is the hand as it is: 13 tiles less 3 a meld where a claim is asked for. Places where there is nothing
to find hold FAR, 0 or NaN.
"""

import threading

import numpy as np

from ...mahjong.action import ACTION_COUNT, DISCARD_BASE, PASS_INDEX
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import FOLLOW, TURN, field
from ..batch.search import SearchBatch
from ..engine.shanten import SHAPE_COUNT, discard_batch, least_batch, shanten_batch

AS_IS = TILE_COUNT
PLACES = TILE_COUNT + 1
# A shanten that stands for none.
FAR = 10

# Of each thread.
_own = threading.local()


def find_shanten(observations):
    """(shanten int8[B, 35], useful int64[B, 35]): least shanten over all shapes, bit t for a tile t that lowers it."""
    shanten = np.full((len(observations), PLACES), FAR, np.int8)
    useful = np.zeros((len(observations), PLACES), np.int64)
    hands, melds, to_discard = _read_hands(observations)
    shanten[to_discard, :AS_IS], useful[to_discard, :AS_IS] = discard_batch(hands[to_discard], melds[to_discard])
    shanten[~to_discard, AS_IS], useful[~to_discard, AS_IS] = least_batch(hands[~to_discard], melds[~to_discard])
    return np.minimum(shanten, FAR), useful


def find_shapes(observations):
    """int8[B, 35, 5]: shanten by shape, in the order of mahjong.shanten.SHAPES."""
    shanten = np.full((len(observations), PLACES, SHAPE_COUNT), FAR, np.int8)
    hands, melds, to_discard = _read_hands(observations)
    rows, tiles = np.nonzero((hands > 0) & to_discard[:, None])
    left = hands[rows]
    left[np.arange(len(rows)), tiles] -= 1
    shanten[rows, tiles] = shanten_batch(left, melds[rows])[0]
    shanten[~to_discard, AS_IS] = shanten_batch(hands[~to_discard], melds[~to_discard])[0]
    return np.minimum(shanten, FAR)


def find_worths(observations):
    """float32[B, 35]: what the hand is worth by the wins of eight fan and more in its reach, as the tactic search says;
    NaN where there is none. Opponents are left out of it."""
    worths = np.full((len(observations), PLACES), np.nan, np.float32)
    hands, _, to_discard = _read_hands(observations)
    rows, places = np.nonzero((hands > 0) & to_discard[:, None])
    waiting = np.flatnonzero(~to_discard)
    rows, places = np.concatenate([rows, waiting]), np.concatenate([places, np.full(len(waiting), AS_IS)])
    masks = np.zeros((len(rows), ACTION_COUNT), bool)
    masks[np.arange(len(rows)), np.where(places == AS_IS, PASS_INDEX, DISCARD_BASE + places)] = True
    if not hasattr(_own, "search"):
        _own.search = SearchBatch()
    _own.search(observations[rows], masks)
    worths[rows, places] = _own.search.worths
    return worths


def _read_hands(observations):
    """(hands uint8[B, 34], melds uint8[B], bool[B] whether a discard is asked for)."""
    melds = (14 - field(observations, "hand_sizes")[:, 0].astype(np.int64)) // 3
    to_discard = np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW))
    return field(observations, "hand"), melds.astype(np.uint8), to_discard
