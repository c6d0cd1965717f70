"""What drawn actions cost, compared with what a tactic says."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.fit.draws import SLIP_KINDS, list_starts, play_block
from mj_bot.lab.fit.slips import compare, fit_errors


def test_compare_finds_how_true_the_points_are():
    """Of made games: pungs are worth half of what is said, discards as much; the intervals contain that."""
    random = np.random.default_rng(0)
    kinds = random.choice([SLIP_KINDS.index("discard"), SLIP_KINDS.index("pung")], 20_000)
    is_ready = random.random(20_000) < 0.3
    predicted = random.normal(0, 4, 20_000)
    realised = np.where(kinds == SLIP_KINDS.index("pung"), 0.5, 1.0) * predicted + random.normal(0, 20, 20_000)
    rows = {row["name"]: row for row in compare(kinds, is_ready, predicted, realised=realised)}
    for name, truth in (("discard, ready", 1.0), ("pung, not ready", 0.5), ("not ready", 0.75)):
        slope, low, high = rows[name]["slope"]
        assert low < truth < high and high - low < 0.4 and low < slope < high
    assert rows["all"]["drawn"] == 20_000 == rows["ready"]["drawn"] + rows["not ready"]["drawn"]
    assert "kong, ready" not in rows


def test_errors_are_found_by_a_second_tactic():
    """Of made games: the errors of the points are found, whatever those of the second tactic and the luck."""
    random = np.random.default_rng(1)
    truth = random.normal(0, 2, 100_000)
    predicted = truth + random.normal(0, 0.8, 100_000) + truth * random.normal(0, 0.3, 100_000)
    other, realised = truth + random.normal(0, 1.5, 100_000), truth + random.normal(0, 10, 100_000)
    errors = fit_errors(predicted, realised, other, variance_ratio=np.ones(100_000))
    for (value, low, high), expected in zip(errors, (0.8, 0.3)):
        assert low < value < high and value == pytest.approx(expected, abs=0.15)


def test_games_depend_on_seed_and_block_alone():
    first, again, other = (play_block("search", "cnn", index, games=8, seed=3) for index in (0, 0, 1))
    assert all(map(np.array_equal, first, again)) and not np.array_equal(first.realised, other.realised)
    assert {SLIP_KINDS[kind] for kind in first.kind} >= {"discard", "chow", "pung"}
    assert np.isfinite(first.realised).all() and np.isfinite(first.others).all()
    # Some draws are the tactic's own best action, others are far worse.
    predicted = first.compare_with_mean(first.points)
    assert predicted.max() > 0.1 and predicted.min() < -2
    assert np.add.reduceat(first.chances, list_starts(first.size)) == pytest.approx(1)


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("mj_bot.lab.fit.draws._BLOCK_GAMES", 8)
    words = ["--against", "cnn", "-o", str(tmp_path / "run"), "--games", "8", "--workers", "1",
             "--json", str(tmp_path / "slips.json")]
    assert main(["fit", "slips", "search", *words]) == 0
    out = capsys.readouterr().out
    assert "slope (95%)" in out and "standard error" in out
    written = json.loads((tmp_path / "slips.json").read_text(encoding="utf-8"))["slips search"]
    assert written["rows"][0]["name"] == "all" and len(written["value_error"]) == len(written["intervals"]) == 2
    assert main(["fit", "slips", "rule_based", "-o", str(tmp_path / "other")]) == 2
    assert "expected a tactic whose evaluate gives points, got 'rule_based'" in capsys.readouterr().err
