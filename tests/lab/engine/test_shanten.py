"""Batched shanten against mahjong/shanten.py, which is held to all winning hands, and against MahjongGB."""

import random

import numpy as np
import pytest
from MahjongGB import MahjongFanCalculator, RegularShanten

from mj_bot.mahjong.shanten_tables import discard_batch, least_batch, shanten_batch, unpack_tiles
from mj_bot.mahjong.suit_tables import load_tables
from mj_bot.lab.engine.winning import is_complete
from mj_bot.mahjong import shanten as plain
from mj_bot.mahjong.errors import InvalidHandError
from mj_bot.mahjong.tile import TILE_INDEX, list_tiles, parse_counts

KNITTED = [0, 3, 6, 10, 13, 16, 20, 23, 26]
HONOURS = list(range(27, 34))


def draw_hands(count, extra, seed):
    """Hands (counts, melds) near every shape: of few kinds, of one suit, of orphans, of knitted tiles, of anything."""
    rng = random.Random(seed)
    kinds_of = (
        lambda: range(34), lambda: rng.sample(range(34), rng.randint(5, 12)),
        lambda: list(range(9 * rng.randrange(3), 9))[:9] + HONOURS, lambda: [0, 8, 9, 17, 18, 26] + HONOURS,
        lambda: KNITTED + rng.sample(range(34), 4), lambda: KNITTED + HONOURS,
    )
    hands, melds = [], []
    for number in range(count):
        kinds = list(kinds_of[number % len(kinds_of)]())
        meld_count = rng.choice((0, 0, 0, 1, 1, 2, 3, 4))
        size = 13 + extra - 3 * meld_count
        tiles = [tile for tile in set(kinds) for _ in range(4 if len(set(kinds)) < 13 else rng.choice((1, 2, 4)))]
        tiles += [] if len(tiles) >= size else HONOURS * 2
        counts = np.bincount(rng.sample(tiles, size), minlength=34)
        if counts.max() <= 4:
            hands.append(counts.tolist())
            melds.append(meld_count)
    return hands, melds


def list_set(tiles):
    return np.flatnonzero(unpack_tiles(tiles)).tolist()


def check_shapes(count, seed):
    for extra in (0, 1):
        hands, melds = draw_hands(count, extra, seed + extra)
        shanten, useful = shanten_batch(hands, melds)
        least, least_useful = least_batch(hands, melds)
        for number, (hand, meld_count) in enumerate(zip(hands, melds)):
            assert shanten[number].tolist() == [
                plain.shanten(hand, meld_count, name) for name in plain.SHAPES], (hand, meld_count)
            assert least[number] == plain.shanten(hand, meld_count)
            if extra:
                continue
            for shape, name in enumerate(plain.SHAPES):
                assert list_set(useful[number, shape]) == plain.useful_tiles(hand, meld_count, name)[1], (
                    hand, meld_count, name)
            assert list_set(least_useful[number]) == plain.useful_tiles(hand, meld_count)[1]


def test_every_shape():
    check_shapes(300, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120, 2))
def test_every_shape_at_length(seed):
    check_shapes(6000, seed)


def test_every_discard():
    hands, melds = draw_hands(120, 1, seed=5)
    shanten, useful = discard_batch(hands, melds)
    for number, (hand, meld_count) in enumerate(zip(hands, melds)):
        table = {tile: (int(shanten[number, tile]), list_set(useful[number, tile]))
                 for tile in range(34) if hand[tile]}
        assert table == {tile: (least, list(tiles)) for tile, (least, tiles) in
                         plain.discard_table(hand, meld_count).items()}
        assert (shanten[number][np.array(hand) == 0] == plain.UNREACHABLE).all()


def test_regular_hands_as_mahjonggb_counts_them():
    """Hands without four of a kind, where MahjongGB waits for no fifth copy."""
    hands, melds = draw_hands(600, 0, seed=8)
    shanten, useful = shanten_batch(hands, melds)
    compared = 0
    for number, hand in enumerate(hands):
        if max(hand) == 4 or melds[number]:
            continue
        expected, tiles = RegularShanten(tuple(list_tiles(hand)))
        assert shanten[number, 0] == expected, hand
        assert list_set(useful[number, 0]) == sorted(TILE_INDEX[name] for name in tiles), hand
        compared += 1
    assert compared > 150


def test_complete_hands():
    """The tables say complete exactly where MahjongGB counts fans."""
    hands, melds = draw_hands(6000, 1, seed=11)
    shapes = load_tables().shapes
    hands = [hand for hand, meld_count in zip(hands, melds) if meld_count == 0]
    hands += [parse_counts(text) for text in (
        "W147 T258 B369 F1234 J1", "W147 T258 B369 F111 J22", "W147 T258 B36999 J222", "W19 T19 B19 F1234 J1233",
        "W1111 T2222 B33 F1111", "W111222333 T55 B789", "W147 T258 B369 T345 W22", "W147 T147 B369 F1234 J1")]
    complete = 0
    for hand in hands:
        bits = []
        for suit in range(4):
            key = sum(count * 5 ** rank for rank, count in enumerate(hand[9 * suit:9 * suit + 9]))
            bits.append(int(shapes.shape[row_of(shapes, suit, key)]))
        tiles = list_tiles(hand)
        try:
            MahjongFanCalculator((), tuple(tiles[1:]), tiles[0], 0, True, False, False, False, 0, 0)
            wins = True
        except TypeError:
            wins = False
        assert is_complete(*bits, 0) == wins, hand
        complete += wins
    assert complete >= 7


def row_of(shapes, suit, key):
    """The row that tables.row finds, from its definition: rows count up with the upper, then the lower digits."""
    return shapes.place[suit // 3 * 625 + key // 3125] + shapes.place[1250 + key % 3125]


@pytest.mark.parametrize("counts, melds, message", [
    ([0] * 34, [0], "13 or 14 tiles"), ([5] + [0] * 25 + [1] * 8, [0], "at most 4 of a kind"),
    ([1] * 13 + [0] * 21, [1], "with 1 melds in hand 0"), ([1] * 13 + [0] * 21, [5], "13 or 14 tiles"),
])
def test_hands_that_are_none(counts, melds, message):
    with pytest.raises(InvalidHandError, match=message):
        shanten_batch([counts], melds)


def test_counts_of_a_wrong_form():
    with pytest.raises(InvalidHandError, match=r"expected counts \[N, 34\]"):
        shanten_batch([[1] * 13], [0])
