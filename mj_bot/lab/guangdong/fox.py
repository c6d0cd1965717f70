"""FoxThinker: two networks that see the own hand alone, learnt from winners' records; and the player that asks them.

The network for discards takes the hand of 14, that for waits the hand of 13 that a discard leaves. The player takes the
discard whose probability, times the kinds expected to be waited for after it and one, is the highest. The published
description says that both choose, not how. Claims and kongs are those of ShantenPlayer: the networks know of none.
"""

import hashlib
import json
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ...mahjong.action import DISCARD_BASE, OPEN_KONG_BASE
from ...mahjong.errors import MahjongError
from ...mahjong.tile import TILE_COUNT
from ...network.ops import TorchOps
from ..run.files import write_json
from ..train.loop import Settings, Training, load_trained
from ..train.recipe import load_recipe
from ..train.recipes.fox import Fox, make_layers
from .players import ShantenPlayer
from .records import DISCARD, FLAGS, MOST_WAITS, TILES, WAITS

RECIPES = {"guangdong-fox": "mj_bot.lab.guangdong.fox:FoxRecipe"}
RESULT = "result.json"
_VALID_SHARE = 20  # one record of so many is never trained on
_ASKED = 3  # discards that the network for waits is asked about: the most probable ones


class RecordBatch(NamedTuple):
    """Records side by side: uint8[B, 70], or the same as a tensor."""

    action: np.ndarray
    observation: np.ndarray
    facts = {}  # of Recipe.find_facts: there are none


class RecordSet(object):
    """Records as mj_bot/lab/train takes a set of games. One in 20 is in the split "valid", the others in "train".

    records: uint8[N, 70]. A game's records follow each other, and blocks of 1,000 are split, so few games are in both.
    """

    def __init__(self, records):
        self.card = {"hash": hashlib.sha256(records.tobytes()).hexdigest()[:16]}
        blocks = np.arange(len(records)) // 1000 % _VALID_SHARE
        self.splits = {"train": records[blocks > 0], "valid": records[blocks == 0]}
        if not all(map(len, self.splits.values())):
            raise MahjongError("expected more than 1000 records, got %d" % len(records))

    def batches(self, split, size, seed, workers=1):
        """Yields a RecordBatch of `size` records each, the last one shorter, in the order of the seed."""
        records = self.splits[split]
        order = np.random.default_rng(seed).permutation(len(records))
        for start in range(0, len(order), size):
            part = records[order[start:start + size]]
            yield RecordBatch(part[:, DISCARD], part)


class FoxRecipe(Fox):
    """FoxThinker's layers and schedule, on this game's records: 2.5 M parameters in two networks."""

    def make_network(self):
        return _Networks()

    def collect(self, batch, move):
        return RecordBatch(move(batch.action, torch.int64), move(batch.observation))

    def encode(self, observations, facts, ops):
        """real[B, 2, 68]: counts and flags before the discard, and after it."""
        before = ops.real(observations[:, :DISCARD])
        after = before.clone()
        after[torch.arange(len(after)), observations[:, DISCARD].long()] -= 1
        return torch.stack([before, after], 1)

    def losses(self, output, batch):
        discard, waits = output
        return {"discard": functional.cross_entropy(discard, batch.action),
                "waits": functional.cross_entropy(waits, batch.observation[:, WAITS].long())}


class _Networks(nn.Module):
    def __init__(self):
        super().__init__()
        self.discard, self.waits = make_layers(TILE_COUNT), make_layers(MOST_WAITS + 1)

    def forward(self, numbers):
        return self.discard(numbers[:, 0]), self.waits(numbers[:, 1])


def train(records, folder, samples, seed=0, minutes=None, threads=1):
    """Trains in a folder, or goes on there; when that is done, measures. What is known of the run, as a dict.

    records: uint8[N, 70]. samples: to train on in all. minutes: after which the run breaks off, None for no limit.
    """
    torch.set_num_threads(threads)
    data, path = RecordSet(records), Path(folder) / RESULT
    training = Training(load_recipe(*RECIPES, RECIPES), data, folder, Settings(
        samples, seed, "cpu", "float32", False, minutes, save_minutes=1.0))
    spent = json.loads(path.read_text(encoding="utf-8"))["processor_minutes"] if path.exists() else 0
    start = time.process_time()
    pace = training.run()
    result = {"records": len(records), "data": data.card["hash"], "samples": training.samples,
              "samples_in_all": samples, "processor_minutes": round(spent + (time.process_time() - start) / 60, 2)}
    if pace.is_done:
        result.update(measure(folder, data.splits["valid"]))
    write_json(path, result)
    return result


@torch.inference_mode()
def measure(folder, records):
    """{"unseen": len(records), "discard_accuracy", "waits_accuracy", "waits_common", "ready_waits_accuracy"} of a run.

    waits_common: what the most frequent number of waits would give.
    """
    _, network, _ = load_trained(folder, RECIPES)
    chosen = [[answer.argmax(1).numpy() for answer in network(FoxRecipe().encode(part, {}, TorchOps("cpu")))]
              for part in torch.from_numpy(records).split(8192)]
    discards, waits = map(np.concatenate, zip(*chosen))
    is_right, is_ready = waits == records[:, WAITS], records[:, WAITS] > 0
    shares = {"discard_accuracy": (discards == records[:, DISCARD]).mean(), "waits_accuracy": is_right.mean(),
              "waits_common": np.bincount(records[:, WAITS]).max() / len(records),
              "ready_waits_accuracy": is_right[is_ready].mean()}
    return {"unseen": len(records), **{name: round(float(share), 4) for name, share in shares.items()}}


class FoxPlayer(object):
    """The networks of a run, see above. weights: its folder. waits: 0 leaves the second network out."""

    def __init__(self, weights, waits=1):
        _, self._network, _ = load_trained(weights, RECIPES)
        # Few hands at once: threads would wait for each other.
        torch.set_num_threads(1)
        self._waits = waits
        self._claims = ShantenPlayer()

    def __call__(self, table, rows):
        actions = self._claims(table, rows)
        asked = np.flatnonzero((actions >= DISCARD_BASE) & (actions < OPEN_KONG_BASE))
        if len(asked):
            games = table.games[rows[asked]]
            hands = games["hand"][np.arange(len(asked)), games["seat"]]
            actions[asked] = DISCARD_BASE + self._discard(hands, games["wild"])
        return actions

    @torch.inference_mode()
    def _discard(self, hands, wild):
        before = np.concatenate([hands[:, TILES], wild[:, None] >> TILES & 1], 1).astype(np.float32)
        numbers = torch.from_numpy(before)
        legal = numbers[:, :FLAGS] > 0
        chances = torch.softmax(torch.where(legal, self._network.discard(numbers), -torch.inf), 1)
        best, kinds = chances.topk(_ASKED, 1)
        if self._waits:
            after = numbers[:, None].repeat(1, _ASKED, 1)
            after.scatter_add_(2, kinds[..., None], -torch.ones_like(best)[..., None])
            waits = torch.softmax(self._network.waits(after.flatten(0, 1)), 1) @ torch.arange(MOST_WAITS + 1.0)
            best = best * (1 + waits.view(best.shape))
        return TILES[kinds.gather(1, best.argmax(1)[:, None])[:, 0].numpy()]
