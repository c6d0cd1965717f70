"""The base class of recipes (encoder, network, heads, schedule), their registry, and losses that several share."""

import difflib
import pkgutil
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from ...mahjong.errors import MahjongError
from ...network.forward import SCORE_UNIT
from ..dataset.teach import REGRET_UNIT
from ..run.settings_file import change_settings, check_names, parse_table
from .recipes import RECIPES

# Points of regret for which an action gets 1 / e of the share in the teacher's mixture.
SOFTNESS = 0.5
# The logit of an action that cannot be; unlike infinity, its product with 0 is 0.
_IMPOSSIBLE = -1e9
_MOST_BATCH = 1 << 20


class TrainBatch(NamedTuple):
    """A dataset.Batch as tensors on the device."""

    observation: torch.Tensor  # uint8[B, OBSERVATION_SIZE]
    mask: torch.Tensor  # bool[B, 235], the legal actions
    action: torch.Tensor  # int64[B], to learn: the teacher's best, of equals the first; without a teacher as played
    score: torch.Tensor  # real[B], points of the game
    winner: torch.Tensor  # int64[B], offset of the winning seat, -1 for none
    fan: torch.Tensor  # real[B], of the win
    is_random: torch.Tensor  # bool[B], whether the action was random; false with a teacher
    regret: torch.Tensor  # uint8[B, 235], see dataset/teach.py; [B, 0] without a teacher
    facts: dict  # of tensors [B, ...], from Recipe.compute_facts


class Schedule(NamedTuple):
    """How a recipe learns."""

    batch_size: int
    optimiser: str  # "adamw" or "sgd"
    rate: float  # the highest learning rate; from there it falls to 0 along a cosine
    warmup: float  # share of the samples in which the rate rises
    decay: float  # of the weights
    clip: float  # of the gradient's norm


def change_schedule(schedule, changes):
    """Returns a Schedule with some settings changed.

    changes: what change_settings of run/settings_file.py takes, for the table "schedule".
    Raises MahjongError: another name, or a value that is not allowed.
    """
    where = "--set"
    tables = change_settings({}, changes)
    check_names(tables, ("schedule",), where)
    changed = schedule._replace(**parse_table(Schedule.__annotations__, tables.get("schedule", {}), where))
    for name, is_good, expected in (
            ("batch_size", 1 <= changed.batch_size <= _MOST_BATCH, "1 .. %d" % _MOST_BATCH),
            ("optimiser", changed.optimiser in ("adamw", "sgd"), "adamw or sgd"),
            ("rate", 0 < changed.rate < np.inf, "a number above 0"),
            ("warmup", 0 <= changed.warmup < 1, "0 or more and below 1"),
            ("decay", 0 <= changed.decay < np.inf, "0 or more"), ("clip", 0 < changed.clip, "above 0")):
        if not is_good:
            raise MahjongError("expected schedule.%s to be %s, got %r in %s" % (
                name, expected, getattr(changed, name), where))
    return changed


class Recipe(object):
    """Base of all recipes. schedule: Schedule."""

    name = ""
    schedule = Schedule(batch_size=1024, optimiser="adamw", rate=1e-3, warmup=0.02, decay=1e-2, clip=1.0)

    def make_network(self):
        """A new torch.nn.Module, which takes the result of encode."""
        raise NotImplementedError

    def encode(self, observations, facts, dtype=torch.float32):
        """Returns the network's input in a dtype of torch, on the device of the observations.

        observations: uint8[B, OBSERVATION_SIZE], tensor. facts: of compute_facts, as tensors.
        """
        raise NotImplementedError

    def compute_facts(self, observations):
        """Facts, computed on the processor from numpy uint8[B, OBSERVATION_SIZE]: a dict of arrays [B, ...]."""
        return {}

    def compute_batch_facts(self, batch):
        """The facts of a dataset.Batch, which may have some of them."""
        return self.compute_facts(batch.observation)

    def collect(self, batch, move):
        """The TrainBatch of a dataset.Batch. move: function(array, dtype=None) that gives a tensor on the device."""
        facts = {name: move(array) for name, array in self.compute_batch_facts(batch).items()}
        action, is_random = batch.action, batch.is_random
        if batch.regret.shape[1]:
            action, is_random = batch.regret.argmin(1), np.zeros_like(is_random)
        return TrainBatch(
            move(batch.observation), move(batch.mask), move(action, torch.int64),
            move(batch.score, torch.float32), move(batch.winner, torch.int64), move(batch.fan, torch.float32),
            move(is_random), move(batch.regret), facts)

    def losses(self, output, batch):
        """{name: loss}; their sum is minimised."""
        return {"policy": policy_loss(output, batch)}

    def policy(self, output, masks):
        """Logits of the actions, real[B, 235], from the network's output; those of illegal actions are ignored."""
        return output


def load_recipe(name, recipes=RECIPES):
    """A new recipe by its name in a registry. Raises MahjongError: an unknown name."""
    if name not in recipes:
        near = difflib.get_close_matches(name, recipes, n=1, cutoff=0.0)[0]
        raise MahjongError("expected a recipe, one of %s, got %r; did you mean %r?" % (", ".join(recipes), name, near))
    recipe = pkgutil.resolve_name(recipes[name])()
    recipe.name = name
    return recipe


def mask_logits(logits, masks):
    """Logits in float32, illegal actions at minus infinity."""
    return torch.where(masks, logits.float(), -torch.inf)


def policy_loss(logits, batch):
    """Cross entropy among the legal actions: of the teacher's mixture of nearly equal ones, without a teacher of the
    actions that were not random."""
    if batch.regret.shape[1]:
        chances = torch.softmax(mask_logits(batch.regret.float() * (-REGRET_UNIT / SOFTNESS), batch.mask), 1)
        return functional.cross_entropy(torch.where(batch.mask, logits.float(), _IMPOSSIBLE), chances)
    losses = functional.cross_entropy(mask_logits(logits, batch.mask), batch.action, reduction="none")
    return mean_of(losses, ~batch.is_random)


def mean_of(values, chosen):
    """Mean of the values [B] where chosen bool[B]; 0 for none."""
    return torch.where(chosen, values, 0).sum() / chosen.sum().clamp(min=1)


def encode_outcomes(batch):
    """Place in network.forward.OUTCOMES of each game's end, int64[B]."""
    # The loser of a win pays at least 16 points, a seat that did not deal in 8.
    lost = torch.where(batch.score < -8, 1, 2)
    return torch.where(batch.winner < 0, 3, torch.where(batch.winner == 0, 0, lost))


def value_losses(answer, batch):
    """Losses of the value head of a network.forward.Answer; batch: with the columns score, winner and fan."""
    score = functional.mse_loss(answer.score.float(), batch.score / SCORE_UNIT)
    outcome = functional.cross_entropy(answer.outcome.float(), encode_outcomes(batch))
    fan = (answer.fan.float() - torch.log2(batch.fan.clamp(min=8) / 8)) ** 2
    return {"score": 0.5 * score, "outcome": 0.25 * outcome, "fan": 0.1 * mean_of(fan, batch.winner == 0)}
