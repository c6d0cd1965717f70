"""The tiles as SVG, and what carries a page's data."""

import xml.etree.ElementTree

import pytest

from mj_bot.lab.page import SPRITE, embed_json, read_asset
from mj_bot.mahjong.errors import MahjongError
from mj_bot.mahjong.tile import TILE_NAMES

_SVG = "{http://www.w3.org/2000/svg}"


def test_the_sprite_has_every_tile_once_and_no_two_look_alike():
    symbols = xml.etree.ElementTree.fromstring(read_asset(SPRITE)).findall(_SVG + "symbol")
    faces = {symbol.get("id"): xml.etree.ElementTree.tostring(symbol, encoding="unicode").replace(symbol.get("id"), "")
             for symbol in symbols}
    assert set(faces) == {"mj-" + name for name in TILE_NAMES} | {"mj-back", "mj-blank"}
    assert len(set(faces.values())) == len(symbols)


def test_dots_and_bamboos_show_as_many_as_their_rank():
    symbols = {symbol.get("id"): symbol for symbol in xml.etree.ElementTree.fromstring(read_asset(SPRITE))}
    for rank in range(2, 10):
        for suit in "TB":
            assert len(symbols["mj-%s%d" % (suit, rank)].findall(_SVG + "g")) == rank


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_embedded_json_has_finite_numbers(number):
    """A page with NaN in its JSON stayed empty."""
    with pytest.raises(MahjongError, match="finite"):
        embed_json({"values": [number]})
