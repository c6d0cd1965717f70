"""Reviewed decisions: what they say is what the tactic, the shanten and the state say; sums; mistakes."""

from math import isfinite

import pytest

from mj_bot.lab.fit.joint_value import HALF
from mj_bot.lab.records.source import read_games
from mj_bot.lab.review.decisions import (
    add_summaries, describe_review, list_mistakes, replay, review_seat, summarise_decisions)
from mj_bot.lab.review.judges import classify
from mj_bot.lab.table.players import TacticPlayer, make_tactic_player
from mj_bot.mahjong.action import format_action
from tests.golden_games import SAMPLES
from tests.lab.review.games import golden_records


@pytest.fixture(scope="module")
def transcripts():
    return [record.transcripts()[seat] for seat, record in enumerate(golden_records(4, "stacked"))]


@pytest.fixture(scope="module")
def reviews(transcripts):
    return [review_seat(transcript, [make_tactic_player("rule_based")]) for transcript in transcripts]


def test_decisions_are_those_of_replay(transcripts, reviews):
    for transcript, review in zip(transcripts, reviews):
        assert review["error"] is None and review["unit"] == "tiles"
        told = [(decision["frame"], decision["logged"], decision["chosen"], decision["reasons"],
                 [tile[0] for tile in decision["tiles"]]) for decision in review["decisions"]]
        assert told == [
            (decision.index, format_action(decision.logged), format_action(decision.chosen), decision.reasons,
             [action[1] for action in decision.legal if action[0] == "PLAY"])
            for decision in replay(transcript, make_tactic_player("rule_based"))]


def test_a_loss_is_the_difference_of_two_values(reviews):
    agreements = set()
    for review in reviews:
        for decision in review["decisions"]:
            agreements.add(decision["agreement"])
            values = dict(decision["ranked"])
            if decision["agreement"] == "same":
                assert decision["loss"] == 0 and decision["logged"] == decision["chosen"]
            elif values:
                difference = values[decision["chosen"]] - values[decision["logged"]]
                assert decision["loss"] == pytest.approx(difference, abs=1e-3)
                assert decision["loss"] >= 0
    assert {"same", "kind"} <= agreements


def test_a_kong_that_may_be_robbed_has_two_values():
    """To let the kong pass was worth no number: the hand was read as one that discards."""
    game, = read_games(str(SAMPLES / "robbed_kong.json"))
    decisions = [decision for decision in replay(game.transcripts[2], make_tactic_player("search"))
                 if len(decision.legal) == 2 and decision.request.split()[2] == "BUGANG"]
    (best, win), (other, points) = decisions[0].ranked
    assert (best[0], other) == ("HU", ("PASS",)) and isfinite(points) and points < win


def test_a_missed_win_leads_the_mistakes():
    def play_first(state):
        return next(action for action in state.action_space() if action[0] in ("PASS", "PLAY"))

    record = golden_records(1, "stacked")[0]
    winner = record.closing["player"]
    review = review_seat(record.transcripts()[winner], [TacticPlayer(play_first, "")])
    assert review["unit"] == ""
    last = review["decisions"][-1]
    assert (last["logged"], last["agreement"], last["loss"]) == ("HU", "other", None)
    summary = summarise_decisions(review["decisions"])
    assert summary["HU"] == {"decisions": 1, "same": 0, "loss": 0, "missed": 1, "inaccuracy": 0, "mistake": 0,
                             "blunder": 0}
    assert list_mistakes(review["decisions"])[0] == len(review["decisions"]) - 1


def make_decision(logged, agreement, loss):
    return {"logged": logged, "chosen": "PASS", "agreement": agreement, "loss": loss, "ranked": [],
            "class": classify(loss), "repeats": None, "is_needless_danger": False,
            "frame": None, "chosen_facts": None, "logged_facts": None}


def test_sums_and_the_order_of_mistakes():
    """A loss below 0.5 points is no mistake, but it counts."""
    decisions = [make_decision(*decision) for decision in (
        ("PLAY W1", "same", 0.0), ("PLAY W2", "kind", 0.5), ("PASS", "other", None), ("CHI W2 W9", "other", 2.0),
        ("PLAY W3", "kind", 0.0), ("PLAY W4", "kind", 0.4), (None, None, None), ("PASS", "other", 4.0))]
    summary = summarise_decisions(decisions)
    assert list(summary) == ["PLAY", "CHI", "PASS", "all"]
    assert summary["PLAY"] == {
        "decisions": 4, "same": 1, "loss": 0.9, "missed": 0, "inaccuracy": 1, "mistake": 0, "blunder": 0}
    whole = summary["all"]
    assert [whole[key] for key in ("decisions", "missed", "inaccuracy", "mistake", "blunder")] == [7, 1, 1, 1, 1]
    review = describe_review(decisions, "points")
    assert review["accuracy"] == pytest.approx(0.5 ** (6.9 / 6 / HALF), abs=1e-4)
    assert describe_review(decisions, "tiles")["accuracy"] is describe_review([], "points")["accuracy"] is None
    assert add_summaries([summary, summary])["all"]["loss"] == 2 * whole["loss"]
    assert list_mistakes(decisions) == [2, 7, 3, 1]


def test_a_seat_whose_record_breaks_is_reviewed_up_to_there():
    transcript = golden_records(1, "stacked")[0].transcripts()[0]
    whole = review_seat(transcript, [make_tactic_player("random")])
    requests = transcript.requests[:20] + ["3 0 PENG W1"]
    review = review_seat(transcript._replace(requests=requests), [make_tactic_player("random")])
    assert "request 20" in str(review["error"])
    assert review["decisions"] == [decision for decision in whole["decisions"] if decision["frame"] < 20]
