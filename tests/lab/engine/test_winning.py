"""Complete hands by the engine's tables, against MahjongGB."""

import random

import numpy as np
from MahjongGB import MahjongFanCalculator

from mj_bot.lab.engine.winning import is_complete
from mj_bot.mahjong.suit_tables import load_tables
from mj_bot.mahjong.tile import list_tiles, parse_counts

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
