"""The parameters of the search, which values are taken, and the fitted numbers."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from mj_bot.mahjong.errors import MahjongError, UnknownTacticError
from mj_bot.sources import COMPILED_ROOMS, digest_sources, list_room_files
from mj_bot.tactic import load_tactic
from mj_bot.tactic.search import SearchTactic
from mj_bot.worth import correction, danger, parameters
from mj_bot.worth.chance import CLASS_NAMES
from mj_bot.worth.parameters import FITTED, PARAMETER_LIMITS, PARAMETERS, list_weights
from tests.tactic.positions import list_golden_decisions

FILE = Path(parameters.__file__).with_name("fitted.json")


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


def test_the_features_are_those_that_were_fitted():
    """A feature with another name would silently have the weight 0."""
    calibrated = FITTED["calibrate"]
    assert list(calibrated["danger"]["weights"]) == list(danger.DANGER_FEATURES)
    assert list(calibrated["arrivals"]) == list(CLASS_NAMES)
    for column in ("weights", "standard_errors"):
        assert list(FITTED["correction"][column]) == list(dict.fromkeys(correction.CORRECTION_FEATURES))


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "0.3", None])
def test_other_values_than_numbers_are_refused_where_they_are_read(value):
    """They ended as a ZeroDivisionError, or as an error of the compiler, in the middle of a review."""
    with pytest.raises(MahjongError, match="a finite number in fits, weights, 1, got %s" % re.escape(repr(value))):
        parameters.check_numbers({"command": "fit", "weights": [0.5, value]}, "fits")
    with pytest.raises(MahjongError, match="expected 'none' in worth/fitted.json"):
        FITTED["calibrate"]["none"]


def test_a_new_feature_counts_nothing_until_it_is_fitted():
    assert list_weights({"weights": {"one": 2.5}}, ("one", "new")) == (2.5, 0.0)


def test_compiled_code_and_results_belong_to_the_fitted_numbers(tmp_path):
    """Compiled code contains the numbers. After a fit the old code and stored games of the search must not be used."""
    files = list_room_files(*COMPILED_ROOMS)
    assert FILE in files
    changed = shutil.copy(FILE, tmp_path / FILE.name)
    Path(changed).write_text(FILE.read_text(encoding="utf-8").replace("-7.8384", "-7.8385"), encoding="utf-8")
    others = [Path(changed) if path == FILE else path for path in files]
    assert digest_sources(files) != digest_sources(others)
