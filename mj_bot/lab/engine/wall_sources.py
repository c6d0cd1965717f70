"""Defines sources of walls for new games: consecutive seeds, or given walls.

A source deals games number 0, 1, 2 ... in order, or every stride-th of them. Game i has wall number i // repeats. The
games of one wall differ in who sits where: game i has seating i % repeats of walls.SEATINGS.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part, jitable
from ...mahjong.compiled import mix
from ...mahjong.errors import InvalidHandError, MahjongError
from ...mahjong.splitmix import STEP
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_INDEX
from ..table import walls
from ..table.walls import WALL_SIZE, check_wall

wind_from_seed = jitable(walls.wind_from_seed)
# Source.winds has this value where each seed decides the prevalent wind of its game.
SEED_WIND = 255
# A number of games that no source reaches.
ENDLESS = 1 << 62


DEALING = np.dtype([(name, np.int64) for name in ("next_game", "game_count", "repeats", "first_seed", "stride")])


class Source(NamedTuple):
    """Keeps where new games get their walls from; seed_source() and wall_source() make it.

    walls: uint8[W, 136], the given walls as tiles 0..33; W is 0 if the walls come from seeds.
    winds: uint8[W], the prevalent wind of each given wall. For seeds uint8[1], the wind of all of them; SEED_WIND means
        that each seed decides.
    dealing: DEALING[1]: number of the next game, number of games, games per wall, seed of wall 0, stride. take_wall
        changes next_game.
    """

    walls: np.ndarray
    winds: np.ndarray
    dealing: np.ndarray


def make_dealing(
        game_count: int, next_game: int = 0, repeats: int = 1, *, first_seed: int = 0, stride: int = 1) -> np.ndarray:
    """Returns the DEALING[1] of a source."""
    return np.array([(next_game, game_count, repeats, first_seed, stride)], DEALING)


def seed_source(
        first_seed: int = 0, game_count: int = ENDLESS, repeats: int = 1, *, prevalent_wind: int | None = None,
        first_game: int = 0, stride: int = 1) -> Source:
    """Returns a source of the walls that walls.wall_from_seed makes of first_seed, first_seed + 1, ...

    repeats: games per wall. prevalent_wind: 0..3, or None for the wind of each seed.
    first_game, stride: deals only games first_game, first_game + stride, ... before number game_count.
    """
    if not isinstance(first_seed, (int, np.integer)) or not 0 <= first_seed < 1 << 63:
        raise MahjongError("expected a first seed 0 .. 2**63 - 1, got %r", first_seed)
    wind = SEED_WIND if prevalent_wind is None else _check_wind(prevalent_wind)
    return Source(np.zeros((0, WALL_SIZE), np.uint8), np.array([wind], np.uint8),
                  make_dealing(game_count, first_game, repeats, first_seed=first_seed, stride=stride))


def wall_source(walls: Sequence[Sequence[str]], prevalent_winds: Sequence[int]) -> Source:
    """Returns a source of given walls, with one game on each.

    walls: sequences of 136 tile names. prevalent_winds: 0..3 for each wall.
    Raises InvalidTileError, InvalidHandError: an invalid wall. MahjongError: an invalid wind, or a wrong number of
    them.
    """
    if len(walls) != len(prevalent_winds):
        raise MahjongError("expected a prevalent wind a wall, got %d and %d", len(prevalent_winds), len(walls))
    encoded = np.zeros((len(walls), WALL_SIZE), np.uint8)
    for index, names in enumerate(walls):
        if not isinstance(names, (list, tuple)):
            raise InvalidHandError("expected a wall as a list of tile names, got %.80r", names)
        check_wall(names, " in wall %d" % index)
        encoded[index] = [TILE_INDEX[name] for name in names]
    winds = np.array([_check_wind(wind) for wind in prevalent_winds], np.uint8)
    return Source(encoded, winds, make_dealing(len(walls)))


def _check_wind(wind):
    """Returns a prevalent wind as an int. Raises MahjongError: it is not 0..3."""
    if wind not in (0, 1, 2, 3):
        raise MahjongError("expected a prevalent wind 0..3, got %r", wind)
    return int(wind)


@jit_part
def take_wall(source: Source, wall: np.ndarray) -> tuple[int, int]:
    """Writes the wall of the source's next game to uint8[136], and counts the game as dealt.

    Returns (number of the game, prevalent wind 0..3), or (-1, 0) if the source has no more games.
    """
    dealing = source.dealing[0]
    game_id = dealing.next_game
    if game_id >= dealing.game_count:
        return -1, 0
    dealing.next_game += dealing.stride
    wall_index = game_id // dealing.repeats
    if len(source.walls):
        for i in range(WALL_SIZE):
            wall[i] = source.walls[wall_index, i]
        return game_id, np.int64(source.winds[wall_index])
    seed = np.uint64(dealing.first_seed) + np.uint64(wall_index)
    shuffle_wall(wall, seed)
    if source.winds[0] == SEED_WIND:
        return game_id, np.int64(wind_from_seed(seed))
    return game_id, np.int64(source.winds[0])


@jit
def shuffle_wall(wall: np.ndarray, seed: np.uint64) -> None:
    """Writes the wall of a seed, which walls.wall_from_seed defines, to uint8[136]."""
    for tile in range(TILE_COUNT):
        for copy in range(COPIES):
            wall[COPIES * tile + copy] = tile
    for i in range(WALL_SIZE - 1, 0, -1):
        j = np.int64(((mix(seed) >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32))
        seed += np.uint64(STEP)
        wall[i], wall[j] = wall[j], wall[i]
