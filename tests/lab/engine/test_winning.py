"""Complete hands by the engine's tables, against MahjongGB."""

import random

from MahjongGB import MahjongFanCalculator

from mj_bot.lab.engine.winning import is_complete
from mj_bot.mahjong.suit_tables import load_tables
from mj_bot.mahjong.tile import list_tiles, parse_counts
from tests.winning_hands import draw_hand

HANDS = [parse_counts(text) for text in (
    "W147 T258 B369 F1234 J1", "W147 T258 B369 F111 J22", "W147 T258 B36999 J222", "W19 T19 B19 F1234 J1233",
    "W1111 T2222 B33 F1111", "W111222333 T55 B789", "W147 T258 B369 T345 W22", "W147 T147 B369 F1234 J1")]


def test_complete_hands():
    """The tables say complete exactly where MahjongGB counts fans."""
    shapes, rng, complete = load_tables(), random.Random(11), 0
    for hand in HANDS + [draw_hand(rng, 14) for _ in range(3000)]:
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
    return shapes.row_index[suit // 3 * 625 + key // 3125] + shapes.row_index[1250 + key % 3125]
