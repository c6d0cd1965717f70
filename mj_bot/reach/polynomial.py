"""Polynomials in the number of sets (0..4) and pairs (0..1): float64[..., 5, 2], the last axes sets and pairs."""

import numpy as np

from .rows import MAX_SETS


def multiply(one, other, sets):
    """The product as far as `sets` sets and one pair; leading axes are broadcast."""
    shape = np.broadcast(one[..., 0, 0], other[..., 0, 0]).shape
    product = np.zeros(shape + (MAX_SETS + 1, 2))
    for done in range(sets + 1):
        rest = sets + 1 - done
        product[..., done:sets + 1, :] += one[..., done, 0, None, None] * other[..., :rest, :]
        product[..., done:sets + 1, 1] += one[..., done, 1, None] * other[..., :rest, 0]
    return product


def join(one, other, sets):
    """The product's coefficient of `sets` sets and one pair alone, float64[...]."""
    total = 0.0
    for done in range(sets + 1):
        total = total + one[..., done, 0] * other[..., sets - done, 1] + one[..., done, 1] * other[..., sets - done, 0]
    return total
