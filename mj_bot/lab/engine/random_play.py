"""Random legal play in compiled code."""

import numpy as np

from .bits import bit_count
from .compile import jit
from .sources import next_random


def random_seeds(seed):
    """State of random_actions: uint64[1]."""
    return np.array([seed], np.uint64)


@jit
def random_actions(owed, state, actions):
    """Writes one legal action for each row of owed, all equally likely, into int16 actions; state from random_seeds."""
    for at in range(len(owed)):
        mask = owed[at].mask
        count = 0
        for word in range(4):
            count += bit_count(mask[word])
        pick = np.int64((next_random(state) >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))
        for word in range(4):
            bits = mask[word]
            here = bit_count(bits)
            if pick < here:
                for _ in range(pick):
                    bits &= bits - np.uint64(1)
                actions[at] = 64 * word + bit_count((bits & (~bits + np.uint64(1))) - np.uint64(1))
                break
            pick -= here
