"""How well a trained network predicts the teacher's choice or the action played, and the end of the game."""

from pathlib import Path

import numpy as np
import torch

from ...mahjong.action import WIN_INDEX
from ...mahjong.errors import MahjongError
from ...network.forward import SCORE_UNIT, Answer
from ..dataset.teach import REGRET_UNIT
from ..run.files import read_json, write_json
from .checkpoint import expect_checkpoint
from .training_loop import load_trained
from .recipe import encode_outcomes, mask_logits
from .recipes.parts import CHOW_ACTIONS, DISCARDS, KONG_ACTIONS, PUNG_ACTIONS
from .training_report import RESULT_FILE
from .stream import move_batch, run_ahead

_SIZE = 1024
_BINS = 10

# A kind of decision has a legal action among these.
_KINDS = {"discard": DISCARDS, "chow": CHOW_ACTIONS, "pung": PUNG_ACTIONS, "kong": KONG_ACTIONS,
          "win": slice(WIN_INDEX, WIN_INDEX + 1)}


def evaluate(recipe, network, dataset, *, split="valid", most=100_000, device="cpu"):
    """Measures of a network in evaluation mode, a dict; random actions count only for the ends of games.

    decisions: {kind: count}, with "all". accuracy: {kind: share of hits of the most probable action}, with "all".
    cost: mean regret of the best action in points, by the teacher; None without a teacher.
    calibration_error: mean distance of the best action's probability from the share of its hits, over the bins.
    score_error, outcome_accuracy: root mean square error of the score head in points, and share of hits of the outcome
        head; None for recipes without a value head. score_spread: root mean square of the scores about their mean.
    most: decisions to measure. Raises MahjongError: the split has none.
    """
    parts, count = [], 0
    network = network.to(device)
    batches = dataset.batches(split, _SIZE, seed=0, augment=False)
    prepared = run_ahead(lambda batch: move_batch(recipe, batch, device), batches)
    with torch.inference_mode():
        for batch in prepared:
            output = network(recipe.encode(batch.observation, batch.facts))
            parts.append([column.cpu().numpy() for column in _list_columns(recipe, batch, output)])
            count += int(parts[-1][0].sum())
            if count >= most:
                break
    prepared.close()
    if not count:
        raise MahjongError("expected decisions to measure in the split %r, got none in %d games"
                           % (split, dataset.count_games(split)))
    return _sum_up(*[np.concatenate(column) for column in zip(*parts)])


def evaluate_run(folder, dataset, device, *, decisions, rate=None, split="valid"):
    """Measures the network of a run, writes the measures into its folder, and returns them; see evaluate().

    decisions: how many. rate: samples a second of its training, None to keep what the folder says.
    """
    recipe, network, state = load_trained(folder)
    found = evaluate(recipe, network, dataset, split=split, most=decisions, device=device)
    with expect_checkpoint(folder):
        facts = {key: state[key] for key in ("samples", "samples_in_all", "data", "seed", "commit")}
    result = dict(
        found, run=Path(folder).name, recipe=recipe.name, split=split,
        parameters=sum(p.numel() for p in network.parameters()), **facts, samples_a_second=rate, device=device)
    path = Path(folder) / RESULT_FILE
    if rate is None and path.exists():
        former = read_json(path)
        result.update(samples_a_second=former["samples_a_second"], device=former["device"])
    write_json(path, result, sort_keys=True)
    return result


def _list_columns(recipe, batch, output):
    """Columns of the decisions: does it count, probability of the best action, was that right, its cost; is it of each
    kind; score, expected score, was the outcome right."""
    chances = torch.softmax(mask_logits(recipe.policy(output, batch.mask), batch.mask), 1)
    best, action = chances.max(1)
    has_value = isinstance(output, Answer)
    has_teacher = batch.regret.shape[1] > 0
    costs = batch.regret.gather(1, action[:, None])[:, 0] * REGRET_UNIT if has_teacher else best * torch.nan
    return [~batch.is_random & (batch.mask.sum(1) > 1), best, action == batch.action, costs] + [
        batch.mask[:, actions].any(1) for actions in _KINDS.values()] + [
        batch.score, SCORE_UNIT * output.score if has_value else torch.full_like(batch.score, torch.nan),
        output.outcome.argmax(1) == encode_outcomes(batch) if has_value else batch.is_random]


def _sum_up(counted, best, hits, costs, *rest):
    kinds = dict(zip(_KINDS, (column & counted for column in rest)), all=counted)
    scores, expected, outcomes = rest[len(_KINDS):]
    has_value = not np.isnan(expected).any()
    bins = np.minimum(best * _BINS, _BINS - 1).astype(int)[counted]
    errors = np.abs(np.bincount(bins, (best - hits)[counted]))
    return {
        "decisions": {kind: int(chosen.sum()) for kind, chosen in kinds.items()},
        "accuracy": {kind: float(hits[chosen].mean()) if chosen.any() else None for kind, chosen in kinds.items()},
        "cost": None if np.isnan(costs).any() else float(costs[counted].mean()),
        "calibration_error": float(errors.sum() / len(bins)),
        "score_error": float(np.sqrt(((scores - expected) ** 2).mean())) if has_value else None,
        "score_spread": float(scores.std()), "outcome_accuracy": float(outcomes.mean()) if has_value else None}
