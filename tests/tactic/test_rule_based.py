"""Decisions of the rule-based tactic at positions written out, named by what must be seen in them."""

import pytest

from mj_bot.mahjong.action import format_action
from mj_bot.observation import fan_memo
from mj_bot.tactic import load_tactic
from mj_bot.tactic.pattern import hand
from mj_bot.tactic.rule_based import RuleBasedTactic
from tests.golden_decisions import list_golden_decisions
from tests.tactic.positions import discard_of, state_of


OWN_TURNS = [
    ("a useless honour leaves mixed steps ready", "W234 T345 B46888 F11", "J2", ["PLAY J2"]),
    ("a tile of its suit does too", "W234 T345 B46888 F11", "B9", ["PLAY B9"]),
    ("seven pairs stay ready", "W1155 T2288 B3399 J1", "B4", ["PLAY B4"]),
    ("the better single wait of seven pairs", "W1155 T2288 B3399 J1", "J2", ["PLAY J1", "PLAY J2"]),
    ("thirteen orphans stay ready", "W19 T19 B19 F1234 J122", "W5", ["PLAY W5"]),
    ("honours and knitted stay ready", "W147 T258 B36 F1234 J1", "W4", ["PLAY W4"]),
    ("a knitted straight keeps its nine, a set and a pair", "W147 T258 B36 F111 J22", "J2", ["PLAY F1", "PLAY J2"]),
    ("an untouched wait before a dead one", "W12345679 T888 F11", "B2", ["PLAY B2"]),
    ("a lone honour goes before a middle tile", "W234 T345 B4688 W6 J1 F1", "W9", ["PLAY J1", "PLAY F1"]),
    ("a kong of four honours", "J1111 W234 T345 B468", "B8", ["GANG J1"]),
    ("no kong that breaks thirteen orphans", "W19 T19 B19 F1234 J111", "J1", ["PLAY J1"]),
    ("a win", "W19 T19 B19 F1234 J122", "J3", ["HU"]),
]


@pytest.mark.parametrize(
    "hand, drawn, expected", [case[1:] for case in OWN_TURNS], ids=[case[0] for case in OWN_TURNS])
def test_own_turns(hand, drawn, expected):
    state = state_of(0, hand, "2 " + drawn)
    action = RuleBasedTactic()(state)
    assert action in state.action_space()
    assert format_action(action) in expected


# Seat 1 answers a discard of seat 0.
CLAIMS = [
    ("a chow that is one of the three", "W234 T35 B456788 F12", "T4", "CHI T4"),
    ("no chow of tiles that are needed elsewhere", "W234 T34 B456 W78 B88 F1", "W9", "PASS"),
    ("no chow that only changes the set", "W234 T345 B46888 F11", "W5", "PASS"),
    ("no pung out of seven pairs", "W1155 T2288 B3399 J1", "W1", "PASS"),
    ("no pung out of thirteen orphans", "W19 T19 B19 F11234 J12", "F1", "PASS"),
    ("a pung of all pungs", "W225 T777 B338 F333 J1", "W2", "PENG"),
    ("a kong among pungs", "W222 T77 B3388 F333 J1", "W2", "GANG"),
    ("a kong of the set next to a straight", "W1234567 T456 B999", "B9", "GANG"),
    ("a win", "W234888 T234 B24 F11", "B3", "HU"),
]


@pytest.mark.parametrize("hand, discard, expected", [case[1:] for case in CLAIMS], ids=[case[0] for case in CLAIMS])
def test_claims(hand, discard, expected):
    state = state_of(1, hand, discard_of(0, discard))
    action = RuleBasedTactic()(state)
    assert action in state.action_space()
    assert format_action(action).startswith(expected)


def test_a_pung_is_added_to():
    rest = "; ".join(["3 1 PENG J1", discard_of(2, "F4"), discard_of(3, "F4"), discard_of(0, "F4"), "2 W2"])
    state = state_of(1, "W2256 T77 B338 F333 J1", discard_of(0, "W2") + "; " + rest)
    assert RuleBasedTactic()(state) == ("BUGANG", "W2")


def test_another_seats_concealed_kong_is_lived_with():
    """Public bots of this kind crash after it: its tile is unseen."""
    state = state_of(1, "W234 T345 B46888 F12", "3 0 DRAW; 3 0 GANG; " + discard_of(0, "F1"))
    assert RuleBasedTactic()(state) in state.action_space()


def test_no_pattern_in_reach_is_lived_with():
    """A pung and a chow of one suit and a concealed kong of another: no pattern has them all."""
    rest = ["3 1 PENG J1", discard_of(2, "F4"), discard_of(3, "F4"), discard_of(0, "W6"), "3 1 CHI W7 J2",
            discard_of(2, "F4"), discard_of(3, "F3"), discard_of(0, "F3"), "2 T9", "3 1 GANG", "2 T5"]
    state = state_of(1, "W2278 B1111 F12 J123", discard_of(0, "W2") + "; " + "; ".join(rest))
    tactic = RuleBasedTactic()
    assert tactic(state) in state.action_space()
    assert tactic.reasons.endswith("no pattern in reach")


def test_reasons_name_the_patterns_best_first():
    tactic = RuleBasedTactic()
    tactic(state_of(0, "W234 T345 B46888 F11", "2 J2"))
    assert tactic.reasons.startswith("0.474: mixed shifted chows 0.474, mixed triple chow 2.184, ")


@pytest.mark.slow
def test_choose_on_all_golden_games():
    observations, masks, expected = list_golden_decisions(RuleBasedTactic(), 1, 10 ** 9)
    assert RuleBasedTactic().choose(observations, masks).tolist() == expected.tolist()


def test_little_room_for_answers(monkeypatch):
    """Few keys noted at a time, and answers forgotten while others are still to come."""
    observations, masks, _ = list_golden_decisions(load_tactic("random"), 23, 100)
    plenty = RuleBasedTactic()
    expected = plenty.choose(observations, masks)
    monkeypatch.setattr(fan_memo, "MOST_NOTED", 8)
    monkeypatch.setattr(hand, "_FANS_KEPT", 128)
    sparing = RuleBasedTactic()
    assert (sparing.choose(observations, masks) == expected).all()
    assert sparing.hands.fans.asked_count > plenty.hands.fans.asked_count > 0
