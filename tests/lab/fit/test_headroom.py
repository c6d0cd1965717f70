"""What playouts would gain."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.fit.headroom import Measured, describe, find_differences, fit_differences


def invent(rng, count, a, b, worlds=32, judge=16):
    """Decisions of three candidates whose true differences are a * points + b * what playouts would say at length."""
    points = -np.sort(rng.exponential(0.5, (count, 3)), 1)
    points -= points[:, :1]
    said = rng.normal(0, 1.5, (count, 3))
    true = a * points + b * said
    played = said[:, None] + rng.normal(0, 4, (count, worlds, 3))
    judged = true[:, None] + rng.normal(0, 6, (count, judge, 3))
    points[rng.random(count) < 0.3, 2] = np.nan
    return Measured(points, rng.integers(60, 80, count), np.zeros(count, bool), played, judged, np.array([1000, 25]),
                    np.array([count * worlds * 3, 10.0])), true


def test_the_fit_finds_what_points_and_playouts_tell():
    measured, true = invent(np.random.default_rng(0), 6000, 0.5, 0.8)
    differences = find_differences(measured, 32)
    found = fit_differences(differences, 6000)
    # The noise of 32 worlds, 1 point, takes its part of b: 2.25 of 3.25.
    assert found.a == pytest.approx(0.5, abs=4 * found.a_error)
    assert found.b == pytest.approx(0.8 * 4.5 / (4.5 + 2 * 16 / 32), abs=4 * found.b_error)
    assert found.predicted.mean() == pytest.approx(found.gained.mean(), abs=0.08)
    assert found.gained.mean() > 0.2
    assert found.sides[0] == pytest.approx(found.b, abs=4 * found.sides[1].max())
    assert np.sqrt(differences.noise.mean() * 32) == pytest.approx(4 * 2 ** 0.5, rel=0.05)


def test_errors_are_the_spread_of_fits_of_other_decisions():
    """The candidates of a decision share the noise of its first one: taken apart, errors are a tenth too small."""
    found = [fit_differences(find_differences(invent(np.random.default_rng(seed), 300, 0.5, 0.8)[0], 32), 300)
             for seed in range(400)]
    for name in "ab":
        spread = np.std([getattr(fit, name) for fit in found])
        assert np.mean([getattr(fit, name + "_error") for fit in found]) == pytest.approx(spread, rel=0.08)


def test_playouts_that_tell_nothing_gain_nothing():
    measured, _ = invent(np.random.default_rng(1), 4000, 0.7, 0.0)
    found = fit_differences(find_differences(measured, 32), 4000)
    assert abs(found.b) < 4 * found.b_error
    assert found.predicted.mean() < 0.05 and abs(found.gained.mean()) < 0.1


def test_playouts_that_know_only_what_is_worse():
    """The fit has a slope on either side: one that is 0 where a candidate seems better leaves nothing to gain."""
    measured, _ = invent(np.random.default_rng(4), 6000, 0.0, 0.8)
    first = measured.judged[:, :, :1]
    lost = np.minimum(measured.judged.mean(1, keepdims=True) - first.mean(1, keepdims=True), 0)
    measured = measured._replace(judged=first + lost + np.random.default_rng(5).normal(0, 6, measured.judged.shape))
    found = fit_differences(find_differences(measured, 32), 6000)
    (better, worse), (better_error, worse_error) = found.sides
    assert worse > 8 * worse_error and worse > better + 8 * better_error
    assert found.gained.mean() < 0


def test_the_table_has_a_row_for_each_number_of_worlds():
    measured, _ = invent(np.random.default_rng(2), 500, 0.5, 0.8, worlds=70)
    result = describe(measured)
    assert [row["worlds"] for row in result["rows"] if row["phase"] == "all"] == [16, 32, 64]
    assert {row["phase"] for row in result["rows"]} == {"all", "discards, 60 tiles or more"}
    assert result["near_decisions_a_game"] == 10.0
    # Each row's gain is a game's: a decision's times the decisions of its phase.
    assert result["rows"][0]["predicted_a_game"] == result["rows"][1]["predicted_a_game"]


COMMAND = ["headroom", "--positions", "64", "--worlds", "4", "--judge", "2", "--workers", "1", "--seed", "9"]


@pytest.mark.slow
def test_a_run_goes_on_where_it_was_broken_off(tmp_path, capsys):
    folder = tmp_path / "run"
    assert main([*COMMAND, "--output", str(folder), "--json", str(tmp_path / "one.json")]) == 0
    first = json.loads((tmp_path / "one.json").read_text())
    assert "gained a game" in capsys.readouterr().out
    part = folder / "part-0.npz"
    written = part.stat().st_mtime_ns
    assert main([*COMMAND, "--positions", "128", "--output", str(folder), "--json", str(tmp_path / "two.json")]) == 0
    assert part.stat().st_mtime_ns == written
    assert json.loads((tmp_path / "two.json").read_text())["decisions"] > first["decisions"]
    with np.load(part) as arrays:
        before = {name: arrays[name] for name in arrays if name != "spent"}
    part.unlink()
    assert main([*COMMAND, "--output", str(folder)]) == 0
    with np.load(part) as arrays:
        assert all(np.array_equal(arrays[name], before[name], equal_nan=True) for name in before)


@pytest.mark.parametrize("words, message", [
    (["--playouts", "nobody"], "expected a tactic, one of"), (["--playouts", "search"], "correction=0,next_draw=0"),
    (["--playouts", "search:correction=0,next_draw=0,nothing=1"], "nothing")])
def test_players_that_cannot_play_are_refused(tmp_path, capsys, words, message):
    assert main(["headroom", "--output", str(tmp_path / "run"), *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--candidates", "1"], ["--cut", "-1"], ["--belief", "none"], ["--seed", "-1"],
                                   ["--width", "nan"]])
def test_bad_options_are_refused(tmp_path, words):
    with pytest.raises(SystemExit) as caught:
        main(["headroom", "--output", str(tmp_path / "run"), *words])
    assert caught.value.code == 2


def test_a_result_that_could_not_be_written_is_refused_before_the_run(tmp_path, capsys):
    assert main(["headroom", "--output", str(tmp_path / "run"), "--json", str(tmp_path / "none" / "x.json")]) == 2
    assert "expected a file in a folder that is there" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
