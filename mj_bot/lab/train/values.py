"""Fits the value head of a network anew, for networks that learnt by play with another network as the critic."""

import torch

from ...network.ops import TorchOps
from ..run.progress import Progress
from .recipe import load_recipe, value_losses
from .stream import move_batch, read_batches

SAMPLES = 1 << 20
_SIZE, _RATE = 1024, 1e-3


def fit_values(network, dataset, samples=SAMPLES):
    """Fits the value head of a TileNetwork, on the processor, to the ends of the games of a set.

    The policy does not change: it shares no layer with the head. samples: decisions, in whole batches of 1024.
    """
    recipe, ops = load_recipe("ours"), TorchOps("cpu")
    network.requires_grad_(False)
    heads = [*network.hidden.requires_grad_().parameters(), *network.value.requires_grad_().parameters()]
    optimiser = torch.optim.Adam(heads, _RATE)
    steps = samples // _SIZE
    decay = torch.optim.lr_scheduler.LinearLR(optimiser, 1, 0, steps)
    batches = read_batches(dataset, _SIZE, seed=0)
    with Progress(samples, unit=" samples") as bar:
        for _ in range(steps):
            batch = move_batch(recipe, next(batches)[2], "cpu")
            losses = value_losses(network(recipe.encode(batch.observation, batch.facts, ops)), batch)
            optimiser.zero_grad()
            sum(losses.values()).backward()
            optimiser.step()
            decay.step()
            bar.update(len(batch.score))
    batches.close()
    network.requires_grad_(False)
