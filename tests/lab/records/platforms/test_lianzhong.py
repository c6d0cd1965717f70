"""The text format of the Lianzhong platform."""

import pytest

from mj_bot.lab.records.follow import check_game, game_from_record, record_from_game
from mj_bot.lab.records.game_record import OWN_SUITS
from mj_bot.lab.records.platforms.lianzhong import parse_lianzhong
from mj_bot.mahjong.errors import MahjongError
from tests.golden_games import SAMPLES

# A self-drawn win of nine gates with a flower's replacement after a flower. Seat 2 deals and wins on its first draw.
NINE_GATES = (SAMPLES / "lianzhong" / "flowers.txt").read_text(encoding="utf-8")


def test_a_win_with_flowers_and_another_dealer():
    game = parse_lianzhong(NINE_GATES)
    assert game.winner_flowers == 1 and game.wind == 1 and game.facts & OWN_SUITS == 0
    assert max(game.scores) == game.scores[0] == -3 * game.scores[1]
    assert check_game(game).culprit == 0
    assert game_from_record(record_from_game(game)).moves == game.moves


def test_a_win_that_did_not_count_is_passed_over():
    text = NINE_GATES.replace("1\t摸牌", "1\t和牌\t['J1']\tJ1\t0\n1\t摸牌")
    assert parse_lianzhong(text) == parse_lianzhong(NINE_GATES)


@pytest.mark.parametrize("reason, old, new, message", [
    ("flowers that were not drawn", "'花牌-1'", "'花牌-2'", "expected 1 flowers of the winner, got 2 in line 2"),
    ("a wind that is none", "南\t", "中\t", "expected wind, points and fans, got \"中"),
    ("no points", "南\t", "南\tx", "expected wind, points and fans, got \"南"),
    ("a word that is none", "2\t打牌\t['B1']", "2\t吃碰\t['B1']", "expected an event of a game, got '吃碰' in line 7"),
    ("no tiles", "['J1']\t\n1", "[]\t\n1", "expected a line of a game, got .* in line 13"),
    ("an unknown tile", "2\t打牌\t['B1']", "2\t打牌\t['X1']", "expected a tile, .*, got 'X1' in line 7"),
    ("another seat's turn", "2\t打牌", "3\t打牌", "expected an action of seat 0, got a discard of seat 1 in line 7"),
    ("no dealer", "'W9','B1'", "'W9'", r"expected one dealer with 14 tiles, got \[13, 13, 13, 13\] in line 3"),
    ("a deal out of order", "0\t['T1'", "1\t['T1'", "expected the deal of seat 0, got .* in line 3"),
    ("no end", "2\t和牌\t['W5']\tW5\t2\n", "", r"expected a win of \d+ points, got the end in line 16"),
    ("more flowers than there are", "'B1']\t1", "'B1']\t300", "at most 7 flowers of the deal, got 300 in line 5"),
    ("more tiles than there are", "['J1']", "['B1']", "expected four B1 in a wall, got 5"),
    ("other points", "南\t", "南\t1", "expected the scores"),
])
def test_lines_that_do_not_fit_are_named(reason, old, new, message):
    assert old in NINE_GATES
    with pytest.raises(MahjongError, match=message):
        check_game(parse_lianzhong(NINE_GATES.replace(old, new)))
