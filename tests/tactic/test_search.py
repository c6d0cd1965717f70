"""The search tactic: its reasons, its parameters, and many decisions at once."""

import re

import pytest

from mj_bot.mahjong.state import GameState
from mj_bot.tactic import load_tactic
from mj_bot.tactic.search import SearchTactic
from tests.tactic.positions import discard_of, list_golden_decisions, state_of

BEFORE = "".join(discard_of(seat, name) + "; " for seat, name in enumerate(("F2", "F3", "F4")))


class TestReasons:
    def test_action_pattern_and_needs(self):
        tactic = SearchTactic()
        tactic(state_of(3, "W234 T345 B46888 F11", BEFORE + "2 J2"))
        assert re.fullmatch(
            r"PLAY J2 -?\d+\.\d\d(, PLAY \w\w -?\d+\.\d\d){2}; (danger \d+\.\d%; )?"
            r"aims at waits \d+%, mixed shifted chows \d+%(, [a-z ]+ \d+%)*; needs B5", tactic.reasons)

    def test_nothing_in_reach(self):
        """No tile is expected to come, and most are missing."""
        tactic = SearchTactic(horizon=0.0)
        tactic(state_of(3, "W159 T159 B159 F12 J12", BEFORE + "2 F3"))
        assert tactic.reasons.endswith("aims at nothing in reach; needs no tile")

    def test_wins_and_forced_answers(self):
        tactic = SearchTactic()
        tactic(state_of(1, "W234888 T234 B24 F11", discard_of(0, "B3")))
        assert tactic.reasons == "wins with 11 fan"
        tactic(state_of(1, "W234888 T234 B24 F11", discard_of(0, "F4")))
        assert tactic.reasons == "nothing to choose"


def test_parameters_are_named():
    assert SearchTactic(horizon=0.3)._valuer.parameters.horizon == 0.3
    with pytest.raises(TypeError, match="expected parameters out of horizon .* got nonsense"):
        SearchTactic(nonsense=1)


def test_flowers_leave_the_choice_and_the_size_of_points():
    """The one wall of a game with flowers counted four times, and a pung was broken for 514 points."""
    chosen = []
    for flowers in ("0 0 0 0", "1 0 0 0"):
        state = GameState()
        deal = "1 %s W1 W1 W1 W2 W3 T5 T5 T6 T7 B9 F1 F1 J2%s" % (flowers, " H1" if flowers[0] == "1" else "")
        for request in ("0 0 0", deal, "2 W9"):
            state.apply(request)
        tactic = SearchTactic()
        chosen.append(tactic(state))
        assert abs(tactic.ranked[0][1]) < 16
    assert chosen[0] == chosen[1]


OTHERS = dict(sharpness=1.4, ready=0.5, chow_claims=0.7, least_chance=1e-4)


class TestChoose:
    @pytest.mark.parametrize("options", [OTHERS, dict(correction=0)], ids=["others", "without correction"])
    def test_with_other_parameters(self, options):
        observations, masks, expected = list_golden_decisions(SearchTactic(**options), 37, 150)
        assert SearchTactic(**options).choose(observations, masks).tolist() == expected.tolist()

    def test_the_next_draw_changes_some_choices(self):
        observations, masks, _ = list_golden_decisions(load_tactic("random"), 23, 400)
        one, other = (SearchTactic(**options).choose(observations, masks) for options in ({}, {"next_draw": 0}))
        assert 1 <= (one != other).sum() < 20
