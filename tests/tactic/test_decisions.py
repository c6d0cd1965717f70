"""Decisions of `search` and `rule_based` at positions written out, named by what must be seen in them.

And what other bots that follow rules fail at.
"""

import pytest

from mj_bot.mahjong.action import format_action
from mj_bot.tactic import load_tactic
from mj_bot.tactic.rule_based import RuleBasedTactic
from tests.tactic.positions import discard_of, list_golden_decisions, state_of

BOTH, SEARCH, RULES = ("search", "rule_based"), ("search",), ("rule_based",)
# Seat 3 draws after three discards, F2 F3 F4 where none are named.
OWN_TURNS = [
    ("a useless honour leaves mixed steps ready", BOTH, "W234 T345 B46888 F11", "J2", "PLAY J2"),
    ("a tile of its suit does too", BOTH, "W234 T345 B46888 F11", "B9", "PLAY B9"),
    ("the straight waits on", BOTH, "W12345679 T888 F11", "W4", "PLAY W4"),
    ("mixed triple chow waits on", BOTH, "W234 T234 B24 W678 F11", "B9", "PLAY B9"),
    ("seven pairs stay ready", BOTH, "W1155 T2288 B3399 J1", "B4", "PLAY B4"),
    ("honours and knitted stay ready", BOTH, "W147 T258 B36 F1234 J1", "W4", "PLAY W4"),
    ("thirteen orphans stay ready", BOTH, "W19 T19 B19 F1234 J122", "W5", "PLAY W5"),
    ("of two knitted hands the one with the set", BOTH, "W147 T258 B36 F111 J22", "J2", "PLAY F1, PLAY J2"),
    ("no wait for a dead tile", BOTH, "W1155 T2288 B3399 J1", "J2 after J1 J1 J1", "PLAY J1"),
    ("the wait with more copies unseen", BOTH, "W1155 T2288 B3399 J1", "J2 after J1 F1 F2", "PLAY J1"),
    ("the same with the tiles the other way round", BOTH, "W1155 T2288 B3399 J2", "J1 after J1 F1 F2", "PLAY J1"),
    ("an untouched wait before a dead one", BOTH, "W12345679 T888 F11", "B2", "PLAY B2"),
    ("a lone honour before a middle tile", BOTH, "W234 T345 B4688 W6 J1 F1", "W9", "PLAY J1, PLAY F1"),
    ("a concealed kong whose fan are wanted", BOTH, "W22456 T456 B79 F111", "F1", "GANG F1"),
    ("a kong of four honours", RULES, "J1111 W234 T345 B468", "B8", "GANG J1"),
    ("no kong that breaks thirteen orphans", RULES, "W19 T19 B19 F1234 J111", "J1", "PLAY J1"),
    ("no kong of tiles that two sets share", BOTH, "W123455556789 F1", "B2", "PLAY B2, PLAY F1"),
]
# Seat 1 answers a discard of seat 0.
CLAIMS = [
    ("a chow completes mixed triple chow", BOTH, "W234 T24 B234 W78 F11 J1", "T3", "CHI T3 J1"),
    ("another chow makes the hand ready", SEARCH, "W234 T24 B234 W78 F11 J1", "W9", "CHI W8 J1"),
    ("a chow that is one of the three", BOTH, "W234 T35 B456788 F12", "T4", "CHI T4"),
    ("no chow of tiles that are needed elsewhere", RULES, "W234 T34 B456 W78 B88 F1", "W9", "PASS"),
    ("no chow out of a ready hand", BOTH, "W234 T345 B46888 F11", "W5", "PASS"),
    ("no pung out of a ready hand", BOTH, "W123 T456 B78 W999 F11", "F1", "PASS"),
    ("no pung out of seven pairs", BOTH, "W1155 T2288 B3399 J1", "W1", "PASS"),
    ("no pung out of honours and knitted", BOTH, "W147 T258 B36 F11 J123", "F1", "PASS"),
    ("no pung out of thirteen orphans", BOTH, "W19 T19 B19 F11234 J12", "F1", "PASS"),
    ("a pung of all pungs", BOTH, "W22 T777 B338 F333 J11", "W2", "PENG B8"),
    ("a pung next to the straight", BOTH, "W123456 W789 T3 F11 J1", "F1", "PENG T3"),
    ("a kong among pungs", RULES, "W222 T77 B3388 F333 J1", "W2", "GANG"),
    ("a kong of the set next to a straight", RULES, "W1234567 T456 B999", "B9", "GANG"),
]


def list_cases(cases):
    return [pytest.param(name, *case, id="%s: %s" % (name, why)) for why, names, *case in cases for name in names]


def answer_of(name, state):
    action = load_tactic(name)(state)
    assert action in state.action_space()
    return format_action(action)


@pytest.mark.parametrize("name, hand, drawn, expected", list_cases(OWN_TURNS))
def test_own_turns(name, hand, drawn, expected):
    drawn, _, discards = drawn.partition(" after ")
    requests = [discard_of(seat, tile) for seat, tile in enumerate((discards or "F2 F3 F4").split())] + ["2 " + drawn]
    assert answer_of(name, state_of(3, hand, "; ".join(requests))) in expected.split(", ")


@pytest.mark.parametrize("name, hand, discard, expected", list_cases(CLAIMS))
def test_claims(name, hand, discard, expected):
    assert answer_of(name, state_of(1, hand, discard_of(0, discard))).startswith(expected)


@pytest.mark.parametrize("name", BOTH)
def test_a_pung_is_added_to(name):
    """A ready hand has no other use for the fourth tile, and the kong counts."""
    requests = [discard_of(0, "J1"), "3 1 PENG W9", *(discard_of(seat, "F4") for seat in (2, 3, 0)), "2 J1"]
    assert answer_of(name, state_of(1, "J11 W234 T345 B46 F11 W9", "; ".join(requests))) == "BUGANG J1"


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
    assert tactic.reasons.startswith("0.564: mixed shifted chows 0.564, mixed triple chow 2.294, ")


@pytest.mark.slow
def test_choose_on_all_golden_games():
    observations, masks, expected = list_golden_decisions(RuleBasedTactic(), 1, 10 ** 9)
    assert RuleBasedTactic().choose(observations, masks).tolist() == expected.tolist()
