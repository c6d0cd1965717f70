"""The PettingZoo environment: the library's own test, and what that does not look at."""

import numpy as np
import pytest

from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.errors import IllegalActionError, InvalidHandError
from mj_bot.observation.layout import FULL_SIZE, PLACES, field

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")


def make_env():
    from mj_bot.lab.engine.pettingzoo_env import MahjongEnv

    return MahjongEnv()


def play(env, choose):
    """Plays a game; returns the rewards by agent and what each agent saw, in order."""
    totals, seen = {}, []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        totals[agent] = totals.get(agent, 0) + reward
        if terminated or truncated:
            env.step(None)
            continue
        assert observation["action_mask"].any()
        seen.append((agent, observation["observation"].tobytes()))
        env.step(choose(np.flatnonzero(observation["action_mask"])))
    return totals, seen


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_api():
    from pettingzoo.test import api_test, seed_test

    api_test(make_env(), num_cycles=300)
    seed_test(make_env, num_cycles=100)


def test_a_game_is_played_to_its_scores():
    """Taking the first legal action wins at once where a win is legal; scores add up to nothing."""
    env = make_env()
    env.reset(seed=5)
    totals, seen = play(env, lambda legal: int(legal[-1]))
    assert sorted(totals) == env.possible_agents and sum(totals.values()) == 0
    assert len(seen) > 20


def test_answers_to_one_discard_are_not_seen():
    """Seats that answer the same discard see one position, whatever the seat before them answered."""
    env = make_env()
    for seed in range(40):
        observations = []
        for choice in (0, -1):
            env.reset(seed=seed)
            while len(env._engine.pending) < 2:
                legal = np.flatnonzero(env.last()[0]["action_mask"])
                if env.terminations[env.agent_selection]:
                    break
                env.step(int(legal[0]))
            if len(env._engine.pending) < 2:
                break
            env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[choice]))
            observations.append((env.agent_selection, env.last()[0]["observation"].tobytes()))
        if len(observations) == 2:
            assert observations[0] == observations[1]
            return
    pytest.fail("expected two pending decisions in one of 40 games")


def test_given_walls():
    env = make_env()
    env.reset(options={"wall": wall_from_seed(9), "prevalent_wind": 2})
    observation = env.last()[0]["observation"]
    assert field(observation, "prevalent_wind")[0] == 2
    env.reset(seed=9, options={"prevalent_wind": 2})
    assert (env.last()[0]["observation"] == observation).all()
    with pytest.raises(InvalidHandError):
        env.reset(options={"wall": ["W1"]})


def test_state_begins_with_the_observation():
    env = make_env()
    env.reset(seed=1)
    state = env.state()
    assert state.shape == (FULL_SIZE,)
    start, end, _ = PLACES["hand"]
    assert (state[start:end] == env.last()[0]["observation"][start:end]).all()


def test_illegal_actions():
    env = make_env()
    env.reset(seed=1)
    for action in (0, 234, -1, 235, None):
        with pytest.raises(IllegalActionError, match="for seat_0"):
            env.step(action)
