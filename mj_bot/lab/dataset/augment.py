"""Decisions with suits exchanged and ranks mirrored: the same decision in other tiles.

A transform is a number 0..11: 2 * place among the six orders of the suits, + 1 where the ranks 1..9 become 9..1. Tables
apply it to an observation, its mask and the action. Games won by game.OWN_SUITS_FANS always have transform 0: in other
tiles their hand would not count that fan.
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
from ...observation.layout import OBSERVATION_SIZE, PLACES
from ..engine.decisions import is_legal

TRANSFORMS = 12

# Fields of an observation whose place is a tile, and whose value is one.
_BY_TILE = ("hand", "unseen")
_OF_TILES = ("last_tile", "meld_tile", "meld_claimed", "river_tile")


class Tables(NamedTuple):
    """All transforms."""

    tiles: np.ndarray  # uint8[12, 256], by old tile the new one; NONE stays
    actions: np.ndarray  # int16[12, 235], by old action the new one
    observation_places: np.ndarray  # int16[12, OBSERVATION_SIZE], by new place the old one
    action_places: np.ndarray  # int16[12, 235], the same of a mask
    is_tile: np.ndarray  # bool[OBSERVATION_SIZE], whether a byte is a tile


def transform_tile(transform, tile):
    """Tile 0..33 under a transform.

    >>> transform_tile(0, 7), transform_tile(1, 7), transform_tile(11, 7), transform_tile(11, 27)
    (7, 1, 19, 27)
    """
    if tile >= FIRST_HONOUR:
        return tile
    order = list(permutations(range(3)))[transform // 2]
    suit, rank = divmod(tile, 9)
    return 9 * order[suit] + (8 - rank if transform % 2 else rank)


def transform_action(transform, action):
    """Action 0..234 under a transform."""
    if action < DISCARD_BASE:
        return action
    if action >= CHOW_BASE:
        return chow_index(*(transform_tile(transform, tile) for tile in split_chow_index(action)))
    base = max(base for base in (DISCARD_BASE, OPEN_KONG_BASE, CONCEALED_KONG_BASE, ADDED_KONG_BASE, PUNG_BASE)
               if base <= action)
    return base + transform_tile(transform, action - base)


@lru_cache(maxsize=None)
def make_tables():
    """The Tables of all transforms."""
    tiles = np.tile(np.arange(256, dtype=np.uint8), (TRANSFORMS, 1))
    actions = np.array([[transform_action(transform, action) for action in range(ACTION_COUNT)]
                        for transform in range(TRANSFORMS)], np.int16)
    observation_places = np.tile(np.arange(OBSERVATION_SIZE, dtype=np.int16), (TRANSFORMS, 1))
    is_tile = np.zeros(OBSERVATION_SIZE, bool)
    for name in _OF_TILES:
        start, end, _ = PLACES[name]
        is_tile[start:end] = True
    for transform in range(TRANSFORMS):
        becomes = np.array([transform_tile(transform, tile) for tile in range(TILE_COUNT)])
        tiles[transform, :TILE_COUNT] = becomes
        for name in _BY_TILE:
            start, end, _ = PLACES[name]
            for first in range(start, end, TILE_COUNT):
                observation_places[transform, first + becomes] = np.arange(first, first + TILE_COUNT)
    return Tables(tiles, actions, observation_places, np.argsort(actions, axis=1).astype(np.int16), is_tile)


@jit
def take_rows(tables, rows, transforms, observations, masks, actions, observations_out, masks_out, actions_out):
    """Writes rows of observations, masks (uint64[M, 4]) and actions, each in its transform, into the last three arrays.

    rows: int64[B]. transforms: uint8[B]. observations_out: uint8[B, OBSERVATION_SIZE].
    masks_out: bool[B, 235]. actions_out: int16[B].
    """
    for at in range(len(rows)):
        row = rows[at]
        transform = transforms[at]
        observation, mask = observations[row], masks[row]
        actions_out[at] = tables.actions[transform, actions[row]]
        for action in range(ACTION_COUNT):
            masks_out[at, action] = is_legal(mask, np.int64(tables.action_places[transform, action]))
        for place in range(OBSERVATION_SIZE):
            value = observation[tables.observation_places[transform, place]]
            observations_out[at, place] = tables.tiles[transform, value] if tables.is_tile[place] else value
