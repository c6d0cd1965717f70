"""Computes the random numbers of SplitMix64 (Steele, Lea and Flood 2014).

Number n = 0, 1, 2 ... of a seed is mix(seed + n * STEP), and needs none of the numbers before it.
"""

# Results are kept below 2 ** 64.
MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mix(value: int) -> int:
    """Returns a number 0 .. 2**64 - 1 that depends on every bit of an integer. Compiled code calls this too."""
    value = (value + STEP) & MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)
