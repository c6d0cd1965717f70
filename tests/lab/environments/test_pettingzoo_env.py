"""The PettingZoo environment: the library's own test, and what that does not look at."""

import pickle
from functools import partial

import numpy as np
import pytest

from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError, MahjongError
from mj_bot.observation.layout import field

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")


def make_env(**options):
    from mj_bot.lab.environments.pettingzoo_env import raw_env

    return raw_env(**options)


# About dictionaries, and about masks of agents that are not to act.
DICTIONARIES = pytest.mark.filterwarnings("ignore:Observation is not a NumPy array", "ignore:Action mask .* all zeros",
                                          "ignore:Observation space for each agent")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("observation, masks", [
    ("bytes", "info"), ("planes", "info"), pytest.param("bytes", "observation", marks=DICTIONARIES)])
def test_pettingzoo_accepts_it(observation, masks):
    """docs/engine.md says that PettingZoo's own tests pass."""
    from pettingzoo.test import api_test, render_test, seed_test

    from mj_bot.lab.environments.pettingzoo_env import env

    make = partial(env, observation=observation, masks=masks)
    api_test(make(), num_cycles=300)
    seed_test(make, num_cycles=30)
    if masks == "observation":  # render_test finds masks nowhere else
        render_test(make)


def test_the_two_places_of_a_mask_agree():
    envs = make_env(), make_env(masks="info")
    for env in envs:
        env.reset(seed=4)
    for _ in range(40):
        (one, *_), (other, _, _, _, info) = (env.last() for env in envs)
        assert (one["observation"] == other).all() and (one["action_mask"] == info["action_mask"]).all()
        action = int(np.flatnonzero(info["action_mask"])[-1])
        for env in envs:
            env.step(action)
    with pytest.raises(MahjongError, match="masks"):
        make_env(masks="elsewhere")


def test_a_pickle_goes_on_with_the_game():
    env = make_env()
    env.reset(seed=4)
    for _ in range(20):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(20):
        one, other = (each.last()[0] for each in (env, copy))
        assert (one["observation"] == other["observation"]).all() and env.agent_selection == copy.agent_selection
        for each in (env, copy):
            each.step(int(one["action_mask"].argmax()))


def test_text_and_a_missing_reset():
    """`step` before `reset` was "expected one of [] for seat 0 of game 0", and after the end KeyError: 'seat_0'."""
    from gymnasium.error import ResetNeeded

    env = make_env(render_mode="ansi")
    for _ in range(2):
        for call in (lambda: env.step(2), lambda: env.observe("seat_0"), env.render, env.last):
            with pytest.raises(ResetNeeded, match="reset"):
                call()
        env.reset(seed=1)
        while env.agents:
            env.step(None if env.terminations[env.agent_selection] else env.last()[0]["action_mask"].argmax())
    env.reset(seed=1)
    assert env.render().startswith("South round, seat East, own turn, last tile T9\nown    wall 20  hand W4 W6 ")
    assert make_env().render() is None
    with pytest.raises(MahjongError, match="render_mode"):
        make_env(render_mode="rgb_array")


def test_answers_to_one_discard_are_not_seen():
    """Seats that answer the same discard see one position, whatever the seat before them answered."""
    env, seen = make_env(), []
    for choice in (0, -1):
        env.reset(seed=0)
        while env._games._blocks[0]._decisions.counts[0] < 2:
            env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[choice]))
        seen.append((env.agent_selection, env.last()[0]["observation"].tobytes()))
    assert seen[0] == seen[1]


def test_given_walls():
    env = make_env()
    env.reset(options={"wall": wall_from_seed(9), "prevalent_wind": 2})
    observation = env.last()[0]["observation"]
    assert field(observation, "prevalent_wind")[0] == 2
    env.reset(seed=9, options={"prevalent_wind": 2})
    assert (env.last()[0]["observation"] == observation).all()
    # A number was Python's TypeError.
    for wall, told in ((["W1"], "136 tiles, got 1"), (5, "a wall as a list of tile names, got 5")):
        with pytest.raises(InvalidHandError, match=told):
            env.reset(options={"wall": wall})


def test_illegal_actions():
    env = make_env()
    env.reset(seed=1)
    for action in (0, 234, -1, 235, None, 3.0, "x"):
        with pytest.raises(IllegalActionError, match="for seat.0"):
            env.step(action)
