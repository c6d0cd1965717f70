"""The tiles that hands written out need, named by what must be seen in them."""

import pytest

from mj_bot.mahjong.tile import TILE_NAMES, parse_counts, parse_tile
from mj_bot.worth.parameters import PARAMETERS
from mj_bot.worth.valuer import Hand, Valuer


def needs_of(text, dead="", waits=()):
    counts = parse_counts(text)
    unseen = [(4 - held) * (not gone) for held, gone in zip(counts, parse_counts(dead))]
    hand, valuer = Hand(counts, [], unseen, 15, {4, 5, 6}), Valuer(PARAMETERS)
    worth = valuer.value_hand(hand, [], 0)[0].sum() ** (1 / PARAMETERS.sharpness)
    return [TILE_NAMES[tile] for tile in valuer.explain(hand, worth, waits)[1]]


@pytest.mark.parametrize("hand, dead, expected", [
    ("W234 T345 B46888 F11", "", ["B5"]),
    ("W12345679 T888 F11", "", ["W8"]),
    ("W1155 T2288 B3399 J1", "", ["J1"]),
    ("W147 T258 B36 F1234 J1", "", ["B9", "J2", "J3"]),
    ("W123 T456 B78 F1122 J1", "", ["B9", "J1"]),
    ("W147 T258 B36 F1234 J1", "B9", ["J2", "J3"]),
    ("W19 T28 B37 F1234 J123", "", []),
], ids=["mixed steps", "pure straight", "seven pairs", "honours and knitted, three ways", "all types without dragons",
        "a dead tile is not needed", "six at most"])
def test_what_completes_the_hand_comes_first(hand, dead, expected):
    needs = needs_of(hand, dead)
    assert sorted(needs[:len(expected)]) == expected and len(needs) <= 6 and dead not in needs


def test_a_wait_of_no_pattern_is_needed():
    """All chows and simples, drawn by oneself: no pattern, and yet eight fan."""
    hand = "W234678 T567 B3488"
    assert needs_of(hand)[0] != "B2"
    assert needs_of(hand, waits=[(parse_tile("B2"), None, 9)]) == ["B2"]
