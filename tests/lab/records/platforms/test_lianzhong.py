"""The text format of the Lianzhong platform."""

from mj_bot.lab.records.follow import check_game, game_from_record, record_from_game
from mj_bot.lab.records.game_record import OWN_SUITS
from mj_bot.lab.records.platforms.lianzhong import parse_lianzhong
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
