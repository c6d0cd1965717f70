"""Walls; the seatings are tested with the schedule of the arena."""

import pytest

from mj_bot.lab.table import walls
from mj_bot.lab.table.game_referee import Referee
from mj_bot.mahjong.errors import InvalidHandError, InvalidTileError
from mj_bot.mahjong.tile import TILE_NAMES


def test_seed_wall_never_changes():
    """Results name their seeds: a generator that drifts would make them worthless."""
    assert " ".join(walls.wall_from_seed(0)[:8]) == "T5 B9 W4 W7 T9 B3 W8 W9"


def test_every_place_sees_every_tile():
    """4,000 walls: each kind is at each of 136 places 118 times on average (4.5 sigma: 49)."""
    seen = {}
    for seed in range(4000):
        for place, name in enumerate(walls.wall_from_seed(seed)):
            seen[place, name] = seen.get((place, name), 0) + 1
    assert all(abs(seen[place, name] - 4000 / 34) < 60 for place in range(136) for name in TILE_NAMES)


@pytest.mark.parametrize("seed", [-1, 1 << 64])
def test_seed_out_of_range(seed):
    with pytest.raises(ValueError, match="expected a seed"):
        walls.wall_from_seed(seed)


@pytest.mark.parametrize("change, error, message", [
    (lambda wall: wall[:-1], InvalidHandError, "136 tiles, got 135"),
    (lambda wall: wall + ["W1"], InvalidHandError, "136 tiles, got 137"),
    (lambda wall: ["X9"] + wall[1:], InvalidTileError, "'X9' at place 0"),
    (lambda wall: ["H1"] + wall[1:], InvalidTileError, "'H1' at place 0"),
    (lambda wall: [wall[1]] + wall[1:], InvalidHandError, "expected four"),
])
def test_illegal_walls(change, error, message):
    wall = walls.wall_from_seed(0)
    with pytest.raises(error, match=message):
        Referee(change(wall), 0)
