"""The rule-based tactic: what other bots of its kind fail at, its reasons, and many decisions at once."""

import pytest

from mj_bot.observation import fan_memo
from mj_bot.tactic import load_tactic
from mj_bot.tactic.pattern import hand
from mj_bot.tactic.rule_based import RuleBasedTactic
from tests.golden_decisions import list_golden_decisions
from tests.tactic.positions import discard_of, state_of


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
