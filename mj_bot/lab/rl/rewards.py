"""Rewards of games: their points, the points less those of the wall's other games, or the change in match points.

For the last, `walls_a_match` walls, each in all its rotations, form a match of the same four players. The prize of a
match goes by rank of the total score: 4 match points for the best, down to 1. A recurrent network predicts each
player's prize after each game; a game's reward is the change in that prediction. Source: Li et al. 2020, Suphx, section
3.2, with a match in the place of its eight rounds.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...mahjong.rules import SEATS
from ...network.forward import SCORE_UNIT
from ..run.ranks import ALONE

# Of a player after a game: its score, the others' best, second and third; its total less theirs; share of games played.
FEATURES = 1 + (SEATS - 1) + (SEATS - 1) + 1
_SIZE = 64
# Of the four prizes of a match about their mean; the others are 1, 2 and 3 less.
_BEST_PRIZE = 1.5


def find_rewards(scores, signal):
    """Reward of each seat at the end of its game, float32[G, 4], in SCORE_UNIT points.

    scores: int[G, 4], points; the games of a wall lie side by side. signal: config.Signal, "score" or "duplicate".
    The duplicate signal subtracts a share of what the same seat of the same wall won in its other games. That is luck
    of the tiles, which the seat's own play does not change, so that the expected gradient stays the same.
    """
    rewards = scores.astype(np.float32) / SCORE_UNIT
    if signal.kind == "score":
        return rewards
    by_wall = rewards.reshape(-1, signal.rotations, SEATS)
    others = (by_wall.sum(1, keepdims=True) - by_wall) / (signal.rotations - 1)
    return (by_wall - signal.share * others).reshape(-1, SEATS)


class PrizeNetwork(nn.Module):
    """The prize that a player may expect after each game of a match, in match points about their mean.

    Two recurrent layers and two dense ones, as in the source.
    """

    def __init__(self):
        super().__init__()
        self.recurrent = nn.GRU(FEATURES, _SIZE, num_layers=2, batch_first=True)
        self.dense = nn.Linear(_SIZE, _SIZE)
        self.prize = nn.Linear(_SIZE, 1)

    def forward(self, features):
        """real[B, games] of features real[B, games, FEATURES]."""
        hidden, _ = self.recurrent(features)
        return self.prize(functional.relu(self.dense(hidden)))[..., 0]


def gather_matches(scores, games_a_match):
    """(scores float32[matches, games, 4] by player, the seats that the players held, int[same shape]).

    scores: int[G, 4] by seat; player p sits at (p + game) % 4, so that all hold each seat equally often.
    """
    by_match = scores.reshape(-1, games_a_match, SEATS)
    seats = (np.arange(SEATS) + np.arange(games_a_match)[:, None]) % SEATS
    seats = np.broadcast_to(seats, by_match.shape)
    return np.take_along_axis(by_match, seats, 2).astype(np.float32), seats


def describe_matches(scores):
    """(features float32[4 B, games, FEATURES], prizes float32[4 B]), the players of a match one after another.

    scores: float32[B, games, 4]. Those of equal totals share their prizes.
    """
    totals = scores.cumsum(1)
    games = scores.shape[1]
    parts = []
    for player in range(SEATS):
        others = [other for other in range(SEATS) if other != player]
        parts.append(np.concatenate([
            scores[:, :, [player]], -np.sort(-scores[:, :, others], 2),
            -np.sort(totals[:, :, others] - totals[:, :, [player]], 2)], 2) / SCORE_UNIT)
    features = np.stack(parts, 1).reshape(-1, games, FEATURES - 1)
    clock = np.broadcast_to(np.arange(1, games + 1)[:, None] / games, features.shape[:2] + (1,))
    return np.concatenate([features, clock], 2).astype(np.float32), find_prizes(totals[:, -1]).reshape(-1)


def find_prizes(totals):
    """Match points about their mean, float32[B, 4], of total scores real[B, 4]."""
    above = (totals[:, None] > totals[:, :, None]).sum(2)
    level = (totals[:, None] == totals[:, :, None]).sum(2)
    # The mean of the ranks above .. above + level - 1, which are evenly spaced.
    return (_BEST_PRIZE - above - (level - 1) / 2).astype(np.float32)


class MatchRewards(object):
    """Rewards by a PrizeNetwork that learns from the matches of each iteration.

    network: the PrizeNetwork. optimiser: of it. signal: config.Signal. rate: of learning. device: policy.Device. ranks:
    ranks.Ranks that learn together, each from as many matches.
    """

    def __init__(self, signal, rate, device, ranks=ALONE):
        self.network = PrizeNetwork().to(device.name)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=rate)
        self._games = signal.walls_a_match * signal.rotations
        self._device = device
        self._ranks = ranks

    def find_rewards(self, scores):
        """Reward of each seat at the end of its game, float32[G, 4], in match points; a match's add up to its prize."""
        by_player, seats = gather_matches(scores, self._games)
        features, prizes = describe_matches(by_player)
        with torch.inference_mode():
            expected = self.network(self._device.move(features)).cpu().numpy()
        expected[:, -1] = prizes
        gains = np.diff(expected, axis=1, prepend=0).reshape(-1, SEATS, self._games).transpose(0, 2, 1)
        rewards = np.empty_like(gains)
        np.put_along_axis(rewards, seats, gains, 2)
        return np.ascontiguousarray(rewards.reshape(-1, SEATS))

    def learn(self, scores, generator, epochs=4, size=256):
        """Learns from the matches of an iteration; returns the mean squared error, in match points squared."""
        by_player, _ = gather_matches(scores, self._games)
        features, prizes = (self._device.move(part) for part in describe_matches(by_player))
        total, made = 0.0, 0
        for _ in range(epochs):
            order = torch.randperm(len(features), generator=generator, device=self._device.name)
            for rows in order.split(-(-size // self._ranks.count)):
                loss = functional.mse_loss(self.network(features[rows]), prizes[rows, None].expand(-1, self._games))
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                self._ranks.average([parameter.grad for parameter in self.network.parameters()])
                self.optimiser.step()
                total += loss.detach()
                made += 1
        return self._ranks.mean(float(total) / made)
