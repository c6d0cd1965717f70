"""Judges: how they are named, what two of them agree on, and that the agreed loss of a game follows from both."""

import pytest

from mj_bot.lab.review.decisions import describe_review, list_disputed, list_mistakes, rank_dispute, review_seat
from mj_bot.lab.review.judges import LIMITS, join_opinions, make_judges, split_judges
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


def opinion(loss, uncertainty=None, grade="good", agreement="other"):
    return {"loss": loss, "uncertainty": uncertainty, "class": grade, "agreement": agreement}


SAME = opinion(0.0, agreement="same")


@pytest.mark.parametrize("opinions, loss, grade, is_disputed", [
    ([opinion(5.0, 2.0, "blunder")], 5.0, "blunder", False),
    ([opinion(8.0, 3.0, "blunder"), opinion(6.0, 0.5, "blunder")], 5.0, "blunder", False),
    ([opinion(3.0, 2.0, "mistake"), opinion(6.0, 0.5, "blunder")], 1.0, "inaccuracy", False),
    ([opinion(2.0, 1.8, "mistake"), opinion(2.0, 0.5, "mistake")], 0.2, "good", False),
    ([opinion(2.0, 2.5), opinion(2.0, 0.5, "mistake")], 0.0, "good", True),
    ([opinion(0.3), opinion(9.0, 0.5, "blunder")], 0.3, "good", True),
    ([SAME, opinion(9.0, 0.5, "blunder")], 0.0, "good", True),
    ([SAME, SAME], 0.0, "good", False),
    ([opinion(None, grade=None), opinion(9.0, 0.5, "blunder")], 8.5, "blunder", False),
    ([opinion(None, grade=None), opinion(None, grade=None)], None, None, False),
], ids=["one judge", "the smaller one less its error", "of other classes", "both small", "within an error", "small",
        "another choice", "no loss", "a win that one judge gives no value", "no values"])
def test_the_agreed_loss(opinions, loss, grade, is_disputed):
    joined = join_opinions(opinions, ["points"] * len(opinions))
    assert (joined["loss"], joined["class"], joined["disputed"]) == (loss, grade, is_disputed)
    assert joined["uncertainty"] == (opinions[0]["uncertainty"] if len(opinions) == 1 else None)


def test_a_judge_without_points_counts_by_its_choice():
    points, tiles = opinion(5.0, 1.0, "blunder"), opinion(0.4, grade=None)
    assert join_opinions([tiles, points], ["tiles", "points"])["loss"] == 4.0
    joined = join_opinions([dict(SAME, **{"class": None}), points], ["tiles", "points"])
    assert (joined["loss"], joined["disputed"], joined["agreement"]) == (0.0, True, "same")
    assert join_opinions([tiles, opinion(0.2, grade=None)], ["tiles", "tiles"])["loss"] == 0.2


@pytest.fixture(scope="module")
def pairs():
    """(review by two judges, reviews by each) of some seats."""
    transcripts = [record.transcripts()[seat] for seat, record in enumerate(golden_records(4, "stacked"))]
    return [tuple(review_seat(transcript, make_judges(text, None)) for text in ("cnn,search", "cnn", "search"))
            for transcript in transcripts]


def test_both_judges_say_together_what_each_says_alone(pairs):
    least = LIMITS[-1][1]
    disputed = 0
    for both, *alone in pairs:
        for made, *single in zip(both["decisions"], *(review["decisions"] for review in alone)):
            assert made["judges"] == [one["judges"][0] for one in single]
            assert (made["chosen"], made["causes"]) == (single[1]["chosen"], single[1]["causes"])
            assert made["forecast"] == single[0]["forecast"] and (made["chosen"] == "HU" or made["forecast"])
            if made["class"] not in ("good", None):
                assert made["loss"] >= least and all(one["class"] != "good" for one in single)
            disputed += made["disputed"]
        assert not set(both["mistakes"]) & set(both["disputed"])
        assert both["summary"]["all"]["loss"] <= min(one["summary"]["all"]["loss"] for one in alone)
    assert disputed > 2


def test_disputed_decisions_come_by_the_greatest_loss(pairs):
    for both, *_ in pairs:
        ranks = [rank_dispute(both["decisions"][index]) for index in list_disputed(both["decisions"])]
        assert ranks == sorted(ranks, reverse=True)


def ready(frame, waits, better, loss, grade="mistake", chosen="PLAY W1"):
    return {"frame": frame, "chosen": chosen, "logged": "PLAY W2", "agreement": "kind", "loss": loss, "class": grade,
            "disputed": False, "repeats": None, "judges": [{"loss": loss}], "ranked": [], "tiles": [["W1"]],
            "chosen_facts": {"shanten": 0, "useful": [[name, 2] for name in better]},
            "logged_facts": {"shanten": 0, "useful": [[name, 1] for name in waits]}}


def test_a_wrong_wait_that_is_kept_is_one_mistake():
    """Each turn with a wait counted as a mistake of its own; so did each turn at which a kong was not made."""
    decisions = [ready(5, ["W3"], ["T1"], 2.0), ready(9, ["W3"], ["T1", "T4"], 5.0, "blunder"),
                 ready(13, ["W3"], ["T1"], 1.0, "good"), ready(17, ["W3"], ["W3"], 2.0), ready(21, ["B3"], ["T1"], 2.0),
                 ready(25, ["B3"], ["B3"], 3.0, chosen="GANG W1"), ready(29, ["B3"], ["B3"], 2.0, chosen="GANG W1")]
    review = describe_review(decisions, "points")
    assert [made["repeats"] for made in decisions] == [9, None, None, None, None, None, 25]
    assert review["mistakes"] == [1, 5, 3, 4] == list_mistakes(decisions)
    counts = review["summary"]["all"]
    assert (counts["loss"], counts["mistake"], counts["blunder"], counts["decisions"]) == (13.0, 3, 1, 7)
