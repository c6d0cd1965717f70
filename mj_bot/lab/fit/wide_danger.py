"""A study, the command `wide-danger`: fits batch/worth/wide_danger.py to games of a mixed field."""

import argparse

import numpy as np

from ...mahjong.fan import MIN_FAN, count_fan
from ...observation.layout import CLAIM, FOLLOW, TURN, field
from ...worth.constants import DANGER_WEIGHTS
from ...worth.danger import list_features
from ..batch import load_batch
from ..batch.worth.wide_danger import FACTS, list_facts, make_table
from ..engine import Engine, seed_source
from ..engine.shanten import least_batch, unpack_tiles
from ..engine.winning import fan_arguments
from ..run.command import format_command, interruptible
from ..run.files import write_json
from ..run.progress import Progress
from .regression import fit, log_loss, predict

_HIDDEN, _BATCH, _EPOCHS, _RATE = 16, 2048, 4, 8e-3
_TAKEN, _TESTED = 0.25, 6


@interruptible("wide-danger", "its games are not kept")
def main(argv):
    """The command line; its exit code."""
    parser = argparse.ArgumentParser(prog="python3 -m mj_bot.lab wide-danger")
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="who plays; seats are shared out at random")
    parser.add_argument("--games", type=int, default=16000, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--json", metavar="FILE", required=True)
    options = parser.parse_args(argv)
    with Progress(options.games) as bar:
        observations, is_won, games = collect(options.players, options.games, options.seed, bar)
    result = {"command": format_command("wide-danger", *options.players, "--games", options.games, "--seed",
                                        options.seed), **fit_network(observations, is_won, games)}
    print({name: value for name, value in result.items() if name != "weights"})
    write_json(options.json, result)
    return 0


def collect(players, count, seed, bar):
    """(observations uint8[R, .] of discards, whether each opponent wins on each tile bool[R, 3, 34], games)."""
    rng = np.random.default_rng(seed)
    batches = [load_batch(player) for player in players]
    engine = Engine(256, seed_source(seed, count))
    engine.reset()
    seating, parts = np.random.default_rng(seed).permutation(4 * count), []
    while len(engine.owed):
        observations, masks = engine.observations(), engine.mask()
        games, seats = engine.games["game_id"][engine.owed["game"]].astype(np.int64), engine.owed["seat"].astype(int)
        who = seating[4 * games + seats] % len(players)
        actions = np.zeros(len(seats), np.int64)
        for number, batch in enumerate(batches):
            rows = np.flatnonzero(who == number)
            if len(rows):
                actions[rows] = batch(observations[rows], masks[rows], games[rows], seats[rows])
        is_discard = np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW)) & ~masks[:, 1]
        rows = np.flatnonzero(is_discard & (rng.random(len(seats)) < _TAKEN))
        if len(rows):
            states = engine.games[engine.owed["game"][rows]].copy()
            parts.append((observations[rows], _label(states, observations[rows]), games[rows]))
        engine.step(actions)
        bar.update(len(engine.finished))
    return tuple(np.concatenate(columns) for columns in zip(*parts))


def _label(states, observations):
    held, rows = field(observations, "hand") > 0, np.arange(len(states))
    is_won = np.zeros((len(states), 3, 34), bool)
    states["phase"] = CLAIM
    for opponent in range(3):
        seats = (states["turn"] + opponent + 1) % 4
        shanten, useful = least_batch(states["hand"][rows, seats], states["meld_count"][rows, seats])
        for row, tile in np.argwhere(unpack_tiles(useful) & (shanten == 0)[:, None] & held):
            states["last_tile"][row] = tile
            is_won[row, opponent, tile] = count_fan(*fan_arguments(states[row], int(seats[row]))) >= MIN_FAN
    return is_won


def fit_network(observations, is_won, games):
    """The weights, and the log loss of a constant, of today's danger, of a linear model and of the network."""
    import torch

    torch.manual_seed(0)
    held = np.broadcast_to((field(observations, "hand") > 0)[:, None], is_won.shape)
    places = np.argwhere(held)
    facts = np.zeros((len(places), FACTS), np.float32)
    list_facts(*make_table(), observations, places, facts)
    labels = is_won[held]
    is_test = np.broadcast_to((games % _TESTED == 0)[:, None, None], held.shape)[held]
    today = [(list_features(part) @ np.array(DANGER_WEIGHTS))[mask] for part, mask in zip(
        np.array_split(observations, 1 + len(observations) // 4000), np.array_split(held, 1 + len(held) // 4000))]
    rows = np.flatnonzero(~is_test)
    weights = fit(facts[rows[::1 + len(rows) // 1500000]], labels[rows[::1 + len(rows) // 1500000]])
    linear = torch.nn.Parameter(torch.tensor(weights, dtype=torch.float32))
    network = torch.nn.Sequential(torch.nn.Linear(FACTS, _HIDDEN, bias=False), torch.nn.ReLU(),
                                  torch.nn.Linear(_HIDDEN, 1, bias=False))
    network[2].weight.data.mul_(0.1)
    optimiser = torch.optim.AdamW([*network.parameters(), linear], 1e-3, weight_decay=0.0)
    steps = _EPOCHS * (len(rows) // _BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, steps)
    inputs, targets = torch.from_numpy(facts), torch.from_numpy(labels).float()
    for _ in range(_EPOCHS):
        order = torch.from_numpy(rows)[torch.randperm(len(rows))]
        for part in order[:len(order) // _BATCH * _BATCH].split(_BATCH):
            logits = network(inputs[part])[:, 0] + inputs[part] @ linear
            loss = torch.nn.functional.binary_cross_entropy_with_logits(logits, targets[part])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
    hidden, out = (parameter.detach().numpy() for parameter in network.parameters())
    found = np.concatenate([linear.detach().numpy()] + [np.append(row, weight) for row, weight in zip(hidden, out[0])])
    tests, won = facts[is_test].astype(float), labels[is_test]
    logits = tests @ found[:FACTS] + np.maximum(tests @ hidden.T, 0) @ out[0]
    return {"won_on": float(labels.mean()), "rows": len(labels),
            "log_loss": {"constant": log_loss(np.full(len(won), labels[rows].mean()), won),
                         "today": log_loss(1 / (1 + np.exp(-np.concatenate(today)[is_test])), won),
                         "linear": log_loss(predict(tests, weights), won),
                         "network": log_loss(1 / (1 + np.exp(-logits)), won)},
            "weights": found.astype(float).tolist()}
