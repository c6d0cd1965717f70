import numpy as np

from mj_bot.lab.fit.returns import find_advantages, find_rewards
from mj_bot.lab.rl.config import Signal


def test_advantages_are_those_of_the_definition():
    random = np.random.default_rng(0)
    games = random.integers(0, 5, 200)
    seats = random.integers(0, 4, 200)
    values = random.normal(size=200).astype(np.float32)
    rewards = random.normal(size=(5, 4)).astype(np.float32)
    advantages, targets = find_advantages(games, seats, values, rewards, 0.9)
    for game in range(5):
        for seat in range(4):
            rows = np.flatnonzero((games == game) & (seats == seat))
            following = np.append(values[rows[1:]], rewards[game, seat])
            errors = following - values[rows]
            for place, row in enumerate(rows):
                expected = sum(0.9 ** k * error for k, error in enumerate(errors[place:]))
                np.testing.assert_allclose(advantages[row], expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(targets, advantages + values)


def test_with_a_decay_of_one_the_target_is_the_reward():
    values = np.array([0.5, -2.0, 1.0], np.float32)
    _, targets = find_advantages(np.zeros(3, int), np.array([0, 0, 2]), values, np.array([[1.0, 0, -1.0, 0]]), 1.0)
    np.testing.assert_allclose(targets, [1.0, 1.0, -1.0], atol=1e-6)


def test_no_decisions_have_no_advantages():
    nothing = np.zeros(0, np.float32)
    advantages, targets = find_advantages(np.zeros(0, int), np.zeros(0, int), nothing, np.zeros((1, 4)), 0.9)
    assert len(advantages) == len(targets) == 0


def test_duplicate_rewards_are_what_the_other_games_of_the_wall_did_not_bring():
    scores = np.array([[32, -32, 0, 0], [0, 0, 0, 0], [64, 0, 0, -64]] + [[32, 0, -32, 0]] * 3)
    rewards = find_rewards(scores, Signal(kind="duplicate", rotations=3))
    np.testing.assert_allclose(rewards[0], [0, -1, 0, 1], atol=1e-6)
    np.testing.assert_allclose(rewards[2], [1.5, 0.5, 0, -2], atol=1e-6)
    np.testing.assert_allclose(rewards[3:], 0, atol=1e-6)
    np.testing.assert_allclose(find_rewards(scores, Signal())[0], [1, -1, 0, 0])
