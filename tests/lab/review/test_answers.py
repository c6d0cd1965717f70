"""The other choices at a mistake: all of them, with the loss by the verdict, and causes that sum up."""

import pytest

from mj_bot.lab.review.decisions import is_mistake, review_seat
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
            for decision in review["decisions"]:
                assert is_mistake(decision) or not decision["answers"]
                # Without a third choice there is nothing else to answer.
                assert decision["answers"] or not is_mistake(decision) or decision["claimed"] or (
                    len(decision["ranked"]) <= 2)


def test_each_discard_can_be_chosen_once(questions):
    for _, decision in questions:
        choices = [answer["choice"] for answer in decision["answers"]] + [decision["logged"], decision["chosen"]]
        if decision["tiles"]:
            discards = [text[5:] for text in choices if text.startswith("PLAY ")]
            assert set(discards) == {tile[0] for tile in decision["tiles"]}
        assert len(decision["answers"]) == len({answer["choice"] for answer in decision["answers"]})


def test_losses_are_those_of_the_verdict_and_causes_sum_up(questions):
    for _, decision in questions:
        values, of_search = dict(decision["ranked"]), dict(decision["judges"][-1]["ranked"])
        for answer in decision["answers"]:
            assert 0 <= answer["loss"] <= values[decision["chosen"]] - values[answer["choice"]] + 1e-3
            assert answer["class"] == classify(answer["loss"])
            for judge, opinion in zip(answer["judges"], decision["judges"]):
                own = dict(opinion["ranked"])
                assert judge["name"] == opinion["name"]
                assert judge["loss"] == pytest.approx(own[opinion["chosen"]] - own[answer["choice"]], abs=1e-3)
            if answer["causes"]:
                loss = of_search[decision["chosen"]] - of_search[answer["choice"]]
                assert sum(points for _, points, *_ in answer["causes"]) == pytest.approx(loss, abs=0.03)
            assert answer["class"] == "good" or answer["remarks"]


def test_one_judge_has_answers_too():
    """Its choices are compared by its own loss."""
    game = list_reviewed()[1][0]
    review = review_seat(game.transcripts[0], make_judges("search", TIME_LIMIT))
    answers = [answer for decision in review["decisions"] for answer in decision["answers"]]
    assert answers and all(answer["loss"] <= answer["judges"][0]["loss"] for answer in answers)
