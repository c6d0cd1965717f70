"""Endless batches on the device, prepared ahead by threads."""

import os
from functools import partial

import numpy as np
import torch

from ...mahjong.errors import MahjongError
from ..dataset import reader

_WORKERS = os.cpu_count() or 1
_AHEAD = 2
# Threads that replay games; each takes some 250 MB.
_MOST_WORKERS = 8


def read_batches(dataset, size, seed, *, epoch=0, first=0):
    """Yields (epoch, number, dataset.Batch) of the training batches, without end; the same call gives the same batches.

    epoch, first: of the first batch.
    Raises MahjongError: the set has fewer training decisions than a batch.
    """
    while True:
        most = 0
        batches = dataset.batches("train", size, (seed << 20) + epoch, workers=min(_WORKERS, _MOST_WORKERS))
        for number, batch in enumerate(batches):
            most = max(most, len(batch.action))
            # A shorter batch, at the end of an epoch, would make torch.compile compile the network again.
            if number >= first and len(batch.action) == size:
                yield epoch, number, batch
        if most < size:
            raise MahjongError("expected at least a batch of %d decisions to train on, got %d" % (size, most))
        epoch, first = epoch + 1, 0


# run_ahead(make, items), with a thread for each core.
run_ahead = partial(reader.run_ahead, workers=_WORKERS, ahead=_AHEAD)


def move(array, dtype=None, *, device):
    """A numpy array as a tensor on a device. dtype: None for the array's own."""
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    if device != "cpu":
        tensor = tensor.pin_memory().to(device, non_blocking=True)
    return tensor if dtype is None else tensor.to(dtype)


def move_batch(recipe, batch, device, *, rank=0, count=1):
    """The TrainBatch of a dataset.Batch on a device, of every count-th row from `rank` on."""
    batch = type(batch)(*(column[rank::count] for column in batch))
    return recipe.collect(batch, partial(move, device=device))
