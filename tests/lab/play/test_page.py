"""The page for playing, in a browser: whole games by clicks, two tabs, hints, words, a phone."""

import contextlib
import socket

import pytest

from mj_bot.lab.library.keeping import GameKeeper
from mj_bot.lab.links.web import ask
from mj_bot.lab.play.serve import start_server
from mj_bot.lab.play.seated_match import SeatedMatch
from mj_bot.lab.play.session import Session
from mj_bot.lab.records.source import read_games
from mj_bot.lab.table.players import PLAYERS
from mj_bot.mahjong.errors import MahjongError
from tests.browser import needs_browser, open_page
from tests.golden_games import SAMPLES
from tests.lab.play.games import (
    OPPONENTS, RICH_SEED, STACKED_GAMES, choose_greedily, play_on, read_saved, serve, stack_one_wall, stack_wall)
from tests.serving import serving

pytestmark = needs_browser

TILE = "#hand .tile:not(:disabled)"
READ_HAND = "() => [...document.querySelectorAll('#hand .tile')].map(tile => tile.dataset.tile)"


@pytest.fixture
def session(tmp_path):
    return Session(OPPONENTS, "rule_based", str(tmp_path / "played"))


@pytest.fixture
def url(session):
    session.begin(5, 1, True)
    with serve(session) as url:
        yield url


def wait_for_choice(page, sequence):
    """Waits until the page shows the choice, or the end, at a sequence number."""
    page.wait_for_selector("main[data-sequence='%d'][data-ready]" % sequence)


def open_table(browser, url, *size, **options):
    """open_page of the table, which shows events without a pace."""
    return open_page(browser, url, *size, script="localStorage.play ??= JSON.stringify({pace: 0})", **options)


@contextlib.contextmanager
def sit_down(browser, session, *size, **options):
    """The page of a session, at its present choice if there is one."""
    with serve(session) as url, open_table(browser, url, *size, **options) as page:
        sequence = session.describe()["sequence"]
        page.wait_for_selector("main[data-sequence='%d'][data-ready]" % sequence if sequence else "#setup[open]")
        yield page


# Screens: a desk, a tablet, a phone, and the phone on its side.
SIZES = ((1280, 800), (768, 1024), (390, 844), (844, 390))


def check_view(page, *selectors):
    """Checks that on each screen and in both languages nothing is wider than the screen, and all of this is in view."""
    for width, height in SIZES * 2:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for selector in selectors:
            edges = page.eval_on_selector_all(
                selector, "shown => shown.map(element => element.getBoundingClientRect()).filter(box => box.width)"
                ".map(box => [box.right, box.bottom])")
            assert edges and all(right <= width and bottom <= height for right, bottom in edges), (
                selector, width, height, edges)
        if (width, height) == SIZES[-1]:
            is_open = page.query_selector("#setup[open]")
            page.click("#setup-language" if is_open else "#language")


@pytest.fixture
def page(browser, url):
    """The page at the first choice."""
    with open_table(browser, url) as page:
        wait_for_choice(page, 1)
        yield page


def click(page, text):
    """Clicks an action, given as Botzone's text: a button, a tile, or the one and then the other."""
    words = text.split(" ")
    discard = words.pop() if words[0] in ("PLAY", "CHI", "PENG") else None
    if words != ["PLAY"]:
        page.click("#actions [data-action='%s']" % " ".join(words))
    if discard:
        page.click("%s[data-tile='%s']" % (TILE, discard))


def test_a_match_with_every_kind_of_claim_a_robbed_kong_and_a_win(browser, monkeypatch, tmp_path):
    """By clicks alone: two games with each hand and each choice, and their score; the review of the first, and back to
    the table to play it on."""
    monkeypatch.setitem(PLAYERS, "scripted", "tests.lab.play.games:ScriptedTactic")
    monkeypatch.setattr("mj_bot.lab.play.person_game.wall_from_seed",
                        lambda seed: stack_wall(STACKED_GAMES[seed - 1][0]))
    session = Session(["scripted"] * 3, "rule_based", str(tmp_path / "played"))
    session.begin(1, 0, False, games=2)
    with sit_down(browser, session) as page:
        for _, choices in STACKED_GAMES:
            for text in choices:
                shown = session.describe()
                wait_for_choice(page, shown["sequence"])
                while text not in shown["legal"]:
                    click(page, "PASS")
                    wait_for_choice(page, shown["sequence"] + 1)
                    shown = session.describe()
                hand = shown["frames"][-1]["position"]["seats"][0]["hand"]
                assert sorted(page.evaluate(READ_HAND)) == sorted(hand)
                click(page, text)
                # What the session is before the click has come to it is not what the page will show.
                wait_for_choice(page, shown["sequence"] + 1)
            shown = session.describe()
            assert shown["saved"] in page.inner_text("#ending") and page.query_selector(TILE) is None
            answers = iter([step.answers[0].response for step in read_saved(shown).steps])
            assert all(text in answers for text in choices), "the record has the choices in their order"
            if shown["match"]["number"] == 1:
                assert shown["events"][-2]["kind"] == "BUGANG" and shown["events"][-1]["seat"] == 0
                assert "Robbing the kong" in page.inner_text("#ending")
                page.click("#actions [data-action=next]")
                # Until the click arrives, the session still describes the end of the first game.
                while session.describe()["match"]["number"] == 1:
                    page.wait_for_timeout(20)
        assert "Out with replacement tile" in page.inner_text("#ending")
        scores = [sum(row) for row in zip(*shown["match"]["rows"])]
        assert scores[0] > 0 and "all\t+%d" % scores[0] in page.inner_text("#scores")
        assert page.query_selector("#actions [data-action=next]") is None
        page.click("#past summary")
        row = page.inner_text("#past li[data-name=game-2]")
        assert "You won" in row and "by self-draw" in row and "+" in row
        page.click("#past li[data-name=game-1] a")
        page.wait_for_selector("#head")
        assert "You" in page.inner_text("#head table")
        assert page.inner_text("#head .event-line").startswith("East\nwins")
        page.keyboard.press("Home")
        page.keyboard.press("d")
        page.keyboard.press("d")
        at = int(page.input_value("#slider"))
        page.click("#resume")
        wait_for_choice(page, shown["sequence"] + 1)
        shown = session.describe()
        assert len(shown["events"]) == at + 1 and "CHI T2 F2" in shown["legal"] and shown["practice"]
        assert page.query_selector("#actions .chow")


@contextlib.contextmanager
def serve_until_killed(session, port):
    """The port of a session while it is served. At the end its connections close, as those of a process that ends."""
    server = None
    while not server:  # a connection of the tab may hold the port for a moment
        with contextlib.suppress(MahjongError):
            server = start_server(session, port)
    with serving(server):
        yield server.port
    for connection in list(server.unread):
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)


@pytest.mark.slow
def test_a_tab_goes_on_with_the_next_server(browser, session, monkeypatch, tmp_path):
    """It said that another tab had played on, raised an error, and its buttons were dead until it was loaded again."""
    monkeypatch.setattr(GameKeeper, "review_waiting", lambda keeper: None)
    session.keeper = GameKeeper("play")
    shown = session.begin(5, 1, True, games=4)
    with serve_until_killed(session, 0) as port:
        page = browser.new_page(locale="en-US")
        page.goto("http://127.0.0.1:%d/" % port)
        wait_for_choice(page, 1)
        page.click(TILE)
        wait_for_choice(page, 2)
    kept, other = Session(OPPONENTS, "random", str(tmp_path)), Session(OPPONENTS, "random", str(tmp_path))
    kept.keeper = other.keeper = session.keeper
    other.begin(6, 0, True)
    hand = page.evaluate(READ_HAND)
    for later, told in ((kept, "started again. The table"), (other, "plays another match"),
                        (Session(OPPONENTS, "random", str(tmp_path)), "has not kept this match")):
        with serve_until_killed(later, port):
            page.click("%s, #actions [data-action=PASS]" % TILE)
            page.wait_for_function("text => document.querySelector('#notice').textContent.includes(text)", arg=told)
            page.wait_for_selector("main[data-ready]")
            assert page.is_enabled("#new") and (later is not kept or page.evaluate(READ_HAND) == hand)
            assert later is not kept or later.describe()["match"]["id"] == shown["match"]["id"]
            page.keyboard.press("Escape")
    page.close()


@pytest.mark.slow
def test_sounds_and_animations_can_be_switched_off(page):
    count_tones = "() => { window.tones = 0; const make = AudioContext.prototype.createOscillator; " \
                  "AudioContext.prototype.createOscillator = function () { window.tones++; return make.call(this); }; }"
    page.evaluate(count_tones)
    page.click("#settings summary")
    page.uncheck("#motion")
    assert page.evaluate("document.getAnimations().length") == 0
    for place, is_loud in enumerate((True, False)):
        if page.is_hidden("#sound"):  # a click elsewhere closes the settings
            page.click("#settings summary")
        page.set_checked("#sound", is_loud)
        page.evaluate("window.tones = 0")
        page.click(TILE if page.query_selector(TILE) else "#actions button")
        wait_for_choice(page, place + 2)
        assert (page.evaluate("window.tones") > 0) == is_loud
    page.reload()
    page.wait_for_selector("main[data-ready]")
    assert not page.is_checked("#sound") and not page.is_checked("#motion")


@pytest.mark.slow
@pytest.mark.parametrize("locale, text", [("zh-CN", "新比赛"), ("en-GB", "New match"), ("fr-FR", "New match")])
def test_the_language_is_the_browsers_until_another_is_chosen(browser, session, locale, text):
    """It goes along to a review and back: the button at the end lost it, and the table ignored that of the review."""
    play_on(session, session.begin(5, 1, False))
    with sit_down(browser, session, locale=locale) as page:
        assert page.inner_text("#new") == text
        chosen = "en" if text == "新比赛" else "zh"
        page.click("#language")
        page.click("#actions [data-action=review]")
        page.wait_for_selector("[lang=%s] #head" % chosen)
        page.click("#back")
        page.wait_for_selector("[lang=%s] main[data-ready]" % chosen)
        assert page.inner_text("#new") != text
        page.evaluate("localStorage.play = JSON.stringify({language: 'xx'})")
        page.reload()
        page.wait_for_selector("main[data-ready]")
        assert page.inner_text("#new") == text


@pytest.mark.slow
def test_a_new_user_is_asked_for_a_match(browser, tmp_path):
    """Nothing is dealt before. The dialog covered the button of the language; what is chosen in it stays."""
    proposed = SeatedMatch(OPPONENTS, 2, 3, True, 7)
    session = Session(OPPONENTS, "random", str(tmp_path / "played"), proposed=proposed)
    with sit_down(browser, session) as page:
        check_view(page, "#setup", "#setup button")
        page.select_option("#setup-games", "8")
        page.click("#setup-language")
        assert page.inner_text("#setup-deal") == "发牌" and page.input_value("#setup-games") == "8"
        page.keyboard.press("l")
        assert page.inner_text("#setup-deal") == "Deal"
        page.keyboard.press("Escape")
        assert page.is_hidden("#table") and session.describe()["sequence"] == 0
        page.click("#actions [data-action=new]")
        page.press("#setup-seed", "Enter")
        wait_for_choice(page, 1)
        shown = session.describe()
        assert (shown["seat"], shown["practice"], shown["match"]["games"]) == (2, True, 3)
        page.reload()
        wait_for_choice(page, 1)
        assert page.query_selector("#setup[open]") is None


def drop(page, name, text, times=1):
    """Drops a file on the page, of a text that is repeated."""
    page.evaluate("""([name, text, times]) => {
        const data = new DataTransfer();
        data.items.add(new File([text.repeat(times)], name));
        document.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
    }""", [name, text, times])


def test_a_file_is_dropped_reviewed_and_played_on(browser, tmp_path):
    """A hand of four people on one wall: the review opens, and the table at its turn, for any seat."""
    hands = (SAMPLES / "tziakcha.jsonl").read_text(encoding="utf-8").splitlines()[2:4]
    session = Session(["random"] * 3, "random", str(tmp_path / "played"))
    with sit_down(browser, session) as page:
        url = page.url
        page.click("#setup-open")
        drop(page, "session.jsonl", "\n".join(hands))
        page.wait_for_selector("#worst")
        page.click("#learn")
        page.wait_for_selector("#quiz [data-action]")
        page.go_back()
        page.click("#games a")
        page.click("a[href*='open-'][href*='#']")
        page.wait_for_selector("#worst")
        page.goto(url)
        page.wait_for_selector("#opened li", state="attached")
        assert page.locator("#opened li").count() == len(hands)
        drop(page, "hand.json", hands[1])
        page.wait_for_selector("#resume:not([hidden])")
        page.keyboard.press("3")
        page.keyboard.press("Home")
        for _ in range(4):
            page.keyboard.press("d")
        hand = page.evaluate("() => [...document.querySelectorAll('.mj-hand [data-seat=\"2\"]')]"
                             ".map(tile => tile.dataset.tile)")
        page.click("#resume")
        page.wait_for_selector("main[data-ready][data-sequence='1']")
        assert sorted(page.evaluate(READ_HAND)) == sorted(hand)
        shown = session.describe()
        assert (shown["seat"], shown["practice"]) == (2, True)
        shown, _ = play_on(session, shown)
    game, = read_games(shown["saved"])
    assert game.error is None and game.record.has_one_wall and sum(game.record.scores) == 0


@pytest.mark.slow
def test_files_without_a_game(browser, session, tmp_path, monkeypatch):
    """Each is told in both languages."""
    monkeypatch.setattr("mj_bot.lab.links.web.SITES", {"botzone": "http://127.0.0.1:9"})
    monkeypatch.setattr("mj_bot.lab.links.links.ask",
                        lambda site, *rest, **more: {} if site == "tziakcha" else ask(site, *rest, **more))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with sit_down(browser, session) as page:
        page.click("#setup-open")
        for text, told, chinese in (("no game", "No game can be read", "没有能读的对局"), ("x", "too large", "太大"),
                                    ("https://evil.example/match/1", "Only links to", "只能打开"),
                                    ("www.botzone.org.cn/match/%024x" % 1, "site does not answer", "网站没有应答"),
                                    ("https://tziakcha.net/game/?id=none0001", "no such record", "没有这份牌谱")):
            drop(page, "notes.txt", text, (1 << 24) + 1 if text == "x" else 1)
            page.wait_for_selector("#notice >> text=" + told)
            page.click("#language")
            assert chinese in page.inner_text("#notice")
            page.click("#language")


@pytest.mark.slow
def test_a_match_is_not_left_without_a_question(browser, session):
    shown, _ = play_on(session, session.begin(5, 1, False, games=2))
    asked = []
    with sit_down(browser, session) as page:
        page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
        page.click("#past summary")
        page.click("#past li button")
        assert "1 more game of" in asked[0] and session.describe()["match"]["games"] == 2
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#past li button")
        wait_for_choice(page, shown["sequence"] + 1)


@pytest.mark.slow
def test_switches_choose_for_the_person(session, page):
    page.check("#auto-pass")
    page.check("#auto-win")
    for _ in range(6):
        shown = session.describe()
        wait_for_choice(page, shown["sequence"])
        if not shown["legal"]:
            break
        assert "PASS" not in shown["legal"]
        page.click(TILE)
        page.wait_for_function("number => Number(document.querySelector('main').dataset.sequence) > number",
                               arg=shown["sequence"])
        page.wait_for_function("() => document.querySelector('main[data-ready]') && "
                               "!document.querySelector('[data-action=PASS]')")
    page.click("#undo")
    page.wait_for_function("() => !document.querySelector('#auto-pass').checked")


def test_waits_are_told(browser, session):
    """At each discard that makes the hand ready, and while it is."""
    session.begin(1, 0, True)
    session._game.list_waits = lambda: {"PLAY W1": [["W1", 3, 12, False], ["B2", 1, 8, True]]}
    with sit_down(browser, session) as page:
        assert "×3 12 fan" in page.inner_text("#waits") and "self-draw" in page.inner_text("#waits")


def test_a_server_that_takes_its_time(page):
    """The page said "slow", the word of the pace of events."""
    held = []
    page.clock.install()
    page.route("**/game/act", lambda route: held.append(route))
    with page.expect_request("**/game/act"):
        page.click(TILE)
    page.clock.run_for(2100)
    assert page.inner_text("#notice").startswith("One moment") and not page.query_selector("#notice.error")
    held[0].continue_()
    page.wait_for_selector("main[data-sequence='2']")
    page.close()  # its clock stands


def test_the_settings_close_and_the_keys_are_listed(page):
    page.click("#settings summary")
    page.keyboard.press("Escape")
    assert page.is_hidden("#coach-limit")
    page.click("#settings summary")
    page.click("#title")
    assert page.is_hidden("#coach-limit")
    page.keyboard.press("?")
    assert "L\nlanguage" in page.inner_text("#key-list")
    page.keyboard.press("l")
    assert "L\n切换语言" in page.inner_text("#key-list")


@pytest.mark.slow
def test_two_tabs_do_not_act_on_one_state(browser, session, url, page):
    with open_table(browser, url) as other:  # the second tab's refusal was an error in its console
        wait_for_choice(other, 1)
        text = session.describe()["legal"][0]
        click(page, text)
        wait_for_choice(page, 2)
        shown = session.describe()
        click(other, text)
        wait_for_choice(other, 2)
        assert "another tab" in other.inner_text("#notice")
        assert session.describe() == shown, "the click in the second tab changed nothing"
        click(other, shown["legal"][0])
        wait_for_choice(other, 3)
        assert not other.is_visible("#notice")
        page.evaluate("() => window.dispatchEvent(new Event('focus'))")
        wait_for_choice(page, 3)
        assert page.evaluate(READ_HAND) == other.evaluate(READ_HAND)


@pytest.mark.slow
def test_frames_are_shown_one_by_one(page):
    page.click("#settings summary")
    page.select_option("#pace", "900")
    page.click(TILE)
    page.wait_for_selector("main:not([data-ready])")
    assert page.query_selector_all(TILE) == []
    page.click("#table")
    wait_for_choice(page, 2)


def test_hints_and_undo(session, page):
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


def test_a_new_game_and_chinese(session, page):
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
    assert "共 4 盘" in page.inner_text("#title") and "上家 rule_based" in page.inner_text("#scores")
    page.click("#new")
    page.keyboard.press("Escape")
    assert session.describe()["sequence"] == 2


def test_a_phone(browser, session, url):
    """Nothing is wider than the screen; a tile is tapped twice."""
    with open_table(browser, url, 390, 844, has_touch=True) as page:
        wait_for_choice(page, 1)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
        assert min(tile.bounding_box()["width"] for tile in page.query_selector_all("#hand .tile")) >= 40
        page.tap(TILE)
        assert page.query_selector("#hand .touched") and session.describe()["sequence"] == 1
        page.tap("#hand .touched")
        wait_for_choice(page, 2)
        page.tap("#new")
        page.evaluate("document.querySelector('#setup-opponent-0').add(new Option('json:./' + 'x'.repeat(80)))")
        assert page.evaluate("document.querySelector('#setup').scrollWidth") <= 390


def wait_for_the_next(page, shown):
    page.wait_for_selector("main[data-ready]:not([data-sequence='%d'])" % shown["sequence"])


@pytest.mark.slow
def test_a_hand_by_keyboard_alone(browser, session, url):
    """Claims too: a chow with its discard, and another that is called off."""
    shown = session.begin(RICH_SEED, 1, True)
    claims = []
    with open_table(browser, url) as page:
        while shown["legal"]:
            wait_for_choice(page, shown["sequence"])
            if any(text.startswith("CHI") for text in shown["legal"]) and len(claims) < 2:
                page.keyboard.press("c")
                if not page.query_selector("[data-action=cancel]"):  # several chows: the key goes to one of them
                    page.keyboard.press("Enter")
                assert page.query_selector("[data-action=cancel]")
                claims.append(shown["sequence"])
                if len(claims) == 1:
                    page.keyboard.press("Escape")
                    assert not page.query_selector("[data-action=cancel]")
                    page.keyboard.press("x")
                else:
                    page.keyboard.press("1")
                    page.keyboard.press("Enter")
            elif "PASS" in shown["legal"]:
                page.keyboard.press("x")
            else:
                page.keyboard.press("End")
                page.keyboard.press("ArrowLeft")
                page.keyboard.press("Enter")
            wait_for_the_next(page, shown)
            shown = session.describe()
        assert len(claims) == 2 and "CHI" in [event["kind"] for event in shown["events"] if event.get("seat") == 1]
        page.keyboard.press("?")
        assert page.is_visible("#key-list") and "Discards" in page.inner_text("#described")
        labels = page.eval_on_selector_all("#log svg", "shown => shown.map(tile => tile.ariaLabel)")
        assert "East wind" in labels and not any(label[-1].isdecimal() for label in labels)  # they were "F1", "W3"


@pytest.mark.slow
def test_the_hint_marks_the_button_that_is_right(browser, tmp_path):
    """Where passing was right the pung's button had the frame that recommends a tile."""
    session = Session(OPPONENTS, "search", str(tmp_path / "played"))
    shown = session.begin(RICH_SEED, 1, True)
    chosen = None
    while chosen != "PASS":
        shown = session.act(shown["sequence"], chosen) if chosen else shown
        is_claim = "PASS" in shown["legal"]
        chosen = session.hint(shown["sequence"])["chosen"] if is_claim else choose_greedily(shown["legal"])
    with sit_down(browser, session) as page:
        page.check("#hints")
        page.wait_for_selector("#actions .best")
        marked = page.eval_on_selector_all(".best", "marked => marked.map(element => element.dataset.action)")
        assert marked == ["PASS"]
        assert "Plan: pure straight, 1 tile to go" in page.inner_text("#hint")
        page.click("#settings summary")
        page.check("#figures")
        assert "−1.57" in page.inner_text("#actions .chow") and "−" not in page.inner_text("#actions .best")


@pytest.mark.slow
def test_a_match_on_one_wall_is_chosen_and_a_false_win_is_told(browser, session, monkeypatch):
    """With the number of hands that the platform plays, and its standard points."""
    wall = stack_one_wall("W2 W3 W4 T5 T6 T7 B7 B8 B9 F3 F3 B1 B1", "F3")
    monkeypatch.setattr("mj_bot.lab.play.person_game.wall_from_seed", lambda seed: wall)
    with sit_down(browser, session) as page:
        assert page.is_hidden("#setup-counts-label")
        page.select_option("#setup-rules", "tziakcha")
        assert page.input_value("#setup-games") == "16"
        page.check("#setup-counts")
        page.select_option("#setup-seat", "0")
        page.click("#setup-deal")
        wait_for_choice(page, 1)
        # The line of waits told whether a hand has eight fan.
        assert page.inner_text("#actions [data-action=HU]") == "Win" and page.inner_text("#waits") == ""
        page.click("#actions [data-action=HU]")
        wait_for_choice(page, 2)
        assert "A false win" in page.inner_text("#notice") and not page.query_selector("#actions [data-action=HU]")
        shown, _ = play_on(session, session.describe())
        page.reload()
        wait_for_choice(page, shown["sequence"])
        assert "standard points now" in page.inner_text("#scores")
        assert "one wall with 8 flowers" in page.inner_text("#rules")
        assert page.evaluate("Panels.fanInText('花牌', {}, WORDS.en)") == "flower tiles"  # it was Chinese in English


@pytest.mark.slow
def test_the_clock_warns_and_makes_the_move(session, page):
    """The tile that was drawn is discarded."""
    page.clock.install()
    page.reload()
    wait_for_choice(page, 1)
    page.click("#settings summary")
    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 60"))
    page.select_option("#clock", "8")
    drawn = page.get_attribute("#hand .drawn", "data-tile")
    page.clock.run_for(3000)
    assert page.inner_text("#time") == "5 + 10"
    page.clock.run_for(11_000)
    assert page.inner_text("#time.late") == "4 s left"
    page.clock.run_for(4400)
    page.wait_for_selector("main[data-sequence='2']")
    page.clock.run_for(1000)
    wait_for_choice(page, 2)
    discard = next(event for event in session.describe()["events"] if event["kind"] == "PLAY" and event["seat"] == 1)
    assert discard["tile"] == drawn and "The time was up" in page.inner_text("#notice")
    assert page.inner_text("#time") in ("8", "7")
    page.close()  # its clock stands


def test_the_coach_stops_a_move(browser, tmp_path):
    """By keyboard and by click: taken back, explained, and let stand."""
    session = Session(OPPONENTS, "search", str(tmp_path / "played"))
    first = session.begin(4, 0, True)
    worst = session.hint(1)["ranked"][-1][0]
    with sit_down(browser, session) as page:
        click(page, worst)
        wait_for_choice(page, 2)  # it is off by default
        page.click("#undo")
        wait_for_choice(page, 3)
        page.click("#settings summary")
        page.select_option("#coach-limit", "0.5")
        for choose in (lambda: page.keyboard.press("Escape"), lambda: page.click("#coach button >> nth=0")):
            click(page, worst)
            page.wait_for_selector("#coach:not([hidden])")
            assert "this move loses" in page.inner_text("#coach") and not page.is_visible("#coach details .action")
            choose()
            assert page.is_hidden("#coach") and session.describe()["sequence"] == 3
        click(page, worst)
        page.wait_for_selector("#coach:not([hidden])")
        check_view(page, "#coach button", "#hand .tile svg")  # the hand lay below the edge of each screen
        page.keyboard.press("e")
        assert page.query_selector("#hint .remarks")
        page.keyboard.press("s")
        wait_for_choice(page, 4)
        shown, _ = play_on(session, session.describe())
        page.reload()
        wait_for_choice(page, shown["sequence"])
        assert "The coach stopped 1 move: 0 taken back" in page.inner_text("#ending")
    assert first["coach"]["stops"] == 0


# What a page of another site does as soon as the name of that site leads to this machine.
REBINDING = """async () => {
  const headers = {"Content-Type": "application/json"}, answers = [];
  const ask = async (path, options) => {
    try { const reply = await fetch(path, options); answers.push([reply.status, await reply.text()]); }
    catch (error) { answers.push([0, String(error)]); }
  };
  for (const path of ["/", "/game", "/past", "/library", "/table.js", "/hand/answer?hand=1"]) await ask(path);
  for (const path of ["/game/act", "/game/new", "/past/open"])
    await ask(path, {method: "POST", headers, body: JSON.stringify({sequence: 1, action: "PASS"})});
  return answers;
}"""


def test_a_name_that_another_site_points_here(browser, session, url):
    """DNS rebinding: for the browser both are one site, so only the Host header of its requests tells them apart."""
    before = session.describe()
    page = browser.new_page()
    try:
        assert page.goto(url.replace("127.0.0.1", "rebinding.example")).status == 403
        assert page.evaluate("location.hostname") == "rebinding.example"
        answers = page.evaluate(REBINDING)
        assert len(answers) == 9 and all(status == 403 and '"host"' in text for status, text in answers), answers
    finally:
        page.close()
    assert session.describe() == before


@pytest.mark.slow
def test_pages_open_without_the_server(browser, tmp_path):
    """The table's page says that nobody answers; the page of the fans is whole.

    A server that used the port later could read the secret in the name of the cache and among the registrations, and
    find a review and the page of the library there.
    """
    session, secret = Session(OPPONENTS, "random", str(tmp_path / "played")), "s" * 22
    session.begin(5, 1, True)
    context = browser.new_context(locale="en-US")
    page = context.new_page()
    with serving(start_server(session, 0, secret)) as server:
        url = "http://127.0.0.1:%d/%s/" % (server.port, secret)
        page.goto(url + "library")
        page.goto(url)
        wait_for_choice(page, 1)
        page.evaluate("""async () => {
            const count = async () => (await (await caches.open("mj_bot")).keys()).length;
            while (await count() < 40) await new Promise(done => setTimeout(done, 50));
        }""")
        kept = page.evaluate("""async () => {
            const kept = await caches.open("mj_bot"), requests = await kept.keys(), all = await caches.keys();
            const replies = await Promise.all(requests.map(request => kept.match(request)));
            const workers = await navigator.serviceWorker.getRegistrations();
            return [...all, ...workers.flatMap(own => [own.scope, own.active.scriptURL]),
                ...requests.map(request => request.url), ...replies.map(reply => reply.url),
                ...await Promise.all(replies.map(reply => reply.text()))];
        }""")
        assert len(kept) > 60 and not any(secret in text or "/library" in text[:99] for text in kept)
    page.reload()
    page.wait_for_selector("#notice >> text=The server does not answer")
    page.goto(url + "fans")
    assert page.locator("tr").count() > 80
    context.close()


@pytest.mark.slow
def test_at_eight_fan_the_page_asks_once_whether_to_wait(browser, monkeypatch, tmp_path):
    """With what the win pays and what the adviser thinks of both."""
    wall = stack_one_wall("W1 W2 W3 T4 T5 T6 B7 B8 F3 F3 F3 J1 J1", "J3")
    monkeypatch.setattr("mj_bot.lab.play.person_game.wall_from_seed", lambda seed: wall)
    session = Session(OPPONENTS, "search", str(tmp_path / "played"))
    shown = session.begin(1, 0, True)
    state = session.describe
    monkeypatch.setattr(session, "describe", lambda whole=False: dict(
        state(whole), legal=["HU", *shown["legal"]], win_fan=8))
    with sit_down(browser, session) as page:
        page.check("#auto-win")
        page.wait_for_selector("#coach:not([hidden])")
        asked = page.inner_text("#coach")
        assert "a win now brings 48 points" in asked and "search values:" in asked
        check_view(page, "#coach button", "#hand .tile svg")
        page.keyboard.press("Escape")
        assert page.is_hidden("#coach") and not page.is_checked("#auto-win") and session.describe()["sequence"] == 1


def test_past_games_and_the_fans_are_told(browser, session, url):
    """Past games have their date, opponents and total; what was played on has the result of the record too."""
    shown, _ = play_on(session, session.describe())
    scores = shown["events"][-1]["scores"]
    session.resume(shown["sequence"], "game-1")
    shown, _ = play_on(session, session.describe())
    assert shown["recorded"] == scores
    with open_table(browser, url) as page:
        wait_for_choice(page, shown["sequence"])
        assert "as recorded" in page.inner_text("#ending")
        check_view(page, "#actions button")  # the word that the winner calls made a phone's page wider
        page.click("#past summary")
        assert "against random" in page.inner_text("#past li") and "2 games, " in page.inner_text("#past")
        page.keyboard.press("f")
        page.wait_for_selector("dialog .all-fans")
        page.hover("dialog .fan-name >> text=Short straight >> nth=0")
        assert page.locator("#fan-card svg").count() == 14
