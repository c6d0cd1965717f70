"""Processes under torchrun train one network, with the same weights to the bit, as gradients are averaged."""

import contextlib
import os

import numpy as np
import torch
# Imported before any group exists: its functions would keep the group, whose threads then outlive leave_ranks and
# sometimes abort a process at its end.
import torch.distributed.nn  # noqa: F401
from torch import distributed

from .files import lock_new_folder


class Ranks(object):
    """The processes of a run. number: of this one. gpu: number of its GPU, None for any."""

    def __init__(self, number=0, count=1, gpu=None):
        self.number, self.count, self.gpu = number, count, gpu

    @property
    def is_first(self):
        """Whether this process logs and saves."""
        return self.number == 0

    def collect(self, value):
        """[value of process 0, of process 1, ...]; they are pickled."""
        if self.count == 1:
            return [value]
        values = [None] * self.count
        distributed.all_gather_object(values, value)
        return values

    def join(self, array):
        """The arrays of all processes, one after another."""
        return np.concatenate(self.collect(array))

    def mean(self, number):
        """The mean of all processes' numbers."""
        return sum(self.collect(number)) / self.count

    def average(self, tensors):
        """Replaces real tensors on one device by their means over the processes."""
        if self.count == 1 or not tensors:
            return
        flat = torch.cat([tensor.flatten() for tensor in tensors])
        distributed.all_reduce(flat)
        flat /= self.count
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors])):
            tensor.copy_(part.view(tensor.shape))


ALONE = Ranks()


def join_ranks():
    """The Ranks under torchrun, once all processes call this; ALONE without torchrun."""
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


def lock_by_first(folder):
    """As files.lock_new_folder, in the first of the processes under torchrun; an empty context in the others."""
    return lock_new_folder(folder) if os.environ.get("RANK", "0") == "0" else contextlib.nullcontext()


def leave_ranks():
    """Ends the group of processes, when nothing is left to share."""
    if distributed.is_initialized():
        distributed.destroy_process_group()
