"""The notation of hands: what is written is read again, and what is wrong is named."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mj_bot.lab.hand.letters import format_tiles
from mj_bot.lab.hand.notation import WrittenHand, find_notation, format_hand, parse_hand, parse_tiles
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
    is_self_drawn, is_fourth, is_last, is_about_kong = [draw(st.booleans()) for _ in range(4)]
    # Facts of wins that no game has are refused; a test of its own lists them.
    is_fourth &= tiles[-1:] == [] or tiles[-1] not in tiles[:-1]
    if is_self_drawn:
        is_about_kong &= any(meld.type == "GANG" for meld in melds)
    else:
        is_about_kong &= not is_last and all(tiles[-1] not in other for other in (
            tiles[:-1], *(meld.tiles for meld in melds)))
    flags = is_self_drawn, is_fourth, is_last, is_about_kong
    return WrittenHand(tuple(tiles), tuple(melds), draw(st.integers(0, 3)), seat, *flags, draw(st.integers(0, 8)))


NOTATIONS = ("letters", "z", "botzone", "chinese", "emoji")


@given(hands(), st.sampled_from(NOTATIONS))
def test_what_is_written_is_read_again(hand, notation):
    text = format_hand(hand, notation)
    assert parse_hand(text) == hand
    # Honours alone have no numbers of a suit, which tell letters from z.
    assert find_notation(text) in (notation, "letters" if notation == "z" else notation)


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


PLAIN = "123m456s789pEE55p"


@pytest.mark.parametrize("text, same", [
    pytest.param("W123 T456 B789 F11 B55", PLAIN, id="Botzone's names"),
    pytest.param("W1 W2 W3 T4 T5 T6 B7 B8 B9 F1 F1 B5 B5", PLAIN, id="Botzone's names one by one"),
    pytest.param("W123,T456,B789,F11,B55", PLAIN, id="Botzone's names with commas"),
    pytest.param("12 3m 4 5 6 s 789p E E 5 5p", PLAIN, id="blanks inside runs"),
    pytest.param("123m,456s，789p、EE 55p", PLAIN, id="commas"),
    pytest.param("19m19s19peswncfp", "19m19s19pESWNCFP", id="small honours that are suits too"),
    pytest.param("19M19S19PESWNCFP", "19m19s19pESWNCFP", id="capitals that are suits and honours"),
    pytest.param("19m19s19p1234567z", "19m19s19pESWNPFC", id="z is east south west north, white green red"),
    pytest.param("１２３m４５６ｓ７８９ＰＥＥ55p｜ＥＥ１０００", PLAIN + "|EE1000", id="full width"),
    pytest.param("123万456条789饼东东55饼", PLAIN, id="Chinese suits"),
    pytest.param("123萬456條789筒東東55餅", PLAIN, id="traditional letters, and 筒"),
    pytest.param("123万456索789筒东风东风55筒", PLAIN, id="索 and 东风"),
    pytest.param("一二三万四五六条七八九饼东东五五饼", PLAIN, id="Chinese ranks"),
    pytest.param("一万二万三万 四条五条六条 七饼八饼九饼 东东 五饼五饼", PLAIN, id="Chinese tiles one by one"),
    pytest.param("123m456s中中发白白白5p", "123m456sCCFPPP5p", id="Chinese dragons among letters"),
    pytest.param("123m456s红中红中发财白板白板白板5p", "123m456sCCFPPP5p", id="dragons by their long names"),
    pytest.param("123m456s紅中中發白白白5p", "123m456sCCFPPP5p", id="traditional dragons"),
    pytest.param("123万456条789饼东东55饼|东南1000", PLAIN + "|ES1000", id="Chinese winds"),
    pytest.param("\U0001f007\U0001f008\U0001f009456s789p\U0001f000\U0001f000\ufe0f55p", PLAIN, id="emoji"),
    pytest.param("\U0001f004\U0001f004\U0001f005\U0001f006\U0001f006\U0001f006\U0001f010\U0001f018\U0001f019"
                 "\U0001f021123m", "CCFPPP19s19p123m", id="emoji of dragons, bamboos and dots"),
    pytest.param("[W123,2]T456 B789 F11 B55", "[123m,2]456s789pEE55p", id="a meld in Botzone's names"),
    pytest.param("(123m,2)456s789pEE55p", "[123m,2]456s789pEE55p", id="round brackets"),
    pytest.param("【123万】456条（东东东，３）55饼66饼", "[123m,1]456s[EEE,3]55p66p", id="Chinese brackets and commas"),
    pytest.param("[1m,2m,3m]456s789pEE55p", "[123m,1]456s789pEE55p", id="commas inside a meld"),
    pytest.param("[1m,2m,3m,3]456s789pEE55p", "[123m,3]456s789pEE55p", id="commas inside a meld and its claim"),
    pytest.param("[CCC,3][FFFF]PP12m44s5p", "PP12m[CCC,3]44s[FFFF]5p", id="melds between tiles"),
    pytest.param("123m456s789pEE55p|SW", "123m456s789pEE55p|SW0000|0", id="no digits"),
    pytest.param("123m456s789pEE55p|sw", "123m456s789pEE55p|SW", id="small winds"),
    pytest.param("[123m]456s789pEE55p", "[123m,1]456s789pEE55p", id="a chow without its claim"),
    pytest.param("123m456s789pEE55p||ah", PLAIN + "||2", id="letters of flowers"),
    pytest.param("123m456s789pEE55pab", PLAIN + "||2", id="flowers among the tiles"),
    pytest.param("123m456s789pEE55pah|EE|2", PLAIN + "||4", id="flowers among the tiles and after the bar"),
    pytest.param("123万456条789饼东东55饼春梅菊", PLAIN + "||3", id="Chinese flowers"),
    pytest.param("W123 T456 B789 F11 B55 H18", PLAIN + "||2", id="Botzone's flowers"),
    pytest.param("123m456s789pEE50p", PLAIN, id="a red five of riichi mahjong"),
    pytest.param("C123 B456 D789 WE WE D55", PLAIN, id="characters, bamboos, dots"),
    pytest.param("1c2c3c4b5b6b7d8d9dwewe5d5d", PLAIN, id="characters, bamboos, dots behind their ranks"),
    pytest.param("c123b456d789w11d55", PLAIN, id="winds by numbers"),
    pytest.param("c123d456b789w111r11", "123m456p789sEEECC", id="dragons by numbers"),
    pytest.param("1w2w3w4t5t6t7b8b9b1z1z5b5b", PLAIN, id="wan, tiao, bing"),
    pytest.param("123w456t789b东东55b", PLAIN, id="wan, tiao, bing and Chinese winds"),
    pytest.param("M1M2M3S4S5S6P7P8P9Z1Z1P5P5", PLAIN, id="a suit before each rank"),
    pytest.param("m123s456p789z11p55|ES1000", PLAIN + "|ES1000", id="a suit before its ranks"),
    pytest.param("[m123,1]s456p789z11p55", "[123m,1]456s789pEE55p", id="a meld with the suit first"),
    pytest.param("万123条456饼789东东饼55", PLAIN, id="a Chinese suit before its ranks"),
    pytest.param("123m-456s-789p-EE-55p", PLAIN, id="hyphens"),
    pytest.param("123m456s789pEE55p\U0001f022\U0001f029", PLAIN + "||2", id="emoji of flowers"),
])
def test_ways_to_write_a_hand(text, same):
    assert parse_hand(text) == parse_hand(same)


@pytest.mark.parametrize("text, notation, same", [
    ("W123 T456 B789 F11 B55", "botzone", "W123 T456 B789 F11 B55"),
    ("19m19s19p1234567z", "z", "19m19s19p1234567z"),
    ("一二三万456条789饼东风东55筒", "chinese", "123万456条789饼东东55饼"),
    ("123M456S789PEE55P", "letters", PLAIN),
    ("\U0001f000\U0001f019", "emoji", "\U0001f000\U0001f019"),
])
def test_output_has_the_notation_of_the_input(text, notation, same):
    assert find_notation(text) == notation
    assert format_tiles(parse_tiles(text)[0], notation) == same


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
    ("12E3m", "after the rank 2, got 'E' at letter 3"),
    ("m123s", "expected ranks before the suit 'm' at letter 1"),
    ("  [EEX,1]123m", "got 'X' at letter 6"),
    ("123m456s789pEEEE55p", "expected 13 or 14 tiles, each meld as three, got 15"),
    ("[EEE,1][SSSS,1][WWW,1][NNN,1][CCC,1]", "got 15"),
    ("12m", "expected 13 or 14 tiles, each meld as three, got 2"),
    ("55555p123m456s77s", "got 5 of 5p (B5)"),
    ("[EEE,1]EE123m456s7s", "got 5 of E (F1), 3 of them in melds"),
    ("[135m,1]123m456s789p5p", "expected a chow, a pung or a kong in brackets"),
    ("[EEE,4]123m456s789p5p", "after the comma, got '4'"),
    ("[EEE,5]123m456s789p5p", "5 to 7 of a kong alone, got 'EEE,5'"),
    ("[EEE", "got '['"),
    ("红123m", "got '红' at letter 1"),
    ("123m89z", "expected 1z to 7z, got 9z at letter 7"),
    ("123mace", "got both 'a' and 'c'"),
    ("[aaa,1]123m456s77p", "expected a chow, a pung or a kong"),
    ("123m456s789pEE55paa", "each of the 8 flowers at most once, got 2 flowers"),
    ("123m456s789pEE55p春||a", "at most once, got 2 flowers, 'a' after the bar"),
    ("123m456s789pEE55pab||7", "at most once, got 9 flowers, '7' after the bar"),
    ("123m456s789pEE55p|XE", "after the bar, as EE1000, got 'XE'"),
    ("123m456s789pEE55p|EE1000|9", "got '9'"),
    ("123m456s789pEE55p|EE|aa", "got 2 flowers, 'aa' after the bar"),
    ("1m|||", "expected at most two bars"),
    ("1" * 1000, "200 letters"),
    ("W0 W1", "expected a rank 1-9 after W, got 0 at letter 2"),
    ("F5", "expected a rank 1-4 after F, got 5"),
    ("W12 X3", "got 'X' at letter 5"),
    ("W1\u00b2", "got '\u00b2' at letter 3"),  # a digit to Python, but no number
])
def test_what_is_wrong_is_named(text, message):
    with pytest.raises(InvalidHandError) as error:
        parse_hand(text)
    assert message in str(error.value)


@pytest.mark.parametrize("text, message", [
    pytest.param("123m456s789p12p55p3p|EE1001", "expected a kong among the melds", id="a kong's draw without a kong"),
    pytest.param("[123m,1]456s789p12p55p3p|EE1001", "expected a kong among the melds", id="a chow is no kong"),
    pytest.param("123m456s789p12p55p3p|EE0011", "nobody declares a kong", id="the last tile and a robbed kong"),
    pytest.param("123m456s789p12s33p3s|EE0001", None, id="a robbed kong"),
    pytest.param("123m456s789p23p55p3p|EE0001", "robbed from a kong, got 1", id="a robbed tile that is in the hand"),
    pytest.param("[123m,1]456s789p12m44s3m|EE0001", "robbed from a kong, got 1", id="a robbed tile that is in a meld"),
    pytest.param("123m456s789p55p33s5p|EE0100", "other three 5p .B5. lie open on the table, and the hand has 2",
                 id="the fourth with two in the hand"),
    pytest.param("[123m,1]456s789p12m44s3m|EE0100", None, id="the fourth with one in an open chow"),
    pytest.param("[1111m]456s789p12p44s3p|EE1011", None, id="a kong's draw that is the last tile"),
])
def test_a_win_that_no_game_has_is_refused(text, message):
    """A kong's draw without a kong counted 15 "on a discard" and 7 as it was; other contradictions were counted too."""
    if message is None:
        assert parse_hand(text)
        return
    with pytest.raises(InvalidHandError, match=message):
        parse_hand(text)
    # While a hand is unfinished the digits say nothing.
    assert parse_hand("123m|" + text.partition("|")[2], is_whole=False)


@given(st.text(alphabet="0123456789mspzESWNCFPWTBJHabcdefgh万条饼东中发红一\U0001f000\uff11[](),| x", max_size=40))
def test_any_text_is_read_or_refused(text):
    for read in (parse_hand, parse_tiles):
        try:
            read(text)
        except InvalidHandError:
            pass
