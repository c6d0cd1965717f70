"""The numbers of fitted.json and the files that read them."""

import re
import shutil
from pathlib import Path

import pytest

from mj_bot.mahjong.errors import MahjongError
from mj_bot.sources import COMPILED_ROOMS, digest_sources, list_room_files
from mj_bot.worth import correction, danger, parameters
from mj_bot.worth.chance import CLASS_NAMES
from mj_bot.worth.parameters import FITTED, list_weights

FILE = Path(parameters.__file__).with_name("fitted.json")


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
