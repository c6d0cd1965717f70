"""Intervals after a rule ended a match: how often they hold, and where they come to the plain ones."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.arena.coverage import measure
from mj_bot.lab.arena.sequential import correct_interval, find_chance, list_looks, simulate
from mj_bot.lab.arena.stopping import Sprt, Until
from mj_bot.lab.arena.verdict import mean_interval


class Never:
    """A rule that ends no match."""

    @staticmethod
    def settles(walls, mean, variance):
        return mean != mean


@pytest.mark.parametrize("rule, truth", [(Sprt(0, 1.5), 0.375), (Sprt(0, 1.5), 1.5), (Until(1.5), 0)])
def test_corrected_intervals_hold_as_often_as_they_say(rule, truth):
    """Those after --sprt held in 87 to 92% of the matches that ran long, and were printed without a word."""
    found = measure(rule, truth, 5.0, 3000, seed=2)
    assert 0.935 < found["corrected"] < 0.965
    if isinstance(rule, Sprt):
        assert found["plain"] < 0.94


@pytest.mark.slow
def test_built_intervals_hold_as_often_as_their_chances_say():
    """measure() asks for the chance of the truth; here the intervals themselves are built."""
    rule, truth, held = Sprt(0, 2), 1.0, 0
    random = np.random.default_rng(4)
    for _ in range(400):
        values = random.normal(truth, 5, 4000)
        walls = next(count for count in range(20, 4000, 4)
                     if rule.settles(count, values[:count].mean(), values[:count].var(ddof=1)))
        interval = correct_interval(rule, values[:walls], 4000)
        held += interval.low <= truth <= interval.high
    assert 0.92 < held / 400 < 0.98


def test_without_a_rule_it_is_the_plain_interval():
    values = np.random.default_rng(3).normal(1, 4, 60)
    plain, corrected = mean_interval(values), correct_interval(Never, values, 60)
    assert corrected == pytest.approx(plain, abs=0.12)


def test_the_same_values_give_the_same_interval():
    values = np.random.default_rng(3).normal(1, 4, 100)
    assert correct_interval(Sprt(0, 1), values, 1000, seed=5) == correct_interval(Sprt(0, 1), values, 1000, seed=5)
    assert np.isnan(correct_interval(Sprt(0, 1), np.ones(20), 1000).low)


@pytest.mark.parametrize("rule", [Sprt(-1, 1), Until(2)])
def test_simulated_rules_are_the_rules(rule):
    """settles(), of many matches at once, says what is_settled() says of one."""
    random = np.random.default_rng(6)
    for count in (20, 24, 100, 400):
        for mean in (-1, 0, 0.3, 2):
            values = random.normal(mean, 5, count)
            scores = np.stack([values / 2, -values / 2], axis=1)
            assert rule.settles(count, values.mean(), values.var(ddof=1)) == rule.is_settled(scores)


def test_simulated_matches():
    walls, mean, variance = simulate(Never, 2.0, 3.0, 100, np.random.default_rng(0), 4000)
    assert set(walls) == {100}
    assert (mean.mean(), mean.std(), variance.mean()) == pytest.approx((2, 0.3, 9), rel=0.03)
    assert find_chance(Never, 2.0, (100, 2.0, 9.0), 100) == pytest.approx(0.5, abs=0.04)


def test_looks():
    assert list_looks(3).tolist() == [3] and list_looks(30).tolist() == [20, 24, 28, 30]
    looks = list_looks(1_000_000)
    assert looks[0] == 20 and looks[-1] == 1_000_000 and len(looks) < 4000 and (np.diff(looks) > 0).all()


def test_the_command(tmp_path, capsys):
    path = tmp_path / "a.json"
    assert main(["coverage", "--matches", "20", "--seed", "3", "--json", str(path)]) == 0
    table = json.loads(path.read_text())
    assert len(table["rows"]) == 16 and "--matches 20 --seed 3" in table["command"]
    assert "--until 0.5" in capsys.readouterr().out
