"""Several processes under torchrun train one network.

All must hold the same weights to the bit: gradients are averaged before each step, and all decide alike on each step.
"""

import contextlib
import os

import numpy as np
import torch
# Imported before any group exists: functions there keep the group that exists at their import for good. Its threads
# would outlive leave_ranks and now and then abort a process that is ending.
import torch.distributed.nn  # noqa: F401
from torch import distributed

from .files import lock_new_folder


class Ranks(object):
    """The processes of a run. number: of this one. count: of all. gpu: the number of its GPU, None for any."""

    def __init__(self, number=0, count=1, gpu=None):
        self.number = number
        self.count = count
        self.gpu = gpu

    @property
    def is_first(self):
        """Whether this process is the one that logs and saves."""
        return self.number == 0

    def collect(self, value):
        """[value of process 0, of process 1, ...]; values are pickled."""
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
        """Sets each of a list of real tensors on one device to its mean over the processes."""
        if self.count == 1 or not tensors:
            return
        flat = torch.cat([tensor.flatten() for tensor in tensors])
        distributed.all_reduce(flat)
        flat /= self.count
        for tensor, part in zip(tensors, flat.split([tensor.numel() for tensor in tensors])):
            tensor.copy_(part.view(tensor.shape))


ALONE = Ranks()


def join_ranks():
    """The Ranks under torchrun, after all processes have come here; ALONE without torchrun."""
    count = int(os.environ.get("WORLD_SIZE", 1))
    if count == 1:
        return ALONE
    gpu = int(os.environ["LOCAL_RANK"])
    if torch.cuda.is_available():
        torch.cuda.set_device(gpu)
    if not distributed.is_initialized():
        # Collected values go through the processor. Averaged tensors stay on their device.
        distributed.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    return Ranks(distributed.get_rank(), count, gpu)


def hold_first(folder):
    """As files.lock_new_folder, by the first of the processes under torchrun; nothing for the others."""
    return lock_new_folder(folder) if os.environ.get("RANK", "0") == "0" else contextlib.nullcontext()


def leave_ranks():
    """Ends the group of processes; to be called when nothing is left to share."""
    if distributed.is_initialized():
        distributed.destroy_process_group()
