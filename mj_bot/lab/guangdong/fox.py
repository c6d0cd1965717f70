"""Trains and plays FoxThinker: two networks that see only their player's hand, trained on the records of winners.

The network for discards takes the hand of 14 tiles, the network for waits the hand of 13 after a discard. The player
chooses the discard with the highest product: probability * (1 + expected number of waits). The published description
gives no formula. ShantenPlayer decides on claims and kongs.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...mahjong.action import DISCARD_BASE, OPEN_KONG_BASE
from ...mahjong.errors import MahjongError
from ...mahjong.tile import TILE_COUNT
from ..run.files import read_json, write_json
from ..train.recipe import load_recipe
from ..train.recipes.fox_thinker import Fox, make_layers
from ..train.training_loop import Training, TrainingSettings, load_trained
from .engine import Table
from .fox_records import DISCARD_COLUMN, FLAGS_COLUMN, MOST_WAITS, TILES, WAITS_COLUMN
from .guangdong_players import ShantenPlayer

FOX_RECIPES = {"guangdong-fox": "mj_bot.lab.guangdong.fox:FoxRecipe"}
FOX_RESULT_FILE = "result.json"
_VALID_SHARE = 20  # one block of records in this many is for validation
_WEIGHED = 3  # this many of the most probable discards go to the network for waits


class RecordBatch(NamedTuple):
    """Keeps records of a batch, as arrays or tensors.

    action: the discards, [B]. observation: the records, uint8[B, 70]. extras: always empty; training expects this name.
    """

    action: np.ndarray
    observation: np.ndarray
    extras = {}


class RecordSet(object):
    """Offers records through the interface of a set of games, so that the training loop can read them.

    records: uint8[N, 70]. The first of every 20 blocks of 1,000 records is the split "valid". The records of one game
    follow each other, so few games are in both splits.
    Raises MahjongError: too few records for two splits.
    """

    def __init__(self, records: np.ndarray):
        self.card = {"hash": hashlib.sha256(records.tobytes()).hexdigest()[:16]}
        blocks = np.arange(len(records)) // 1000 % _VALID_SHARE
        self.splits = {"train": records[blocks > 0], "valid": records[blocks == 0]}
        if not all(map(len, self.splits.values())):
            raise MahjongError("expected more than 1000 records, got %d", len(records))

    def batches(self, split: str, size: int, seed: int, *, workers: int = 1) -> Iterator[RecordBatch]:
        """Yields the records of a split in the order of a seed, in batches of `size`; the last may be smaller."""
        records = self.splits[split]
        order = np.random.default_rng(seed).permutation(len(records))
        for start in range(0, len(order), size):
            chosen = records[order[start:start + size]]
            yield RecordBatch(chosen[:, DISCARD_COLUMN], chosen)


class FoxRecipe(Fox):
    """Trains FoxThinker's two networks by its schedule on the records of this game."""

    def make_network(self) -> nn.Module:
        return _Networks()

    def collect(self, batch: RecordBatch, move: Callable) -> RecordBatch:
        return RecordBatch(move(batch.action, torch.int64), move(batch.observation))

    def encode(self, observations: torch.Tensor, extras: dict, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Returns the networks' inputs, real[B, 2, 68], of records: counts and flags before the discard, and after it.
        """
        before = observations[:, :DISCARD_COLUMN].to(dtype)
        after = before.clone()
        after[torch.arange(len(after)), observations[:, DISCARD_COLUMN].long()] -= 1
        return torch.stack([before, after], 1)

    def losses(self, output: tuple, batch: RecordBatch) -> dict:
        discard, waits = output
        return {"discard": functional.cross_entropy(discard, batch.action),
                "waits": functional.cross_entropy(waits, batch.observation[:, WAITS_COLUMN].long())}


class _Networks(nn.Module):
    """Joins the network for discards and the network for waits."""

    def __init__(self):
        super().__init__()
        self.discard, self.waits = make_layers(TILE_COUNT), make_layers(MOST_WAITS + 1)

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns the logits of both networks, [B, 34] and [B, 5]. inputs: real[B, 2, 68], from FoxRecipe.encode."""
        return self.discard(inputs[:, 0]), self.waits(inputs[:, 1])


def train(
        records: np.ndarray, folder: str, samples: int, *, seed: int = 0, minutes: float | None = None,
        threads: int = 1) -> dict:
    """Trains in a folder, or continues there, and measures a finished run. Returns the result as a dict for JSON.

    records: uint8[N, 70]. samples: how many records to train on, over all calls. seed: seed of the training.
    minutes: limit of this call, None for none. threads: number of torch's threads.
    """
    torch.set_num_threads(threads)
    data, path = RecordSet(records), Path(folder) / FOX_RESULT_FILE
    training = Training(load_recipe(*FOX_RECIPES, FOX_RECIPES), data, folder, settings=TrainingSettings(
        samples, seed, "cpu", precision="float32", minutes=minutes))
    spent = read_json(path)["processor_minutes"] if path.exists() else 0
    start = time.process_time()
    result = {"records": len(records), "data": data.card["hash"], "samples_in_all": samples}
    try:
        is_done = training.run().is_done
    finally:  # this runs after an interrupt too, so that the next call adds its time
        result.update(samples=training.samples,
                      processor_minutes=round(spent + (time.process_time() - start) / 60, 2))
        write_json(path, result)
    if is_done:
        result.update(measure_fox(folder, data.splits["valid"]))
        write_json(path, result)
    return result


@torch.inference_mode()
def measure_fox(folder: str, records: np.ndarray) -> dict:
    """Returns {"unseen": number of records, name: share} of a run on records that it was not trained on.

    folder: folder of the run. records: uint8[N, 70]. The shares are how often the networks' first choices are right.
    ready_waits_accuracy counts only the records with a wait. waits_common is the share that always guessing the
    commonest number of waits would reach.
    """
    _, network, _ = load_trained(folder, FOX_RECIPES)
    chosen = [[answer.argmax(1).numpy() for answer in network(FoxRecipe().encode(rows, {}))]
              for rows in torch.from_numpy(records).split(8192)]
    discards, waits = map(np.concatenate, zip(*chosen))
    is_right, is_ready = waits == records[:, WAITS_COLUMN], records[:, WAITS_COLUMN] > 0
    shares = {"discard_accuracy": (discards == records[:, DISCARD_COLUMN]).mean(), "waits_accuracy": is_right.mean(),
              "waits_common": np.bincount(records[:, WAITS_COLUMN]).max() / len(records),
              "ready_waits_accuracy": is_right[is_ready].mean()}
    return {"unseen": len(records), **{name: round(float(share), 4) for name, share in shares.items()}}


class FoxPlayer(object):
    """Plays by the networks of a run.

    weights: folder of the run. waits: 1, or 0 to play without the network for waits.
    """

    def __init__(self, weights: str, waits: int = 1):
        _, self._network, _ = load_trained(weights, FOX_RECIPES)
        torch.set_num_threads(1)  # with few hands at once, more threads would only wait for each other
        self._waits = waits
        self._claims = ShantenPlayer()

    def __call__(self, table: Table, rows: np.ndarray) -> np.ndarray:
        """Returns one action index per game, int16[M]. rows: int64[M], indices of games with a pending decision."""
        actions = self._claims(table, rows)
        discards = np.flatnonzero((actions >= DISCARD_BASE) & (actions < OPEN_KONG_BASE))
        if len(discards):
            games = table.games[rows[discards]]
            hands = games["hand"][np.arange(len(discards)), games["seat"]]
            actions[discards] = DISCARD_BASE + self._discard(hands, games["wild"])
        return actions

    @torch.inference_mode()
    def _discard(self, hands, wild):
        """Returns the discards 0..33 of hands, int[M]. hands: uint8[M, 34]. wild: int64[M], a bit for each tile."""
        inputs = torch.from_numpy(np.concatenate([hands[:, TILES], wild[:, None] >> TILES & 1], 1).astype(np.float32))
        legal = inputs[:, :FLAGS_COLUMN] > 0
        chances = torch.softmax(torch.where(legal, self._network.discard(inputs), -torch.inf), 1)
        best, tiles = chances.topk(_WEIGHED, 1)
        if self._waits:
            after = inputs[:, None].repeat(1, _WEIGHED, 1)
            after.scatter_add_(2, tiles[..., None], -torch.ones_like(best)[..., None])
            waits = torch.softmax(self._network.waits(after.flatten(0, 1)), 1) @ torch.arange(MOST_WAITS + 1.0)
            best = best * (1 + waits.view(best.shape))
        return TILES[tiles.gather(1, best.argmax(1)[:, None])[:, 0].numpy()]
