"""What a recipe is: encoder, network, heads and schedule; the registry of recipes; losses that several share."""

import difflib
import importlib
from collections import namedtuple

import torch
from torch.nn import functional

from ...mahjong.errors import MahjongError
from ...network.forward import SCORE_UNIT

RECIPES = {
    "ours": "mj_bot.lab.train.recipes.ours:Ours",
    "small": "mj_bot.lab.train.recipes.ours:Small",
    "rl-final": "mj_bot.lab.train.recipes.rl_final:RlFinal",
    "haibara": "mj_bot.lab.train.recipes.haibara:Haibara",
    "fox": "mj_bot.lab.train.recipes.fox:Fox",
    "res600": "mj_bot.lab.train.recipes.res600:Res600",
    "suphx": "mj_bot.lab.train.recipes.suphx:Suphx",
}

# A batch on the device. observations: uint8[B, OBSERVATION_SIZE]. masks: bool[B, 235]. actions: int64[B]. scores:
# real[B], in points.
# winners: int64[B], offset of the winning seat, -1 for none. fans: real[B]. strays: bool[B], actions made at random.
# facts: dict of tensors [B, ...], what Recipe.find_facts found.
Rows = namedtuple("Rows", "observations masks actions scores winners fans strays facts")

# optimiser: "adamw" or "sgd". rate: the highest, after a warm-up over a share of the samples; it ends at 0 along a
# cosine. decay: of the weights. clip: of the gradient's norm.
Schedule = namedtuple("Schedule", "batch_size optimiser rate warmup decay clip")


class Recipe(object):
    """Base of all recipes.

    schedule: Schedule.
    """

    name = ""
    schedule = Schedule(batch_size=1024, optimiser="adamw", rate=1e-3, warmup=0.02, decay=1e-2, clip=1.0)

    def make_network(self):
        """A new torch.nn.Module; called with what encode returns."""
        raise NotImplementedError

    def encode(self, observations, facts, ops):
        """What the network takes in, made on the device from uint8[B, OBSERVATION_SIZE] and facts.

        ops: network.ops.TorchOps of that device.
        """
        raise NotImplementedError

    def find_facts(self, observations):
        """What the processor finds in observations, numpy uint8[B, OBSERVATION_SIZE]: a dict of arrays [B, ...]."""
        return {}

    def losses(self, output, rows):
        """{name: loss}; their sum is minimised."""
        raise NotImplementedError

    def policy(self, output, masks):
        """Logits of the 235 actions, real[B, 235], of what the network gave; legal ones alone count."""
        raise NotImplementedError


def load_recipe(name):
    """A new recipe by its name.

    Raises MahjongError: a name that is none.
    """
    if name not in RECIPES:
        near = difflib.get_close_matches(name, RECIPES, n=1, cutoff=0.0)[0]
        raise MahjongError("expected a recipe, one of %s, got %r; did you mean %r?" % (", ".join(RECIPES), name, near))
    module_name, class_name = RECIPES[name].split(":")
    recipe = getattr(importlib.import_module(module_name), class_name)()
    recipe.name = name
    return recipe


def mask_logits(logits, masks):
    """Logits in float32, illegal actions at minus infinity."""
    return torch.where(masks, logits.float(), -torch.inf)


def policy_loss(logits, rows):
    """Cross entropy of what was done among the legal actions; actions made at random do not count."""
    losses = functional.cross_entropy(mask_logits(logits, rows.masks), rows.actions, reduction="none")
    return mean_of(losses, ~rows.strays)


def mean_of(values, chosen):
    """Mean of the values [B] where chosen bool[B]; 0 where none is."""
    return torch.where(chosen, values, 0).sum() / chosen.sum().clamp(min=1)


def tell_outcomes(rows):
    """Place in network.forward.OUTCOMES of what each game came to, int64[B]."""
    # A win of 8 fan costs 16 points at the least, one on a third one's tile 8.
    lost = torch.where(rows.scores < -8, 1, 2)
    return torch.where(rows.winners < 0, 3, torch.where(rows.winners == 0, 0, lost))


def value_losses(answer, rows):
    """Losses of the value head of a network.forward.Answer."""
    score = functional.mse_loss(answer.score.float(), rows.scores / SCORE_UNIT)
    outcome = functional.cross_entropy(answer.outcome.float(), tell_outcomes(rows))
    fan = (answer.fan.float() - torch.log2(rows.fans.clamp(min=8) / 8)) ** 2
    return {"score": 0.5 * score, "outcome": 0.25 * outcome, "fan": 0.1 * mean_of(fan, rows.winners == 0)}
