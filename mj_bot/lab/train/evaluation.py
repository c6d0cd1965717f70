"""Measures how well a trained network predicts actions and the end of the game.

The actions are those that the teacher prefers, or the actions played in a set without a teacher.
"""

from pathlib import Path
from typing import TypedDict

import numpy as np
import torch

from ...mahjong.action import WIN_INDEX
from ...mahjong.errors import MahjongError
from ...network.forward import SCORE_UNIT, Prediction
from ..dataset.reader import Dataset
from ..dataset.teach import REGRET_UNIT
from ..run.files import read_json, write_json
from .checkpoint import expect_checkpoint
from .recipe import Recipe, encode_outcomes, mask_logits
from .recipes.parts import CHOW_ACTIONS, DISCARDS, KONG_ACTIONS, PUNG_ACTIONS
from .stream import move_batch, run_ahead
from .training_loop import load_trained
from .training_report import RESULT_FILE

_BATCH_ROWS = 1024
_BINS = 10  # number of equal intervals of the best action's probability, for the calibration error

# A decision belongs to each group of which an action is legal.
_GROUPS = {"discard": DISCARDS, "chow": CHOW_ACTIONS, "pung": PUNG_ACTIONS, "kong": KONG_ACTIONS,
           "win": slice(WIN_INDEX, WIN_INDEX + 1)}


class Measures(TypedDict):
    """The keys of the measures of a network, as JSON. Random actions count for the last three only."""

    decisions: dict  # {group: number of decisions}, for each group of _GROUPS and "all"
    accuracy: dict  # {group: share of decisions in which the most probable action is the right one}
    cost: float | None  # points that the most probable action loses to the teacher's best; None without a teacher
    # Mean distance between the probability of the most probable action and the share of hits, over intervals of it.
    calibration_error: float
    score_error: float | None  # root mean square error of the score head in points; None without a value head
    outcome_accuracy: float | None  # share of games whose outcome was the most probable; None without a value head
    score_spread: float  # standard deviation of the final scores: the error of a head that always answers their mean


def evaluate(
        recipe: Recipe, network: torch.nn.Module, dataset: Dataset, *, split: str = "valid", most: int = 100_000,
        device: str = "cpu") -> Measures:
    """Returns the measures of a network, which must be in evaluation mode.

    split: "train", "valid" or "test". most: number of decisions after which the measuring ends.
    Raises MahjongError: the split has no decision to measure.
    """
    blocks, count = [], 0
    network = network.to(device)
    batches = dataset.batches(split, _BATCH_ROWS, seed=0, augment=False)
    prepared = run_ahead(lambda batch: move_batch(recipe, batch, device), batches)
    with torch.inference_mode():
        for batch in prepared:
            output = network(recipe.encode(batch.observation, batch.extras))
            blocks.append([column.cpu().numpy() for column in _list_columns(recipe, batch, output)])
            count += int(blocks[-1][0].sum())
            if count >= most:
                break
    prepared.close()
    if not count:
        raise MahjongError("expected decisions to measure in the split %r, got none", split)
    return _sum_up([np.concatenate(column) for column in zip(*blocks)])


def evaluate_run(
        folder: str | Path, dataset: Dataset, device: str, *, decisions: int, rate: float | None = None,
        split: str = "valid") -> dict:
    """Measures the network of a run, writes the measures into the folder of the run, and returns them as a dict.

    The dict has the measures that `evaluate` returns, and facts of the run: its name, recipe, data, seed, commit and
    size.
    folder: folder of the run. dataset: set with the split. device: name for torch.
    decisions: number of decisions after which the measuring ends.
    rate: samples per second of the training that has just ended. None keeps the rate that the folder has.
    split: "train", "valid" or "test".
    Raises ModelMismatchError: the folder has no checkpoint of this version.
    """
    recipe, network, state = load_trained(folder)
    measures = evaluate(recipe, network, dataset, split=split, most=decisions, device=device)
    with expect_checkpoint(folder):
        facts = {key: state[key] for key in ("samples", "samples_in_all", "data", "seed", "commit")}
    result = dict(
        measures, run=Path(folder).name, recipe=recipe.name, split=split,
        parameters=sum(p.numel() for p in network.parameters()), **facts, samples_per_second=rate, device=device)
    path = Path(folder) / RESULT_FILE
    if rate is None and path.exists():
        former = read_json(path)
        result.update(samples_per_second=former.get("samples_per_second"), device=former.get("device"))
    write_json(path, result, sort_keys=True)
    return result


def _list_columns(recipe, batch, output):
    """Returns the columns that `_sum_up` takes, a list of tensors [B]."""
    # First: whether the decision counts, its highest probability, whether that action is right, and what it costs.
    # Then a column for each group. Last: the final score, the expected one, whether the likeliest outcome is right.
    chances = torch.softmax(mask_logits(recipe.policy(output, batch.mask), batch.mask), 1)
    best, action = chances.max(1)
    has_value = isinstance(output, Prediction)
    has_teacher = batch.regret.shape[1] > 0
    costs = batch.regret.gather(1, action[:, None])[:, 0] * REGRET_UNIT if has_teacher else best * torch.nan
    return [~batch.is_random & (batch.mask.sum(1) > 1), best, action == batch.action, costs] + [
        batch.mask[:, actions].any(1) for actions in _GROUPS.values()] + [
        batch.score, SCORE_UNIT * output.score if has_value else torch.full_like(batch.score, torch.nan),
        output.outcome.argmax(1) == encode_outcomes(batch) if has_value else batch.is_random]


def _sum_up(columns):
    """Returns the measures, a dict, from the columns that `_list_columns` describes, each of them numpy [M]."""
    counted, best, hits, costs, *rest = columns
    groups = dict(zip(_GROUPS, (column & counted for column in rest)), all=counted)
    scores, expected, outcomes = rest[len(_GROUPS):]
    has_value = not np.isnan(expected).any()
    bins = np.minimum(best * _BINS, _BINS - 1).astype(int)[counted]
    errors = np.abs(np.bincount(bins, (best - hits)[counted]))
    return {
        "decisions": {group: int(chosen.sum()) for group, chosen in groups.items()},
        "accuracy": {group: float(hits[chosen].mean()) if chosen.any() else None for group, chosen in groups.items()},
        "cost": None if np.isnan(costs).any() else float(costs[counted].mean()),
        "calibration_error": float(errors.sum() / len(bins)),
        "score_error": float(np.sqrt(((scores - expected) ** 2).mean())) if has_value else None,
        "score_spread": float(scores.std()), "outcome_accuracy": float(outcomes.mean()) if has_value else None}
