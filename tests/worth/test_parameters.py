"""The parameters of the search: which values are taken."""

import numpy as np
import pytest

from mj_bot.mahjong.errors import UnknownTacticError
from mj_bot.tactic import load_tactic
from mj_bot.tactic.search import SearchTactic
from mj_bot.worth.parameters import PARAMETER_LIMITS, PARAMETERS
from tests.tactic.positions import list_golden_decisions


@pytest.fixture(scope="module")
def decisions():
    observations, masks, _ = list_golden_decisions(load_tactic("random"), 91, 40)
    rows = ~masks[:, 1]
    return observations[rows], masks[rows]


@pytest.mark.parametrize("name", PARAMETERS._fields)
def test_values_at_the_limits_have_finite_points(name, decisions):
    assert PARAMETER_LIMITS[name][0] <= getattr(PARAMETERS, name) <= PARAMETER_LIMITS[name][1]
    for value in PARAMETER_LIMITS[name]:
        with np.errstate(invalid="raise", divide="raise"):
            evaluation = SearchTactic(**{name: value}).evaluate(*decisions)
        assert np.isfinite(evaluation.points[decisions[1]]).all()


@pytest.mark.parametrize("spec, told", [
    ("search:horizon=-1", "expected 0 .. 1 for horizon, got -1"),
    ("search:sharpness=0", "expected 0.5 .. 10 for sharpness, got 0"),
    ("search:correction=0.5", "expected a whole number 0 .. 1 for correction, got 0.5"),
    ("search:next_draw=2", "expected a whole number 0 .. 1 for next_draw, got 2"),
    ("search:danger=nan", "expected 0 .. 20 for danger, got nan"), ("cnn:torch=2", "expected a whole number 0 .. 1"),
])
def test_values_outside_the_limits(spec, told):
    """horizon=-1 was loaded, its points were NaN, and it was handed in; correction=0.5 was silently on."""
    with pytest.raises(UnknownTacticError) as raised:
        load_tactic(spec)
    assert told in str(raised.value)
