"""Owed decisions in compiled code: the rows of a game, legal actions as bits, random choices among them."""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.bits import bit_count
from ...mahjong.compiled import mix
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
    """Whether an action, 0..255, is one of a mask, uint64[4]."""
    return mask[action >> 6] >> np.uint64(action & 63) & np.uint64(1) == 1


@jit_part
def allow(mask, action):
    """Makes an action, 0..255, one of a mask, uint64[4]."""
    mask[action >> 6] |= np.uint64(1) << np.uint64(action & 63)


@jit_part
def count_legal(mask):
    """Number of legal actions of a mask, uint64[4]."""
    count = 0
    for word in range(4):
        count += bit_count(np.int64(mask[word]))
    return count


@jit_part
def nth_bit(bits, n):
    """Place of the bit number n, 0 the lowest, of a uint64 that has more."""
    for _ in range(n):
        bits &= bits - np.uint64(1)
    return bit_count(np.int64((bits & (~bits + np.uint64(1))) - np.uint64(1)))


@jit_part
def nth_legal(mask, n):
    """The legal action number n, 0 the lowest; -1 where there are not so many."""
    for word in range(4):
        here = bit_count(np.int64(mask[word]))
        if n < here:
            return 64 * word + nth_bit(mask[word], n)
        n -= here
    return -1


@jit_part
def pick_legal(mask, number):
    """The legal action at the place of a random uint64, all equally likely."""
    count = np.uint64(count_legal(mask))
    return nth_legal(mask, np.int64((number >> np.uint64(32)) * count >> np.uint64(32)))


@jit
def random_actions(pending, state, actions):
    """Writes one legal action for each row of pending, all equally likely, into int16 actions.

    state: uint64[1], the seed at first.
    """
    for row in range(len(pending)):
        number = mix(state[0])
        state[0] += np.uint64(STEP)
        actions[row] = pick_legal(pending[row].mask, number)
