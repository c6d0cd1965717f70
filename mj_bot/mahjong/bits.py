"""Sets of tiles as the bits of a number, bit t for tile t."""

from ..jit import jit_part


@jit_part
def bit_count(bits):
    """Number of bits set in an int64, in the form that LLVM turns into one instruction."""
    bits -= bits >> 1 & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F0F0F
    return bits * 0x0101010101010101 >> 56 & 255
