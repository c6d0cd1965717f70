import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: learning is not tested; 3rdparty/requirements-train.txt")

from mj_bot.lab.rl.config import Signal
from mj_bot.lab.rl.policy import Device
from mj_bot.lab.rl.rewards import (
    FEATURES, MatchRewards, describe_matches, find_prizes, find_rewards, gather_matches,
)


def deal_scores(games, seed=0):
    """Scores that add up to 0, int[G, 4]."""
    scores = np.random.default_rng(seed).integers(-30, 30, (games, 4))
    scores[:, 3] = -scores[:, :3].sum(1)
    return scores


def test_duplicate_rewards_are_what_the_other_games_of_the_wall_did_not_bring():
    scores = np.array([[32, -32, 0, 0], [0, 0, 0, 0], [64, 0, 0, -64]] + [[32, 0, -32, 0]] * 3)
    rewards = find_rewards(scores, Signal(kind="duplicate", rotations=3))
    np.testing.assert_allclose(rewards[0], [0, -1, 0, 1], atol=1e-6)
    np.testing.assert_allclose(rewards[2], [1.5, 0.5, 0, -2], atol=1e-6)
    np.testing.assert_allclose(rewards[3:], 0, atol=1e-6)
    np.testing.assert_allclose(find_rewards(scores, Signal())[0], [1, -1, 0, 0])


def test_prizes_go_by_rank_and_are_shared():
    prizes = find_prizes(np.array([[40, 10, -20, -30], [5, 5, -5, -5], [0, 0, 0, 0], [9, 1, 1, -11]]))
    assert prizes.tolist() == [[1.5, 0.5, -0.5, -1.5], [1, 1, -1, -1], [0, 0, 0, 0], [1.5, 0, 0, -1.5]]


def test_players_of_a_match_change_seats():
    scores = np.arange(32).reshape(8, 4)
    by_player, seats = gather_matches(scores, 4)
    assert by_player.shape == (2, 4, 4)
    assert by_player[0, :, 0].tolist() == [0, 5, 10, 15] and by_player[1, :, 3].tolist() == [19, 20, 25, 30]
    assert all(set(column) == {0, 1, 2, 3} for column in seats[0].T)


def test_rewards_of_a_match_add_up_to_the_prize():
    torch.manual_seed(0)
    rewards_of_matches = MatchRewards(Signal(kind="match", walls_a_match=2, rotations=2), 1e-3, Device("cpu"))
    scores = deal_scores(12)
    rewards = rewards_of_matches.find_rewards(scores)
    assert rewards.shape == (12, 4)
    for match in range(3):
        rows = scores[4 * match:4 * match + 4]
        totals = np.array([sum(rows[game, (player + game) % 4] for game in range(4)) for player in range(4)])
        sums = [sum(rewards[4 * match + game, (player + game) % 4] for game in range(4)) for player in range(4)]
        np.testing.assert_allclose(sums, find_prizes(totals[None])[0], atol=1e-5)


def test_the_prediction_learns_what_a_lead_is_worth():
    torch.manual_seed(0)
    device = Device("cpu")
    rewards_of_matches = MatchRewards(Signal(kind="match", walls_a_match=4, rotations=1), 3e-3, device)
    scores = deal_scores(4096)
    first = rewards_of_matches.learn(scores, device.generator(0), epochs=1)
    for number in range(6):
        last = rewards_of_matches.learn(scores, device.generator(number), epochs=1)
    assert last < 0.75 * first
    features, _ = describe_matches(np.array([[[30.0, -10, -10, -10]] * 4]))
    assert features.shape == (4, 4, FEATURES)
    expected = rewards_of_matches.network(torch.from_numpy(features)).detach().numpy()
    assert expected[0, 2] > 0.5 > -0.2 > expected[1, 2]
