"""Shanten and useful tiles against winning hands written out and MahjongGB; the recorded judge in test_state.py."""

import random

import MahjongGB
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mj_bot.mahjong.errors import InvalidHandError
from mj_bot.mahjong.shanten import discard_table, shanten, useful_tiles
from mj_bot.mahjong.shanten_tables import SHAPES, UNREACHABLE, load_missing, shanten_batch, unpack_tiles
from mj_bot.mahjong.suit_memo import count_missing, list_useful, make_suit_key
from mj_bot.mahjong.suit_tables import GOAL_COUNT, MISSING, POWERS
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES, list_tiles, parse_counts
from tests.winning_hands import (
    draw_hand, find_nearest, limit_copies,
    list_honours_and_knitted, list_knitted_straights, list_seven_pairs, list_sets_and_pair, list_thirteen_orphans)

MOST_MELDS = {"regular": 4, "seven_pairs": 0, "thirteen_orphans": 0, "honours_and_knitted": 0, "knitted_straight": 1}
MAHJONG_GB = {
    "regular": MahjongGB.RegularShanten,
    "seven_pairs": MahjongGB.SevenPairsShanten,
    "thirteen_orphans": MahjongGB.ThirteenOrphansShanten,
    "honours_and_knitted": MahjongGB.HonorsAndKnittedTilesShanten,
    "knitted_straight": MahjongGB.KnittedStraightShanten,
}

# What neither all winning hands nor MahjongGB tell below.
CASES = {
    "nothing fits": ("regular", "W147 T147 B147 F1234", 0, 8, None),
    "a knitted straight is one tile ahead of regular": (None, "W1457 T2589 B111 F22", 0, 2, "B3 B6 B9"),
    "no wait for a fifth copy": ("regular", "T4446666 J222", 1, 0, "T5"),
    "nor among useful tiles": ("regular", "W7 T4444 B7777 J2222", 0, 2, "W7 T2 T3 T5 T6 B5 B6 B8 B9"),
    "nor with a knitted straight": ("knitted_straight", "W28 T6 B1447 F11112 J2", 0, 3, "W5 T3 T9 B4 F2 J2"),
    "four of a kind are not ready": ("regular", "W1111 T234 B567 F111", 0, 1, None),
    "useful in either of two shapes": (None, "W147 T258 B369 F1123", 0, 1, "F1 F2 F3 F4 J1 J2 J3"),
}


def solve(counts, melds, shape=None):
    """(shanten, useful tiles) of one winning shape, or of the nearest."""
    if shape is None:
        return useful_tiles(counts, melds)
    least, tiles = (by_shape[0, SHAPES.index(shape)] for by_shape in shanten_batch([counts], [melds]))
    return least, np.flatnonzero(unpack_tiles(tiles)).tolist()


@pytest.mark.parametrize("shape, hand, melds, expected, useful", CASES.values(), ids=CASES)
def test_cases(shape, hand, melds, expected, useful):
    least, tiles = solve(parse_counts(hand), melds, shape)
    assert least == expected
    assert useful is None or [TILE_NAMES[tile] for tile in tiles] == useful.split()


@pytest.mark.parametrize("shape, melds, winning_hands, kinds, hands", [
    ("thirteen_orphans", 0, list_thirteen_orphans, None, 300),
    ("honours_and_knitted", 0, list_honours_and_knitted, None, 300),
    ("seven_pairs", 0, lambda: list_seven_pairs(range(3, 12)), range(3, 12), 100),
    ("knitted_straight", 0, lambda: list_knitted_straights(1), None, 300),
    ("knitted_straight", 1, lambda: list_knitted_straights(0), None, 300),
    ("regular", 4, lambda: limit_copies(list_sets_and_pair(0)), None, 100),
    ("regular", 3, lambda: limit_copies(list_sets_and_pair(1)), None, 200),
    ("regular", 2, lambda: limit_copies(list_sets_and_pair(2)), None, 100),
    pytest.param("regular", 1, lambda: limit_copies(list_sets_and_pair(3)), None, 100, marks=pytest.mark.slow),
])
def test_every_winning_hand(shape, melds, winning_hands, kinds, hands):
    """Shanten and useful tiles are those of the nearest of all winning hands."""
    rng = random.Random(4)
    winning_hands = winning_hands()
    for _ in range(hands):
        counts = draw_hand(rng, 13 - 3 * melds, kinds)
        least, tiles = find_nearest(winning_hands, counts)
        assert solve(counts, melds, shape) == (least, tiles), list_tiles(counts)
        counts[rng.choice([tile for tile in kinds or range(34) if counts[tile] < 4])] += 1
        assert solve(counts, melds, shape)[0] == find_nearest(winning_hands, counts)[0], list_tiles(counts)


@pytest.mark.parametrize("melds", [1, 0])
def test_every_regular_hand_of_a_suit_and_five_honours(melds):
    """Hands of a suit and two honours: three more honours represent all other tiles, of which they have none."""
    rng = random.Random(2)
    kinds, others = list(range(9)) + [27, 28], [29, 30, 31]
    winning_hands = limit_copies(list_sets_and_pair(4 - melds, kinds + others))
    for _ in range(100):
        counts = draw_hand(rng, 13 - 3 * melds, kinds)
        least, tiles = find_nearest(winning_hands, counts)
        if others[0] in tiles:
            tiles = sorted(set(tiles).union(range(9, 27), range(29, 34)))
        assert solve(counts, melds, "regular") == (least, tiles), list_tiles(counts)


def test_a_suit_by_memo_and_by_table():
    """Interpreted code computes what compiled code reads."""
    table = load_missing()
    rng = random.Random(8)
    for _ in range(2000):
        suit, size = rng.choice(((0, 9), (3, 7)))
        counts = np.bincount(rng.sample(sorted(4 * list(range(size))), rng.randrange(14)), minlength=size)
        key = int(counts @ POWERS[:size])
        at = suit // 3 * 625 + key // 3125, 1250 + key % 3125
        numbers = table.missing[table.row_index[list(at)].sum()].tolist()
        memo = make_suit_key(None, suit, key)
        assert count_missing(memo) == tuple(numbers[MISSING] >> 4 * goal & 15 for goal in range(GOAL_COUNT)), counts
        for goal in range(GOAL_COUNT):
            assert list_useful(None, memo, goal) == numbers[goal % 2] >> 9 * (goal // 2) & 511, (counts, goal)


@pytest.mark.parametrize("shape, melds", [(shape, melds) for shape in SHAPES for melds in range(MOST_MELDS[shape] + 1)])
def test_mahjong_gb(shape, melds):
    """The same as MahjongGB; only with four of a kind may it be lower, or name tiles that are not useful."""
    rng = random.Random(5)
    for _ in range(400):
        counts = draw_hand(rng, 13 - 3 * melds)
        least, tiles = solve(counts, melds, shape)
        gb_least, names = MAHJONG_GB[shape](tuple(list_tiles(counts)))
        gb_tiles = sorted(TILE_INDEX[name] for name in names)
        if max(counts) < 4 or shape not in ("regular", "knitted_straight"):
            assert (least, tiles) == (gb_least, gb_tiles), list_tiles(counts)
        else:
            assert least >= gb_least, list_tiles(counts)
            assert least > gb_least or set(tiles) <= set(gb_tiles), list_tiles(counts)


@st.composite
def hands_to_draw(draw):
    """(counts, melds) of any hand that is to draw."""
    melds = draw(st.integers(0, 4))
    order = draw(st.permutations([tile for tile in range(34) for _ in range(4)]))
    span = draw(st.integers(4, 34))
    counts = [0] * 34
    for tile in [tile for tile in order if tile < span][:13 - 3 * melds]:
        counts[tile] += 1
    return counts, melds


@given(hands_to_draw())
def test_a_useful_tile_lowers_shanten_and_no_other_does(hand):
    counts, melds = hand
    for shape in (None,) + SHAPES:
        least, tiles = solve(counts, melds, shape)
        if least == UNREACHABLE:
            assert melds > MOST_MELDS[shape] and tiles == []
            continue
        assert least >= 0 and tiles
        for tile in range(34):
            if counts[tile] < 4:
                drawn = counts[:tile] + [counts[tile] + 1] + counts[tile + 1:]
                assert solve(drawn, melds, shape)[0] == least - (tile in tiles)
            else:
                assert tile not in tiles


@given(hands_to_draw(), st.integers(0, 33))
def test_discards_leave_what_useful_tiles_says(hand, drawn):
    counts, melds = hand
    counts[drawn if counts[drawn] < 4 else counts.index(0)] += 1
    table = discard_table(counts, melds)
    assert list(table) == [tile for tile in range(34) if counts[tile]]
    for tile, outcome in table.items():
        left = counts[:tile] + [counts[tile] - 1] + counts[tile + 1:]
        assert outcome == useful_tiles(left, melds)
    # The best discard keeps the shanten of the hand; a complete hand is at best left ready.
    assert min(least for least, _ in table.values()) == max(0, shanten(counts, melds))


@given(hands_to_draw())
def test_shanten_is_that_of_the_nearest_shape(hand):
    counts, melds = hand
    by_shape = [solve(counts, melds, shape) for shape in SHAPES]
    nearest = min(least for least, _ in by_shape)
    useful = {tile for least, tiles in by_shape for tile in tiles if least == nearest}
    assert useful_tiles(counts, melds) == (nearest, sorted(useful)) and shanten(counts, melds) == nearest


@pytest.mark.parametrize("ask, counts, melds, message", [
    (shanten, parse_counts("W123456789 F11 J2"), 0, "13 or 14 tiles"),
    (shanten, parse_counts("W123456789 F11 J22"), 1, "with 1 melds in hand 0"),
    (shanten, parse_counts("W1"), 5, "13 or 14 tiles"),
    (useful_tiles, [5] + [0] * 25 + [1] * 8, 0, "at most 4 of a kind"),
    (useful_tiles, [1] * 13, 0, r"expected counts \[N, 34\]"),
    (discard_table, parse_counts("W1"), 4, "expected 14 tiles with melds"),
])
def test_what_is_no_hand_is_refused(ask, counts, melds, message):
    with pytest.raises(InvalidHandError, match=message):
        ask(counts, melds)
