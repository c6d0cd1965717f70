"""The judge's rule of chows against its own words; the others are tested on recorded games."""

import random

from mj_bot.mahjong.rules import can_chow, chow_middles, is_chow

CHOWS = {9 * suit + rank: {9 * suit + rank + step for step in (-1, 0, 1)} for suit in range(3) for rank in range(1, 8)}


def test_a_chow_is_three_ranks_of_a_suit():
    """Any numbers may be asked about: none outside the tiles is the middle of one."""
    for middle in range(-3, 40):
        for tile in range(34):
            assert is_chow(middle, tile) == (tile in CHOWS.get(middle, ())), (middle, tile)


def test_a_chow_needs_its_two_other_tiles():
    rng = random.Random(2)
    for _ in range(300):
        counts = [rng.choice((0, 0, 1, 2)) for _ in range(34)]
        for tile in range(34):
            middles = [middle for middle, tiles in CHOWS.items()
                       if tile in tiles and all(counts[other] for other in tiles - {tile})]
            assert chow_middles(counts, tile) == middles
            assert [middle for middle in range(-1, 36) if can_chow(counts, tile, middle)] == middles
