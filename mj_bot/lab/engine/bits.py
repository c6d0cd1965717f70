"""Sets of tiles and actions as bits of 64."""

import numpy as np

from .compile import jit


@jit
def bit_count(bits):
    """Number of bits set, in the form that LLVM turns into one instruction."""
    bits = np.uint64(bits)
    bits -= (bits >> np.uint64(1)) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))
