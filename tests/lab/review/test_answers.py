"""The other choices at a mistake: all of them, with the loss on which the judges agree and causes that sum up."""

import pytest

from mj_bot.lab.review.answers import list_answers
from mj_bot.lab.review.decisions import review_seat
from mj_bot.lab.review.judges import classify, make_judges
from mj_bot.lab.table.players import TIME_LIMIT
from tests.lab.library.games import list_reviewed


@pytest.fixture(scope="module")
def questions():
    """(game, decision) of all questions of two reviewed games."""
    return [(game, decision) for game, reviewed in list_reviewed()[1:3] for review in reviewed["reviews"].values()
            for decision in review["decisions"] if decision["answers"]]


def test_every_mistake_has_its_answers_and_no_other_decision(questions):
    assert len(questions) > 10
    for _, reviewed in list_reviewed()[1:3]:
        for review in reviewed["reviews"].values():
            asked = {index for index, decision in enumerate(review["decisions"]) if decision["answers"]}
            listed = set(review["mistakes"] + review["disputed"])
            assert asked <= {index for index, decision in enumerate(review["decisions"])
                             if decision["disputed"] or decision["class"] not in (None, "good")
                             or any(judge["class"] not in (None, "good") for judge in decision["judges"])}
            # Without a third choice there is nothing else to answer.
            assert all(len(review["decisions"][index]["ranked"]) <= 2 or review["decisions"][index]["claimed"]
                       for index in listed - asked)


def test_each_discard_can_be_chosen_once(questions):
    for _, decision in questions:
        choices = [answer["choice"] for answer in decision["answers"]] + [decision["logged"], decision["chosen"]]
        if decision["tiles"]:
            discards = [text[5:] for text in choices if text.startswith("PLAY ")]
            assert set(discards) == {tile[0] for tile in decision["tiles"]}
        assert len(decision["answers"]) == len({answer["choice"] for answer in decision["answers"]})


def test_losses_are_agreed_and_causes_sum_up(questions):
    for _, decision in questions:
        for answer in decision["answers"]:
            margins = [max(0.0, judge["loss"] - (judge["uncertainty"] or 0.0)) for judge in answer["judges"]]
            assert answer["loss"] == pytest.approx(min(margins), abs=1e-3)
            assert answer["class"] == classify(answer["loss"], None)
            values = dict(decision["ranked"])
            loss = values[decision["chosen"]] - values[answer["choice"]]
            assert answer["judges"][-1]["loss"] == pytest.approx(loss, abs=1e-3)
            if answer["causes"]:
                assert sum(points for _, points, *_ in answer["causes"]) == pytest.approx(loss, abs=0.03)
            assert answer["class"] == "good" or answer["remarks"]


def test_one_judge_has_answers_too():
    """Its choices are compared by its own loss."""
    game = list_reviewed()[1][0]
    review = review_seat(game.transcripts[0], make_judges("search", TIME_LIMIT))
    answers = [answer for decision in review["decisions"] for answer in decision["answers"]]
    assert answers and all(answer["loss"] == answer["judges"][0]["loss"] for answer in answers)
    assert list_answers({"judges": [{"class": "good"}]}, [], None) == []
