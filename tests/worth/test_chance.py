"""The chances of missing tiles, against every way and order in which the unseen copies may come."""

import numpy as np
import pytest

from mj_bot.worth.chance import (
    CLASS_OF, CLASSES, CONCEALED, ENTRIES, FOR_NOTHING, FOR_ONE_CHOW, FOR_PAIR, FOR_PUNG, FOR_PUNG_AND_CHOW,
    base_share, tabulate_chances)
from mj_bot.worth.parameters import PARAMETERS
from tests.worth.targets import class_of, compute_chance

OTHERS = PARAMETERS._replace(sharpness=1.5, chow_claims=0.7, pair_claims=0.2, pung_claims=0.9, concealed_claims=0.3)
WANTS = {
    FOR_PAIR: (2, "pair"), FOR_PUNG: (3, "pung"), FOR_PUNG_AND_CHOW: (4, "pung"),
    **{FOR_ONE_CHOW + more: (1 + more, "chow") for more in range(4)},
    **{CONCEALED + copies: (copies, "concealed") for copies in range(1, 5)},
}


@pytest.mark.parametrize("draws, unseen, expected", [(20, 100, 0.1), (0, 100, 0.005), (2, 0, 1.0)],
                         ids=["usual", "no draw left counts as one", "no unseen tile"])
def test_base_share(draws, unseen, expected):
    assert base_share(draws, unseen, 0.5) == pytest.approx(expected)


def test_classes():
    assert [CLASS_OF[tile] for tile in range(34)] == [class_of(tile) for tile in range(34)]


@pytest.mark.parametrize("parameters", [PARAMETERS, OTHERS], ids=["tuned", "others"])
@pytest.mark.parametrize("base", [0.01, 0.08, 0.4])
def test_chances(base, parameters):
    table = tabulate_chances(base, parameters)
    assert table.shape == (CLASSES, 5, 5, ENTRIES)
    assert set(WANTS) | {FOR_NOTHING} == set(range(ENTRIES))
    for kind in range(CLASSES):
        for unseen in range(5):
            for held in range(5 - unseen):
                assert table[kind, unseen, held, FOR_NOTHING] == 1
                for entry, want in WANTS.items():
                    expected = compute_chance(base, parameters, kind, unseen, held, want)
                    assert table[kind, unseen, held, entry] == pytest.approx(expected), (kind, unseen, held, want)


def test_many_positions_at_once():
    bases = np.array([[0.02, 0.1], [0.2, 0.05]])
    table = tabulate_chances(bases, PARAMETERS)
    np.testing.assert_array_equal(table[1, 0], tabulate_chances(0.2, PARAMETERS))
