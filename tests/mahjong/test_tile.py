"""Tile names, indices and counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mj_bot.mahjong.errors import InvalidTileError
from mj_bot.mahjong.tile import FIRST_HONOUR, TILE_COUNT, TILE_NAMES, count_tiles, list_tiles, parse_counts, parse_tile

hands = st.lists(st.integers(0, 4), min_size=TILE_COUNT, max_size=TILE_COUNT)


def test_every_kind_once():
    assert len(set(TILE_NAMES)) == TILE_COUNT == 34
    assert [parse_tile(name) for name in TILE_NAMES] == list(range(TILE_COUNT))
    assert list(TILE_NAMES[FIRST_HONOUR:]) == "F1 F2 F3 F4 J1 J2 J3".split()
    assert all(name == "WTB"[tile // 9] + str(tile % 9 + 1) for tile, name in enumerate(TILE_NAMES[:FIRST_HONOUR]))


NO_TILES = ["", "W0", "W10", "F5", "J4", "H1", "H8", "w1", "W", None, 3, ["W1"], "W1 "]


@pytest.mark.parametrize("ask, words, match", [
    *((parse_tile, [name, " here"], "expected a tile.* got .* here") for name in NO_TILES),
    (count_tiles, [["W1"] * 5], "fifth W1"), (parse_counts, ["F22222"], "fifth F2"),
])
def test_what_is_no_tile(ask, words, match):
    with pytest.raises(InvalidTileError, match=match):
        ask(*words)


@given(hands)
def test_counts_as_names(counts):
    assert count_tiles(list_tiles(counts)) == counts
