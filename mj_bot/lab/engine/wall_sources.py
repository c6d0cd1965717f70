"""Sources of walls for new games: consecutive seeds, or given walls.

A Source deals games number 0, 1, 2 ... in order, or every stride-th of them. Game i has wall number i // repeats and
seating i % repeats of walls.SEATINGS.
"""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part, jitable
from ...mahjong.compiled import mix
from ...mahjong.errors import MahjongError
from ...mahjong.splitmix import STEP
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_INDEX
from ..table import walls
from ..table.walls import WALL_SIZE, check_wall

wind_from_seed = jitable(walls.wind_from_seed)
SEED_WIND = 255
ENDLESS = 1 << 62


class Source(NamedTuple):
    """Made by seed_source and wall_source."""

    walls: np.ndarray  # uint8[n, 136]; none where they come from seeds
    winds: np.ndarray  # uint8[n], or [1] for seeds; SEED_WIND: wind_from_seed
    state: np.ndarray  # int64[5]: next game, number of games, repeats, seed of wall 0, stride


def seed_source(first_seed=0, game_count=ENDLESS, repeats=1, *, prevalent_wind=None, first_game=0,
                stride=1):
    """Source of the walls of seeds first_seed, first_seed + 1, ..., see walls.wall_from_seed.

    repeats: games a wall, 1 or more. prevalent_wind: 0..3 for all of them, None for walls.wind_from_seed of each.
    first_game, stride: it deals games first_game, first_game + stride, ... alone.
    """
    if not 0 <= first_seed < 1 << 63:
        raise MahjongError("expected a first seed 0 .. 2**63 - 1, got %r" % (first_seed,))
    wind = SEED_WIND if prevalent_wind is None else _check_wind(prevalent_wind)
    return Source(np.zeros((0, WALL_SIZE), np.uint8), np.array([wind], np.uint8),
                  np.array([first_game, game_count, repeats, first_seed, stride], np.int64))


def wall_source(walls, prevalent_winds):
    """Source of given walls, each 136 tile names, a game on each; prevalent_winds: 0..3 for each.

    Raises InvalidTileError, InvalidHandError: an invalid wall.
    """
    if len(walls) != len(prevalent_winds):
        raise MahjongError("expected a prevalent wind a wall, got %d and %d" % (len(prevalent_winds), len(walls)))
    encoded = np.zeros((len(walls), WALL_SIZE), np.uint8)
    for place, names in enumerate(walls):
        check_wall(names, " in wall %d" % place)
        encoded[place] = [TILE_INDEX[name] for name in names]
    winds = np.array([_check_wind(wind) for wind in prevalent_winds], np.uint8)
    return Source(encoded, winds, np.array([0, len(walls), 1, 0, 1], np.int64))


def _check_wind(wind):
    if wind not in (0, 1, 2, 3):
        raise MahjongError("expected a prevalent wind 0..3, got %r" % (wind,))
    return int(wind)


@jit_part
def take_wall(source, wall):
    """Writes the next game's wall into uint8[136]; returns (number, prevalent wind), (-1, 0) after the last one."""
    number = source.state[0]
    if number >= source.state[1]:
        return -1, 0
    source.state[0] += source.state[4]
    place = number // source.state[2]
    if len(source.walls):
        for i in range(WALL_SIZE):
            wall[i] = source.walls[place, i]
        return number, np.int64(source.winds[place])
    seed = np.uint64(source.state[3]) + np.uint64(place)
    shuffle_wall(wall, seed)
    if source.winds[0] == SEED_WIND:
        return number, np.int64(wind_from_seed(seed))
    return number, np.int64(source.winds[0])


@jit
def shuffle_wall(wall, seed):
    """Writes the wall of a seed, see walls.wall_from_seed, into uint8[136]."""
    for tile in range(TILE_COUNT):
        for copy in range(COPIES):
            wall[COPIES * tile + copy] = tile
    for i in range(WALL_SIZE - 1, 0, -1):
        j = np.int64(((mix(seed) >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32))
        seed += np.uint64(STEP)
        wall[i], wall[j] = wall[j], wall[i]
