"""What does not fit a game is named: what was expected, what came, and where, in every format of people."""

import itertools
import json
import re

import pytest

from mj_bot.lab.records.botzone.official import format_official
from mj_bot.lab.records.cutting import cut_games
from mj_bot.lab.records.follow import check_game
from mj_bot.lab.records.source import parse_raw
from mj_bot.mahjong.errors import MahjongError
from tests.lab.records.games import first_whole_games
from tests.lab.records.platforms.test_lianzhong import NINE_GATES
from tests.lab.records.platforms.test_pmn import TEXT
from tests.lab.records.platforms.test_salasasa import load_knitted, load_sessions
from tests.lab.records.platforms.test_tziakcha import CHOW, DISCARD, DRAW, WIN, load_made

OFFICIAL = format_official(first_whole_games(1)[0])
PUNG = next(text for text in map(format_official, first_whole_games(9)) if " Peng J" in text)


def check(data, change):
    """Reads the changed text or value as a file of the name "here", and checks its game."""
    if isinstance(data, str):
        changed = data.replace(*change) if isinstance(change, tuple) else change(data)
        assert changed != data
    else:
        change(data)
        changed = json.dumps(data)
    check_game(parse_raw(next(cut_games("here", changed.encode()))))


def in_line(number, text):
    """A change of a line of the organisers' text."""
    return lambda whole: "\n".join(whole.split("\n")[:number] + [text] + whole.split("\n")[number + 1:])


@pytest.mark.parametrize("text, change, told", [
    (OFFICIAL, in_line(8, "Player 1 Dance W1"), "expected a line of a match, got 'Player 1 Dance W1' in line 9"),
    (OFFICIAL, in_line(8, "Nonsense"), "expected Match, Wind, Player, Huang, Fan or Score, got 'Nonsense'"),
    (OFFICIAL, in_line(6, "Player 0 Draw W0"), "expected a tile, W1-W9 .*, got 'W0' in line 7 of here"),
    (OFFICIAL, in_line(6, "Player 4 Draw W1"), "expected a line of a match, got 'Player 4 Draw W1' in line 7"),
    (OFFICIAL, in_line(6, "Player 2 Draw W1"), "expected a draw of seat 0, got a draw of seat 2 in line 7"),
    (OFFICIAL, in_line(2, "Player 0 Deal W1"), "expected one deal of 13 tiles for each seat, got seat 0 'W1' in line"),
    # The letters that clear a terminal came out as they stand in the file.
    (OFFICIAL, in_line(2, "Player 0 Deal W1\x1b[2J"), r"got seat 0 'W1\\x1b\[2J' in line 3"),
    (OFFICIAL, in_line(1, "Wind x"), "expected a line of a match, got 'Wind x' in line 2"),
    (OFFICIAL, lambda text: "\n".join(text.split("\n")[:20]), "expected wind 0..3, four scores and an end, .*no end"),
    (PUNG, lambda text: re.sub(" Peng J.", " Peng W1", text, count=1), "expected the tile J., got 'W1' in line"),
    (NINE_GATES, ("'花牌-1'", "'花牌-2'"), "expected 1 flowers of the winner, got 2 in line 2"),
    (NINE_GATES, ("南\t", "南\tx"), "expected wind, points and fans, got \"南"),
    (NINE_GATES, ("2\t打牌\t['B1']", "2\t吃碰\t['B1']"), "expected an event of a game, got '吃碰' in line 7"),
    (NINE_GATES, ("['J1']\t\n1", "[]\t\n1"), "expected a line of a game, got .* in line 13"),
    (NINE_GATES, ("2\t打牌\t['B1']", "2\t打牌\t['X1']"), "expected a tile, .*, got 'X1' in line 7"),
    (NINE_GATES, ("2\t打牌", "3\t打牌"), "expected an action of seat 0, got a discard of seat 1 in line 7"),
    (NINE_GATES, ("'W9','B1'", "'W9'"), r"expected one dealer with 14 tiles, got \[13, 13, 13, 13\] in line 3"),
    (NINE_GATES, ("0\t['T1'", "1\t['T1'"), "expected the deal of seat 0, got .* in line 3"),
    (NINE_GATES, ("2\t和牌\t['W5']\tW5\t2\n", ""), r"expected a win of \d+ points, got the end in line 16"),
    (NINE_GATES, ("'B1']\t1", "'B1']\t300"), "at most 7 flowers of the deal, got 300 in line 5"),
    (NINE_GATES, ("['J1']", "['B1']"), "expected four B1 in a wall, got 5"),
    (NINE_GATES, ("南\t", "南\t1"), "expected the scores"),
    (TEXT, ("H1", "H1H2"), "expected one winner, got 2, as in Duplicate MCR in move"),
    (TEXT, ("D3c7", "Q3c7"), "expected a letter, a seat and a tile, got 'Q3c7"),
    (TEXT, ("[Deal", "[Dealt"), "with the tags Deal, Play and Result, got none"),
    (TEXT, ("c6d128b", "c6d12b"), "expected four hands of 13 tiles"),
    (TEXT, ('[Result "-21', '[Result "-21 1'), "expected four scores"),
    (TEXT, ("74/1", "74/x"), "expected the fans of the winner"),
    (TEXT, ("74/1", "82/1"), "expected the fans of the winner"),  # It ended in a RuntimeError.
    (TEXT, ("74/1/1", "74/1/%d" % 10 ** 30), "expected the fans of the winner"),
    # It was a legal game, and 100,000 of these flowers took half a minute.
    (TEXT, ('"T0d2', '"R0f1T0b9R0f1T0b9T0d2'), "expected each flower replaced once, got 'H1'"),
    (TEXT, ("P2b6", "C2b6"), "expected"), (TEXT, ("74/1/1", "69/1/2"), "expected 13 fan"),
], ids=itertools.count())
def test_lines_that_do_not_fit_are_named(text, change, told):
    with pytest.raises(MahjongError, match=told):
        check(text, change)


def in_hand(change):
    """A change of the hand in a session of salasasa."""
    return lambda session: change(*session["game_round"].values())


def in_action(code, change):
    """A change of the data of the last action of a code in a step of 雀渣."""
    def apply(step):
        last = max(index for index, action in enumerate(step["a"]) if action[0] & 15 == code)
        step["a"][last][1] = change(step["a"][last][1])
    return apply


def in_win(fan, *names):
    return in_hand(lambda hand: hand["action_ticks"][-2].__setitem__(slice(2, 4), (fan, ["组合龙", "不求人", *names])))


SESSION, KNITTED = (lambda: load_sessions()[1]), load_knitted


@pytest.mark.parametrize("load, change, told", [
    (SESSION, lambda value: value["game_title"].update(rule="riichi"), "expected a game of the rule 'guobiao'"),
    (SESSION, in_hand(lambda hand: hand.pop("tiles_list")), "expected a record with its wall, got one without"),
    (SESSION, in_hand(lambda hand: hand["tiles_list"].reverse()), "next at the back of the wall"),
    (SESSION, in_hand(lambda hand: hand["action_ticks"].insert(30, ["xx", 3, [25, 26]])),
     "expected a tick of a hand, got 'xx'"),
    (SESSION, in_hand(lambda hand: hand["action_ticks"].__delitem__(slice(-2, None))),
     "expected a win or the end of the wall"),
    (SESSION, in_hand(lambda hand: hand["action_ticks"][-2].__setitem__(4, [1, 2, 3, 4])), "expected the scores"),
    (SESSION, in_hand(lambda hand: hand["action_ticks"][-2].__setitem__(3, [])), "expected 2 flowers of seat 2"),
    (SESSION, in_hand(lambda hand: hand.update(p3_tiles=[])), "of four players, got one of three"),
    (SESSION, lambda value: value["game_title"].update(sub_rule="guobiao/sanma"), "got one of three"),
    (SESSION, lambda value: value["game_title"].pop("p3_name"), "no 'p3_name'"),
    (KNITTED, in_win(17), "expected 16 fan"), (KNITTED, in_win(18, "边张"), "expected 17 fan"),
    (0, in_action(DRAW, lambda data: data ^ 1),
     r"expected the tile \d+, next at the front of the wall, got \d+ in action \d+ of here"),
    (0, in_action(DISCARD, lambda data: 0x100 | (data + 40) % 136), "expected a tile in the hand of"),
    (2, in_action(DISCARD, lambda data: data ^ 0x100), "expected a discard from the hand of .*, not the tile just"),
    (1, in_action(CHOW, lambda data: data ^ 0xc0), "expected a claim of the tile"),
    (0, in_action(WIN, lambda data: data + 2), "expected the sum 10 of the fans"),
    (0, lambda step: step.update(s=[-17, 51, -17, -17]), "expected the scores"),
    (0, lambda step: step["y"][1]["h"]["s"].reverse(), "expected the hand"),
    (0, lambda step: step["a"].pop(), "expected a win, as the flags 34 have it, got none"),
    (0, lambda step: step.update(b=0), "expected a win of a seat that the flags name"),
    (2, lambda step: step["a"].__delitem__(slice(-9, None)), "expected an empty wall at the end of a drawn hand"),
    (0, lambda step: step.pop("w"), "expected a record with its wall, got one without: .* in the file here"),
    (0, lambda step: step.pop("d"), "no 'd', in the file here"),
    (0, lambda step: step["a"].insert(30, 7), "an action of a record"),
    (0, lambda step: step.update(script="x"), "expected a script that can be unpacked"),
])
def test_what_the_replay_contradicts_is_named(load, change, told):
    with pytest.raises(MahjongError, match=told):
        check(load() if callable(load) else load_made()[load], change)
