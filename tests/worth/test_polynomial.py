"""Products of polynomials in sets and pairs, against loops over their terms."""

import numpy as np
import pytest

from mj_bot.worth.polynomial import join, multiply


def multiply_by_terms(one, other, most_sets):
    product = np.zeros((5, 2))
    for done in range(5):
        for pair in range(2):
            for sets in range(5 - done):
                for other_pair in range(2 - pair):
                    product[done + sets, pair + other_pair] += one[done, pair] * other[sets, other_pair]
    product[most_sets + 1:] = 0
    return product


@pytest.mark.parametrize("most_sets", range(5))
def test_products(most_sets):
    rng = np.random.RandomState(most_sets)
    one, other = rng.rand(3, 5, 2), rng.rand(3, 5, 2)
    got = multiply(one, other, most_sets)
    joined = join(one, other, most_sets)
    for place in range(3):
        expected = multiply_by_terms(one[place], other[place], most_sets)
        np.testing.assert_allclose(got[place], expected)
        np.testing.assert_allclose(joined[place], expected[most_sets, 1])


def test_leading_axes_are_broadcast():
    rng = np.random.RandomState(7)
    one, other = rng.rand(2, 3, 5, 2), rng.rand(3, 5, 2)
    got = multiply(one, other, 4)
    assert got.shape == (2, 3, 5, 2)
    np.testing.assert_allclose(got[1, 2], multiply_by_terms(one[1, 2], other[2], 4))
