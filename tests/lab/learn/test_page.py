"""The page of questions on play's server: a wrong choice is tried again, and answers are kept."""

import time

import pytest

from mj_bot.lab.learn.lessons import describe_score, read_lessons
from mj_bot.lab.learn.scoring import draw_win
from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.play.server import make_app
from mj_bot.lab.play.session import Session
from mj_bot.lab.table.fan_names import ENGLISH_FANS
from tests.browser import needs_browser, open_page
from tests.lab.library.games import add_reviewed, list_reviewed
from tests.lab.play.games import OPPONENTS, serve

OWN = {"Host": "127.0.0.1:8136", "Origin": "http://127.0.0.1:8136"}


@pytest.fixture
def session(tmp_path):
    return Session(OPPONENTS, "random", str(tmp_path / "played"))


def fill(session):
    """Gives a session a library with two reviewed games."""
    session.past.keeper = GameKeeper("play")
    library = session.past.keeper.library
    for game, reviewed in list_reviewed()[1:3]:
        add_reviewed(library, game, reviewed)
    return library


def test_without_a_library_the_samples_are_asked_and_nothing_is_kept(session):
    client = make_app(session, 8136).test_client()
    asked = client.get("/learn/set?grade=blunder", headers=OWN).json
    assert asked["is_sample"] and asked["positions"] and asked["score"] is None
    answer = {name: asked["positions"][0][name] for name in ("key", "seat", "frame")}
    assert client.post("/learn/answer", headers=OWN, json=dict(answer, right=True)).json == {"score": None}
    for wrong in (dict(answer, key="../x", right=True), dict(answer, right=1), answer, dict(answer, right=True, seat=4),
                  dict(answer, right=True, frame=-1), dict(answer, right=True, frame=10 ** 30)):
        assert client.post("/learn/answer", headers=OWN, json=wrong).status_code == 400


def test_an_answer_that_is_not_stored_is_refused(session):
    """While another process held the library, answers were dropped with status 200."""
    library = fill(session)
    client, answer = make_app(session, 8136).test_client(), {"key": "0" * 16, "seat": 0, "frame": 9, "right": True}
    library._busy_seconds = 0.01
    with library.open(is_change=True):
        refused = client.post("/learn/answer", headers=OWN, json=answer)
    assert refused.status_code == 400 and "another process uses it" in refused.json["message"]
    assert client.post("/learn/answer", headers=OWN, json=answer).json["score"]["answered"] == 1


def test_a_position_is_a_page_to_send(session):
    client = make_app(session, 8136).test_client()
    asked = client.get("/learn/set", headers=OWN).json["positions"][0]
    address = "/learn/page?" + "&".join("%s=%s" % (name, asked[name]) for name in ("key", "seat", "frame"))
    for page in (client.get("/learn/daily", headers=OWN), client.get(address, headers=OWN)):
        assert page.status_code == 200 and len(page.data) < 400_000 and b"data-packed" in page.data
    assert client.get("/learn/page?key=" + "0" * 16, headers=OWN).status_code == 400


@needs_browser
def test_a_hand_is_scored_and_the_position_of_the_day_asked(browser, session):
    """By keyboard alone: the sum and Enter check the fans, and Enter again brings the next hand."""
    win = draw_win(3)
    with serve(session) as url, open_page(browser, url + "learn#win=3") as page:
        page.wait_for_selector("#scoring input:focus")
        for _, _, name in win["fans"]:
            page.click("#scoring .choices button:has-text('%s') >> nth=0" % ENGLISH_FANS[name])
        page.keyboard.press("Escape")
        page.fill("#scoring input", str(win["fan"]))
        page.keyboard.press("Enter")
        assert "Right" in page.inner_text("#scoring h2") and not page.locator("#scoring .missed").count()
        page.evaluate("Math.random = () => 0.25")  # One in ten random hands had a number that begins with 3.
        page.keyboard.press("Enter")
        page.wait_for_selector("#scoring input:enabled")
        assert page.url.endswith("win=%d" % (1 << 29))
        page.fill("#scoring input", "1")
        page.keyboard.press("Enter")
        assert "Not quite" in page.inner_text("#scoring h2") and page.locator("#scoring .missed").count() > 1
        page.goto(page.get_attribute("#daily", "href") and url + "learn/daily")
        page.wait_for_selector("#quiz [data-action]")
        assert page.is_hidden("#decision") and time.strftime("%Y-%m-%d") in page.inner_text("#title")
        while page.locator("#quiz [data-action]:enabled").count():
            page.click("#quiz [data-action]:enabled >> nth=0")
        assert page.is_visible("#decision")


@needs_browser
@pytest.mark.parametrize("width, height", [(1280, 900), pytest.param(390, 844, marks=pytest.mark.slow)])
def test_a_set_is_answered(browser, session, width, height):
    library = fill(session)
    with serve(session) as url, open_page(browser, url + "learn#player=Player%20D", width, height) as page:
        page.wait_for_selector("#quiz [data-action]")
        assert page.is_hidden("#decision") and not page.locator(".mj-mark, .mj-bar").count()
        count = 0
        while page.locator("#quiz [data-action]").count():
            page.click("#quiz [data-action] >> nth=0")
            if page.locator("#quiz .solution").count():
                page.click("#quiz .solution")
            page.wait_for_selector("#decision:not([hidden])")
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            count += 1
            page.wait_for_function("count => document.querySelector('#score').textContent.includes(` of ${count} `)",
                                   arg=count)
            page.click("#quiz .next")
        assert "done" in page.inner_text("#quiz") and describe_score(library, 9e9)["answered"] == count > 0
        assert len(read_lessons(library)) == count
        page.click("#language")
        assert "做完" in page.inner_text("#quiz")
