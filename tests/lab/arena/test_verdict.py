"""Intervals, match points and ratings, against scipy, by hand and by simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from mj_bot.lab.arena.result import read_result
from mj_bot.lab.arena.verdict import (
    MIN_RATED_WALLS, ConfidenceInterval, count_walls_to_show, match_points, mean_interval, ratings, share_interval)


def test_the_interval_is_scipys():
    values = np.random.default_rng(0).normal(2, 5, 37)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert mean_interval(values) == pytest.approx((values.mean(), expected.low, expected.high))
    for equal in ([3.0], [3.0] * 9):
        assert mean_interval(equal) == pytest.approx((3, math.nan, math.nan), nan_ok=True)
    assert mean_interval([1, 4], 1, 4) == (2.5, 1, 4)


@pytest.mark.parametrize("counts", [[0, 0], [0] * 50, [24] * 3, [6, 6, 6], [0, 1], [24, 23, 24], [0, 24], [3, 9, 4, 7]])
def test_the_interval_of_a_share_is_possible(counts):
    """It went from -0.5% to 6%, and from 0% to 0%."""
    mean, low, high = share_interval(counts, 24)
    assert 0 <= low <= mean <= high <= 1 and high - low > 0.01
    assert mean == pytest.approx(sum(counts) / len(counts) / 24)


@pytest.mark.parametrize("share, alike", [(0.02, 1), (0.3, 1), (0.3, 8), (0.9, 4)])
def test_a_share_is_in_95_of_100_intervals(share, alike):
    """Games of one wall depend on each other: beta-binomial counts, `alike` games in the place of each free one."""
    rng = np.random.default_rng(7)
    size = (24 - alike) / (alike - 1) if alike > 1 else 1e6
    covered = 0
    for _ in range(1000):
        counts = rng.binomial(24, rng.beta(share * size, (1 - share) * size, 30))
        _, low, high = share_interval(counts, 24)
        covered += low <= share <= high
    assert covered > 925


def test_the_walls_that_would_show_a_difference_show_it_in_four_of_five_matches():
    rng = np.random.default_rng(8)
    walls = count_walls_to_show(mean_interval(rng.normal(0, 7, 4000)), 4000, 0.5)
    shown = [mean_interval(rng.normal(0.5, 7, walls)).low > 0 for _ in range(1000)]
    assert 0.75 < np.mean(shown) < 0.85
    assert count_walls_to_show(ConfidenceInterval(0, -0.01, 0.01), 100, 0.5) == 20


class TestMatchPoints:
    @pytest.mark.parametrize("reason, lineup, scores, points", [
        ("four players", (0, 1, 2, 3), (5, -9, 1, 3), (4, 1, 2, 3)),
        ("a tie shares", (0, 1, 2, 3), (5, 5, -4, -6), (3.5, 3.5, 2, 1)),
        ("all tie", (0, 1, 2, 3), (0, 0, 0, 0), (2.5, 2.5, 2.5, 2.5)),
        ("two seats each", (0, 0, 1, 1), (2, -2), (3.5, 1.5)),
        ("one against three, above", (0, 1, 1, 1), (9, -3), (4, 2)),
        ("one against three, below", (0, 1, 1, 1), (-9, 3), (1, 3)),
        ("a pair between two", (0, 1, 1, 2), (9, 0, -9), (4, 2.5, 1)),
    ])
    def test_one_wall(self, reason, lineup, scores, points):
        assert match_points([scores], lineup).tolist() == [list(points)], reason

    def test_every_wall_gives_out_ten(self):
        scores = np.random.default_rng(0).integers(-3, 3, (50, 3)).astype(float)
        points = match_points(scores, (0, 1, 1, 2))
        assert (points @ [1, 2, 1]).tolist() == [10] * 50


def play_by_strength(strengths, walls, games, rng):
    """The wins of ratings(), of players who win by Bradley and Terry's law."""
    count = len(strengths)
    wins = np.zeros((walls, count, count))
    for i in range(count):
        for j in range(i + 1, count):
            wins[:, i, j] = rng.binomial(games, 1 / (1 + 10 ** ((strengths[j] - strengths[i]) / 400)), walls)
            wins[:, j, i] = games - wins[:, i, j]
    return wins


class TestRatings:
    def test_two_players_have_the_odds_of_their_wins(self):
        wins = np.zeros((10, 2, 2))
        wins[:, 0, 1], wins[:, 1, 0] = 10, 1
        first, second = ratings(wins)
        assert first.mean - second.mean == pytest.approx(400 * math.log10(100.5 / 10.5))
        assert first.mean == pytest.approx(-second.mean)
        assert math.isnan(first.low)  # equal walls
        wins[:, 1, 0] = 0
        assert 0 < ratings(wins)[0].mean < 1000

    def test_strengths_are_found_again(self):
        strengths = np.array([150.0, 20.0, -50.0, -120.0])
        found = ratings(play_by_strength(strengths, 400, 24, np.random.default_rng(2)))
        assert [rating.mean for rating in found] == pytest.approx(strengths, abs=12)

    @pytest.mark.parametrize("name, walls, matches", [
        ("field", MIN_RATED_WALLS, 400),
        pytest.param("random_rule_based", MIN_RATED_WALLS, 400, marks=pytest.mark.slow),
        pytest.param("field", 40, 2000, marks=pytest.mark.slow),
        pytest.param("search_rule_based", MIN_RATED_WALLS, 2000, marks=pytest.mark.slow),
    ])
    def test_coverage_of_intervals(self, name, walls, matches):
        """Matches of walls drawn from a measured match, whose ratings are the truth."""
        measured = np.array(read_result("data/results/%s.json" % name)["wall_wins"])
        truth = [rating.mean for rating in ratings(measured)]
        rng = np.random.default_rng(3)
        found = np.array([ratings(measured[rng.integers(len(measured), size=walls)]) for _ in range(matches)])
        covered = ((found[:, :, 1] <= truth) & (truth <= found[:, :, 2])).mean()
        assert 0.92 < covered < 0.975

    @pytest.mark.parametrize("walls", [1, 2, MIN_RATED_WALLS - 1])
    def test_too_few_walls_have_no_interval(self, walls):
        """+88.7 (+88.7 .. +88.7) from one wall; at two walls 62% of the intervals contained the truth."""
        wins = play_by_strength([50, 0, -50], 30, 6, np.random.default_rng(4))
        wins[walls:, 2], wins[walls:, :, 2] = 0, 0
        assert all(math.isnan(rating.low) and math.isfinite(rating.mean) for rating in ratings(wins))
