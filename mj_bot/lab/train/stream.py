"""Reads a set of games as endless batches on the device, which threads prepare ahead."""

import os
from collections.abc import Iterator
from functools import partial

import numpy as np
import torch

from ...mahjong.errors import MahjongError
from ..dataset import reader
from .recipe import Recipe, TrainBatch

_WORKERS = os.cpu_count() or 1
_AHEAD = 2  # number of finished batches that may wait
# Threads replay games, and each of them takes some 250 MB.
_MOST_WORKERS = 8


def read_batches(
        dataset: reader.Dataset, size: int, seed: int, *, epoch: int = 0,
        first: int = 0) -> Iterator[tuple[int, int, reader.Batch]]:
    """Yields (epoch, index of the batch in its epoch, Batch) of the training decisions, without end.

    The arguments determine the batches, so that a run continues with the batches that it would have had.
    size: rows per batch; a shorter rest at the end of an epoch is left out. seed: seed of the order.
    epoch, first: epoch and index of the first batch to yield.
    Raises MahjongError: the set has fewer training decisions than one batch.
    """
    while True:
        most = 0
        batches = dataset.batches("train", size, (seed << 20) + epoch, workers=min(_WORKERS, _MOST_WORKERS))
        for index, batch in enumerate(batches):
            most = max(most, len(batch.action))
            if index >= first and len(batch.action) == size:
                yield epoch, index, batch
        if most < size:
            raise MahjongError("expected at least a batch of %d decisions to train on, got %d", size, most)
        epoch, first = epoch + 1, 0


# run_ahead(make, items) yields make(item) for each item, in order, while a thread per core makes the next ones.
run_ahead = partial(reader.run_ahead, workers=_WORKERS, ahead=_AHEAD)


def move(array: np.ndarray, dtype: torch.dtype | None = None, *, device: str) -> torch.Tensor:
    """Returns a numpy array as a tensor on a device.

    dtype: type of the tensor; None keeps the array's own type. device: name for torch.
    """
    tensor = torch.from_numpy(np.ascontiguousarray(array))
    if device != "cpu":
        tensor = tensor.pin_memory().to(device, non_blocking=True)
    return tensor if dtype is None else tensor.to(dtype)


def move_batch(recipe: Recipe, batch: reader.Batch, device: str, *, rank: int = 0, count: int = 1) -> TrainBatch:
    """Returns a batch as a TrainBatch on a device. Process `rank` of `count` gets rows rank, rank + count, ..."""
    batch = type(batch)(*(column[rank::count] for column in batch))
    return recipe.collect(batch, partial(move, device=device))
