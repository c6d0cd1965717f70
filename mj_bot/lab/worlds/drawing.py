"""Draws walls that fit what a seat sees, all of them equally likely, in compiled code.

Before a game every order of the 136 tiles is equally likely. Each seat takes the tiles of its wall one after another,
and the slots of a seat's own tiles are known to it. A tile that another seat showed was in one of the slots that this
seat had taken until then. The tiles that it showed earlier were in some of these slots too, so the number of free slots
is known. For each shown tile in turn, one of the free slots is drawn at random. The other tiles fill the remaining
slots in any order.

The walls do not take into account how players choose. They are drawn as if each seat had shown its tiles at random.
"""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.compiled import mix
from ...mahjong.errors import ProtocolError
from ...mahjong.splitmix import MASK, STEP
from ...mahjong.tile import COPIES, TILE_COUNT
from ...observation.layout import NONE
from ..table.walls import SLICE_SIZE, WALL_SIZE
from .history import History


def draw_walls(history: History, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns (walls, tiles of the hidden kongs) of `count` worlds: uint8[count, 136] and uint8[count, K].

    A hidden kong is a concealed kong of another seat, whose tile nobody else sees. K is the number of such kongs.
    history: what a seat knows of the walls. seed: 0 .. 2**64 - 1; equal seeds give equal walls on every machine.
    Raises ProtocolError: seed or count is out of range, or there are fewer kinds with four unseen copies than hidden
    kongs.
    """
    if not (isinstance(count, int) and count > 0 and isinstance(seed, int) and 0 <= seed <= MASK):
        raise ProtocolError("expected 1 world or more and a seed 0 .. 2**64 - 1, got %r and %r", count, seed)
    quads = np.flatnonzero(np.bincount(history.pool, minlength=TILE_COUNT) == COPIES).astype(np.uint8)
    kongs = len(np.unique(history.shown[history.shown[:, 1] >= TILE_COUNT, 1]))
    if kongs > len(quads):
        raise ProtocolError("expected at most %d concealed kongs, as so many tiles have four copies unseen, got %d",
                            len(quads), kongs)
    walls, kong_tiles = np.empty((count, WALL_SIZE), np.uint8), np.empty((count, kongs), np.uint8)
    state = np.array([seed], np.uint64)
    _draw_walls(history.own, history.shown, history.pool.copy(), quads, state, walls, kong_tiles)
    return walls, kong_tiles


@jit_part
def _draw_number(state, limit):
    """Returns a random number 0 .. limit - 1. state: uint64[1], which is changed."""
    mixed = mix(state[0])
    state[0] += np.uint64(STEP)
    return np.int64((mixed >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32))


@jit
def _draw_walls(own, shown, pool, quads, state, walls, kong_tiles):
    """Writes `walls` and `kong_tiles`. quads: uint8[Q], kinds of which four copies are unseen."""
    # Each world shuffles pool and quads again in place. Every order is equally likely, whatever the one before was.
    for world in range(len(walls)):
        wall = walls[world]
        for index in range(WALL_SIZE):
            wall[index] = own[index]
        for kong in range(kong_tiles.shape[1]):
            other = kong + _draw_number(state, len(quads) - kong)
            quads[kong], quads[other] = quads[other], quads[kong]
            kong_tiles[world, kong] = quads[kong]
        for row in range(len(shown)):
            seat, tile, taken = shown[row]
            if tile >= TILE_COUNT:
                tile = np.int64(kong_tiles[world, tile - TILE_COUNT])
            _put(wall, SLICE_SIZE * (seat + 1) - 1, taken, state, tile)
        index = 0
        for pick in range(len(pool)):
            other = pick + _draw_number(state, len(pool) - pick)
            pool[pick], pool[other] = pool[other], pool[pick]
            is_laid = False
            for kong in range(kong_tiles.shape[1]):
                is_laid = is_laid or pool[pick] == kong_tiles[world, kong]
            if not is_laid:
                while wall[index] != NONE:
                    index += 1
                wall[index] = pool[pick]


@jit_part
def _put(wall, top, taken, state, tile):
    """Puts a tile into one of the free slots among the first `taken` slots of a seat. Slot 0 is wall[top]."""
    free = 0
    for slot in range(taken):
        free += wall[top - slot] == NONE
    skipped = _draw_number(state, free)
    for slot in range(taken):
        if wall[top - slot] == NONE:
            if skipped == 0:
                wall[top - slot] = tile
                return
            skipped -= 1
