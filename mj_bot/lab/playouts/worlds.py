"""Worlds: what a seat sees, with the hidden tiles filled in, by what is known of them."""

import numpy as np

from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import OBSERVATION_SIZE, field
from ..engine import fill_hidden

_SEEDS = 1 << 63


def deal_even(full, rng):
    """All that the seat does not see dealt anew; see engine.positions.fill_hidden."""
    return fill_hidden(full[:OBSERVATION_SIZE], rng.integers(_SEEDS))


def deal_half(full, rng):
    """Of each other hand, half of the tiles stay; the rest of the hands and the walls are dealt anew."""
    world = full.copy()
    hands = field(world, "hands")
    taken = np.zeros_like(hands)
    for hand, part in zip(hands, taken):
        tiles = rng.permutation(np.repeat(np.arange(TILE_COUNT), hand))
        part[:] = np.bincount(tiles[:len(tiles) // 2], minlength=TILE_COUNT)
    hands -= taken
    walls = _list_walls(world)
    tiles = rng.permutation(np.concatenate([walls, np.repeat(np.arange(TILE_COUNT), taken.sum(0, dtype=int))]))
    start = 0
    for hand, part in zip(hands, taken):
        end = start + int(part.sum())
        hand += np.bincount(tiles[start:end], minlength=TILE_COUNT).astype(np.uint8)
        start = end
    _lay_walls(world, tiles[start:])
    return world


def deal_walls(full, rng):
    """The walls alone dealt anew: the other hands are the true ones."""
    world = full.copy()
    _lay_walls(world, rng.permutation(_list_walls(world)))
    return world


# What a world knows of the other hands.
BELIEFS = {"even": deal_even, "half": deal_half, "true": deal_walls}


def _list_walls(full):
    walls = field(full, "walls")
    return np.concatenate([field(full, "wall_tiles")[offset, :walls[offset]] for offset in range(SEATS)])


def _lay_walls(full, tiles):
    ends = np.cumsum(field(full, "walls").astype(int))
    for offset, part in enumerate(np.split(tiles, ends[:-1])):
        field(full, "wall_tiles")[offset, :len(part)] = part
