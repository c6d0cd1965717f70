"""Self-play by PPO in one file: a network that beats `random` after minutes. docs/engine.md has the measured result.

    .venv/bin/python examples/ppo.py --updates 60 --seed 0 --output build/ppo.pt

The network plays all four seats of all games. It learns from the points of its games and from a bonus for each step
nearer to a hand that is always worth eight fan: players that know nothing win too rarely to learn from points alone.
At the end the weights go to a file, and `arena` compares the network with `random`.
Sources: PPO, Schulman et al. 2017, arXiv:1707.06347; advantages, Schulman et al. 2015, arXiv:1506.02438.
"""

import argparse
import time
from pathlib import Path

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from mj_bot.lab.__main__ import main as run
from mj_bot.mahjong.shanten_tables import REGULAR, SHAPE_COUNT, shanten_batch
from mj_bot.observation.layout import field
from mj_bot.tactic import TACTICS
from mj_bot.tactic.base import Evaluation, Tactic

STEPS = 64  # decisions of each game before an update
POINT, BONUS = 1 / 16, 1 / 16  # reward of a point, and of a step nearer to a winning shape
LAMBDA, CLIP, EPOCHS, BATCH, RATE, ENTROPY = 0.95, 0.2, 2, 1024, 2e-3, 0.003
PLANES, TILES, WIDTH = 12 + SHAPE_COUNT, 34, 32
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CHOW_MIDDLES = [9 * suit + rank for suit in range(3) for rank in range(1, 8)]


def compute_distances(hands, melds):
    """float32[B, 5]: shanten by shape, at most 9. hands: uint8[B, 34]. melds: int[B], how many."""
    return np.minimum(shanten_batch(hands, melds)[0], 9).astype(np.float32)


def encode(observations):
    """(planes float32[B, PLANES, 34], distances float32[B, 5]): what a seat sees of each tile, and its hand's."""
    hands, melds = field(observations, "hand"), (field(observations, "meld_kind")[:, 0] > 0).sum(1)
    distances = compute_distances(hands, melds)
    planes = np.zeros((len(hands), PLANES, TILES), np.float32)
    planes[:, :4] = hands[:, None] > np.arange(4)[:, None]
    planes[:, 4] = field(observations, "unseen") / 4
    planes[:, 5] = field(observations, "last_tile") == np.arange(TILES)
    planes[:, 6:10] = (field(observations, "task") == np.arange(4))[..., None]
    planes[:, 10] = field(observations, "walls")[:, :1] / 21
    planes[:, 11] = melds[:, None] / 4
    planes[:, 12:] = distances[..., None] / 4
    # Where a tile is to be discarded: the distances after each discard instead.
    rows, tiles = np.nonzero((hands > 0) & (hands.sum(1, keepdims=True) % 3 == 2))
    after = hands[rows]
    after[np.arange(len(rows)), tiles] -= 1
    planes[rows, 12:, tiles] = compute_distances(after, melds[rows]) / 4
    return planes, distances


class Network(nn.Module):
    """Planes float[B, PLANES, 34] and masks bool[B, 235] to (logits float[B, 235], values float[B])."""

    def __init__(self):
        super().__init__()
        self.tile, self.all = nn.Linear(PLANES, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.both = nn.Linear(WIDTH, WIDTH)
        self.tile_actions, self.others = nn.Linear(WIDTH, 8), nn.Linear(WIDTH, 3)
        nn.init.zeros_(self.tile_actions.weight)  # at first, discards are equal

    def forward(self, planes, masks):
        tiles = torch.relu(self.tile(planes.transpose(1, 2)))
        tiles = torch.relu(self.both(tiles) + self.all(tiles.mean(1))[:, None])
        # For each tile: discard, three kongs, pung, and the chows around it; for the hand: pass, win and value.
        by_tile, others = self.tile_actions(tiles), self.others(tiles.mean(1))
        logits = torch.cat([others[:, :2], by_tile[..., :5].transpose(1, 2).flatten(1),
                            by_tile[:, CHOW_MIDDLES, 5:].flatten(1)], 1)
        return logits.masked_fill(~masks, -1e9), others[:, 2]


class PPOTactic(Tactic):
    """A win where there is one, else the network's best action, for all commands that take a tactic."""

    def __init__(self, weights="build/ppo.pt"):
        self._network = Network()
        self._network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))

    def evaluate(self, observations, masks):
        with torch.no_grad():
            logits, _ = self._network(torch.from_numpy(encode(observations)[0]), torch.from_numpy(masks))
        return Evaluation(None, logits.numpy())


TACTICS["ppo"] = "examples.ppo:PPOTactic"  # here, so that the processes of arena know it too


def play(env, observations, infos, *, network):
    """Plays STEPS decisions of each game.

    Returns (observations, infos, columns, share of the games that ended with a win). The columns, tensors with a row
    for each decision: planes, masks, actions, log probabilities, advantages, returns.
    """
    shape = STEPS, len(observations)
    seats, ends, points = np.zeros(shape, np.int64), np.zeros(shape, bool), np.zeros((*shape, 4), np.float32)
    distances, values = np.zeros((2, *shape), np.float32)
    rows = []
    for step in range(STEPS):
        planes, by_shape = encode(observations)
        # To the nearest shape that is always worth eight fan; a regular hand may have fewer.
        seats[step], distances[step] = infos["seat"], np.delete(by_shape, REGULAR, axis=1).min(1)
        planes = torch.from_numpy(planes).to(DEVICE)
        masks = torch.from_numpy(infos["action_mask"]).to(DEVICE)
        with torch.no_grad():
            logits, value = network(planes, masks)
        logs = logits.log_softmax(1)
        actions = (logs - torch.empty_like(logs).exponential_().log()).argmax(1)  # a sample, by Gumbel noise
        rows.append((planes, masks, actions, logs.gather(1, actions[:, None])[:, 0]))
        values[step] = value.cpu().numpy()
        observations, points[step], ends[step], _, infos = env.step(actions.cpu().numpy())
    advantages, is_known = compute_advantages(seats, values, distances, ends=ends, points=points)
    known = torch.from_numpy(is_known.ravel()).to(DEVICE)
    columns = [torch.cat(column)[known] for column in zip(*rows)]
    columns += [torch.from_numpy(array[is_known]).to(DEVICE) for array in (advantages, advantages + values)]
    return observations, infos, columns, (points > 0).any(2).sum() / max(1, ends.sum())


def compute_advantages(seats, values, distances, *, ends, points):
    """(advantages float32[T, N], bool[T, N]: whether known); unknown where a seat's next decision is not played yet.

    seats, values, distances, ends: [T, N], of each decision. points: [T, N, 4].
    """
    games = np.arange(seats.shape[1])
    advantages, is_known = np.zeros(seats.shape, np.float32), np.zeros(seats.shape, bool)
    # For each seat of each game, the result of its decision: its reward, and its next decision if there is one.
    reward, next_value, next_distance, next_advantage = np.zeros((4, len(games), 4), np.float32)
    has_next, is_over = np.zeros((2, len(games), 4), bool)
    for step in reversed(range(len(seats))):
        ended = ends[step]
        reward[ended], is_over[ended] = POINT * points[step][ended], True
        next_value[ended] = next_advantage[ended] = has_next[ended] = 0
        at = games, seats[step]
        nearer = np.where(has_next[at], distances[step] - next_distance[at], 0)
        change = reward[at] + BONUS * nearer + next_value[at] - values[step]
        advantages[step] = change + LAMBDA * next_advantage[at]
        is_known[step] = has_next[at] | is_over[at]
        reward[at], is_over[at], has_next[at] = 0, False, True
        next_value[at], next_distance[at], next_advantage[at] = values[step], distances[step], advantages[step]
    return advantages, is_known


def learn(network, optimiser, columns):
    """PPO's steps on the columns of play(); returns the mean entropy of the policy in nats."""
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(columns[0]), device=DEVICE).split(BATCH):
            planes, masks, actions, old, advantages, returns = (column[rows] for column in columns)
            logits, values = network(planes, masks)
            logs = logits.log_softmax(1)
            ratio = (logs.gather(1, actions[:, None])[:, 0] - old).exp()
            advantages = (advantages - advantages.mean()) / (advantages.std(unbiased=False) + 1e-6)
            gain = torch.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
            entropy = -(logs.exp() * logs).sum(1).mean()
            loss = functional.mse_loss(values, returns) / 2 - gain - ENTROPY * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()
    return entropy.item()


def main():
    parser = argparse.ArgumentParser(description="Self-play by PPO, then a match with random.")
    parser.add_argument("--updates", type=int, default=60, help="of the network (%(default)s)")
    parser.add_argument("--games", type=int, default=256, help="that are played side by side (%(default)s)")
    parser.add_argument("--walls", type=int, default=500, help="of the match, four games each (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the games and the network (%(default)s)")
    parser.add_argument("--output", default="build/ppo.pt", help="file of the weights (%(default)s)")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    env = gymnasium.make_vec("mj_bot.lab.environments:mj_bot/MahjongSelfPlay-v1", num_envs=options.games)
    observations, infos = env.reset(seed=options.seed)
    network = Network().to(DEVICE)
    optimiser = torch.optim.Adam(network.parameters(), RATE)
    for update in range(options.updates):
        observations, infos, columns, won = play(env, observations, infos, network=network)
        entropy = learn(network, optimiser, columns)
        if (update + 1) % 10 == 0 or update == 0:
            print("update %d: %d games, %.1f%% won, return %+.3f, entropy %.2f, %.0f CPU s" % (
                update + 1, infos["game_id"].max() + 1 - options.games, 100 * won, columns[-1].mean(), entropy,
                time.process_time()), flush=True)
    Path(options.output).parent.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), options.output)
    return run(["arena", "ppo:" + options.output, "random", "--walls", str(options.walls), "--rotations", "4",
                "--workers", "1", "--seed", "1000000000"])  # walls that no training has seen


if __name__ == "__main__":
    raise SystemExit(main())
