"""Fits as sections of a JSON file."""

import json

import pytest

from mj_bot.lab.fit import fitted_file
from mj_bot.lab.fit.fitted_file import check_fits, store_fit
from mj_bot.lab.fit.joint_value import VERDICT
from mj_bot.mahjong.errors import MahjongError
from mj_bot.worth.parameters import check_numbers


def test_a_fit_replaces_its_own_section(tmp_path, monkeypatch):
    """Without a checkout a fit names no commit, and what it had written was refused when it was read."""
    monkeypatch.setattr(fitted_file, "read_commit", lambda: {"commit": None, "changed": None})
    path = tmp_path / "fits.json"
    for name, value in (("one", 1), ("two", 2), ("one", 3)):
        check_fits(str(path))
        store_fit(str(path), name, {"value": value}, command="mj-bot fit " + name, seed=5)
    fits = json.loads(path.read_text(encoding="utf-8"))
    check_numbers(fits, "fits")
    assert {name: fit["value"] for name, fit in fits.items()} == {"one": 3, "two": 2}
    assert fits["two"]["command"] == "mj-bot fit two" and fits["two"]["seed"] == 5 and "commit" in fits["two"]


@pytest.mark.parametrize("weight, told", [(0, "a sum above 0 for 'claim, ready'"), (-0.5, "a sum above 0"),
                                          (float("nan"), "a sum above 0"), (float("inf"), "finite")])
def test_weights_that_join_no_judges_are_refused_before_they_are_written(weight, told, tmp_path):
    """The next review divided by their sum, or ended in an error of the compiler."""
    path = tmp_path / "fits.json"
    verdict = {"weights": dict(VERDICT["weights"], **{"claim, ready": {"cnn": weight, "search": 0.0}})}
    with pytest.raises(MahjongError, match=told):
        store_fit(str(path), "verdict cnn", verdict, command="mj-bot fit verdict", seed=5)
    assert not path.exists()


@pytest.mark.parametrize("text, reason", [("{", "expected a JSON file of fits"), ("[1]", "a dict of fits, got a list")])
def test_a_file_of_something_else_is_refused_before_the_games(tmp_path, text, reason):
    path = tmp_path / "fits.json"
    path.write_text(text)
    with pytest.raises(MahjongError, match=reason):
        check_fits(str(path))
