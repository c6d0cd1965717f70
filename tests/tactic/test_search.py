"""Decisions of the search tactic at positions written out, named by what must be seen in them."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

from mj_bot.lab.arena import engine_runner, referee_runner
from mj_bot.lab.arena.schedule import make_match
from mj_bot.mahjong.action import encode_action, format_action
from mj_bot.mahjong.state import GameState
from mj_bot.observation import fan_memo
from mj_bot.tactic import load_tactic
from mj_bot.tactic.base import Questions
from mj_bot.tactic.search import SearchTactic
from mj_bot.worth import valuer
from tests.golden_decisions import list_golden_decisions
from tests.tactic.positions import discard_of, positions, state_of

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def after(*discards):
    """Requests of discards in turn, seat 0 first."""
    return "; ".join(discard_of(seat, name) for seat, name in enumerate(discards))


def answer_of(state):
    action = SearchTactic()(state)
    assert action in state.action_space()
    return format_action(action)


# Seat 3 draws after three discards.
OWN_TURNS = [
    ("an eight-fan wait is kept", "W234 T345 B46888 F11", "F2 F3 F4", "J2", ["PLAY J2"]),
    ("against a tile of the suit too", "W234 T345 B46888 F11", "F2 F3 F4", "B9", ["PLAY B9"]),
    ("the straight waits on", "W12345679 T888 F11", "F2 F3 F4", "W4", ["PLAY W4"]),
    ("mixed triple chow waits on", "W234 T234 B24 W678 F11", "F2 F3 F4", "B9", ["PLAY B9"]),
    ("honours and knitted wait on", "W147 T258 B36 F1234 J1", "F2 F3 F4", "W4", ["PLAY W4"]),
    ("thirteen orphans wait on", "W19 T19 B19 F1234 J122", "F2 F3 F4", "W5", ["PLAY W5"]),
    ("of two knitted hands the one with the set", "W147 T258 B36 F111 J22", "F2 F3 F4", "J2", ["PLAY F1", "PLAY J2"]),
    ("no wait for a dead tile", "W1155 T2288 B3399 J1", "J1 J1 J1", "J2", ["PLAY J1"]),
    ("the wait with more copies unseen", "W1155 T2288 B3399 J1", "J1 F1 F2", "J2", ["PLAY J1"]),
    ("the same with the tiles the other way round", "W1155 T2288 B3399 J2", "J1 F1 F2", "J1", ["PLAY J1"]),
    ("a lone honour before a middle tile", "W234 T345 B4688 W6 J1 F1", "F2 F3 F4", "W9", ["PLAY J1", "PLAY F1"]),
    ("a concealed kong whose fan are wanted", "W22456 T456 B79 F111", "F2 F3 F4", "F1", ["GANG F1"]),
    ("no kong of tiles that two sets share", "W123455556789 F1", "F2 F3 F4", "B2", ["PLAY B2", "PLAY F1"]),
    ("a win", "W19 T19 B19 F1234 J122", "F2 F3 F4", "J3", ["HU"]),
]


@pytest.mark.parametrize(
    "hand, discards, drawn, expected", [case[1:] for case in OWN_TURNS], ids=[case[0] for case in OWN_TURNS])
def test_own_turns(hand, discards, drawn, expected):
    assert answer_of(state_of(3, hand, after(*discards.split()) + "; 2 " + drawn)) in expected


# Seat 1 answers a discard of seat 0.
CLAIMS = [
    ("a chow completes mixed triple chow", "W234 T24 B234 W78 F11 J1", "T3", "CHI T3 J1"),
    ("another chow makes the hand ready", "W234 T24 B234 W78 F11 J1", "W9", "CHI W8 J1"),
    ("no chow out of a ready hand", "W234 T345 B46888 F11", "W5", "PASS"),
    ("no pung out of a ready hand", "W123 T456 B78 W999 F11", "F1", "PASS"),
    ("no pung out of seven pairs", "W1155 T2288 B3399 J1", "W1", "PASS"),
    ("no pung out of honours and knitted", "W147 T258 B36 F11 J123", "F1", "PASS"),
    ("no pung out of thirteen orphans", "W19 T19 B19 F11234 J12", "F1", "PASS"),
    ("a pung of all pungs", "W22 T777 B338 F333 J11", "W2", "PENG B8"),
    ("a pung next to the straight", "W123456 W789 T3 F11 J1", "F1", "PENG T3"),
    ("a win", "W234888 T234 B24 F11", "B3", "HU"),
]


@pytest.mark.parametrize("hand, discard, expected", [case[1:] for case in CLAIMS], ids=[case[0] for case in CLAIMS])
def test_claims(hand, discard, expected):
    assert answer_of(state_of(1, hand, after(discard))) == expected


def test_a_pung_is_added_to():
    """A ready hand has no other use for the fourth tile, and the kong counts."""
    requests = [after("J1"), "3 1 PENG W9", discard_of(2, "F4"), discard_of(3, "F4"), discard_of(0, "F4"), "2 J1"]
    assert answer_of(state_of(1, "J11 W234 T345 B46 F11 W9", "; ".join(requests))) == "BUGANG J1"


class TestReasons:
    def test_action_pattern_and_needs(self):
        tactic = SearchTactic()
        tactic(state_of(3, "W234 T345 B46888 F11", after("F2", "F3", "F4") + "; 2 J2"))
        assert re.fullmatch(
            r"PLAY J2 -?\d+\.\d\d(, PLAY \w\w -?\d+\.\d\d){2}; (danger \d+\.\d%; )?"
            r"aims at waits \d+%, mixed shifted chows \d+%(, [a-z ]+ \d+%)*; needs B5", tactic.reasons)

    def test_nothing_in_reach(self):
        """No tile is expected to come, and most are missing."""
        tactic = SearchTactic(horizon=0.0)
        tactic(state_of(3, "W159 T159 B159 F12 J12", after("F2", "F3", "F4") + "; 2 F3"))
        assert tactic.reasons.endswith("aims at nothing in reach; needs no tile")

    def test_wins_and_forced_answers(self):
        tactic = SearchTactic()
        tactic(state_of(1, "W234888 T234 B24 F11", after("B3")))
        assert tactic.reasons == "wins with 11 fan"
        tactic(state_of(1, "W234888 T234 B24 F11", after("F4")))
        assert tactic.reasons == "nothing to choose"


def test_the_same_position_gets_the_same_answer():
    """Whatever the tactic was asked before."""
    used = SearchTactic()
    for state in positions(every=100):
        fresh = SearchTactic()
        assert (used(state), used.reasons) == (fresh(state), fresh.reasons)


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
        observations, masks, expected = list_golden_decisions(SearchTactic(), 23, 400)
        changed = SearchTactic(next_draw=0).choose(observations, masks) != expected
        assert 1 <= changed.sum() < 20

    def test_little_room_for_fans(self, monkeypatch):
        """Keys noted one at a time, and answers forgotten while others are still to come."""
        observations, masks, _ = list_golden_decisions(load_tactic("random"), 23, 400)
        expected = SearchTactic().choose(observations, masks).tolist()
        monkeypatch.setattr(fan_memo, "MOST_NOTED", 1)
        monkeypatch.setattr(valuer, "_FANS_KEPT", 128)
        assert SearchTactic().choose(observations, masks).tolist() == expected

    def test_points_do_not_depend_on_the_other_rows(self):
        observations, masks, _ = list_golden_decisions(load_tactic("random"), 61, 60)
        search, together, alone = SearchTactic(), np.zeros(masks.shape), np.zeros(masks.shape)
        search.choose(observations, masks, points=together)
        for row in range(len(observations)):
            search.choose(observations[row:row + 1], masks[row:row + 1], points=alone[row:row + 1])
        assert np.allclose(alone, together, atol=1e-9)

    def test_points_and_worths_are_those_of_the_single_decision(self):
        search = SearchTactic()
        for state in positions(every=60):
            actions = state.action_space()
            if len(actions) < 2 or any(action[0] == "HU" for action in actions):
                continue
            questions = Questions(state, actions)
            points = np.full((1, 235), -np.inf)
            chosen, = search.choose(questions.observations[:1], questions.masks[:1], points=points)
            assert encode_action(search(state), state.last_tile)[0] == chosen
            assert points[0, chosen] == pytest.approx(search.ranked[0][1])
            assert max(value for _, value in search.ranked) == pytest.approx(points.max())

    @pytest.mark.slow
    def test_in_whole_games(self):
        """By the referee one by one and by the engine many at a time."""
        match = make_match(["search", "random"], seed=7, rotations=4)
        by_referee, by_engine = (
            [[dict(tally.as_dict(), times=None) for tally in tallies] for tallies in runner.play_walls(match, 0, 4)]
            for runner in (referee_runner, engine_runner))
        assert by_referee == by_engine


INTERPRETED = """
import sys
import numpy as np
from mj_bot.jit import IS_COMPILED
from mj_bot.tactic.search import SearchTactic
assert not IS_COMPILED
decisions = np.load(sys.argv[1])
points = np.zeros(decisions["masks"].shape)
actions = SearchTactic().choose(decisions["observations"], decisions["masks"], points=points)
np.savez(sys.argv[1], actions=actions, points=points)
"""


def test_interpreted_and_compiled_do_the_same(tmp_path):
    """As on Botzone, where there is no numba."""
    observations, masks, _ = list_golden_decisions(load_tactic("random"), 47, 100)
    path = str(tmp_path / "decisions.npz")
    np.savez(path, observations=observations, masks=masks)
    subprocess.run([sys.executable, "-W", "error", "-c", INTERPRETED, path], cwd=REPOSITORY, check=True,
                   env=dict(os.environ, NUMBA_DISABLE_JIT="1"))
    found, points = np.load(path), np.zeros(masks.shape)
    assert SearchTactic().choose(observations, masks, points=points).tolist() == found["actions"].tolist()
    assert np.allclose(points, found["points"], atol=1e-9)
