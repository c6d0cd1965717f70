"""The page for any hand, in a browser: tiles clicked, hands written, links, words, a phone."""

import json
import urllib.request
from urllib.parse import quote, urlencode

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.hand.answer import answer_texts
from mj_bot.lab.play.session import Session
from tests.browser import needs_browser, open_page
from tests.lab.play.games import OPPONENTS, serve

pytestmark = needs_browser

READ_HAND = "() => [...document.querySelectorAll('#hand .tile')].map(tile => tile.dataset.tile || 'meld')"


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    session = Session(OPPONENTS, "random", str(tmp_path_factory.mktemp("played")))
    session.begin(5, 1, True)
    with serve(session) as url:
        yield url


def open_hand(browser, url, texts=(), **options):
    return open_page(browser, url + "hand#" + urlencode(texts), **options)


def click_tiles(page, names, into="hand"):
    page.click("#into [data-into='%s']" % into)
    for name in names.split():
        page.click("#kinds [data-tile=%s]" % name)


def test_a_hand_by_clicks_and_its_link(browser, url):
    """The text, the address and the answer are those of the tiles; the address opens the same hand again."""
    with open_hand(browser, url) as page:
        click_tiles(page, "W1", "chow")
        click_tiles(page, "F2", "concealed")
        click_tiles(page, "B9 B7 B8 T5 T5 F1 T4")
        assert page.evaluate(READ_HAND) == ["T4", "T5", "T5", "B7", "B8", "B9", "F1", "meld", "meld"]
        page.wait_for_selector("#answer .useful")
        click_tiles(page, "T6")
        page.wait_for_selector("#answer [data-action='PLAY F1']")
        click_tiles(page, "T3 T3", "2")
        page.wait_for_function("() => document.querySelectorAll('#rivers .tile').length === 2")
        page.select_option("#seat_wind", "2")
        text = "[123m,1][SSSS]455s789pE6s|EW0000"
        page.wait_for_function("text => document.querySelector('#text').value === text", arg=text)
        address = page.url
        assert "hand=" + quote(text, safe="") in address and "river=%2F%2F3s3s" in address
        answer = answer_texts(text, "//3s3s")
        assert [move.get_attribute("data-action") for move in page.query_selector_all("#answer .move")] == [
            move["action"] for move in answer["moves"]]
        best = page.query_selector("#answer .move").inner_text()
        assert "%+.2f" % answer["moves"][0]["points"] in best and "ready" in best
        page.click("#answer [data-action='PLAY F1']")
        page.wait_for_selector("#answer table")
        assert page.evaluate(READ_HAND)[:-2] == ["T4", "T5", "T5", "T6", "B7", "B8", "B9"]
        page.click("#hand .meld")
        page.wait_for_function("() => document.querySelector('#answer').innerText.startsWith('10 tiles')")
        page.click("#clear")
        page.wait_for_function("() => !document.querySelector('#hand .tile')")
    with open_page(browser, address) as page:
        page.wait_for_selector("#answer .move")
        assert page.input_value("#text") == text and len(page.query_selector_all("#rivers .tile")) == 2


def test_a_hand_is_written_and_what_is_wrong_with_it_is_said(browser, url):
    with open_hand(browser, url) as page:
        page.fill("#text", "W123 T456 B789 F11 B55")
        page.wait_for_selector("#answer table")
        assert "10" in page.inner_text("#answer") and "Mixed straight 8" in page.inner_text("#answer")
        page.fill("#text", "123m456s789pEE55x")
        page.wait_for_selector("#notice:not([hidden])")
        assert "got 'x' at letter 17" in page.inner_text("#notice") and page.is_hidden("#answer")
        page.fill("#text", "[EEE,2][SSSS,1]WWWNN55pN|EE1000|2")
        page.wait_for_selector("#answer .fans")
        assert page.is_hidden("#notice") and page.is_checked("#is_self_drawn")
        assert "A winning hand of 100 fan" in page.inner_text("#answer")
        assert "on a discard: 97 fan" in page.inner_text("#answer"), "both with flowers"
        assert page.input_value("#flowers") == "2" and "Big four winds" in page.inner_text("#answer .fans")
        page.uncheck("#is_self_drawn")
        page.wait_for_function("() => document.querySelector('#answer').innerText.includes('of 97 fan')")
        # No fifth copy, and no fifteenth tile, can be clicked.
        assert page.is_disabled("#kinds [data-tile=W1]")
        page.click("#into [data-into='0']")
        assert page.is_disabled("#kinds [data-tile=F2]") and page.is_enabled("#kinds [data-tile=W1]")


@pytest.mark.parametrize("locale, head, other", [
    pytest.param("en-US", "No legal win: 4 fan", "self-drawn: 5 fan, no legal win", marks=pytest.mark.slow),
    ("zh-CN", "不能和：4 番", "自摸：5 番，不能和")])
def test_the_head_of_a_hand_that_may_not_win(browser, url, locale, head, other):
    """The head said "wins, 12 fan" with the flowers, above the line that the hand may not win."""
    with open_hand(browser, url, {"hand": "[555p,1]5m5m5m123s789sEE|WE0000|8"}, locale=locale) as page:
        page.wait_for_selector("#answer .move")
        assert page.inner_text("#answer h2").startswith(head) and other in page.inner_text("#answer")


@pytest.mark.slow
def test_waits_and_improvements_of_a_ready_hand(browser, url):
    """Thirteen equal waits are one row with the flowers; a better wait and the command's rules are shown."""
    with open_hand(browser, url, {"hand": "19m19s19pESWNCFP|EE0000|2"}) as page:
        page.wait_for_selector("#answer table")
        rows = page.locator("#answer table tr")
        assert rows.count() == 2 and rows.nth(1).locator("svg").count() == 13 and "91" in rows.nth(1).inner_text()
    with open_hand(browser, url, {"hand": "234m456s77p34p678s"}) as page:
        page.wait_for_selector("#answer .improvement")
        page.select_option("#rules", "mil")
        page.wait_for_function("() => document.querySelector('#answer').innerText.includes('rules of mil')")
        assert "rules=mil" in page.url
        page.reload()
        page.wait_for_selector("#answer .improvement")
        assert page.input_value("#rules") == "mil"
        gain = answer_texts("234m456s77p34p678s")["leads"]["improvements"][0]["gain"]
        assert "%+.2f" % gain in page.locator(".improvement").first.inner_text()


@pytest.mark.slow
def test_a_click_keeps_the_notation(browser, url):
    with open_hand(browser, url, {"hand": "123万456条789饼东东5饼"}) as page:
        page.wait_for_function("() => document.querySelectorAll('#hand .tile').length === 12")
        click_tiles(page, "B5")
        page.wait_for_selector("#answer table")
        assert page.input_value("#text") == "123万456条55789饼东东"


@pytest.mark.parametrize("locale, scheme", [("zh-CN", "dark"), pytest.param("en-US", "light", marks=pytest.mark.slow)])
def test_a_phone_in_both_languages(browser, url, locale, scheme):
    """Nothing lies outside the screen; the other language comes by a click, and stays."""
    with open_hand(browser, url, {"hand": "123m456s789pEE55pC|SW"}, width=390, height=844, locale=locale,
                   color_scheme=scheme) as page:
        page.wait_for_selector("#answer .move")
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        is_chinese = locale == "zh-CN"
        assert ("听牌" in page.inner_text("#answer")) == ("任意手牌" in page.inner_text("h1")) == is_chinese
        page.click("#language")
        page.wait_for_function("text => document.querySelector('h1').innerText === text",
                               arg="Any hand" if is_chinese else "任意手牌")
        page.reload()
        page.wait_for_selector("#answer .move")
        assert page.inner_text("h1") == ("Any hand" if is_chinese else "任意手牌")


def test_the_command_opens_the_page_on_the_hand(browser, url, monkeypatch, tmp_path):
    opened = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("mj_bot.lab.play.serve.serve", lambda session, port, is_opened, page, fragment: opened.append(
        (page, fragment)) or 0)
    assert main(["hand", "--open"]) == 0 == main(["hand", "--open", "123m 456s 789p EE55p", "--river", "//E[CCC,1]"])
    (name, empty), (_, fragment) = opened
    assert name == "hand" and not any(empty.values())
    with open_hand(browser, url, fragment) as page:
        page.wait_for_selector("#answer table")
        assert page.input_value("#text") == "123m456s789pEE55p" and page.query_selector("#rivers [data-tile=F1]")
        assert page.locator("#rivers .meld svg").count() == 3


def test_the_server_answers_texts(url):
    """What is unfinished has no answer yet; what is wrong has an error."""
    def ask(**texts):
        with urllib.request.urlopen(url + "hand/answer?" + urlencode(texts)) as reply:
            return json.load(reply)

    assert ask(hand="123m")["hand"]["tiles"] == ["W1", "W2", "W3"] and "shanten" not in ask(hand="123m")
    assert ask(hand="123m456s789pEE55p")["shanten"] == 0
    assert ask()["hand"]["size"] == 0
    assert "got 5 of 5p" in ask(hand="55555p")["error"] and "got 'x'" in ask(hand="1m", river="2mx")["error"]
