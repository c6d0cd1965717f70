"""Several processes under torchrun learn one policy: each plays its share of the games and learns from its own notes.

Gradients are averaged before every step, and whatever decides on one is agreed on, so that all processes hold the same
weights to the bit.
"""

import dataclasses
import os

import numpy as np
import torch
# Before any group exists: the functions there take the group of their import for good, which would then outlive
# leave_ranks with its threads, and those end a process that is itself ending by an abort, now and then.
import torch.distributed.nn  # noqa: F401
from torch import distributed

from ...mahjong.errors import MahjongError
from ..rl.config import check_config


class Ranks(object):
    """The processes of a run. number: of this one; count: of all. gpu: number of this one's, None where any will do."""

    def __init__(self, number=0, count=1, gpu=None):
        self.number = number
        self.count = count
        self.gpu = gpu

    @property
    def is_first(self):
        """Whether this process is the one that tells and saves."""
        return self.number == 0

    def share(self, config):
        """config.Config with the games of an iteration that one process plays: whole walls, and whole matches.

        Raises MahjongError: they cannot be shared so.
        """
        games, rest = divmod(config.run.games_an_iteration, self.count)
        if rest:
            raise MahjongError("expected games an iteration that %d processes can share, got %d" % (
                self.count, config.run.games_an_iteration))
        config = dataclasses.replace(config, run=dataclasses.replace(config.run, games_an_iteration=games))
        check_config(config, "each of %d processes" % self.count)
        return config

    def collect(self, value):
        """[value of process 0, of process 1, ...]; whatever pickles."""
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
    """The Ranks under torchrun, whose processes wait for each other here; elsewhere a process of its own."""
    count = int(os.environ.get("WORLD_SIZE", 1))
    if count == 1:
        return ALONE
    gpu = int(os.environ["LOCAL_RANK"])
    if torch.cuda.is_available():
        torch.cuda.set_device(gpu)
    # What is collected goes by the processor, what is averaged by where it lies.
    distributed.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo")
    return Ranks(distributed.get_rank(), count, gpu)


def leave_ranks():
    """Takes leave of the others, once nothing is left to agree on."""
    if distributed.is_initialized():
        distributed.destroy_process_group()
