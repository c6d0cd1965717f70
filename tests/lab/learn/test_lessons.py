"""Failed positions come back after 1, 3, 7 and 21 days, and the score counts what was right at once."""

import time

import pytest

from mj_bot.lab.learn.lessons import begin_day, describe_score, keep_answer, read_lessons
from mj_bot.lab.library.store import open_library

NOON = time.mktime((2026, 3, 27, 12, 0, 0, 0, 0, -1))  # a change of the clock follows in many places
DAY = 86400
KEY = "0123456789abcdef"


@pytest.fixture
def library(tmp_path):
    return open_library(str(tmp_path / "library.sqlite"))


def answer(library, is_right, days, frame=7):
    keep_answer(library, KEY, 2, frame, is_right=is_right, now=NOON + days * DAY)
    due = read_lessons(library)[KEY, 2, frame]
    return due and round((due - begin_day(NOON)) / DAY)


@pytest.mark.parametrize("answers, due", [
    pytest.param([(False, 0), (True, 0), (True, 1), (True, 4), (True, 11), (True, 32)], [1, 1, 4, 11, 32, None],
                 id="a failed one comes back, on its day at the earliest, and goes after the last interval"),
    pytest.param([(False, 0), (True, 1), (True, 4), (False, 11), (True, 12)], [1, 4, 11, 12, 15],
                 id="a second failure begins anew"),
    # It was never asked again.
    pytest.param([(True, 0), (True, 5), (True, 21), (True, 50)], [21, 21, None, None],
                 id="one that was right at once comes back once"),
    pytest.param([(True, 0), (False, 21), (True, 22)], [21, 22, 25], id="one that was right at once fails later"),
])
def test_when_a_position_comes_back(library, answers, due):
    assert [answer(library, is_right, day) for is_right, day in answers] == due


def test_the_score(library):
    for day, is_right in ((0, False), (1, True), (1, True), (2, True), (2, False), (3, True)):
        answer(library, is_right, day, frame=day)
    score = describe_score(library, NOON + 3 * DAY)
    assert score == {"answered": 6, "right": 4, "today": 1, "row": 1, "best": 3, "days": 4, "due": 2}
    assert describe_score(library, NOON + 4 * DAY)["days"] == 4, "today may still come"
    assert describe_score(library, NOON + 5 * DAY)["days"] == 0
