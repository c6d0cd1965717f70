"""How many threads torch takes."""

import multiprocessing

import torch


def share_processors():
    """Leaves torch one thread where this is one of many workers: the processors are shared out already, and threads
    that wait for each other take all of them."""
    if multiprocessing.parent_process() is not None:
        torch.set_num_threads(1)
