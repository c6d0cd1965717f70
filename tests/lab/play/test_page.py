"""The page for playing, in a browser: whole games by clicks, reloads, two tabs, hints, words, a phone."""

import threading

import pytest

from mj_bot.lab.play.play import start_server
from mj_bot.lab.play.session import Session
from mj_bot.lab.records.botzone_log import parse_log
from tests.browser import needs_browser, open_browser, open_page
from tests.lab.play.games import OPPONENTS, choose_greedily, find_rich_seed

pytestmark = needs_browser

TILE = "#hand .tile:not(:disabled)"
READ_HAND = "() => [...document.querySelectorAll('#hand .tile')].map(tile => tile.dataset.tile)"


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


@pytest.fixture
def session(tmp_path):
    return Session(OPPONENTS, "rule_based", str(tmp_path / "played"))


@pytest.fixture
def url(session):
    session.begin(5, 1, True)
    server = start_server(session, 0)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield "http://127.0.0.1:%d/" % server.port
    server.shutdown()
    server.server_close()


def wait_for_choice(page, sequence):
    """Waits until the page shows the choice, or the end, at a sequence number."""
    page.wait_for_selector("main[data-sequence='%d'][data-ready]" % sequence)


def click(page, text):
    """Clicks an action, given as Botzone's text: a button, a tile, or the one and then the other."""
    words = text.split(" ")
    discard = words.pop() if words[0] in ("PLAY", "CHI", "PENG") else None
    if words != ["PLAY"]:
        page.click("#actions [data-action='%s']" % " ".join(words))
    if discard:
        page.click("%s[data-tile='%s']" % (TILE, discard))


def at_once(page):
    page.click("#settings summary")
    page.select_option("#pace", "0")
    page.click("#settings summary")


def test_a_whole_game_by_clicks(browser, session, url, tmp_path):
    """Claims and kongs in it; what the page shows is what the game holds; the record is that of the same choices."""
    seed = find_rich_seed(str(tmp_path / "search"))
    shown = session.begin(seed, 1, False)
    played = []
    with open_page(browser, url) as page:
        at_once(page)
        while shown["legal"]:
            wait_for_choice(page, shown["sequence"])
            side = shown["frames"][-1]["position"]["seats"][1]
            assert sorted(page.evaluate(READ_HAND)) == sorted(side["hand"])
            played.append(choose_greedily(shown["legal"]))
            click(page, played[-1])
            wait_for_choice(page, shown["sequence"] + 1)
            shown = session.describe()
        assert shown["saved"] in page.inner_text("#ending")
        assert page.query_selector_all("#hand .tile") == []
        scores = page.inner_text("#ending table:last-of-type")
        assert all("%+d" % score in scores or score == 0 for score in shown["events"][-1]["scores"])
    with open(shown["saved"], encoding="utf-8") as file:
        answers = iter([step.answers[1].response for step in parse_log(file.read()).steps])
    assert all(text in answers for text in played)
    assert {text.split(" ")[0] for text in played} >= {"CHI", "PENG", "GANG", "PLAY"}


def test_a_reload_goes_on(browser, session, url):
    with open_page(browser, url) as page:
        at_once(page)
        for _ in range(3):
            shown = session.describe()
            sequence = shown["sequence"]
            wait_for_choice(page, sequence)
            click(page, shown["legal"][0])
            wait_for_choice(page, sequence + 1)
        hand = page.evaluate(READ_HAND)
        page.reload()
        wait_for_choice(page, sequence + 1)
        assert page.evaluate(READ_HAND) == hand
        assert page.input_value("#pace") == "0", "settings stay"
        click(page, session.describe()["legal"][0])
        wait_for_choice(page, sequence + 2)


def test_two_tabs_do_not_act_on_one_state(browser, session, url):
    first, second = browser.new_page(), browser.new_page()
    for page in (first, second):
        page.goto(url)
        at_once(page)
        wait_for_choice(page, 1)
    text = session.describe()["legal"][0]
    click(first, text)
    wait_for_choice(first, 2)
    shown = session.describe()
    click(second, text)
    wait_for_choice(second, 2)
    assert "another tab" in second.inner_text("#notice")
    assert session.describe() == shown, "the second click changed nothing"
    click(second, shown["legal"][0])
    wait_for_choice(second, 3)
    assert not second.is_visible("#notice")
    first.evaluate("() => window.dispatchEvent(new Event('focus'))")
    wait_for_choice(first, 3)
    assert first.evaluate(READ_HAND) == second.evaluate(READ_HAND)
    first.close()
    second.close()


def test_frames_are_shown_one_by_one(browser, session, url):
    with open_page(browser, url) as page:
        page.click("#settings summary")
        page.select_option("#pace", "900")
        wait_for_choice(page, 1)
        page.click(TILE)
        page.wait_for_selector("main:not([data-ready])")
        assert page.query_selector_all(TILE) == []
        page.click("#table")
        wait_for_choice(page, 2)


def test_hints_and_undo(browser, session, url):
    with open_page(browser, url) as page:
        at_once(page)
        wait_for_choice(page, 1)
        assert page.is_hidden("#hint") and page.is_disabled("#undo")
        page.check("#hints")
        page.wait_for_selector("#hint:not([hidden])")
        hand = page.evaluate(READ_HAND)
        chosen = session.hint(1)["chosen"]
        assert page.get_attribute("#hand .best", "data-tile") == chosen.split(" ")[1]
        page.click("#hand .best")
        page.wait_for_selector("main[data-sequence='2'][data-ready]")
        page.click("#undo")
        wait_for_choice(page, 3)
        assert page.evaluate(READ_HAND) == hand
        page.wait_for_selector("#hint:not([hidden])")
        page.uncheck("#hints")
        assert page.is_hidden("#hint")


def test_a_claim_can_be_thought_over(browser, session, url, tmp_path):
    shown = session.begin(find_rich_seed(str(tmp_path / "search")), 1, True)
    assert any(text.startswith("CHI") for text in shown["legal"]), "the game begins with a chow that is offered"
    with open_page(browser, url) as page:
        wait_for_choice(page, shown["sequence"])
        assert page.query_selector_all(TILE) == []
        page.click("#actions .chow")
        assert len(page.query_selector_all(TILE)) == 11
        page.click("#actions [data-action=cancel]")
        assert page.query_selector_all(TILE) == [] and page.query_selector("#actions .chow")
        assert session.describe() == dict(shown, frames=shown["frames"][-1:])


def test_a_new_game_and_chinese(browser, session, url):
    with open_page(browser, url) as page:
        wait_for_choice(page, 1)
        page.click("#language")
        assert page.inner_text("#new") == "新比赛" and "轮到你" in page.inner_text("#message")
        page.click("#new")
        page.select_option("#setup-opponent-0", "random")
        page.select_option("#setup-opponent-2", "rule_based")
        page.select_option("#setup-games", "4")
        page.fill("#setup-seed", "12345678901234567890")
        page.select_option("#setup-seat", "2")
        page.uncheck("#setup-practice")
        page.click("#setup-deal")
        page.wait_for_selector("main[data-sequence='2']")
        assert "12345678901234567890" not in page.content()
        assert page.is_hidden("#undo")
        shown = session.describe()
        assert (shown["seat"], shown["practice"], shown["match"]["games"]) == (2, False, 4)
        assert shown["match"]["opponents"] == ["random", "random:seed=2", "rule_based"]
        assert "共 4 局" in page.inner_text("#title") and "上家 · rule_based" in page.inner_text("#scores")
        page.click("#new")
        page.keyboard.press("Escape")
        assert session.describe()["sequence"] == 2


def test_a_phone(browser, session, url):
    """Nothing is wider than the screen; a tile is tapped twice."""
    with open_page(browser, url, 390, 844, has_touch=True) as page:
        at_once(page)
        wait_for_choice(page, 1)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        assert min(tile.bounding_box()["width"] for tile in page.query_selector_all("#hand .tile")) >= 40
        page.tap(TILE)
        assert page.query_selector("#hand .touched") and session.describe()["sequence"] == 1
        page.tap("#hand .touched")
        wait_for_choice(page, 2)
