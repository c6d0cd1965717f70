"""Rules that end a match: when, and how often they are wrong."""

import numpy as np
import pytest
from scipy import stats

from mj_bot.lab.arena.schedule import MIN_WALLS
from mj_bot.lab.arena.stopping import Sprt, Until
from mj_bot.lab.arena.verdict import differences
from mj_bot.mahjong.errors import MahjongError


def scores_of(values):
    """Scores of two players whose difference a wall is `values`."""
    values = np.asarray(values, float)
    return np.stack([values / 2, -values / 2], axis=1)


def play_until_settled(rule, scores):
    """Walls until the rule ends the match, which looks as run_match.Scoreboard does."""
    counts = range(MIN_WALLS, len(scores) + 1, 4)
    return next((count for count in counts if rule.is_settled(scores[:count])), len(scores))


def test_until_ends_with_the_first_interval_that_is_narrow_enough():
    scores = scores_of(np.random.default_rng(1).normal(0, 10, 4000))
    rule = Until(0.5)
    count = play_until_settled(rule, scores)
    half = [differences(scores[:n])[0, 1].high - scores[:n, 0].mean() * 2 for n in (count - 4, count)]
    assert half[0] > 0.5 >= half[1]
    assert rule.judge(scores[:count]) == {"until": 0.5, "is_reached": True}
    assert not rule.judge(scores[:100])["is_reached"]


class TestSprt:
    @pytest.mark.parametrize("truth, wrong", [(-1.0, "better"), (2.0, "worse")])
    def test_errors_are_as_rare_as_asked(self, truth, wrong):
        """Wald: hardly more than 5%, for any spread of the walls; here with the skew of several wins a wall."""
        rng = np.random.default_rng(3)
        rule = Sprt(-1, 2)
        verdicts = []
        for _ in range(500):
            scores = scores_of(rng.gamma(4, 4, 3000) - 16 + truth)
            verdicts.append(rule.judge(scores[:play_until_settled(rule, scores)])["verdict"])
        assert "undecided" not in verdicts
        assert stats.binomtest(verdicts.count(wrong), 500, 0.05, "greater").pvalue > 0.001, verdicts.count(wrong)

    def test_undecided_when_the_walls_run_out(self):
        verdict = Sprt(0, 1).judge(scores_of(np.random.default_rng(5).normal(0.5, 30, 40)))
        assert verdict["verdict"] == "undecided"
        assert verdict["lower"] < verdict["log_ratio"] < verdict["upper"]

    @pytest.mark.parametrize("low, value, verdict", [(0, 0, "worse"), (-1, 0, "undecided"), (0, 1, "better")])
    def test_walls_without_variance(self, low, value, verdict):
        assert Sprt(low, 1).judge(scores_of([value] * 40))["verdict"] == verdict
        assert Sprt(low, 1).is_settled(scores_of([value] * 40)) == (verdict != "undecided")


@pytest.mark.parametrize("rule, numbers, message", [
    (Sprt, [1, 1], "LOW below HIGH"), (Sprt, [-np.inf, 1], "finite")])
def test_bad_numbers(rule, numbers, message):
    with pytest.raises(MahjongError, match=message):
        rule(*numbers)
