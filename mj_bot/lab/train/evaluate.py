"""How well a trained network foretells what was played: accuracy by kind of decision, calibration."""

from collections import namedtuple

import numpy as np
import torch

from ...mahjong.action import ACTION_COUNT, CHOW_BASE, DISCARD_BASE, OPEN_KONG_BASE, PUNG_BASE, WIN_INDEX
from ...mahjong.errors import MahjongError
from ...network.forward import SCORE_UNIT, Answer
from ...network.ops import TorchOps
from .recipe import mask_logits, tell_outcomes
from .stream import make_rows, run_ahead

_SIZE = 1024
_BINS = 10

# A kind of decision is what else there was to choose: (first action, action after the last).
KINDS = {
    "discard": (DISCARD_BASE, OPEN_KONG_BASE),
    "chow": (CHOW_BASE, ACTION_COUNT),
    "pung": (PUNG_BASE, CHOW_BASE),
    "kong": (OPEN_KONG_BASE, PUNG_BASE),
    "win": (WIN_INDEX, WIN_INDEX + 1),
}

# decisions: {kind: how many}; accuracy: {kind: share}, with "all" in both. calibration_error: mean distance of the
# probability of the best action from the share of its hits, in _BINS bins. bins: list of (mean probability, share of
# hits, decisions). score_error, score_spread: root mean square in points of what the value head misses, and of the
# scores about their mean; outcome_accuracy; these three are None for recipes without one.
Evaluation = namedtuple(
    "Evaluation", "decisions accuracy calibration_error bins score_error score_spread outcome_accuracy")


def evaluate(recipe, network, dataset, split="valid", most=100_000, device="cpu"):
    """The Evaluation of a network in evaluation mode; strays and what had no choice do not count.

    most: decisions to look at.
    Raises MahjongError: the split has none.
    """
    notes = _Notes()
    ops = TorchOps(device)
    network = network.to(device)
    batches = dataset.batches(split, _SIZE, seed=0, augment=False)
    prepared = run_ahead(lambda batch: make_rows(recipe, batch, device), batches)
    with torch.inference_mode():
        for rows in prepared:
            output = network(recipe.encode(rows.observations, rows.facts, ops))
            notes.add(rows, recipe.policy(output, rows.masks), output)
            if notes.count >= most:
                break
    prepared.close()
    if not notes.count:
        raise MahjongError("expected decisions to measure in the split %r, got none in %d games"
                           % (split, dataset.count_games(split)))
    return notes.sum_up()


class _Notes(object):
    def __init__(self):
        self.count = 0
        self._columns = []

    def add(self, rows, logits, output):
        chances = torch.softmax(mask_logits(logits, rows.masks), 1)
        best, action = chances.max(1)
        columns = [~rows.strays & (rows.masks.sum(1) > 1), best, action == rows.actions]
        columns += [rows.masks[:, first:stop].any(1) for first, stop in KINDS.values()]
        has_value = isinstance(output, Answer)
        columns.append(rows.scores)
        columns.append(SCORE_UNIT * output.score if has_value else torch.full_like(rows.scores, torch.nan))
        columns.append(output.outcome.argmax(1) == tell_outcomes(rows) if has_value else rows.strays)
        self._columns.append([column.cpu().numpy() for column in columns])
        self.count += int(columns[0].sum())

    def sum_up(self):
        counted, best, hits, *rest = [np.concatenate(column) for column in zip(*self._columns)]
        kinds = dict(zip(KINDS, (column & counted for column in rest)), all=counted)
        scores, expected, outcomes = rest[len(KINDS):]
        has_value = not np.isnan(expected).any()
        bins = []
        error = 0.0
        for number in range(_BINS):
            chosen = counted & (np.minimum((best * _BINS).astype(int), _BINS - 1) == number)
            if chosen.any():
                bins.append((float(best[chosen].mean()), float(hits[chosen].mean()), int(chosen.sum())))
                error += abs(bins[-1][0] - bins[-1][1]) * bins[-1][2]
        return Evaluation(
            {kind: int(chosen.sum()) for kind, chosen in kinds.items()},
            {kind: float(hits[chosen].mean()) if chosen.any() else None for kind, chosen in kinds.items()},
            error / max(1, int(counted.sum())), bins,
            float(np.sqrt(((scores - expected) ** 2).mean())) if has_value else None,
            float(scores.std()), float(outcomes.mean()) if has_value else None)
