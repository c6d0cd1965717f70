"""Polynomials in the number of sets (0..4) and pairs (0..1) as float64[10], at 2 * sets + pairs."""

from ....worth.rows import SLOTS
from ...engine.compile import jit_part


@jit_part
def clear(polynomial):
    """Sets a polynomial to 0."""
    for slot in range(SLOTS):
        polynomial[slot] = 0.0


@jit_part
def add_scaled(one, scale, total):
    """Adds `scale` times a polynomial to `total`."""
    for slot in range(SLOTS):
        total[slot] += scale * one[slot]


@jit_part
def add_product(one, other, scale, sets, total):
    """Adds `scale` times the product, as far as `sets` sets and one pair, to `total`, which is neither of the two."""
    for done in range(sets + 1):
        none = scale * one[2 * done]
        pair = scale * one[2 * done + 1]
        if none == 0.0 and pair == 0.0:
            continue
        for more in range(sets + 1 - done):
            total[2 * (done + more)] += none * other[2 * more]
            total[2 * (done + more) + 1] += none * other[2 * more + 1] + pair * other[2 * more]


@jit_part
def set_product(one, other, sets, product):
    """Writes the product, as far as `sets` sets and one pair, into `product`, which is neither of the two."""
    clear(product)
    add_product(one, other, 1.0, sets, product)


@jit_part
def join(one, other, sets):
    """The product's coefficient of `sets` sets and one pair."""
    total = 0.0
    for slot in range(2 * sets + 2):
        total += one[slot] * other[2 * sets + 1 - slot]
    return total
