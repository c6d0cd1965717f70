"""Lets several processes under torchrun train one network together.

Their weights are equal to the bit at any time, because their gradients are averaged.
"""

import contextlib
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch

# Imported before any group exists: its functions would keep the group, whose threads then outlive leave_ranks and
# sometimes abort a process at its end.
import torch.distributed.nn  # noqa: F401
from torch import distributed

from .files import lock_new_folder


class Ranks(object):
    """Describes the processes that train together, and exchanges values between them.

    rank: the number of this process, from 0. count: number of processes. gpu: number of its GPU, None for any.
    All processes must call a method of exchange at the same point of their work.
    """

    def __init__(self, rank: int = 0, count: int = 1, gpu: int | None = None):
        self.rank, self.count, self.gpu = rank, count, gpu

    @property
    def is_first(self) -> bool:
        """Checks whether this process is number 0, the one that logs and saves."""
        return self.rank == 0

    def collect(self, value: Any) -> list:
        """Returns the values of all processes, [value of process 0, of process 1, ...]. The values are pickled."""
        if self.count == 1:
            return [value]
        values = [None] * self.count
        distributed.all_gather_object(values, value)
        return values

    def join(self, array: np.ndarray) -> np.ndarray:
        """Returns the arrays of all processes, one after another along the first axis."""
        return np.concatenate(self.collect(array))

    def mean(self, value: float) -> float:
        """Returns the mean of the numbers of all processes."""
        return sum(self.collect(value)) / self.count

    def average(self, tensors: Sequence[torch.Tensor]) -> None:
        """Replaces tensors by their means over the processes. tensors: real, all on one device."""
        if self.count == 1 or not tensors:
            return
        flat = torch.cat([tensor.flatten() for tensor in tensors])
        distributed.all_reduce(flat)
        flat /= self.count
        for tensor, mean in zip(tensors, flat.split([tensor.numel() for tensor in tensors])):
            tensor.copy_(mean.view(tensor.shape))


# The Ranks of a process that trains alone.
ALONE = Ranks()


def join_ranks() -> Ranks:
    """Returns the Ranks of the processes under torchrun once all of them call this; ALONE without torchrun."""
    count = int(os.environ.get("WORLD_SIZE", 1))
    if count == 1:
        return ALONE
    gpu = int(os.environ["LOCAL_RANK"])
    if torch.cuda.is_available():
        torch.cuda.set_device(gpu)
    if not distributed.is_initialized():
        # gloo collects values, nccl averages tensors on the GPU.
        distributed.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    return Ranks(distributed.get_rank(), count, gpu)


def lock_by_first(folder: str) -> AbstractContextManager:
    """Returns a context in which the first process under torchrun has locked a folder; other processes do nothing."""
    return lock_new_folder(folder) if os.environ.get("RANK", "0") == "0" else contextlib.nullcontext()


def leave_ranks() -> None:
    """Ends the group of processes, when nothing more is exchanged."""
    if distributed.is_initialized():
        distributed.destroy_process_group()
