"""Reads and writes pending decisions in compiled code: rows of one game, legal actions as bits, random choices.

Everywhere in this file a mask is uint64[4]; bit a of its 256 bits is set where action a is legal.
"""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.compiled import bit_count, mix
from ...mahjong.splitmix import STEP


@jit_part
def end_of_game(pending: np.ndarray, start: int) -> int:
    """Returns the index after the last row of the game whose rows begin at `start`, in DECISION[M]."""
    end = start + 1
    while end < len(pending) and pending[end].game == pending[start].game:
        end += 1
    return end


@jit_part
def is_legal(mask: np.ndarray, action: int) -> bool:
    """Checks whether the bit of an action is set in a mask."""
    return mask[action >> 6] >> np.uint64(action & 63) & np.uint64(1) == 1


@jit_part
def allow(mask: np.ndarray, action: int) -> None:
    """Sets the bit of an action in a mask."""
    mask[action >> 6] |= np.uint64(1) << np.uint64(action & 63)


@jit_part
def count_legal(mask: np.ndarray) -> int:
    """Returns the number of legal actions of a mask."""
    count = 0
    for word in range(4):
        count += bit_count(np.int64(mask[word]))
    return count


@jit_part
def nth_legal(mask: np.ndarray, index: int) -> int:
    """Returns the legal action with an index 0.. among the legal actions of a mask; -1 if there are too few."""
    for word in range(4):
        bits = mask[word]
        count = bit_count(np.int64(bits))
        if index < count:
            for _ in range(index):
                bits &= bits - np.uint64(1)
            lowest = bits & (~bits + np.uint64(1))
            return 64 * word + bit_count(np.int64(lowest - np.uint64(1)))
        index -= count
    return -1


@jit_part
def pick_legal(mask: np.ndarray, random_bits: np.uint64) -> int:
    """Returns one legal action, each equally likely. random_bits: uint64, of which the upper 32 bits decide."""
    count = np.uint64(count_legal(mask))
    return nth_legal(mask, np.int64((random_bits >> np.uint64(32)) * count >> np.uint64(32)))


@jit
def random_actions(pending: np.ndarray, state: np.ndarray, actions: np.ndarray) -> None:
    """Writes a random legal action to `actions` for each pending DECISION.

    state: uint64[1], the state of the random numbers; the caller puts the seed there once.
    """
    for row in range(len(pending)):
        random_bits = mix(state[0])
        state[0] += np.uint64(STEP)
        actions[row] = pick_legal(pending[row].mask, random_bits)
