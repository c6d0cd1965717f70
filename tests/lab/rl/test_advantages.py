import numpy as np
import pytest

from mj_bot.lab.rl.advantages import CRITIC_FEATURE_COUNT, compute_advantages, compute_critic_features, list_latest
from mj_bot.observation.layout import FULL_SIZE


@pytest.mark.parametrize("decay", [0.9, 1.0])
def test_advantages_are_those_of_the_definition(decay):
    random = np.random.default_rng(0)
    games = random.integers(0, 5, 200)
    seats = random.integers(0, 4, 200)
    values = random.normal(size=200).astype(np.float32)
    rewards = random.normal(size=(5, 4)).astype(np.float32)
    advantages = compute_advantages(games, seats, values, rewards=rewards, decay=decay)
    for game in range(5):
        for seat in range(4):
            rows = np.flatnonzero((games == game) & (seats == seat))
            following = np.append(values[rows[1:]], rewards[game, seat])
            errors = following - values[rows]
            for place, row in enumerate(rows):
                expected = sum(decay ** k * error for k, error in enumerate(errors[place:]))
                np.testing.assert_allclose(advantages[row], expected, rtol=1e-4, atol=1e-5)


def test_no_decisions():
    """A group of games in which the learner never had a choice stopped the run."""
    nothing = np.zeros(0, np.int32)
    assert len(compute_advantages(nothing, nothing, nothing, rewards=np.zeros((1, 4)), decay=0.9)) == 0
    latest = list_latest(np.zeros(0), nothing, nothing)
    assert compute_critic_features(np.zeros((0, FULL_SIZE), np.uint8), latest).shape == (0, CRITIC_FEATURE_COUNT)


def test_latest_numbers_are_those_of_the_game_and_the_past():
    games, seats = np.array([0, 1, 0, 0, 1]), np.array([2, 0, 3, 2, 1])
    found = list_latest(np.arange(1.0, 6), games, seats)
    np.testing.assert_array_equal(found, [
        [1, np.nan, np.nan, np.nan], [2, np.nan, np.nan, np.nan], [3, np.nan, np.nan, 1], [4, 3, np.nan, np.nan],
        [5, np.nan, np.nan, 2]])
