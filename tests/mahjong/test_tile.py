"""Tile names, indices and counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mj_bot.mahjong.errors import InvalidHandError, InvalidTileError
from mj_bot.mahjong.tile import (
    FIRST_HONOUR, TILE_COUNT, TILE_NAMES, check_counts, count_tiles, list_tiles, parse_counts, parse_tile,
)

hands = st.lists(st.integers(0, 4), min_size=TILE_COUNT, max_size=TILE_COUNT)


def test_every_kind_once():
    assert len(set(TILE_NAMES)) == TILE_COUNT == 34
    assert [parse_tile(name) for name in TILE_NAMES] == list(range(TILE_COUNT))
    assert list(TILE_NAMES[FIRST_HONOUR:]) == "F1 F2 F3 F4 J1 J2 J3".split()
    assert all(name == "WTB"[tile // 9] + str(tile % 9 + 1) for tile, name in enumerate(TILE_NAMES[:FIRST_HONOUR]))


@pytest.mark.parametrize("name", ["", "W0", "W10", "F5", "J4", "H1", "H8", "w1", "W", None, 3, ["W1"], "W1 "])
def test_names_that_are_none(name):
    with pytest.raises(InvalidTileError, match="expected a tile.* got .* here"):
        parse_tile(name, " here")


@given(hands)
def test_counts_as_names(counts):
    assert count_tiles(list_tiles(counts)) == counts


def test_a_fifth_copy_is_refused():
    with pytest.raises(InvalidTileError, match="fifth W1"):
        count_tiles(["W1"] * 5)
    with pytest.raises(InvalidTileError, match="fifth F2"):
        parse_counts("F22222")


@pytest.mark.parametrize("counts, match", [
    ([0] * 33, "34 kinds, got 33"), ([5] + [0] * 33, "0..4 of W1, got 5"), ([-1] + [0] * 33, "W1"),
    ([4] * 3 + [0] * 31, "13 or 14 tiles, got 12"),
])
def test_counts_that_are_no_hand(counts, match):
    with pytest.raises(InvalidHandError, match=match):
        check_counts(counts)
