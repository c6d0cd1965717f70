import numpy as np
import pytest

pytest.importorskip("torch", reason="no torch: learning is not tested; `make train` installs it")

from mj_bot.lab.rl.config import Signal
from mj_bot.lab.rl.learner import find_rewards


def test_duplicate_rewards_are_what_the_other_games_of_the_wall_did_not_bring():
    scores = np.array([[32, -32, 0, 0], [0, 0, 0, 0], [64, 0, 0, -64]] + [[32, 0, -32, 0]] * 3)
    rewards = find_rewards(scores, Signal(kind="duplicate", rotations=3))
    np.testing.assert_allclose(rewards[0], [0, -1, 0, 1], atol=1e-6)
    np.testing.assert_allclose(rewards[2], [1.5, 0.5, 0, -2], atol=1e-6)
    np.testing.assert_allclose(rewards[3:], 0, atol=1e-6)
    np.testing.assert_allclose(find_rewards(scores, Signal())[0], [1, -1, 0, 0])
