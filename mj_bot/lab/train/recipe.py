"""Defines what a recipe is: it encodes observations, makes the network, computes its losses, and has a schedule.

Here are also the losses that several recipes share. recipes/__init__.py names all recipes.
"""

import difflib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.nn import functional

from ...mahjong.errors import MahjongError
from ...network.forward import SCORE_UNIT, Prediction
from ..dataset.reader import Batch
from ..dataset.teach import REGRET_UNIT
from ..run.settings_file import LEAST_POSITIVE, change_settings, change_table, check_names, choice, number
from .recipes import RECIPES

# The teacher's target gives an action the probability exp(-regret / SOFTNESS), times a constant; both are in points.
SOFTNESS = 0.5
# This is the logit of an illegal action. Unlike minus infinity, its product with a probability of 0 is 0.
_IMPOSSIBLE = -1e9


class TrainBatch(NamedTuple):
    """Keeps B decisions to learn from, as tensors on the device."""

    observation: torch.Tensor  # uint8[B, OBSERVATION_SIZE]
    mask: torch.Tensor  # bool[B, 235], the legal actions
    # int64[B], action to learn: the teacher's best one, the first of equals. Without a teacher it is the action played.
    action: torch.Tensor
    score: torch.Tensor  # real[B], final points of the deciding seat
    winner: torch.Tensor  # int64[B], offset of the winning seat from the deciding one, 0 for itself, -1 if nobody won
    fan: torch.Tensor  # real[B], fan of the win, 0 if nobody won
    is_random: torch.Tensor  # bool[B], whether the action was played at random; always False with a teacher
    # uint8[B, 235], points that each action loses against the best one by the teacher, in steps of REGRET_UNIT.
    # Without a teacher it is uint8[B, 0].
    regret: torch.Tensor
    extras: dict  # {name: tensor [B, ...]}, which Recipe.compute_extras made


@dataclass(frozen=True)
class Schedule:
    """Keeps how a recipe learns."""

    batch_size: int = number(1024, 1, 1 << 20)  # decisions per step
    optimiser: str = choice("adamw", "sgd")
    rate: float = number(1e-3, LEAST_POSITIVE)  # highest learning rate, after which it falls to 0 along a cosine
    warmup: float = number(0.02, 0, 0.99)  # share of the samples during which the rate rises
    decay: float = number(1e-2)  # weight decay of matrices; biases have none
    clip: float = number(1.0, LEAST_POSITIVE)  # greatest norm of a gradient; a longer gradient is shortened to it


def change_schedule(schedule: Schedule, changes: Sequence[tuple[str, str, str]]) -> Schedule:
    """Returns a Schedule with changes ("schedule", name, text). Raises MahjongError: a name or value is not allowed."""
    tables = change_settings({}, changes)
    check_names(tables, ("schedule",), "--set")
    return change_table(schedule, "schedule", tables.get("schedule", {}), "--set")


class Recipe(object):
    """Base of all recipes: an encoder, a network, its losses and its policy.

    name: name in the registry, set by `load_recipe`. schedule: Schedule by which the network learns.
    """

    name = ""
    schedule = Schedule()

    def make_network(self) -> torch.nn.Module:
        """Returns a new network with random weights. The network takes what `encode` returns."""
        raise NotImplementedError

    def encode(
            self, observations: torch.Tensor, extras: dict[str, torch.Tensor],
            dtype: torch.dtype = torch.float32) -> Any:
        """Returns the network's input. extras: {name: tensor [B, ...]}, what `compute_extras` returned."""
        raise NotImplementedError

    def compute_extras(self, observations: np.ndarray) -> dict[str, np.ndarray]:
        """Returns extra inputs of uint8[B, OBSERVATION_SIZE], computed on the processor, {name: array [B, ...]}."""
        return {}

    def compute_batch_extras(self, batch: Batch) -> dict[str, np.ndarray]:
        """Returns the extras of a batch. A recipe may take numbers that the set already has, such as `batch.wins`."""
        return self.compute_extras(batch.observation)

    def collect(self, batch: Batch, move: Callable[..., torch.Tensor]) -> TrainBatch:
        """Returns the TrainBatch of a batch of a set.

        move: function(array, dtype=None) that returns the array as a tensor on the device.
        """
        extras = {name: move(array) for name, array in self.compute_batch_extras(batch).items()}
        action, is_random = batch.action, batch.is_random
        if batch.regret.shape[1]:
            action, is_random = batch.regret.argmin(1), np.zeros_like(is_random)
        return TrainBatch(
            move(batch.observation), move(batch.mask), move(action, torch.int64),
            move(batch.score, torch.float32), move(batch.winner, torch.int64), move(batch.fan, torch.float32),
            move(is_random), move(batch.regret), extras)

    def losses(self, output: Any, batch: TrainBatch) -> dict[str, torch.Tensor]:
        """Returns the losses of the network's output for a batch, {name: scalar tensor}. Training minimises their sum.
        """
        return {"policy": policy_loss(output, batch)}

    def policy(self, output: Any, masks: torch.Tensor) -> torch.Tensor:
        """Returns logits of the actions, real[B, 235], of the network's output. Callers ignore illegal actions."""
        return output


def load_recipe(name: str, recipes: dict[str, str] = RECIPES) -> Recipe:
    """Returns a new recipe by its name in a registry.

    recipes: the registry, {name: "MODULE:CLASS"}.
    Raises MahjongError: the registry has no such name.
    """
    if name not in recipes:
        near = difflib.get_close_matches(name, recipes, n=1, cutoff=0.0)[0]
        raise MahjongError("expected a recipe, one of %s, got %r; did you mean %r?", ", ".join(recipes), name, near)
    recipe = pkgutil.resolve_name(recipes[name])()
    recipe.name = name
    return recipe


def mask_logits(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Returns logits in float32, minus infinity for illegal actions. Both tensors are [B, 235]."""
    return torch.where(masks, logits.float(), -torch.inf)


def policy_loss(logits: torch.Tensor, batch: TrainBatch) -> torch.Tensor:
    """Returns the cross entropy of a policy, real[B, 235], among the legal actions.

    With a teacher the target is a mixture of nearly equal actions. Without a teacher it is the action played, and
    random actions do not count.
    """
    if batch.regret.shape[1]:
        chances = torch.softmax(mask_logits(batch.regret.float() * (-REGRET_UNIT / SOFTNESS), batch.mask), 1)
        return functional.cross_entropy(torch.where(batch.mask, logits.float(), _IMPOSSIBLE), chances)
    losses = functional.cross_entropy(mask_logits(logits, batch.mask), batch.action, reduction="none")
    return average_chosen(losses, ~batch.is_random)


def average_chosen(values: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """Returns the mean of the values [B] where `chosen`, bool[B], is True; 0 if it is True nowhere."""
    return torch.where(chosen, values, 0).sum() / chosen.sum().clamp(min=1)


def encode_outcomes(batch: TrainBatch) -> torch.Tensor:
    """Returns how each game ended for the deciding seat, int64[B] of indices in network.forward.OUTCOMES."""
    # A seat that pays for a win loses at least 16 points. When another seat dealt in, it loses 8.
    lost = torch.where(batch.score < -8, 1, 2)
    return torch.where(batch.winner < 0, 3, torch.where(batch.winner == 0, 0, lost))


def value_losses(answer: Prediction, batch: TrainBatch) -> dict[str, torch.Tensor]:
    """Returns the losses of a value head, {name: scalar tensor}.

    answer: Prediction of the network. batch: its columns score, winner and fan are used.
    """
    score = functional.mse_loss(answer.score.float(), batch.score / SCORE_UNIT)
    outcome = functional.cross_entropy(answer.outcome.float(), encode_outcomes(batch))
    fan = (answer.fan.float() - torch.log2(batch.fan.clamp(min=8) / 8)) ** 2
    return {"score": 0.5 * score, "outcome": 0.25 * outcome, "fan": 0.1 * average_chosen(fan, batch.winner == 0)}
