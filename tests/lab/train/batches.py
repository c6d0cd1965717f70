"""Batches of torch tensors, and checkpoints compared, for the tests of training."""

import numpy as np
import torch

from mj_bot.lab.train.checkpoint import load_checkpoint
from mj_bot.lab.train.recipe import TrainBatch
from tests.lab.dataset.sets import play_observations


def tensors(extras):
    return {name: torch.from_numpy(array) for name, array in extras.items()}


def make_batch(count=40):
    """(observations, TrainBatch without extras) of random play."""
    observations, masks, actions = play_observations(count, games=8, seed=5)
    rng = np.random.default_rng(0)
    scores = torch.from_numpy(rng.normal(size=count).astype(np.float32))
    random_actions = torch.from_numpy(rng.random(count) < 0.3)
    return observations, TrainBatch(
        torch.from_numpy(observations), torch.from_numpy(masks), torch.from_numpy(actions.astype(np.int64)), scores,
        torch.zeros(count, dtype=torch.int64), torch.full((count,), 9.0), random_actions,
        torch.zeros((count, 0), dtype=torch.uint8), {})


def check_alike(one, other):
    """The checkpoints of two runs have the same tensors. Returns the state and the tensors of the first."""
    (state, tensors), (_, others) = (load_checkpoint(folder) for folder in (one, other))
    assert tensors.keys() == others.keys() and len(tensors) > 20
    assert all(torch.equal(tensor, others[name]) for name, tensor in tensors.items())
    return state, tensors
