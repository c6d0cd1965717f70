"""Polynomials in the number of sets (0..4) and pairs (0..1): float64[..., 5, 2], the last axes sets and pairs."""

import numpy as np

from .rows import MAX_SETS, SLOTS

# Terms are numbered 2 * sets + pairs. [i, k]: the term that gives term k with term i; SLOTS where there is none.
_COFACTORS = np.array([
    [k - i if k >= i and k % 2 >= i % 2 else SLOTS for k in range(SLOTS)] for i in range(SLOTS)
])


def multiply(one, other, sets):
    """The product as far as `sets` sets and one pair; leading axes are broadcast."""
    terms = 2 * (sets + 1)
    padded = np.zeros(other.shape[:-2] + (SLOTS + 1,))
    padded[..., :SLOTS] = other.reshape(other.shape[:-2] + (SLOTS,))
    product = one.reshape(one.shape[:-2] + (1, SLOTS))[..., :terms] @ padded[..., _COFACTORS[:terms]]
    product[..., terms:] = 0.0
    return product.reshape(product.shape[:-2] + (MAX_SETS + 1, 2))


def join(one, other, sets):
    """The product's coefficient of `sets` sets and one pair alone, float64[...]."""
    total = 0.0
    for done in range(sets + 1):
        total = total + one[..., done, 0] * other[..., sets - done, 1] + one[..., done, 1] * other[..., sets - done, 0]
    return total
