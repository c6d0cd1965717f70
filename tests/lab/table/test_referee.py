"""The referee against the recorded judge: the same requests, displays, verdicts and scores."""

import random

import pytest

from mj_bot.lab.table.referee import Referee
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.action import format_action
from mj_bot.mahjong.errors import IllegalActionError, MahjongError
from mj_bot.mahjong.state import GameState
from tests.golden_games import full_sets, name_of, read_games


def sort_fans(display):
    """A display whose fans are in one order and without the length of the log."""
    shown = {key: value for key, value in display.items() if key != "strlen"}
    if "fan" in shown:
        # One recorded hand can be divided in two ways of the same worth, so names are left to test_fan.py.
        shown["fan"] = sorted((entry["value"], entry["cnt"]) for entry in shown["fan"])
    return shown


def check_game(game):
    referee = Referee(game["wall"].split(), game["quan"])
    for step, (requests, display, answers) in enumerate(game["steps"]):
        where = (name_of(game), step)
        assert sort_fans(referee.display()) == sort_fans(display), where
        if step == len(game["steps"]) - 1:
            assert referee.is_over and referee.requests is None, where
            assert referee.scores == game["score"], where
        else:
            assert not referee.is_over and referee.requests == requests, where
            referee.step(answers)


def test_recorded_games():
    for game in read_games():
        check_game(game)


@pytest.mark.slow
@pytest.mark.parametrize("path", full_sets())
def test_recorded_games_of_the_full_set(path):
    for game in read_games(path):
        check_game(game)


def play_random(seed, check=None):
    """A Referee at the end of a game of random legal answers; check(referee, answers) looks on at each step."""
    rng = random.Random(seed)
    referee = Referee(wall_from_seed(seed), seed % 4)
    while not referee.is_over:
        answers = [format_action(rng.choice(referee.legal_actions(seat))) for seat in range(4)]
        if check:
            check(referee, answers)
        referee.step(answers)
    return referee


def test_legal_actions_are_those_of_the_states_and_never_punished():
    for seed in range(25):
        states = [GameState() for _ in range(4)]

        def check(referee, answers, states=states):
            for seat, state in enumerate(states):
                state.apply(referee.requests[seat])
                assert state.action_space() == referee.legal_actions(seat)
                state.answer(answers[seat])

        referee = play_random(seed, check)
        assert referee.verdict in ("HU", "HUANG")
        assert sum(referee.scores) == 0


def at_discard(seed=1):
    """A referee at a first discard, and the seat that made it."""
    referee = Referee(wall_from_seed(seed), 0)
    referee.step(["PASS"] * 4)
    referee.step(["PASS"] * 4)
    referee.step(["PLAY " + referee.requests[0].split()[1]] + ["PASS"] * 3)
    return referee


@pytest.mark.parametrize("verdict", ["TLE", "RE", "NJ"])
def test_a_process_that_fails_loses_the_game(verdict):
    referee = at_discard()
    referee.step(["PASS"] * 4, ["OK", "OK", verdict, "OK"])
    assert (referee.verdict, referee.culprit, referee.scores) == (verdict, 2, [10, 10, -30, 10])
    assert referee.display()["action"] == verdict


def test_bad_walls_and_winds():
    wall = wall_from_seed(0)
    for broken in (wall[:-1], ["W1"] * 136, ["X1"] + wall[1:]):
        with pytest.raises(MahjongError, match="expected"):
            Referee(broken, 0)
    with pytest.raises(IllegalActionError, match="wind"):
        Referee(wall, 4)


def test_the_same_seed_is_the_same_game():
    one, other = play_random(5), play_random(5)
    assert (one.scores, one.rivers, one.hands) == (other.scores, other.rivers, other.hands)
