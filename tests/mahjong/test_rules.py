"""The judge's rules of claims and payments, each against its own words."""

import random

import pytest

from mj_bot.mahjong.meld import make_meld
from mj_bot.mahjong.rules import can_chow, chow_middles, is_chow, win_scores
from mj_bot.mahjong.tile import TILE_INDEX

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


@pytest.mark.parametrize("winner, giver, scores", [
    (0, None, [60, -20, -20, -20]), (3, None, [-20, -20, -20, 60]), (2, 2, [-20, -20, 60, -20]),
    (1, 2, [-8, 36, -20, -8]), (2, 0, [-20, -8, 36, -8]),
])
def test_scores_of_a_win(winner, giver, scores):
    assert win_scores(winner, 12, giver) == scores


@pytest.mark.parametrize("action, claimed, kind, tiles, from_hand", [
    (("CHI", "W2", "J3"), "W3", "CHI", "W1 W2 W3", "W1 W2"), (("CHI", "W2"), "W2", "CHI", "W1 W2 W3", "W1 W3"),
    (("PENG", "J3"), "F1", "PENG", "F1 F1 F1", "F1 F1"), (("GANG",), "B9", "GANG", "B9 B9 B9 B9", "B9 B9 B9"),
    (("GANG", "T1"), None, "GANG", "T1 T1 T1 T1", "T1 T1 T1 T1"),
])
def test_a_meld_of_an_action(action, claimed, kind, tiles, from_hand):
    """Its tiles, and those that come out of the hand; only a concealed kong claims none."""
    meld = make_meld(action, 2, TILE_INDEX.get(claimed), giver=None if claimed is None else 1)
    assert (meld.type, " ".join(meld.cards), meld.src_card) == (kind, tiles, claimed)
    assert meld.src_pid == (2 if claimed is None else 1) and meld.is_concealed == (claimed is None)
    assert meld.from_hand == [TILE_INDEX[name] for name in from_hand.split()]
