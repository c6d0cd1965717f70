"""SplitMix64 (Steele, Lea and Flood 2014): well-mixed numbers that depend only on their place.

The numbers from a seed on are mix(seed), mix(seed + STEP), mix(seed + 2 * STEP) and so on, modulo 2 ** 64.
"""

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15


def mix(number):
    """Returns the mixed number, 0 .. 2**64 - 1, of an integer. compiled.py compiles this function.

    >>> mix(0) == 0xE220A8397B1DCDAF
    True
    """
    number = (number + STEP) & MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)
