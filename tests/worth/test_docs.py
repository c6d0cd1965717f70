"""The numbers of docs/search.md."""

import doctest
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "search.md"


def test_the_hand_that_is_worked_through():
    failed, count = doctest.testfile(str(DOCUMENT), module_relative=False)
    assert failed == 0 and count > 20
