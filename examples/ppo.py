"""Self-play by PPO in one file: a network that learns to claim and to win. docs/engine.md has the measured result.

    python examples/ppo.py --updates 60 --seed 0 --output build/ppo.pt

The network plays all four seats. It learns from the points of its games and from a bonus for each tile nearer to a
winning hand of eight fan: players that know nothing win too rarely to learn from points alone. At the end the weights
go to a file, and `arena` compares the network with `rule_based`.
Sources: PPO, Schulman et al. 2017, arXiv:1707.06347; advantages, Schulman et al. 2015, arXiv:1506.02438.
"""

import argparse
from pathlib import Path

import gymnasium
import numpy as np
import torch
from torch import nn

from mj_bot.jit import jit
from mj_bot.lab.__main__ import main as run
from mj_bot.mahjong.action import CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX
from mj_bot.observation.layout import field
from mj_bot.observation.openings import list_openings, make_openings
from mj_bot.tactic.base import Evaluation, Tactic
from mj_bot.tactic.winning_families import FAMILY_COUNT, MOST, change_tile, cost_families, make_hand, set_hand

STEPS = 64  # decisions of each game before an update
POINT, BONUS = 1 / 16, 1 / 8  # reward of a point, and of a tile nearer to a winning hand
LAMBDA, CLIP, EPOCHS, BATCH, RATE, ENTROPY = 0.95, 0.2, 2, 1024, 2e-3, 0.003
KINDS, FAR = 5, 10  # kinds of actions, and more tiles than count
PLANES, TILES, WIDTH = 22 + KINDS * FAMILY_COUNT + KINDS, 34, 48
CHOW_MIDDLES = [9 * suit + rank for suit in range(3) for rank in range(1, 8)]


@jit
def measure_families(hand, openings, costs, observations, masks, families):
    """Writes the tiles that each family of winning hands misses after each legal action, into float32[B, 235, F]."""
    for row in range(len(masks)):
        for number in range(list_openings(observations[row], masks[row], openings)):
            action, discards = openings.action[number], openings.discards[number]
            melds = set_hand(hand, openings, number)
            for tile in range(TILES if discards else 1):
                if not discards or discards >> tile & 1:
                    change_tile(hand, tile, -int(discards != 0))
                    cost_families(hand, melds, costs, MOST)
                    change_tile(hand, tile, int(discards != 0))
                    chosen = families[row, action + tile if action == DISCARD_BASE else action]
                    for family in range(FAMILY_COUNT):
                        chosen[family] = min(chosen[family], costs[family] / 1000)


def encode(observations, masks):
    """(planes float32[B, PLANES, 34], distances float32[B]): what a seat sees, and tiles that it misses."""
    hands, unseen = field(observations, "hand"), field(observations, "unseen")
    families = np.full((*masks.shape, FAMILY_COUNT), FAR, np.float32)
    measure_families(make_hand(), make_openings(), np.zeros(FAMILY_COUNT), observations, masks, families)
    distances, by_action = families.min((1, 2)), families.transpose(0, 2, 1)
    # At each tile: after its discard, its pung, the chow around it, its kong, and after passing.
    after = np.full((len(hands), KINDS, FAMILY_COUNT, TILES), FAR, np.float32)
    after[:, 0], after[:, 1] = by_action[..., DISCARD_BASE:OPEN_KONG_BASE], by_action[..., PUNG_BASE:CHOW_BASE]
    after[:, 2][..., CHOW_MIDDLES] = by_action[..., CHOW_BASE:].reshape(len(hands), FAMILY_COUNT, -1, 3).min(3)
    after[:, 3] = by_action[..., OPEN_KONG_BASE:PUNG_BASE].reshape(len(hands), FAMILY_COUNT, 3, TILES).min(2)
    after[:, 4] = by_action[..., :1]
    planes = np.zeros((len(hands), PLANES, TILES), np.float32)
    planes[:, :4] = hands[:, None] > np.arange(4)[:, None]
    planes[:, 4], planes[:, 5] = unseen / 4, field(observations, "last_tile") == np.arange(TILES)
    planes[:, 6:10] = (field(observations, "task") == np.arange(4))[..., None]
    planes[:, 10] = field(observations, "walls")[:, :1] / 21
    planes[:, 11] = (field(observations, "meld_kind")[:, 0] > 0).mean(1, keepdims=True)
    # Own and unseen copies of each tile and of its neighbours in the suit, which have two empty places on both sides.
    suits = np.zeros((len(hands), 2, 3, 13), np.float32)
    suits[..., 2:11] = np.stack([hands, unseen], 1)[..., :27].reshape(-1, 2, 3, 9) / 4
    near = np.lib.stride_tricks.sliding_window_view(suits, 9, 3).swapaxes(2, 3)
    planes[:, 12:22, :27] = near.reshape(len(hands), 10, 27)
    planes[:, 22:-KINDS] = np.maximum(0, 1 - after / 5).reshape(len(hands), -1, TILES)
    # How much farther each action leads than the best one: small differences decide, and all else hides them.
    planes[:, -KINDS:] = np.maximum(-1, distances[:, None, None] - after.min(2))
    return planes, distances


class Network(nn.Module):
    """Planes float[B, PLANES, 34] and masks bool[B, 235] to (log probabilities float[B, 235], values float[B])."""

    def __init__(self):
        super().__init__()
        self.tile, self.all, self.both = (nn.Linear(size, WIDTH) for size in (PLANES, WIDTH, WIDTH))
        self.tile_actions, self.others = nn.Linear(WIDTH, 8), nn.Linear(WIDTH, 3)
        nn.init.zeros_(self.tile_actions.weight)  # at first, discards are equal

    def forward(self, planes, masks):
        tiles = torch.relu(self.tile(planes.transpose(1, 2)))
        tiles = torch.relu(self.both(tiles) + self.all(tiles.mean(1))[:, None])
        # For each tile: discard, three kongs, pung, and the chows around it; for the hand: pass, win and value.
        by_tile, others = self.tile_actions(tiles), self.others(tiles.mean(1))
        logits = torch.cat([others[:, :2], by_tile[..., :5].transpose(1, 2).flatten(1),
                            by_tile[:, CHOW_MIDDLES, 5:].flatten(1)], 1)
        return logits.masked_fill(~masks, -1e9).log_softmax(1), others[:, 2]


class PPOTactic(Tactic):
    """A win where there is one, else the network's best action, for all commands that take a tactic."""

    def __init__(self, weights="build/ppo.pt"):
        self._network = Network()
        self._network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))

    def evaluate(self, observations, masks):
        with torch.no_grad():
            logs, _ = self._network(torch.from_numpy(encode(observations, masks)[0]), torch.from_numpy(masks))
        return Evaluation(None, logs.numpy())


def play(env, observations, infos, *, network):
    """Plays STEPS decisions of each game; returns (observations, infos, columns, share of ended games with a winner).

    The columns are tensors: planes, masks, actions, log probabilities, advantages, returns.
    """
    shape = STEPS, len(observations)
    seats, ends, points = np.zeros(shape, np.int64), np.zeros(shape, bool), np.zeros((*shape, 4), np.float32)
    (distances, values), rows = np.zeros((2, *shape), np.float32), []
    for step in range(STEPS):
        masks, seats[step] = infos["action_mask"].astype(bool), infos["seat"]
        masks[masks[:, WIN_INDEX]] = np.arange(masks.shape[1]) == WIN_INDEX  # it always wins if it can
        planes, distances[step] = encode(observations, masks)
        planes, masks = torch.from_numpy(planes), torch.from_numpy(masks)
        with torch.no_grad():
            logs, value = network(planes, masks)
        actions = (logs - torch.empty_like(logs).exponential_().log()).argmax(1)  # a sample, by Gumbel noise
        rows.append((planes, masks, actions, logs.gather(1, actions[:, None])[:, 0]))
        values[step] = value.numpy()
        observations, points[step], ends[step], _, infos = env.step(actions.numpy())
    advantages, is_known = compute_advantages(seats, values, distances, ends=ends, points=points)
    columns = [torch.cat(column)[torch.from_numpy(is_known.ravel())] for column in zip(*rows)]
    columns += [torch.from_numpy(array[is_known]) for array in (advantages, advantages + values)]
    return observations, infos, columns, (points > 0).any(2).sum() / max(1, ends.sum())


def compute_advantages(seats, values, distances, *, ends, points):
    """(advantages float32[T, N], whether known: not where a seat's next decision is to come); points: [T, N, 4]."""
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
        advantages[step] = reward[at] + BONUS * nearer + next_value[at] - values[step] + LAMBDA * next_advantage[at]
        is_known[step] = has_next[at] | is_over[at]
        reward[at], is_over[at], has_next[at] = 0, False, True
        next_value[at], next_distance[at], next_advantage[at] = values[step], distances[step], advantages[step]
    return advantages, is_known


def learn(network, optimiser, columns):
    """PPO's steps on the columns of play(); returns the mean entropy of the policy in nats."""
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(columns[0])).split(BATCH):
            planes, masks, actions, old, advantages, returns = (column[rows] for column in columns)
            logs, values = network(planes, masks)
            ratio = (logs.gather(1, actions[:, None])[:, 0] - old).exp()
            advantages = (advantages - advantages.mean()) / (advantages.std(unbiased=False) + 1e-6)
            gain = torch.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
            entropy = -(logs.exp() * logs).sum(1).mean()
            loss = nn.functional.mse_loss(values, returns) / 2 - gain - ENTROPY * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimiser.step()
    return entropy.item()


def main():
    parser = argparse.ArgumentParser(description="Self-play by PPO, then a match with rule_based.")
    parser.add_argument("--updates", type=int, default=60, help="of the network (%(default)s)")
    parser.add_argument("--games", type=int, default=256, help="that are played side by side (%(default)s)")
    parser.add_argument("--walls", type=int, default=500, help="of the match, four games each (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the games and the network (%(default)s)")
    parser.add_argument("--output", default="build/ppo.pt", help="file of the weights (%(default)s)")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    env = gymnasium.make_vec("mj_bot.lab.environments:mj_bot/MahjongSelfPlay-v1", num_envs=options.games)
    observations, infos = env.reset(seed=options.seed)
    network = Network()
    optimiser = torch.optim.Adam(network.parameters())
    for update in range(options.updates):
        optimiser.param_groups[0]["lr"] = RATE * min(1, 2 - 2 * update / options.updates)  # falls in the second half
        observations, infos, columns, won = play(env, observations, infos, network=network)
        entropy = learn(network, optimiser, columns)
        if (update + 1) % 10 == 0 or update == 0:
            print("update %d: game %d, %.1f%% won, return %+.3f, entropy %.2f" % (
                update + 1, infos["game_id"].max(), 100 * won, columns[-1].mean(), entropy), flush=True)
    Path(options.output).parent.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), options.output)
    tactic = "%s:PPOTactic:weights=%s" % (Path(__file__).resolve(), options.output)
    return run(["arena", tactic, "rule_based", "--walls", str(options.walls), "--rotations", "4",
                "--workers", "1", "--seed", "1000000000"])  # walls that no training has seen


if __name__ == "__main__":
    raise SystemExit(main())
