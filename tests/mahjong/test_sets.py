"""Sets and a pair against every way to make them, written out."""

import random

import pytest

from mj_bot.mahjong.sets import count_missing, find_missing
from tests.winning_hands import draw_hand, find_nearest, limit_copies, list_sets_and_pair


def check(counts, set_count, least, useful):
    """The missing tiles of counts are least + 1, any of the useful ones among them."""
    hand = bytes(counts)
    assert count_missing(hand, set_count) == least + 1, counts
    assert find_missing(hand, set_count, least + 1) == sum(1 << 8 * tile for tile in useful), counts
    assert find_missing(hand, set_count, least) == 0


@pytest.mark.parametrize("set_count, hands", [(0, 200), (1, 300), (2, 100)])
def test_every_way(set_count, hands):
    rng = random.Random(1)
    winning_hands = limit_copies(list_sets_and_pair(set_count))
    for _ in range(hands):
        counts = draw_hand(rng, 3 * set_count + rng.choice((1, 2)))
        check(counts, set_count, *find_nearest(winning_hands, counts))


@pytest.mark.parametrize("set_count, hands", [(3, 100), (4, 100)])
def test_every_way_in_a_suit_and_five_honours(set_count, hands):
    """Hands of a suit and two honours: three more honours stand for all other tiles, none of which they hold."""
    rng = random.Random(2)
    held_kinds = list(range(9)) + [27, 28]
    stand_ins = [29, 30, 31]
    winning_hands = limit_copies(list_sets_and_pair(set_count, held_kinds + stand_ins))
    for _ in range(hands):
        counts = draw_hand(rng, 3 * set_count + rng.choice((1, 1, 1, 2)), held_kinds)
        least, useful = find_nearest(winning_hands, counts)
        if stand_ins[0] in useful:
            useful = set(useful).union(range(9, 27), range(29, 34))
        check(counts, set_count, least, useful)


@pytest.mark.slow
def test_every_way_with_three_sets():
    rng = random.Random(3)
    winning_hands = limit_copies(list_sets_and_pair(3))
    for _ in range(100):
        counts = draw_hand(rng, rng.choice((10, 11)))
        check(counts, 3, *find_nearest(winning_hands, counts))
