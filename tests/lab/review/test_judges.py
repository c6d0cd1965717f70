"""Judges: how they are named, and that the verdict of two of them is the weighted mean of their points."""

import pytest

from mj_bot.lab.fit.joint_value import DECISION_GROUPS, compute_sureness, expect_loss, name_group, weigh_judges
from mj_bot.lab.review.decisions import JudgedDecision, review_seat
from mj_bot.lab.review.judges import CLEAR, classify, join_judges, make_judges, split_judges
from mj_bot.lab.table.players import TIME_LIMIT
from mj_bot.mahjong.errors import UnknownTacticError
from tests.lab.review.games import golden_records


@pytest.mark.parametrize("text, specs", [
    ("", []), ("search", ["search"]), ("cnn,search", ["cnn", "search"]),
    ("search:danger=4.4,correction=0.5", ["search:danger=4.4,correction=0.5"]),
    ("search:danger=4.4,cnn:a_b.npz,random", ["search:danger=4.4", "cnn:a_b.npz", "random"]),
])
def test_judges_stand_one_after_another(text, specs):
    assert split_judges(text) == specs


def test_each_judge_must_be_known():
    with pytest.raises(UnknownTacticError, match="serch.*search"):
        make_judges("cnn,serch", TIME_LIMIT)


ERRORS = {"cnn": (1.43, 0.39), "search": (0.96, 0.21)}
A, B, C = ("PLAY", "W1"), ("PLAY", "W2"), ("PASS",)


def judge(name, values, logged=None, unit="points", legal=None):
    """A JudgedDecision. values: {action: value}; the best one is chosen."""
    ranked = sorted(values.items(), key=lambda entry: -entry[1])
    return JudgedDecision(0, "", legal or list(values), logged, ranked[0][0], "", ranked, None, name, unit=unit,
                          error=ERRORS.get(name, ()))


def test_the_best_action_has_the_mean_and_differences_are_weighted():
    """Also where each judge prefers another action than the mean does."""
    decisions = [judge("cnn", {A: 3.0, B: 2.0, C: 0.0}), judge("search", {C: 3.0, B: 2.6, A: -1.0})]
    for is_ready in (False, True):
        first, second = weigh_judges(["cnn", "search"], name_group(True, is_ready))
        verdict = join_judges(decisions, is_ready)
        sums = {A: 3 * first - second, B: 2 * first + 2.6 * second, C: 3 * second}
        assert verdict.ranked[0][1] == pytest.approx(max(sums.values()) / (first + second))
        assert {action: verdict.ranked[0][1] - value for action, value in verdict.ranked} == pytest.approx(
            {action: max(sums.values()) - value for action, value in sums.items()})
        assert verdict.chosen == verdict.ranked[0][0] == max(dict(verdict.ranked), key=dict(verdict.ranked).get)
        for action, value in verdict.ranked[1:]:
            measure, difference = verdict.measure(action), verdict.ranked[0][1] - value
            assert 0 <= measure["loss"] <= difference and 0.5 < measure["chance"] < 1
            assert measure["is_clear"] == (measure["chance"] >= CLEAR) and measure["class"] == classify(measure["loss"])
        assert verdict.measure(verdict.chosen) == {
            "agreement": "same", "loss": 0.0, "chance": None, "is_clear": False, "class": "good"}


def test_one_judge_has_the_whole_weight():
    for group in DECISION_GROUPS:
        assert 0.8 < sum(weigh_judges(["cnn", "search:danger=0"], group)) < 1.25
        assert weigh_judges(["cnn", "mine"], group) == weigh_judges(["search", "search"], group) == [0.5, 0.5]
        assert weigh_judges(["cnn:weights=mine"], group) == weigh_judges(["search:danger=0"], group) == [1.0]


def test_one_judge_alone_is_its_own_verdict():
    verdict = join_judges([judge("search", {A: 3.0, B: 1.0})], False)
    assert verdict.ranked == [(A, 3.0), (B, 1.0)] and 0 < verdict.measure(B)["loss"] < 2
    unknown = join_judges([judge("mine", {A: 3.0, B: 1.0})], False).measure(B)
    assert (unknown["loss"], unknown["chance"], unknown["is_clear"]) == (2.0, None, False)


def test_judges_without_points_have_no_weight():
    tiles, points = judge("rule_based", {A: 9.0, B: 0.0}, unit="tiles"), judge("search", {B: 3.0, A: 1.0})
    assert join_judges([points, tiles], False) == join_judges([points], False)
    alone = join_judges([tiles], False)
    assert (alone.unit, alone.chosen, alone.measure(B)["loss"], alone.measure(B)["class"]) == ("tiles", A, 9.0, None)


def test_a_win_is_compared_by_the_judges_that_value_it():
    """`cnn` gives no points where a win is possible: the values of `search` count alone, and a win comes first."""
    win, legal = ("HU", 8), [("HU", 8), C]
    silent = JudgedDecision(0, "", legal, C, win, "", [], None, "cnn", unit="points", error=ERRORS["cnn"])
    verdict = join_judges([silent, judge("search", {win: 20.0, C: 3.0}, legal=legal)], True)
    assert verdict.chosen == win and verdict.measure(C)["loss"] == pytest.approx(17, abs=1)
    assert join_judges([silent, judge("search", {C: 30.0, win: 20.0}, legal=legal)], True).chosen == win
    assert join_judges([silent], True).measure(C)["loss"] is None


def test_small_differences_cost_next_to_nothing_and_large_ones_all():
    assert expect_loss(0.1, 1.0) < 0.06 and expect_loss(10.0, 1.0) > 9.5
    losses = [expect_loss(size / 10, 1.0) for size in range(100)]
    assert losses == sorted(losses) and compute_sureness(0.0, 1.0) is None
    assert compute_sureness(1.0, 1.0) == pytest.approx(0.841, abs=1e-3)


@pytest.fixture(scope="module")
def pairs():
    """(review by two judges, reviews by each) of some seats."""
    transcripts = [record.transcripts()[seat] for seat, record in enumerate(golden_records(4, "stacked"))]
    return [tuple(review_seat(transcript, make_judges(text, None)) for text in ("cnn,search", "cnn", "search"))
            for transcript in transcripts]


def test_both_judges_keep_their_opinions(pairs):
    split = 0
    for both, *alone in pairs:
        for made, *single in zip(both["decisions"], *(review["decisions"] for review in alone)):
            assert made["judges"] == [one["judges"][0] for one in single]
            assert made["forecast"] == single[0]["forecast"] and (made["chosen"] == "HU" or made["forecast"])
            is_split = single[0]["chosen"] != single[1]["chosen"]
            assert is_split or made["chosen"] == single[0]["chosen"]
            assert made["is_clear"] == ((made["chance"] or 0) >= CLEAR)
            split += is_split
        assert all(both["decisions"][index]["class"] != "good" for index in both["mistakes"])
    assert split > 2
