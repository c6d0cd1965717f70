"""The text format of the Lianzhong platform."""

import pytest

from mj_bot.lab.records.follow import check_game, follow_game, game_from_record, record_from_game
from mj_bot.lab.records.game import OWN_SUITS, BrokenGameError
from mj_bot.lab.records.platforms.lianzhong import is_lianzhong, parse_lianzhong
from mj_bot.mahjong.errors import MahjongError, ProtocolError
from tests.golden_games import with_samples

# Of the games in the folders: which are not legal, and why.
WRONG = {
    "samples": {"goes_on.txt": "expected an action of seat 0, got 'a draw of seat 1' in line 18 of goes_on.txt"},
    "real": {},
}
# Seat 2 deals and wins on its first draw: a flower's replacement after a flower, all in one suit.
WON_AT_ONCE = """./2017/0.xml
南\t{points}\t[{fans}]\t\t自摸
0\t['T1','T2','T3','T4','T5','T6','T7','T8','T9','F1','F2','F3','F4']\t0
1\t['T1','T2','T3','T4','T5','T6','T7','T8','T9','F1','F2','F3','F4']\t1
2\t['W1','W1','W1','W2','W3','W4','W5','W6','W7','W8','W9','W9','W9','B1']\t1
3\t['B1','B2','B3','B4','B5','B6','B7','B8','B9','F1','F2','F3','F4']\t0
2\t打牌\t['B1']\t
3\t摸牌\t['H1']\t
3\t补花\t['H1']\t
3\t补花后摸牌\t['J1']\t
3\t打牌\t['J1']\t
0\t摸牌\t['J1']\t
0\t打牌\t['J1']\t
1\t摸牌\t['J1']\t
1\t打牌\t['J1']\t
2\t摸牌\t['W5']\t
2\t和牌\t['W5']\tW5\t2
"""


def nine_gates(points=None, fans=None, flowers=1):
    """The text of a self-drawn win of nine gates with its flowers."""
    game = parse_lianzhong(WON_AT_ONCE.format(points=3 * 8, fans="'花牌-1'"))
    fan = sum(points * copies for points, copies, _ in follow_game(game).fans)
    points = 3 * (8 + fan + flowers) if points is None else points
    return WON_AT_ONCE.format(points=points, fans=fans or "'九莲宝灯-%d','花牌-%d'" % (fan, flowers))


@with_samples
def test_files_are_legal_or_say_why_not(folder):
    """In one a seat drew 23 tiles; in another a win did not count, and the game went on to the end of the wall."""
    wrong = {}
    for path in sorted((folder / "lianzhong").iterdir()):
        text = path.read_text(encoding="utf-8")
        assert is_lianzhong(text)
        try:
            game = parse_lianzhong(text, where=path.name)
            check_game(game)
            assert game_from_record(record_from_game(game)).moves == game.moves
        except MahjongError as error:
            wrong[path.name] = str(error)
    assert wrong == WRONG[folder.name]


def test_a_win_with_flowers_and_another_dealer():
    game = parse_lianzhong(nine_gates())
    assert game.winner_flowers == 1 and game.wind == 1 and game.facts & OWN_SUITS == 0
    assert max(game.scores) == game.scores[0] == -3 * game.scores[1]
    assert check_game(game).culprit == 0


def test_a_win_that_did_not_count_is_passed_over():
    text = nine_gates().replace("1\t摸牌", "1\t和牌\t['J1']\tJ1\t0\n1\t摸牌")
    assert parse_lianzhong(text) == parse_lianzhong(nine_gates())


@pytest.mark.parametrize("reason, old, new, message", [
    ("flowers that were not drawn", "'花牌-1'", "'花牌-2'", "expected 1 flowers of the winner, got 2 in line 2"),
    ("a wind that is none", "南\t", "中\t", "expected wind, points and fans, got \"中"),
    ("no points", "南\t24", "南\tx", "expected wind, points and fans, got \"南"),
    ("a word that is none", "2\t打牌\t['B1']", "2\t吃碰\t['B1']", "expected an event of a game, got '吃碰' in line 7"),
    ("no tiles", "['J1']\t\n1", "[]\t\n1", "expected a line of a game, got .* in line 13"),
    ("an unknown tile", "2\t打牌\t['B1']", "2\t打牌\t['X1']", "expected a tile, .*, got 'X1' in line 7"),
    ("another seat's turn", "2\t打牌", "3\t打牌", "expected an action of seat 0, got 'a discard of seat 1' in line 7"),
    ("no dealer", "'W9','B1'", "'W9'", r"expected one dealer with 14 tiles, got \[13, 13, 13, 13\] in line 3"),
    ("a deal out of order", "0\t['T1'", "1\t['T1'", "expected the deal of seat 0, got .* in line 3"),
    ("no end", "2\t和牌\t['W5']\tW5\t2\n", "", "expected a win of 24 points, got 'the end' in line 16"),
])
def test_lines_that_do_not_fit_are_named(reason, old, new, message):
    text = WON_AT_ONCE.format(points=24, fans="'花牌-1'")
    assert old in text
    with pytest.raises(BrokenGameError, match=message):
        parse_lianzhong(text.replace(old, new, 1))


def test_more_tiles_than_there_are():
    with pytest.raises(BrokenGameError, match="expected at most 7 flowers of the deal, got 300 in line 5"):
        parse_lianzhong(nine_gates(flowers=300).replace("'B1']\t1", "'B1']\t300"))
    with pytest.raises(BrokenGameError, match="expected four B1 in a wall, got 5"):
        parse_lianzhong(nine_gates().replace("['J1']", "['B1']"))


def test_other_points_are_refused():
    with pytest.raises(ProtocolError, match="expected the scores"):
        check_game(parse_lianzhong(nine_gates(points=30)))


def test_other_texts_are_not_of_this_format():
    assert not is_lianzhong("Match 1\nWind 1\nPlayer 0 Deal\n") and not is_lianzhong("{}")
    assert is_lianzhong(nine_gates())
