"""mj_bot.api and docs/api.md: what the page shows works, and untrusted input raises errors of the project alone."""

import doctest
from pathlib import Path


from mj_bot import api

REPOSITORY = Path(__file__).parents[1]


def test_the_page_shows_what_happens():
    failed, count = doctest.testfile(str(REPOSITORY / "docs" / "api.md"), module_relative=False,
                                     optionflags=doctest.ELLIPSIS)
    assert failed == 0 and count > 40


def test_the_page_names_what_is_public():
    page = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
    results = {"Decision", "Fan", "FanCount", "Interval", "MatchResult", "Opinion", "Outlook", "PlayerResult"}
    assert {name for name in api.__all__ if name not in page} <= results
    assert all(hasattr(api, name) for name in api.__all__) and len(set(api.__all__)) == len(api.__all__)
