"""Pending decisions in compiled code: the rows of a game, legal actions as bits, random choices among them.

mask: uint64[4], bit a set where action a, 0..255, is legal.
"""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.compiled import bit_count, mix
from ...mahjong.splitmix import STEP


@jit_part
def end_of_game(pending, start):
    """The row after those of the game whose rows begin at `start`."""
    end = start + 1
    while end < len(pending) and pending[end].game == pending[start].game:
        end += 1
    return end


@jit_part
def is_legal(mask, action):
    return mask[action >> 6] >> np.uint64(action & 63) & np.uint64(1) == 1


@jit_part
def allow(mask, action):
    mask[action >> 6] |= np.uint64(1) << np.uint64(action & 63)


@jit_part
def count_legal(mask):
    count = 0
    for word in range(4):
        count += bit_count(np.int64(mask[word]))
    return count


@jit_part
def nth_legal(mask, n):
    """The legal action number n, 0 the lowest; -1 where there are fewer."""
    for word in range(4):
        bits = mask[word]
        count = bit_count(np.int64(bits))
        if n < count:
            for _ in range(n):
                bits &= bits - np.uint64(1)
            lowest = bits & (~bits + np.uint64(1))
            return 64 * word + bit_count(np.int64(lowest - np.uint64(1)))
        n -= count
    return -1


@jit_part
def pick_legal(mask, number):
    """A legal action by a random uint64, all equally likely."""
    count = np.uint64(count_legal(mask))
    return nth_legal(mask, np.int64((number >> np.uint64(32)) * count >> np.uint64(32)))


@jit
def random_actions(pending, state, actions):
    """Writes a random legal action for each row of pending into int16 actions. state: uint64[1], at first the seed."""
    for row in range(len(pending)):
        number = mix(state[0])
        state[0] += np.uint64(STEP)
        actions[row] = pick_legal(pending[row].mask, number)
