"""The chances of missing tiles, against every way that the unseen copies may fall."""

import random

import numpy as np
import pytest

from mj_bot.reach.chance import MAX_SHARE, chances_by_need, share_of_unseen, tabulate_chances
from tests.reach.targets import tabulate


@pytest.mark.parametrize("draws, unseen, claims, expected", [
    (9, 90, 0.0, 0.1), (9, 90, 0.5, 0.15), (0, 90, 0.5, 0.0), (20, 10, 0.5, MAX_SHARE), (1, 0, 0.0, MAX_SHARE),
], ids=["drawn alone", "claimed too", "no draws left", "more draws than tiles", "no unseen tile"])
def test_share_of_unseen(draws, unseen, claims, expected):
    assert share_of_unseen(draws, unseen, claims) == pytest.approx(expected)


@pytest.mark.parametrize("share", [0.0, 0.07, 0.31, MAX_SHARE])
@pytest.mark.parametrize("sharpness", [1.0, 2.0, 1.5])
def test_chances_of_some_copies(share, sharpness):
    table = tabulate_chances(share, sharpness)
    np.testing.assert_allclose(table, tabulate(share, sharpness), atol=1e-15)
    assert (table[np.triu_indices(5, 1)] == 0).all(), "more copies than there are"


def test_chances_by_need():
    rng = random.Random(1)
    chances = tabulate_chances(0.2, 1.5)
    counts = np.array([[rng.randrange(5) for _ in range(34)] for _ in range(3)])
    unseen = np.array([rng.randrange(5) for _ in range(34)])
    by_need = chances_by_need(chances, counts, unseen[None])
    assert by_need.shape == (3, 34, 5)
    for variant, hand in enumerate(counts.tolist()):
        for tile, held in enumerate(hand):
            for need in range(5):
                expected = 1 if held >= need else chances[unseen[tile], need - held]
                assert by_need[variant, tile, need] == pytest.approx(expected)
