"""The one value: its numbers are found again in made games, and its losses add up to what players really lose."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.fit.books import play_books, sum_up
from mj_bot.lab.fit.draws import SLIP_KINDS, Draws, list_starts, play_block
from mj_bot.lab.fit.joint_value import DECISION_GROUPS, VERDICT
from mj_bot.lab.fit.verdict_fit import compare_apart, fit_numbers, format_verdict, measure_gaps


def make_draws(count, weights, shared=None, seed=0):
    """Made games. The truth is the weighted mean of both judges; with a shared error both are the truth with errors."""
    random = np.random.default_rng(seed)
    is_claim, is_ready = (random.random((2, count)) < 0.5)
    actions, weight = 8, np.where(is_ready, weights[0], weights[1])[:, None]
    points, others = random.normal(0, 3, (2, count, actions))
    truth = weight * points + (1 - weight) * others
    if shared is not None:
        truth = random.normal(0, 2, (count, actions))
        error = random.normal(0, shared, (count, actions))
        points, others = truth + error + points / 3, truth + error + others / 3
    drawn = random.integers(actions, size=count)
    realised = truth[np.arange(count), drawn] - truth.mean(1) + random.normal(0, 5, count)
    return Draws(np.full(count, 3, np.int8), is_claim, is_ready, realised.astype(np.float32),
                 np.full(count, actions, np.int16), drawn.astype(np.int16),
                 np.full(count * actions, 1 / actions, np.float32),
                 *(values.ravel().astype(np.float32) for values in (points, others)))


def test_weights_are_found_by_ready_or_not():
    fit = fit_numbers(make_draws(30_000, (0.2, 0.7)))
    for name, weights in fit["weights"].items():
        assert weights["cnn"] == pytest.approx(0.7 if "not" in name else 0.2, abs=0.06)
        assert sum(weights.values()) == pytest.approx(1, abs=0.06)
    assert set(fit["weights"]) == set(DECISION_GROUPS) and fit["curse"] == pytest.approx(0, abs=0.3)


def test_an_error_that_both_share_is_found_and_takes_from_small_differences():
    """It is in no comparison of the two judges. The games show it: the best action is worth less than it seems."""
    draws = make_draws(60_000, (0.5, 0.5), shared=1.5)
    fit = fit_numbers(draws)
    constant, slope = fit["common_error"]
    spread = draws.compare_with_mean((draws.points + draws.others) / 2).std()
    assert np.hypot(constant / 2 ** 0.5, slope * spread) == pytest.approx(1.5, abs=0.3)
    assert fit["curse_interval"][0] <= fit["curse"] <= fit["curse_interval"][1]
    rows = {row["name"]: row["slope"] for row in compare_apart([draws], [fit])}
    assert rows["cost"][0] == pytest.approx(1, abs=0.2)


def test_the_gaps_are_those_from_the_best_action():
    draws = make_draws(50, (0.5, 0.5))
    gaps, errors = measure_gaps(draws.group, draws.size, draws.both, {
        "weights": dict.fromkeys(DECISION_GROUPS, {"cnn": 0.5, "search": 0.5}), "common_error": (0.0, 0.0),
        "value_error": (9.0, 0.0)})
    mean = draws.both.mean(0).reshape(50, -1)
    assert gaps.reshape(50, -1) == pytest.approx(mean.max(1, keepdims=True) - mean, abs=1e-5)
    assert (errors > 0.5).all() and (errors < 9).all()


def test_slopes_are_found_by_kind():
    """Of made games: pungs bring half of what is said, discards as much; the intervals contain that."""
    random = np.random.default_rng(4)
    draws = make_draws(30_000, (1.0, 1.0))
    draws = draws._replace(kind=random.choice([SLIP_KINDS.index("discard"), SLIP_KINDS.index("pung")], 30_000))
    said = draws.compare_with_mean(draws.points) * (1 - 0.5 * (draws.kind == SLIP_KINDS.index("pung")))
    draws = draws._replace(realised=said + random.normal(0, 5, 30_000))
    rows = {row["name"]: row for row in compare_apart([draws], [fit_numbers(draws)])}
    for name, truth in (("cnn, discard, ready", 1.0), ("cnn, pung, not ready", 0.5), ("cnn, not ready", 0.75)):
        slope, low, high = rows[name]["slope"]
        assert low < truth < high and high - low < 0.4 and low < slope < high
    assert rows["cnn"]["drawn"] == 30_000 == rows["cnn, ready"]["drawn"] + rows["cnn, not ready"]["drawn"]
    assert "cnn, kong, ready" not in rows


def test_the_error_of_the_first_judge_is_found_by_the_second_one():
    """Of made games: the errors of the points are found, whatever those of the second judge and the luck."""
    random = np.random.default_rng(1)
    truth = random.normal(0, 2, (60_000, 8))
    points = truth + random.normal(0, 0.8, truth.shape) + truth * random.normal(0, 0.3, truth.shape)
    draws = make_draws(60_000, (0.5, 0.5))
    draws = draws._replace(points=points.ravel(), others=(truth + random.normal(0, 1.5, truth.shape)).ravel())
    draws = draws._replace(realised=draws.compare_with_mean(truth.ravel()) + random.normal(0, 5, 60_000))
    fit = fit_numbers(draws)
    for value, (low, high), expected in zip(fit["value_error"], fit["intervals"], (0.8 * 2 ** 0.5, 0.3)):
        assert low < high and value == pytest.approx(expected, abs=0.2)


def test_games_depend_on_seed_and_block_alone():
    first, again, other = (play_block(("search", "cnn"), index, games=8, seed=3) for index in (0, 0, 1))
    assert all(map(np.array_equal, first, again)) and not np.array_equal(first.realised, other.realised)
    assert {SLIP_KINDS[kind] for kind in first.kind} >= {"discard", "chow", "pung"}
    assert np.isfinite(first.realised).all() and np.isfinite(first.others).all()
    # Some draws are the tactic's own best action, others are far worse.
    predicted = first.compare_with_mean(first.points)
    assert predicted.max() > 0.1 and predicted.min() < -2
    assert np.add.reduceat(first.chances, list_starts(first.size)) == pytest.approx(1)


def test_the_books_of_a_weak_player_balance():
    """Four fifths of the points that a weak player lost were on no page. Few games, so the bounds are wide."""
    books = sum_up([play_books("random", index, games=32, seed=5) for index in (0, 1)])
    assert 0.6 < books["ratio"][0] < 1.6 and books["score"][2] < -6 and books["games"] == 64
    assert books["loss"][0] <= books["difference"] and 0 < books["accuracy"] < 0.5
    assert sum(books["groups"].values()) == pytest.approx(books["loss"][0], abs=0.01)


def test_the_commands(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("mj_bot.lab.fit.blocks.BLOCK_GAMES", 8)
    folder, path = tmp_path / "run", tmp_path / "fit.json"
    words = ["fit", "verdict", "-o", str(folder / "draws"), "--games", "16", "--workers", "1", "--json", str(path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    written = json.loads(path.read_text(encoding="utf-8"))["verdict cnn"]
    assert "slope (95%)" in out and out.rstrip("\n") == format_verdict(written)
    assert written["command"].startswith("mj-bot fit verdict --output draws --games 16")
    # The bot reads the section.
    assert written.keys() == VERDICT.keys() and written["weights"].keys() == VERDICT["weights"].keys()
    for judges, told in (("rule_based search", "expected a tactic whose evaluate gives points, got 'rule_based'"),
                         ("search search:danger=0", "expected two judges of different names")):
        assert main(["fit", "verdict", "--judges", *judges.split(), "-o", str(tmp_path / "other")]) == 2
        assert told in capsys.readouterr().err
    words = ["fit", "books", "search", "-o", str(folder / "books"), "--games", "8", "--workers", "1", "--json"]
    assert main([*words, str(tmp_path / "books.json")]) == 0
    books = json.loads((tmp_path / "books.json").read_text(encoding="utf-8"))
    assert books["players"]["search"]["games"] == 8 and "search" in capsys.readouterr().out
