"""Endless batches on the device, prepared while the device works on earlier ones."""

import os
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import torch

from .recipe import TrainBatch

_WORKERS = os.cpu_count() or 1
_AHEAD = 2
# Of those that unfold games; each holds some 250 MB.
_MOST_WORKERS = 8


class Stream(object):
    """The training batches of a Dataset from a place on; the same place gives the same batches.

    epoch, batch: the place of the next batch.
    """

    def __init__(self, dataset, size, seed, epoch=0, batch=0):
        self._dataset = dataset
        self._size = size
        self._seed = seed
        self.epoch = epoch
        self.batch = batch

    def __iter__(self):
        while True:
            batches = self._dataset.batches("train", self._size, (self._seed << 20) + self.epoch,
                                            workers=min(_WORKERS, _MOST_WORKERS))
            for number, batch in enumerate(batches):
                # A shorter batch, at the end of an epoch, would make torch.compile compile the network again.
                if number >= self.batch and len(batch.action) == self._size:
                    yield self.epoch, number, batch
            self.epoch += 1
            self.batch = 0


def run_ahead(make, items):
    """Yields make(item) for each of items in order, some made ahead by threads."""
    with ThreadPoolExecutor(_WORKERS) as executor:
        waiting = deque()
        try:
            for item in items:
                waiting.append(executor.submit(make, item))
                if len(waiting) > _WORKERS + _AHEAD:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def move_batch(recipe, batch, device, rank=0, count=1):
    """The TrainBatch of a dataset.Batch on a device: of its rows every count-th from `rank` on."""
    batch = type(batch)(*(column[rank::count] for column in batch))

    def move(array, dtype=None):
        tensor = torch.from_numpy(array)
        if device.startswith("cuda"):
            tensor = tensor.pin_memory().to(device, non_blocking=True)
        return tensor if dtype is None else tensor.to(dtype)

    facts = {name: move(array) for name, array in recipe.find_facts(batch.observation).items()}
    return TrainBatch(
        move(batch.observation), move(batch.mask), move(batch.action, torch.int64), move(batch.score, torch.float32),
        move(batch.winner, torch.int64), move(batch.fan, torch.float32), move(batch.is_stray), facts)
