"""The notation of hands: what is written is read again, and what is wrong is named."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mj_bot.lab.hand.notation import Hand, format_hand, parse_hand, parse_tiles
from mj_bot.mahjong.errors import InvalidHandError
from mj_bot.mahjong.meld import make_added_kong, make_chow, make_concealed_kong, make_kong, make_pung
from mj_bot.mahjong.tile import TILE_INDEX, TILE_NAMES


@st.composite
def hands(draw):
    """Hands without a fifth copy of a tile: melds first, then tiles of what is left."""
    seat = draw(st.integers(0, 3))
    left = [4] * 34
    melds = []
    for _ in range(draw(st.integers(0, 4))):
        tile, source = draw(st.integers(0, 33)), (seat + draw(st.integers(1, 3))) % 4
        made = draw(st.sampled_from(["chow", "pung", "kong", "added", "concealed"]))
        if made == "chow":
            if tile > 26 or not 0 < tile % 9 < 8:
                continue
            meld = make_chow(tile, tile + draw(st.integers(-1, 1)), (seat - 1) % 4)
        else:
            pung = make_pung(tile, source)
            meld = {"pung": pung, "kong": make_kong(tile, source), "added": make_added_kong(pung),
                    "concealed": make_concealed_kong(seat, tile)}[made]
        if all(left[one] >= meld.tiles.count(one) for one in meld.tiles):
            melds.append(meld)
            for one in meld.tiles:
                left[one] -= 1
    wall = draw(st.permutations([tile for tile, count in enumerate(left) for _ in range(count)]))
    tiles = wall[:draw(st.integers(13, 14)) - 3 * len(melds)]
    flags = [draw(st.booleans()) for _ in range(4)]
    return Hand(tuple(tiles), tuple(melds), draw(st.integers(0, 3)), seat, *flags, draw(st.integers(0, 8)))


@given(hands())
def test_what_is_written_is_read_again(hand):
    assert parse_hand(format_hand(hand)) == hand


@given(hands(), st.integers(0, 14))
def test_an_unfinished_hand_is_read_where_it_may_be(hand, size):
    part = hand._replace(tiles=hand.tiles[:size])
    assert parse_hand(format_hand(part), is_whole=False) == part


@given(hands())
def test_both_notations_are_read(hand):
    """Every tile written as Botzone names it, the rest of the text as it was."""
    words, bar, facts = format_hand(hand).partition("|")
    parts = [" ".join(TILE_NAMES[tile] for tile in parse_tiles(part)[0]) if part and part[0] not in "[],"
             else part for part in re.split(r"(,\d|[][])", words)]
    assert parse_hand("".join(parts) + bar + facts) == hand


@pytest.mark.parametrize("text, same", [
    ("W123 T456 B789 F11 B55", "123m456s789pEE55p"),
    ("W1 W2 W3 T4 T5 T6 B7 B8 B9 F1 F1 B5 B5", "123m 456s 789p EE 55p"),
    ("[W123,2]T456 B789 F11 B55", "[123m,2]456s789pEE55p"),
    ("[CCC,3][FFFF]PP12m44s5p", "PP12m[CCC,3]44s[FFFF]5p"),
    ("123m456s789pEE55p|SW", "123m456s789pEE55p|SW0000|0"),
    ("123m456s789pEE55p||ah", "123m456s789pEE55p||2"),
    ("[123m]456s789pEE55p", "[123m,1]456s789pEE55p"),
])
def test_ways_to_write_a_hand(text, same):
    assert parse_hand(text) == parse_hand(same)


def test_the_parts_of_a_hand():
    hand = parse_hand("[234s,3][CCC,2][9999m,6][NNNN,1]5p|SN1011|3")
    assert hand.tiles == (TILE_INDEX["B5"],) and hand.size == 13
    assert [(meld.type, meld.cards, meld.src_pid, meld.src_card, meld.is_added) for meld in hand.melds] == [
        ("CHI", ("T2", "T3", "T4"), 2, "T4", False), ("PENG", ("J1",) * 3, 1, "J1", False),
        ("GANG", ("W9",) * 4, 1, "W9", True), ("GANG", ("F4",) * 4, 2, "F4", False)]
    assert hand[2:] == (1, 3, True, False, True, True, 3)
    assert parse_hand("[NNNN]123m456s789p5p|ES").melds == (make_concealed_kong(1, TILE_INDEX["F4"]),)
    assert parse_hand("123m456s789pEE55p", "WN")[2:4] == (2, 3)
    assert parse_hand("123m456s789pEE55p|ES", "WN")[2:4] == (0, 1)


@pytest.mark.parametrize("text, message", [
    ("123m456s789pEE55x", "got 'x' at letter 17"),
    ("123m456s789pEE555", "after the rank 5, got the end"),
    ("123mE456s789pE50p", "got '0' at letter 16"),
    ("12E3m", "after the rank 2, got 'E' at letter 3"),
    ("m123", "expected ranks before the suit 'm' at letter 1"),
    ("  [EEX,1]123m", "got 'X' at letter 6"),
    ("123m456s789pEE5p5", "after the rank 5, got the end"),
    ("123m456s789pEEEE55p", "expected 13 or 14 tiles, each meld as three, got 15"),
    ("[EEE,1][SSSS,1][WWW,1][NNN,1][CCC,1]", "got 15"),
    ("12m", "expected 13 or 14 tiles, each meld as three, got 2"),
    ("55555p123m456s77s", "got 5 of 5p (B5)"),
    ("[EEE,1]EE123m456s7s", "got 5 of E (F1), 3 of them in melds"),
    ("[135m,1]123m456s789p5p", "expected a chow, a pung or a kong in brackets"),
    ("[891m,1]123m456s789p5p", "got '891m,1'"),
    ("[EEE,4]123m456s789p5p", "after the comma, got '4'"),
    ("[EEE,5]123m456s789p5p", "5 to 7 of a kong alone, got 'EEE,5'"),
    ("[EEE", "got '['"),
    ("123 456", "got ' ' at letter 4"),
    ("123m456s789pEE55p|XE", "after the bar, as EE1000, got 'XE'"),
    ("123m456s789pEE55p|EE1", "got 'EE1'"),
    ("123m456s789pEE55p|EE1000|9", "got '9'"),
    ("123m456s789pEE55p|EE|aa", "got 'aa'"),
    ("1m|||", "expected at most two bars"),
    ("1" * 1000, "200 letters"),
    ("W0 W1", "expected a rank 1-9 after W, got 0 at letter 2"),
    ("F5", "expected a rank 1-4 after F, got 5"),
    ("W12 X3", "got 'X' at letter 5"),
    ("W1\u00b2", "got '\u00b2' at letter 3"),  # a digit to Python, but no number
    ("W1\uff12", "got '\uff12' at letter 3"),
])
def test_what_is_wrong_is_named(text, message):
    with pytest.raises(InvalidHandError) as error:
        parse_hand(text)
    assert message in str(error.value)


@given(st.text(alphabet="0123456789mspESWNCFPWTBJ[],| x", max_size=40))
def test_any_text_is_read_or_refused(text):
    for read in (parse_hand, parse_tiles):
        try:
            read(text)
        except InvalidHandError:
            pass
