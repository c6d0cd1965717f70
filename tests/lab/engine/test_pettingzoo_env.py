"""The PettingZoo environment: the library's own test, and what that does not look at."""

import numpy as np
import pytest

from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError
from mj_bot.observation.layout import FULL_SIZE, OBSERVATION_SIZE, field

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")


def make_env():
    from mj_bot.lab.engine.pettingzoo_env import MahjongEnv

    return MahjongEnv()


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_api():
    from pettingzoo.test import api_test, seed_test

    api_test(make_env(), num_cycles=300)
    seed_test(make_env, num_cycles=100)


def test_answers_to_one_discard_are_not_seen():
    """Seats that answer the same discard see one position, whatever the seat before them answered."""
    env, seen = make_env(), []
    for choice in (0, -1):
        env.reset(seed=0)
        while len(env._engine.pending) < 2:
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
    with pytest.raises(InvalidHandError):
        env.reset(options={"wall": ["W1"]})


def test_illegal_actions_and_the_state():
    """The state begins with the observation of the agent to act."""
    env = make_env()
    env.reset(seed=1)
    assert env.state().shape == (FULL_SIZE,)
    assert env.state()[:OBSERVATION_SIZE].tolist() == env.last()[0]["observation"].tolist()
    for action in (0, 234, -1, 235, None, 3.0, "x"):
        with pytest.raises(IllegalActionError, match="for seat_0"):
            env.step(action)
