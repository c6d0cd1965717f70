"""Exchanges the suits of decisions and mirrors their ranks, which gives the same decisions in other tiles.

A transform is a number 0..11. transform // 2 is one of the six orders of the suits. If the transform is odd, the ranks
1..9 become 9..1. Tables apply a transform to an observation, to its mask and to the action.

Games that were won by a fan of game_record.OWN_SUITS_FANS always have transform 0, because in other tiles their hand
would not have this fan.
"""

from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from ...jit import jit
from ...mahjong.action import (
    ACTION_COUNT, ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, chow_index,
    split_chow_index)
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...observation.layout import OBSERVATION_SIZE, BYTE_RANGES
from ..engine.decision_rows import is_legal

TRANSFORMS = 12

# In the fields _BY_TILE of an observation each tile has its own byte; in the fields _OF_TILES the bytes are tiles.
_BY_TILE = ("hand", "unseen")
_OF_TILES = ("last_tile", "meld_tile", "meld_claimed", "river_tile")


class Tables(NamedTuple):
    """Keeps what each of the 12 transforms does."""

    tiles: np.ndarray  # uint8[12, 256]; tiles[transform, tile] is the new tile; NONE stays NONE
    actions: np.ndarray  # int16[12, 235]; actions[transform, action] is the new action
    source_bytes: np.ndarray  # int16[12, OBSERVATION_SIZE], index of the old byte from which each new byte comes
    source_actions: np.ndarray  # int16[12, 235], old action of each new action
    is_tile: np.ndarray  # bool[OBSERVATION_SIZE], whether the value of a byte is a tile


class DecisionRows(NamedTuple):
    """Keeps decisions, one in each row."""

    observations: np.ndarray  # uint8[M, OBSERVATION_SIZE]
    masks: np.ndarray  # legal actions, uint64[M, 4] or bool[M, 235]
    actions: np.ndarray  # int16[M], the recorded action


def transform_tile(transform: int, tile: int) -> int:
    """Returns the tile 0..33 that a tile becomes by a transform 0..11.

    >>> transform_tile(0, 7), transform_tile(1, 7), transform_tile(11, 7), transform_tile(11, 27)
    (7, 1, 19, 27)
    """
    if tile >= FIRST_HONOUR:
        return tile
    order = list(permutations(range(3)))[transform // 2]
    suit, rank = divmod(tile, 9)
    return 9 * order[suit] + (8 - rank if transform % 2 else rank)


def transform_action(transform: int, action: int) -> int:
    """Returns the action 0..234 that an action becomes by a transform 0..11."""
    if action < DISCARD_BASE:
        return action
    if action >= CHOW_BASE:
        return chow_index(*(transform_tile(transform, tile) for tile in split_chow_index(action)))
    base = max(base for base in (DISCARD_BASE, OPEN_KONG_BASE, CONCEALED_KONG_BASE, ADDED_KONG_BASE, PUNG_BASE)
               if base <= action)
    return base + transform_tile(transform, action - base)


@lru_cache(maxsize=None)
def make_tables() -> Tables:
    """Returns the tables of all transforms."""
    tiles = np.tile(np.arange(256, dtype=np.uint8), (TRANSFORMS, 1))
    actions = np.array([[transform_action(transform, action) for action in range(ACTION_COUNT)]
                        for transform in range(TRANSFORMS)], np.int16)
    source_bytes = np.tile(np.arange(OBSERVATION_SIZE, dtype=np.int16), (TRANSFORMS, 1))
    is_tile = np.zeros(OBSERVATION_SIZE, bool)
    for name in _OF_TILES:
        start, end, _ = BYTE_RANGES[name]
        is_tile[start:end] = True
    for transform in range(TRANSFORMS):
        becomes = np.array([transform_tile(transform, tile) for tile in range(TILE_COUNT)])
        tiles[transform, :TILE_COUNT] = becomes
        for name in _BY_TILE:
            start, end, _ = BYTE_RANGES[name]
            for first in range(start, end, TILE_COUNT):
                source_bytes[transform, first + becomes] = np.arange(first, first + TILE_COUNT)
    return Tables(tiles, actions, source_bytes, np.argsort(actions, axis=1).astype(np.int16), is_tile)


@jit
def take_rows(
        tables: Tables, rows: np.ndarray, transforms: np.ndarray, source: DecisionRows, target: DecisionRows) -> None:
    """Writes some decisions, each in its transform, into `target`.

    tables: Tables. rows: int64[B], indices of the decisions in `source`. transforms: uint8[B], 0..11.
    source: DecisionRows with masks uint64[M, 4], bit a is set where action a is legal.
    target: DecisionRows of B rows with masks bool[B, 235].
    """
    for row in range(len(rows)):
        transform = transforms[row]
        observation, mask = source.observations[rows[row]], source.masks[rows[row]]
        target.actions[row] = tables.actions[transform, source.actions[rows[row]]]
        for action in range(ACTION_COUNT):
            target.masks[row, action] = is_legal(mask, np.int64(tables.source_actions[transform, action]))
        for index in range(OBSERVATION_SIZE):
            value = observation[tables.source_bytes[transform, index]]
            target.observations[row, index] = tables.tiles[transform, value] if tables.is_tile[index] else value
