"""Runs small enough for tests."""

import json

import torch

from mj_bot.lab.rl.config import parse_config
from mj_bot.lab.train.exported import export_network
from mj_bot.lab.train.network import TileNetwork

# Settings with which nearly every part of learning is on.
PARTS = {
    "league": {"shares": {"self": 0.5, "past": 0.5}, "past_games": 8, "past_most": 2},
    "entropy": {"weight": 0.01, "target": 1.0},
}


def write_start(path):
    """Writes the weight file of a very small network."""
    torch.manual_seed(0)
    export_network(TileNetwork(4, 1).eval(), str(path), {"name": "cnn"}, precision="float32")


def make_settings(start, **parts):
    """A dict for parse_config: three iterations of eight games, and what `parts` has."""
    data = {
        "run": {"start": str(start), "games": 24, "games_per_iteration": 8, "groups": 1, "width": 8,
                "save_games": 12, "precision": "float32", "device": "cpu"},
        "ppo": {"minibatch": 128, "epochs": 2, "rate": 1e-3, "warmup": 4}, "critic": {"channels": 8},
    }
    for name, part in parts.items():
        data[name] = dict(data.get(name, {}), **part)
    return data


def make_config(start, **parts):
    """The Config of make_settings."""
    return parse_config(make_settings(start, **parts))


def write_settings(path, start, **parts):
    """Writes make_settings as the file that the command reads."""
    path.write_text("".join(
        "[%s]\n%s" % (name, "".join("%s = %s\n" % (key, json.dumps(value)) for key, value in part.items()))
        for name, part in make_settings(start, **parts).items()))
