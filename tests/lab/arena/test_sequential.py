"""Intervals after a rule ended a match: their coverage, and when they equal the plain ones."""

import numpy as np
import pytest
from scipy import stats

from mj_bot.lab.arena import sequential
from mj_bot.lab.arena.result import read_result
from mj_bot.lab.arena.sequential import correct_interval, list_looks, rank_observed, simulate, studentise
from mj_bot.lab.arena.stopping import Sprt, Until
from mj_bot.lab.arena.verdict import mean_interval
from docs.make_tables import RESULTS_FOLDER


class Never:
    """A rule that ends no match."""

    @staticmethod
    def settles(walls, mean, variance):
        return mean != mean


# Of the difference a wall in points a game, of two good players over four seatings.
SPREAD = 5.0
MOST_WALLS = 20_000
# Spreads around that of each match at which the chances are simulated; they are interpolated between.
GRID = 7
SETTINGS = [(Sprt(low, high), truth) for low, high, truths in (
    (0, 1, (-1, 0, 0.25, 0.5, 0.75, 1, 2)), (0, 0.5, (0, 0.25, 0.5, 1)), (-1, 1, (0, 1))) for truth in truths]
SETTINGS += [(Until(width), 0.3) for width in (2, 1, 0.5)]


def measure(rule, truth, spread, count, draw=sequential.draw_blocks):
    """Shares of simulated matches whose intervals cover the truth: (plain ones, those of correct_interval).

    draw: as sequential.draw_blocks, for these matches. Corrected intervals are not computed: one covers the truth if
    rank_observed of the truth is within its tails.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sequential, "draw_blocks", draw)
        walls, _, variance = ends = simulate(rule, truth, spread, wall_count=MOST_WALLS,
                                               random=np.random.default_rng([2, 1]), paths=count)
    distances, spreads = studentise(ends, truth), np.sqrt(variance)
    grid = np.quantile(spreads, np.linspace(0, 1, GRID))
    chances = np.empty((GRID, count))
    for place, assumed in enumerate(grid):
        found = simulate(rule, truth, assumed, wall_count=MOST_WALLS, random=np.random.default_rng([2, 2, place]),
                         paths=count)
        chances[place] = np.searchsorted(np.sort(studentise(found, truth)), distances, side="right") / count
    chance = np.array([np.interp(own, grid, column) for own, column in zip(spreads, chances.T)])
    plain = np.abs(distances) <= stats.t.ppf(0.975, walls - 1)
    return plain.mean(), ((chance >= 0.025) & (chance <= 0.975)).mean()


def test_coverage_of_corrected_intervals():
    """Plain intervals after --sprt covered the truth in 87 to 92% of long matches, and were printed as 95% ones."""
    plain, corrected = measure(Sprt(0, 1.5), 0.375, SPREAD, 3000)
    assert plain < 0.94 and 0.935 < corrected < 0.965


@pytest.mark.slow
@pytest.mark.parametrize("rule, truth", SETTINGS)
def test_coverage_of_every_rule(rule, truth):
    """The differences of a wall are normal, then those of a real match."""
    result = read_result(RESULTS_FOLDER / "search_rule_based.json")
    values = np.array(result["wall_scores"], float) / result["seats_per_wall"]
    values = values[:, 0] - values[:, 1]
    real = (values - values.mean()) / values.std()

    def draw(random, size, paths):
        drawn = real[random.integers(len(real), size=(paths, size))]
        mean = drawn.mean(axis=1)
        return mean, ((drawn - mean[:, None]) ** 2).sum(axis=1)

    for found in (measure(rule, truth, SPREAD, 3000), measure(rule, truth, values.std(), 3000, draw)):
        assert 0.93 < found[1] < 0.97


@pytest.mark.slow
def test_coverage_of_computed_intervals():
    """measure() only computes the chance of the truth."""
    rule, truth, covered = Sprt(0, 2), 1.0, 0
    random = np.random.default_rng(4)
    for _ in range(400):
        values = random.normal(truth, 5, 4000)
        walls = next(count for count in range(20, 4000, 4)
                     if rule.settles(count, values[:count].mean(), values[:count].var(ddof=1)))
        interval = correct_interval(rule, values[:walls], 4000)
        covered += interval.low <= truth <= interval.high
    assert 0.92 < covered / 400 < 0.98


def test_without_a_rule_it_is_the_plain_interval():
    values = np.random.default_rng(3).normal(1, 4, 60)
    plain, corrected = mean_interval(values), correct_interval(Never, values, 60)
    assert corrected == pytest.approx(plain, abs=0.12)


def test_the_same_values_give_the_same_interval():
    values = np.random.default_rng(3).normal(1, 4, 100)
    assert correct_interval(Sprt(0, 1), values, 1000, seed=5) == correct_interval(Sprt(0, 1), values, 1000, seed=5)
    assert np.isnan(correct_interval(Sprt(0, 1), np.ones(20), 1000).low)


def test_simulated_matches():
    walls, mean, variance = simulate(Never, 2.0, 3.0, wall_count=100, random=np.random.default_rng(0), paths=4000)
    assert set(walls) == {100}
    assert (mean.mean(), mean.std(), variance.mean()) == pytest.approx((2, 0.3, 9), rel=0.03)
    assert rank_observed(Never, 2.0, (100, 2.0, 9.0), wall_count=100) == pytest.approx(0.5, abs=0.04)


def test_looks():
    assert list_looks(3).tolist() == [3] and list_looks(30).tolist() == [20, 24, 28, 30]
    looks = list_looks(1_000_000)
    assert looks[0] == 20 and looks[-1] == 1_000_000 and len(looks) < 4000 and (np.diff(looks) > 0).all()
