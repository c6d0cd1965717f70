"""How far hands are from ready, many decisions at once; see mj_bot/worth/distances.py."""

import numpy as np

from ....mahjong.action import ACTION_COUNT, CHOW_BASE, PUNG_BASE, split_chow_index
from ....mahjong.tile import TILE_COUNT
from ....observation.layout import CLAIM, field
from ....worth.distances import Distances
from ...engine.shanten import discard_batch, least_batch, unpack_tiles

_CHOWS = np.array([split_chow_index(index) for index in range(CHOW_BASE, ACTION_COUNT)])


def find_distances(observations, masks):
    """The Distances of observations uint8[B, OBSERVATION_SIZE] with their legal actions bool[B, 235]."""
    hands = np.ascontiguousarray(field(observations, "hand"))
    melds = (field(observations, "meld_kind")[:, 0] > 0).sum(1).astype(np.uint8)
    now, _ = least_batch(hands, melds)
    after = np.zeros((len(observations), TILE_COUNT), np.int64)
    useful = np.zeros((len(observations), TILE_COUNT, TILE_COUNT), bool)
    owing = np.flatnonzero(field(observations, "task")[:, 0] != CLAIM)
    owing = owing[hands[owing].sum(1) + 3 * melds[owing] == 14]
    if len(owing):
        after[owing], tiles = discard_batch(hands[owing], melds[owing])
        useful[owing] = unpack_tiles(tiles)
    return Distances(now.astype(np.int64), after, useful, _find_claimed(hands, melds, masks))


def _find_claimed(hands, melds, masks):
    claimed = np.zeros((len(hands), ACTION_COUNT), np.int64)
    rows, pungs = np.nonzero(masks[:, PUNG_BASE:CHOW_BASE])
    chow_rows, chows = np.nonzero(masks[:, CHOW_BASE:])
    all_rows = np.concatenate([rows, chow_rows])
    if not len(all_rows):
        return claimed
    left = hands[all_rows]
    places = np.arange(len(all_rows))
    left[places[:len(rows)], pungs] -= 2
    middles, taken = _CHOWS[chows].T
    for tile in (middles - 1, middles, middles + 1):
        left[places[len(rows):], tile] -= tile != taken
    actions = np.concatenate([PUNG_BASE + pungs, CHOW_BASE + chows])
    claimed[all_rows, actions] = least_batch(left, melds[all_rows] + 1)[0]
    return claimed
