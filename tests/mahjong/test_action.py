"""Actions as tuples, as text and as indices."""

import pytest

from mj_bot.mahjong.action import (
    ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, chow_index, decode_action, encode_action,
    format_action, parse_action, split_chow_index)
from mj_bot.mahjong.errors import IllegalActionError
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES
from tests.golden_games import read_games

ODD = ["", " ", "PASS ", " PASS", "pass", "PLAY", "PLAY ", "PLAY  W1", "PLAY W1 ", "PLAY W0", "PLAY W1 W2", "CHI W2",
       "CHI W2 W1 W1", "PENG", "PENG W1 W1", "GANG W1 W1", "BUGANG", "HU W1", "FLY W1", "PLAY H1", None, 5, ["PASS"]]


@pytest.mark.parametrize("ask, words", [
    *((parse_action, [text]) for text in ODD),
    *((encode_action, [action]) for action in (("GANG",), ("PENG", "W1"), ("CHI", "W2", "W1"), ("FLY",))),
    *((decode_action, words) for words in ((-1,), (235,), (PUNG_BASE,), (CHOW_BASE, 1), (CHOW_BASE, 36))),
])
def test_what_is_no_action(ask, words):
    with pytest.raises(IllegalActionError, match="expected .* got"):
        ask(*words)


def test_text_and_back_on_recorded_answers():
    texts = {answer for game in read_games() if game["mode"] != "illegal"
             for _, _, answers in game["steps"][:-1] for answer in answers}
    assert len(texts) > 300
    for text in texts:
        assert format_action(parse_action(text, fan=9)) == text


def test_indices_are_laid_out_as_described():
    assert (DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, CHOW_BASE, ACTION_COUNT) == (2, 36, 138, 172, 235)
    assert encode_action(("PASS",)) == (0,) and encode_action(("HU", 12)) == (1,)
    assert encode_action(("GANG",), "J3") == (69,)
    assert encode_action(("GANG", "W1")) == (70,) and encode_action(("BUGANG", "J3")) == (137,)


def test_every_index_and_back():
    """Each index decodes to an action that encodes to it, given the tile that is claimed."""
    for index in range(ACTION_COUNT):
        action = decode_action(index, discard=DISCARD_BASE + 33, fan=8)
        claimed = None
        if index >= CHOW_BASE:
            claimed = TILE_NAMES[split_chow_index(index)[1]]
        elif index >= PUNG_BASE:
            claimed = TILE_NAMES[index - PUNG_BASE]
        elif action == ("GANG",):
            claimed = TILE_NAMES[index - OPEN_KONG_BASE]
        expected = (index, DISCARD_BASE + 33) if index >= PUNG_BASE else (index,)
        assert encode_action(action, claimed) == expected


def test_chows_by_enumeration():
    found = [chow_index(9 * suit + middle, 9 * suit + middle + step)
             for suit in range(3) for middle in range(1, 8) for step in (-1, 0, 1)]
    assert found == list(range(CHOW_BASE, ACTION_COUNT))
    assert decode_action(chow_index(TILE_INDEX["T2"], TILE_INDEX["T1"]), discard=2) == ("CHI", "T2", "W1")
