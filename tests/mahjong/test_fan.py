"""Fans against the recorded judge, and both shapes of MahjongGB's result."""

import pytest

from mj_bot.mahjong import fan
from mj_bot.mahjong.state import GameState
from tests.golden_games import name_of, read_games

# MahjongGB divides one recorded hand otherwise than the judge, into fans of the same worth.
DIVIDED_OTHERWISE = {"stacked-1054"}
KNITTED = ("W3", "W6", "W9", "T1", "T4", "T7", "T7", "B2", "B5", "B6", "B6", "B6", "B8")


def count(hand, win_tile):
    return fan.count_fan((), hand, win_tile, 0, False, False, False, False, 0, 0)


def winning_states():
    """(game, state of the winner at the winning step) of all recorded wins."""
    for game in read_games():
        closing = game["steps"][-1][1]
        if closing["action"] != "HU":
            continue
        seat = closing["player"]
        requests = [step[0][seat] for step in game["steps"][:-1]]
        answers = [step[2][seat] for step in game["steps"][:-2]]
        yield game, GameState().load_json({"requests": requests, "responses": answers})


def test_fans_of_recorded_wins():
    """The judge's own list of fans, names and copies, for each game that was won."""
    checked = 0
    for game, state in winning_states():
        closing = game["steps"][-1][1]
        assert state.win_fan() == closing["fanCnt"], name_of(game)
        expected = sorted((entry["value"], entry["cnt"], entry["name"]) for entry in closing["fan"])
        if name_of(game) not in DIVIDED_OTHERWISE:
            assert sorted(state.win_fans()) == expected, name_of(game)
        checked += 1
    assert checked > 120


def test_no_wait_on_a_tile_of_the_knitted_straight():
    """MahjongGB 1.2.0 and later count the single wait on T7, which is part of the straight; the judge does not."""
    assert count(KNITTED, "T7") == 15
    assert [name for _, _, name in fan.list_fans((), KNITTED, "T7", 0, False, False, False, False, 0, 0)] == \
        ["组合龙", "门前清", "无字"]


def test_a_wait_apart_from_the_knitted_straight_counts():
    hand = ("W2", "W5", "W8", "T3", "T6", "T7", "T7", "T7", "T9", "B1", "B4", "B7", "J2")
    names = [name for _, _, name in fan.list_fans((), hand, "J2", 0, False, False, False, False, 0, 0)]
    assert "单钓将" in names


@pytest.mark.parametrize("result", [
    ((12, "组合龙"), (2, "喜相逢"), (1, "无字")),
    ((12, 1, "组合龙", "Knitted Straight"), (1, 2, "喜相逢", "Mixed Double Chow"), (1, 1, "无字", "No Honours")),
])
def test_both_shapes_of_the_result(monkeypatch, result):
    monkeypatch.setattr(fan, "MahjongFanCalculator", lambda *args: result)
    assert count(KNITTED, "T7") == 15


def test_no_win_counts_nothing(monkeypatch):
    """A hand that does not win, and no hand without the library."""
    assert count(KNITTED, "J1") == 0
    monkeypatch.setattr(fan, "MahjongFanCalculator", None)
    assert count(KNITTED, "T7") == 0
