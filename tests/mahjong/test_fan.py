"""What MahjongGB counts otherwise, and both shapes of its result; the recorded judge is in test_state.py."""

import pytest

from mj_bot.mahjong import fan

KNITTED = ("W3", "W6", "W9", "T1", "T4", "T7", "T7", "B2", "B5", "B6", "B6", "B6", "B8")


def count(hand, win_tile, by=fan.count_fan):
    return by((), hand, win_tile, fan.WinFacts())


def test_no_wait_on_a_tile_of_the_knitted_straight():
    """MahjongGB 1.2.0 and later count the single wait on T7, which is part of the straight; the judge does not."""
    assert count(KNITTED, "T7") == 15
    assert [name for _, _, name in count(KNITTED, "T7", fan.list_fans)] == ["组合龙", "门前清", "无字"]


def test_a_wait_apart_from_the_knitted_straight_counts():
    hand = ("W2", "W5", "W8", "T3", "T6", "T7", "T7", "T7", "T9", "B1", "B4", "B7", "J2")
    assert "单钓将" in [name for _, _, name in count(hand, "J2", fan.list_fans)]


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
