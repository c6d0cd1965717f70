"""The one value: its numbers are found again in made games, and its losses add up to what players really lose."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.fit.books import Choices, join_choices, play_books, sum_up
from mj_bot.lab.fit.draws import Draws, list_starts
from mj_bot.lab.fit.joint_value import DECISION_GROUPS, VERDICT
from mj_bot.lab.fit.verdict_fit import FITTED_JUDGES, compare_apart, fit_numbers, format_verdict, measure_gaps


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
    gaps, errors = measure_gaps(draws, dict.fromkeys(DECISION_GROUPS, {"cnn": 0.5, "search": 0.5}), (0.0, 0.0))
    mean = (draws.points + draws.others).reshape(50, -1) / 2
    assert gaps.reshape(50, -1) == pytest.approx(mean.max(1, keepdims=True) - mean, abs=1e-5)
    assert (errors > 0.5).all()


def test_the_fitted_file_has_what_the_command_writes():
    assert set(VERDICT["weights"]) == set(DECISION_GROUPS) and VERDICT["curse"] >= 0
    assert all(set(of) == set(FITTED_JUDGES) for of in VERDICT["weights"].values())


@pytest.fixture(scope="module")
def random_books():
    return [play_books("random", index, games=32, seed=5) for index in (0, 1)]


def test_the_books_of_a_weak_player_balance(random_books):
    """Four fifths of the points that a weak player lost were on no page. Few games, so the bounds are wide."""
    books = sum_up(join_choices(random_books))
    assert 0.6 < books["ratio"][0] < 1.6 and books["score"][2] < -6
    assert books["loss"][0] <= books["difference"] and 0 < books["accuracy"] < 0.5
    assert sum(books["groups"].values()) == pytest.approx(books["loss"][0], abs=0.01)


def test_the_kept_actions_have_the_best_one_for_any_weights(random_books):
    choices = join_choices(random_books)
    assert isinstance(choices, Choices) and len(choices.score) == 64 and choices.game.max() == 63
    starts = list_starts(choices.size)
    # The taken action may be the best one itself, so it comes twice; the rest fall in the points of one judge.
    for start, size in list(zip(starts, choices.size))[:200]:
        points, others = choices.points[start + 1:start + size], choices.others[start + 1:start + size]
        assert (np.diff(points) <= 0).all() and (np.diff(others) > 0).all()


def test_the_commands(tmp_path, capsys, monkeypatch):
    for module in ("draws", "books"):
        monkeypatch.setattr("mj_bot.lab.fit.%s._BLOCK_GAMES" % module, 8)
    folder, path = tmp_path / "run", tmp_path / "fit.json"
    words = ["fit", "verdict", "-o", str(folder / "draws"), "--games", "16", "--workers", "1", "--json", str(path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    written = json.loads(path.read_text(encoding="utf-8"))["verdict"]
    assert "on games apart" in out and out.rstrip("\n") == format_verdict(written)
    assert written["command"].startswith("mj-bot fit verdict --output draws --games 16")
    words = ["fit", "books", "search", "-o", str(folder / "books"), "--games", "8", "--workers", "1", "--json"]
    assert main([*words, str(tmp_path / "books.json")]) == 0
    books = json.loads((tmp_path / "books.json").read_text(encoding="utf-8"))
    assert books["players"]["search"]["games"] == 8 and "search" in capsys.readouterr().out
