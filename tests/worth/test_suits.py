"""The sums over a suit's rows, against the rows written out with the melds beside them, and products of such sums."""

import random

import numpy as np
import pytest

from mj_bot.worth import suits
from mj_bot.worth.chance import PAIR, PUNG, WANTS
from mj_bot.worth.suits import SuitMelds, join, multiply, sum_suit
from tests.worth.targets import CHOWS, PUNGS, PURE_STARTS, list_suit_rows

ROWS = list_suit_rows()


def wants_of_row(sets, pair, need):
    return [PUNG + need[rank] - 3 if (rank,) * 3 in sets else PAIR if rank == pair and need[rank] == 2 else need[rank]
            for rank in range(9)]


# Chows by their lowest rank 0..6 and pungs by rank, as melded.
MELDS = [
    ([], []), ([2], []), ([], [4]), ([0, 3], []), ([1, 1], []), ([3, 3], [7]), ([5, 5, 5], []), ([], [2, 3]),
    ([0, 3, 6], []), ([2, 4], [0]), ([1, 1], [6, 7]),
]


def draw_chances(rng, variants):
    """float64[V, 9, WANTS] of random hands, the first one's at least the others'."""
    chances = np.zeros((variants, 9, WANTS))
    for rank in range(9):
        steps = [1.0] + [rng.choice((0.0, 0.1, 0.4, 0.7, 1.0)) for _ in range(WANTS - 1)]
        for variant in range(variants):
            chances[variant, rank] = np.cumprod(steps)
            if variant == rank + 1:
                steps[1] *= 0.3
                chances[variant, rank] = np.cumprod(steps)
    return chances


def groups_of(sets, melded):
    """The numbers of the sums that a row with these melds belongs to, by their description."""
    whole = list(sets) + melded
    starts = [one[0] for one in whole if one[0] < one[1]]
    pungs = [one[0] for one in whole if one[0] == one[1]]
    groups = [suits.ALL] + [suits.NO_CHOW] * (not starts)
    if len(sets) == 4:
        return groups
    if any(set(three) <= set(starts) for three in PURE_STARTS):
        groups.append(suits.PURE)
    if any(starts.count(k) >= 3 for k in range(7)) or any({k, k + 1, k + 2} <= set(pungs) for k in range(7)):
        groups.append(suits.PURE_TRIPLE)
    for start in set(starts):
        groups += [suits.CHOW + start] + [suits.CHOW_ALONE + start] * (not pungs)
    return groups


@pytest.mark.parametrize("chows, pungs", MELDS, ids=str)
def test_sums(chows, pungs):
    rng = random.Random(str((chows, pungs)))
    melds = SuitMelds()
    for chow in chows:
        melds.add_chow(chow)
    for rank in pungs:
        melds.add_pung(rank)
    melded = [CHOWS[chow] for chow in chows] + [PUNGS[rank] for rank in pungs]
    most_sets = 4 - len(melded)
    chances = draw_chances(rng, 3)
    expected = np.zeros((3, suits.GROUPS, 5, 2))
    for sets, pair, need in ROWS:
        if len(sets) > most_sets:
            continue
        weights = chances[:, range(9), wants_of_row(sets, pair, need)].prod(axis=1)
        groups = groups_of(sets, melded)
        if len(sets) < 4:
            ranks = {rank for rank in range(9) if need[rank]}
            groups += [suits.UPPER] * (ranks <= {5, 6, 7, 8}) + [suits.LOWER] * (ranks <= {0, 1, 2, 3})
        expected[:, groups, len(sets), int(pair is not None)] += weights[:, None]
    np.testing.assert_allclose(sum_suit(chances, melds, most_sets, 0.0), expected, rtol=1e-9)


def test_unlikely_rows_are_left_out():
    chances = draw_chances(random.Random(5), 3)
    expected = np.zeros((3, 5, 2))
    for sets, pair, need in ROWS:
        weights = chances[:, range(9), wants_of_row(sets, pair, need)].prod(axis=1)
        expected[:, len(sets), int(pair is not None)] += np.where(weights >= 1e-3, weights, 0.0)
    np.testing.assert_allclose(sum_suit(chances, SuitMelds(), 4, 1e-3)[:, suits.ALL], expected, rtol=1e-9)


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
