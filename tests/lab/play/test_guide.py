"""The page for newcomers: its hands are what it says, and its shares are those that were counted."""

import importlib.util
import pathlib

import pytest

from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.run.files import read_json
from tests.browser import needs_browser, open_page
from tests.lab.play.games import OPPONENTS, serve
from mj_bot.lab.play.session import Session

SPEC = importlib.util.spec_from_file_location("make_ways", pathlib.Path("docs/make_ways.py"))
make_ways = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make_ways)


@pytest.mark.parametrize("fan, hand", make_ways.HANDS.items())
def test_each_hand_wins_by_its_way(fan, hand):
    """The main fan is the first, and fans of six have the two that they need."""
    win = answer_texts(hand)["win"]
    points = [worth * copies for worth, copies, _ in win["fans"]]
    assert win["fans"][0][2] == fan and points[0] == max(points) and sum(points) >= 8
    assert points[0] >= 8 or points[:2] == [6, 2]


def test_the_shares_are_those_of_the_result():
    for path, text in make_ways.make_texts(read_json(make_ways.RESULT)).items():
        assert path.read_text(encoding="utf-8") == text and len(text) < 30_000, path
    assert all(way["share"] > 1 for way in make_ways.list_ways(read_json(make_ways.RESULT)))
    for language in ("en", "zh"):
        words = (make_ways.GUIDE.parent / ("guide_words.%s.js" % language)).read_text(encoding="utf-8")
        assert all('"%s": ' % fan in words for fan in make_ways.HANDS)


@needs_browser
@pytest.mark.slow
def test_the_pages_lead_to_one_another_in_one_language(browser, tmp_path):
    """The page of the fans had both languages side by side, and no search."""
    with serve(Session(OPPONENTS, "random", str(tmp_path))) as url, open_page(browser, url + "guide", 390, 844) as page:
        assert page.locator("#guide h3").count() == len(make_ways.HANDS)
        assert page.locator("#guide .hand svg").count() > 100
        page.click("#language")
        assert "三色三步高" in page.inner_text("#guide") and "Mixed" not in page.inner_text("body")
        page.click("a[href=fans]")
        page.wait_for_selector(".all-fans td")
        assert "Half flush" not in page.inner_text("body")
        page.fill(".fan-tools input", "一色")
        shown = page.locator(".all-fans tbody tr:visible").count()
        assert 5 < shown < 15
        page.click(".fan-tools button >> text=/^8$/")
        assert page.locator(".all-fans tbody tr:visible").count() == 81
        assert 0 <= page.locator("tr[data-points='8']").first.bounding_box()["y"] < 200
        page.click("#language")
        page.click("#riichi")
        assert "ittsu" in page.inner_text(".all-fans") and page.evaluate("document.documentElement.scrollWidth") <= 390
        page.click("a[href=guide]")
        page.wait_for_selector("#guide h3")
