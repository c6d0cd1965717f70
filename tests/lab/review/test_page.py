"""The page in a browser: every event of games stepped through and compared with the referee; words, keys, markup."""

import re
import shlex

import pytest

from mj_bot.lab.records.source import list_files, read_games
from mj_bot.lab.review.decisions import rank_mistake
from mj_bot.lab.review.games import review_game
from mj_bot.lab.review.pages import build_page, format_table
from mj_bot.project_files import project_path
from tests.browser import needs_browser, open_page
from tests.golden_games import with_samples
from tests.lab.library.games import list_reviewed
from tests.lab.review.games import as_read, golden_records, lay_out

pytestmark = needs_browser

SEATS = ("East", "South", "West", "North")

# Reads the table off its picture: what each <use> shows, not what the data says.
READ_TABLE = """() => {
  const name = tile => { const found = tile.querySelector("use").getAttribute("href").slice(4);
                         return found === "back" ? null : found; };
  const sides = [...document.querySelectorAll(".mj-side")].sort((a, b) => a.dataset.seat - b.dataset.seat);
  return {
    hands: sides.map(side => [...side.querySelectorAll(".mj-hand .mj-tile")].map(name)),
    drawn: sides.map(side => [...side.querySelectorAll(".mj-hand .mj-tile[data-drawn]")].map(name)),
    melds: sides.map(side => [...side.querySelectorAll(".mj-meld")].map(meld => ({
      tiles: [...meld.querySelectorAll(".mj-tile")].map(name),
      turned: [...meld.querySelectorAll(".mj-tile")].map(tile => tile.getAttribute("transform").includes("rotate")),
    }))),
    rivers: sides.map(side => [...side.querySelectorAll(".mj-river .mj-tile")].map(tile => ({
      tile: name(tile), claimed: tile.classList.contains("mj-claimed"),
    }))),
    focused: sides.flatMap((side, seat) => [...side.querySelectorAll(".mj-focus")].map(tile => [seat, name(tile)])),
    walls: [...document.querySelectorAll(".mj-facts")].flatMap(
      facts => (facts.textContent.match(/wall (\\d+)/) || []).slice(1).map(Number)),
    flowers: [...document.querySelectorAll(".mj-facts")].some(facts => facts.textContent.includes("flowers")),
  };
}"""
STEP_THROUGH = """() => {
  const read = %s, tables = [read()];
  const count = Number(document.getElementById("slider").max);
  for (let frame = 0; frame < count; frame++) {
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
    tables.push(read());
  }
  return tables;
}""" % READ_TABLE
# The frames that a key leads to from the beginning on.
PRESS_ON = """key => {
  const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key}));
  const found = [0], slider = document.getElementById("slider");
  press("Home");
  do { press(key); found.push(Number(slider.value)); } while (found.at(-1) !== found.at(-2));
  return found.slice(1, -1);
}"""


@pytest.fixture
def write_page(tmp_path):
    """The file:// address of a game's page, at its first event."""
    def write(game, place="#seat=0&frame=0"):
        path = tmp_path / "game.html"
        text = build_page(game)
        assert len(text.encode()) < 400_000
        path.write_text(text, encoding="utf-8")
        return path.as_uri() + place
    return write


def check_game(browser, address, record):
    """Steps through a game in the browser and compares each table with the referee's."""
    with open_page(browser, address) as page:
        tables = page.evaluate(STEP_THROUGH)
    assert len(tables) == len(record.steps) + 1
    for index, (table, expected) in enumerate(zip(tables, lay_out(record))):
        for seat in range(4):
            where = (record.name, index, seat)
            assert sorted(table["hands"][seat]) == sorted(expected["hands"][seat]), where
            assert table["drawn"][seat] == [tile for tile in [expected["drawn"][seat]] if tile], where
            assert [show_meld(meld, seat) for meld in expected["melds"][seat]] == [
                (sorted(tile or "" for tile in meld["tiles"]), meld["turned"]) for meld in table["melds"][seat]], where
            river = table["rivers"][seat]
            assert [discard["tile"] for discard in river if not discard["claimed"]] == expected["rivers"][seat], where
        # The first flower tells that one wall is for all.
        assert table["walls"] == expected["walls"] or record.has_one_wall and not table["flowers"], (record.name, index)
        assert table["focused"] == [list(focus) for focus in [expected["focus"]] if focus], (record.name, index)


def show_meld(meld, seat):
    """The tiles of a meld as they lie on the table and which are turned, by the habit of the game."""
    kind, tiles, giver, is_added = meld
    if giver is None:
        return sorted(["", tiles[0], tiles[0], ""]), [False] * 4
    standing = len(tiles) - 1 - is_added
    place = {3: 0, 2: 1, 1: standing}[(giver - seat) % 4]
    turned = [False] * place + [True] * (1 + is_added) + [False] * (standing - place)
    return tiles, turned


@pytest.mark.parametrize("wanted", [
    {"text": "抢杠和"}, pytest.param({"mode": "stacked"}, marks=pytest.mark.slow)], ids=["a robbed kong", "stacked"])
def test_every_event_is_shown_as_the_referee_has_it(wanted, browser, write_page):
    record, = golden_records(1, **wanted)
    check_game(browser, write_page(review_game(as_read(record), "random")), record)


@pytest.mark.slow
@with_samples
def test_every_event_of_games_in_all_formats(folder, browser, write_page):
    for path in list_files([str(folder)]):
        for game in list(read_games(path))[::12]:
            if game.error is None and game.record:
                check_game(browser, write_page(review_game(game, "rule_based")), game.record)


@pytest.fixture(scope="module")
def record():
    """A game that ends with a deal-in."""
    return next(record for record in golden_records(20, "stacked") if sorted(record.scores)[1] == -8)


@pytest.fixture(scope="module")
def game(record):
    game = review_game(as_read(record), "rule_based")
    assert game["frames"][-1]["event"]["from"] is not None
    return game


@pytest.fixture
def page(browser, write_page, game):
    """The page of the game at its first event."""
    with open_page(browser, write_page(game)) as page:
        yield page


class TestControls:
    @pytest.mark.slow
    def test_the_fans_in_a_dialog(self, page):
        """Saved pages have no address of the page of fans."""
        page.click("#open-fans")
        assert page.locator("dialog tr").count() == 82 and "furiten" in page.text_content("dialog")
        assert page.locator("dialog tr:nth-child(2) svg").count() == 14
        page.hover("dialog .fan-name >> nth=0")
        assert page.locator("dialog #fan-card:visible svg").count() == 14
        before = page.input_value("#slider")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Escape")
        assert page.locator("dialog").count() == 0 and page.input_value("#slider") == before

    @pytest.mark.slow
    def test_any_address_shows_the_page(self, page):
        """A language that every object of JavaScript has as a name, and a seat that is no number, left it empty; an
        address of the page that was open changed nothing."""
        for place in ("language=constructor", "seat=abc", "frame=x", "seat=toString&player=constructor&frame=-3.7",
                      "frame=1e999&seat=4&language=__proto__&me=__proto__&learn=x_-1"):
            with page.expect_event("load"):
                page.goto("%s#%s" % (page.url.partition("#")[0], place))
            page.wait_for_selector(".mj-hand", state="attached")  # the data is unpacked after the page is there
            page.keyboard.press("End")
            assert all(page.evaluate(READ_TABLE)["hands"])
            assert page.is_hidden("#head") == page.is_visible("#quiz") == ("learn" in place)

    @pytest.mark.slow
    def test_keys_jump_to_decisions_claims_the_deal_in_and_mistakes(self, game, page):
        end = len(game["frames"]) - 1
        giver = game["frames"][end]["event"]["from"]
        claims = [index for index, frame in enumerate(game["frames"]) if "claimed" in frame["event"]]
        mistakes = sorted(decision["frame"] for decision in game["reviews"][giver]["decisions"]
                          if decision["agreement"] != "same"
                          and (decision["loss"] is None or decision["loss"] >= 0.005))
        page.keyboard.press(str(giver + 1))

        def frames_of(key):
            return page.evaluate(PRESS_ON, key)

        assert frames_of("d") == game["decisions"][giver]
        assert frames_of("c") == claims
        assert frames_of("x") == game["decisions"][giver][-1:]
        assert frames_of("m") == mistakes
        page.keyboard.press("End")
        assert page.input_value("#slider") == str(end)
        page.keyboard.press("Shift+D")
        assert page.input_value("#slider") == str(game["decisions"][giver][-1])

    def test_the_end_shows_fans_and_scores_in_two_languages(self, record, page):
        page.keyboard.press("End")
        english, scores = page.inner_text("#ending"), page.inner_text("#head")
        page.keyboard.press("l")
        chinese = page.inner_text("#ending")
        for fan in record.closing["fan"]:
            assert fan["name"] in chinese and fan["name"] not in english
        assert "wins" in english and "点炮" in chinese and "as the judge counted" in english
        for score in record.scores:
            assert "%+d" % score in scores

    def test_every_decision_has_its_card_and_marks_and_dangers_over_the_hand(self, game, page):
        page.keyboard.press("2")
        page.keyboard.press("r")
        for decision in game["reviews"][1]["decisions"]:
            page.keyboard.press("d")
            chances = {name: chances for name, _, _, _, _, chances in decision["tiles"]}
            for kind, action in (("best", decision["chosen"]), ("played", decision["logged"])):
                is_marked = bool(chances) and action.startswith("PLAY")
                assert page.locator(".mj-mark.mj-" + kind).count() == is_marked
                assert page.locator(".mj-bar.mj-" + kind).count() >= (is_marked and kind == "best")
            hand = page.locator(".mj-side[data-seat='1'] .mj-hand .mj-tile").evaluate_all(
                "tiles => tiles.map(tile => tile.dataset.tile)")
            shown = page.locator(".mj-danger:not(.mj-danger-of)").all_text_contents()
            expected = [100 * chances[name][seat] for name in hand for seat in (2, 3, 0)] if chances else []
            assert [float(text) for text in shown] == pytest.approx(expected, abs=0.51)
            assert page.locator(".mj-no-danger").count() == (not expected), "a claim had an empty strip"
            figures = page.locator("#decision figure")
            assert figures.count() == len(decision["tiles"])
            for (_, danger, *_), text in zip(decision["tiles"], figures.all_inner_texts()):
                assert abs(float(text.split("%")[0]) - 100 * danger) <= 0.0501
            if decision["ranked"]:
                assert page.locator("#decision .ranked .bar").count() >= min(5, len(decision["ranked"]))
            patterns = page.locator("#decision details").text_content()
            assert all(name in patterns for name, _ in decision["explanation"]["patterns"])

    def test_one_seat_hides_the_others(self, page):
        """And a button keeps the focus where it is drawn again: a second press of a key did nothing."""
        page.focus("#steps button >> nth=2")
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        assert page.input_value("#slider") == "2"
        page.keyboard.press("d")
        page.keyboard.press("3")
        page.keyboard.press("o")
        table = page.evaluate(READ_TABLE)
        for seat, hand in enumerate(table["hands"]):
            assert all(tile is not None if seat == 2 else tile is None for tile in hand) and len(hand) >= 13

    @pytest.mark.slow
    def test_the_worst_mistake_opens_first_and_a_click_opens_that_of_a_seat(self, game, browser, write_page):
        """It opened with the seat that paid, and a click on a seat hid the decision."""
        worst = {seat: review["decisions"][review["mistakes"][0]] for seat, review in game["reviews"].items()
                 if review["mistakes"]}
        first = min(worst, key=lambda seat: rank_mistake(worst[seat]))
        with open_page(browser, write_page(game, "")) as page:
            for click, seat in enumerate((first, *worst)):
                if click:
                    page.click("#head tr:nth-child(%d) button" % (seat + 2))
                assert page.input_value("#slider") == str(worst[seat]["frame"])
                assert page.inner_text("#head tr.current").startswith(SEATS[seat])
                loss = worst[seat]["loss"]
                assert loss is None or "%.2f" % loss in page.inner_text("#decision .verdict")

    def test_the_head_has_every_seats_player_score_and_loss(self, record, game, page):
        rows = [row.inner_text().split("\t") for row in page.locator("#head tr").all()[1:]]
        for seat, (_, player, score, loss, mistakes) in enumerate(rows):
            review = game["reviews"][seat]
            assert player == (game["players"][seat] or "–") and int(score) == record.scores[seat]
            assert loss == "%.2f" % sum(decision["loss"] or 0 for decision in review["decisions"])
            assert mistakes == str(len(review["mistakes"]))
        page.click("#head tr:nth-child(3) button")
        assert "South" in page.inner_text("#mistakes h2")

    @pytest.mark.slow
    def test_a_tactic_that_weighs_nothing_is_said_to_value_nothing(self, record, browser, write_page):
        game = review_game(as_read(record), "random")
        with open_page(browser, write_page(game)) as page:
            heads = page.inner_text("#head tr >> nth=0").split("\t")
            assert [head.strip() for head in heads] == ["", "player", "score", "mistakes"]
            for _ in game["reviews"][0]["decisions"]:
                page.keyboard.press("d")
                assert "value" not in page.inner_text(".remarks")
        assert format_table([game]).splitlines()[1].split("  ")[-1].strip().endswith("%")

    @pytest.mark.slow
    def test_sentences_in_two_languages_have_all_their_words(self, game, page):
        list_remarks = """count => Array.from({length: count}, () => {
          document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "d", bubbles: true}));
          return document.querySelector(".remarks").textContent;
        })"""
        for _language in "en", "zh":
            page.keyboard.press("Home")
            for key in "1234":
                page.keyboard.press(key)
                page.keyboard.press("Home")
                for text in page.evaluate(list_remarks, len(game["reviews"][int(key) - 1]["decisions"])):
                    assert text and not re.search("undefined|null|NaN|%s|object", text)
            page.keyboard.press("l")

    def test_equally_many_winning_tiles_and_kongs_are_told_apart(self, page):
        """No sentence told of a win by self-draw alone, or said "(by self-draw null)"; or what a kong gains."""
        english, chinese = page.evaluate("""[WORDS.en, WORDS.zh].map(words => Panels.remarks({
          chosen: "PLAY W3", logged: "PLAY W6", logged_facts: {},
          remarks: [["pays", [["W7", 1, 8, null]], [["W7", 1, null, 8]]], ["kong"]],
        }, "search", "points", {}, words).textContent + Panels.leads("", {
          shanten: 0, distance_to_8_fan: 0, targets: [], wins: [["W7", 1, 8, null], ["W8", 2, null, 9]],
        }, {}, words).textContent)""")
        assert "it wins on ×1 (8 fan); after" in english and "on ×1 (8 fan by self-draw only)." in english
        assert "×1（8 番 仅自摸够 8 番）" in chinese and "draws another tile" in english and "多摸一张牌" in chinese
        assert english.endswith("×1 8 fan (not by self-draw)×2 9 fan by self-draw only") and "null" not in chinese

    @pytest.mark.slow
    def test_every_fan_that_is_named_has_an_example(self, page):
        """By pointer and by keyboard, in both languages; Escape closes it."""
        for _language in "en", "zh":
            page.keyboard.press("Home")
            while not page.locator("#decision .fan-name:visible").count():
                page.keyboard.press("d")
            for open_card in ("hover", "focus"):
                getattr(page.locator("#decision .fan-name:visible").last, open_card)()
                assert page.locator("#fan-card svg").count() in range(14, 19)
                page.keyboard.press("Escape")
                assert not page.locator("#fan-card").count()
            page.keyboard.press("l")
        lengths = page.evaluate("FAN_ROWS.map(([, , , tiles]) => tiles.replaceAll(' ', '').length / 2)")
        assert len(lengths) == 81 and set(lengths) <= set(range(14, 19))

    @pytest.mark.slow
    def test_words_of_riichi_on_request(self, page):
        page.keyboard.press("d")
        plain = page.inner_text("#decision")
        page.click("#riichi")
        assert re.search(r"\((tenpai|\d-shanten)\)", page.inner_text("#decision h2"))
        page.wait_for_function("() => !location.hash.includes('frame=0')")  # the address follows a moment later
        page.reload()
        page.wait_for_selector("#decision >> text=shanten)")  # the browser keeps the choice
        page.click("#riichi")
        assert page.inner_text("#decision") == plain
        page.keyboard.press("l")
        assert page.locator("#riichi").is_hidden()

    def test_the_two_languages_have_the_same_words(self, page):
        list_words = """() => {
          const list = (words, path) => Object.entries(words).flatMap(([key, value]) => typeof value === "object" &&
            !Array.isArray(value) ? list(value, path + key + ".") : [path + key + typeof value + (value.length || "")]);
          const plain = entry => entry.replace(/string.*/, "string");
          return [list(WORDS.en, "").map(plain), list(WORDS.zh, "").map(plain)];
        }"""
        english, chinese = page.evaluate(list_words)
        # The yaku of riichi are for readers of English who ask for them.
        assert [word for word in english if not word.startswith("yaku.")] == chinese

    @pytest.mark.parametrize("width", [360, pytest.param(1000, marks=pytest.mark.slow)])
    def test_nothing_is_wider_than_the_screen(self, width, game, browser, write_page):
        with open_page(browser, write_page(game), width=width) as page:
            for key in ("d", "m", "End"):
                page.keyboard.press(key)
                assert page.evaluate("document.documentElement.scrollWidth") <= width
            # A phone showed half of the title.
            assert page.eval_on_selector("#title", "title => title.scrollWidth <= title.clientWidth")

    @pytest.mark.slow
    def test_a_game_plays_by_itself_to_its_end(self, game, browser, write_page):
        last = len(game["frames"]) - 1
        with open_page(browser, write_page(game, "#seat=0&frame=%d" % (last - 4))) as page:
            page.click("#speed")
            page.keyboard.press("a")
            assert page.inner_text("#speed") == "2×" and page.inner_text("#auto") == "❚❚"
            page.wait_for_function("last => document.getElementById('slider').value === String(last)", arg=last)
            page.wait_for_function("() => document.getElementById('auto').textContent === '▶▶'")

    @pytest.mark.parametrize("way", ["keys", pytest.param("touch", marks=pytest.mark.slow)])
    def test_learning_hides_the_answer_until_one_has_chosen(self, way, game, browser, write_page):
        review = game["reviews"][0]  # the seat of the fewest mistakes
        made = sorted((review["decisions"][index] for index in review["mistakes"]), key=lambda made: made["frame"])
        with open_page(browser, write_page(game, "#seat=0"), has_touch=way == "touch") as page:
            page.keyboard.press("g")
            for number, decision in enumerate(made, 1):
                assert page.input_value("#slider") == str(decision["frame"])
                assert page.is_hidden("#decision") and not page.locator(".mj-mark, .mj-bar").count()
                best = page.locator('#quiz [data-action="%s"]' % page.evaluate(
                    "made => Learning.listChoices(made).best", decision))
                best.tap() if way == "touch" else best.press("Enter")
                assert "the best move" in page.inner_text("#quiz") and page.is_visible("#decision")
                assert "%d of %d answered, %d right" % (number, len(made), number) in page.inner_text("#quiz")
                if number < len(made):
                    page.locator("#quiz .next").tap() if way == "touch" else page.keyboard.press("Enter")
            assert "Your score" in page.inner_text("#quiz") and "%d in a row" % len(made) in page.inner_text("#quiz")
            other = next(seat for seat in (3, 2, 1) if game["reviews"][seat]["mistakes"])
            page.keyboard.press(str(other + 1))  # it stayed behind the open question of that seat, and broke
            assert int(page.input_value("#slider")) == min(
                game["reviews"][other]["decisions"][index]["frame"] for index in game["reviews"][other]["mistakes"])
            page.wait_for_function("() => location.hash.includes('learn')")
            page.reload()
            page.wait_for_selector("#quiz [data-action]")
            assert page.is_hidden("#decision"), "a reload tells no answer"

    def test_nothing_gives_the_answer_away(self, game, browser, write_page):
        """The head told the result, the curve and the log the events to come, and the seat's row how grave it was."""
        with open_page(browser, write_page(game, "#seat=2&learn=0")) as page:
            frame = int(page.input_value("#slider"))
            for hidden in ("#head", "#graph", "#mistakes", "#summary", "#decision", "#open", "#ending", "#resume"):
                assert page.is_hidden(hidden), hidden
            for key in ("End", "ArrowRight", "x", "m", "1", "o"):
                page.keyboard.press(key)
            assert int(page.input_value("#slider")) == frame and page.locator("#log li").count() == frame + 1
            assert page.locator(".mj-side[data-seat='0'] .mj-hand .mj-tile[data-tile]").count() == 0
            page.keyboard.press("g")
            assert page.is_visible("#head") and page.locator("#log li").count() == len(game["frames"])

    def test_a_wrong_choice_is_tried_again_and_compared_with_the_best(self, browser, write_page):
        """The first wrong choice showed the answer, and the words compared it with the move of the game."""
        game = list_reviewed()[2][1]
        seat, made = next((seat, made) for seat, review in game["reviews"].items() for index in review["mistakes"]
                          for made in [review["decisions"][index]] if made["tiles"] and len(made["answers"]) > 4)
        wrong = max(made["answers"], key=lambda answer: answer["loss"])
        review = dict(game["reviews"][seat], mistakes=[game["reviews"][seat]["decisions"].index(made)])
        address = write_page(dict(game, reviews={seat: review}), "#seat=%d&learn=0" % seat)
        with open_page(browser, address) as page:
            page.click('#quiz [data-action="%s"]' % wrong["choice"])
            assert "not this" in page.inner_text("#quiz") and page.is_hidden("#decision")
            assert page.locator("#quiz .solution").count() == page.locator("#quiz .tried:disabled").count() == 1
            page.click("#quiz .solution")
            assert "0 right at once" in page.inner_text("#quiz")
            assert "−%.2f" % wrong["loss"] in page.inner_text("#decision .verdict")
            assert "You" in page.inner_text("#decision .verdict") and page.locator("#decision .remarks").count() > 1
            page.click("#quiz .link:has-text('the game')")
            assert "−%.2f" % made["loss"] in page.inner_text("#decision .verdict")

    @pytest.mark.slow
    def test_a_position_for_others_has_its_answer_folded(self, game, browser, write_page, tmp_path):
        made = game["reviews"][2]["decisions"][3]
        with open_page(browser, write_page(game, "#seat=2&frame=%d" % made["frame"])) as page:
            for button in (0, 1):
                with page.expect_download() as download:
                    page.click("#decision .share button >> nth=%d" % button)
                download.value.save_as(tmp_path / download.value.suggested_filename)
        assert (tmp_path / "position.png").read_bytes().startswith(b"\x89PNG")
        with open_page(browser, (tmp_path / "position.html").as_uri()) as page:
            assert page.is_hidden("#decision") and page.is_hidden("#head") and page.is_hidden("#controls")
            assert page.inner_text("#title") == "What do you play?"
            page.click('#quiz [data-action="%s"]' % page.evaluate("made => Learning.listChoices(made).best", made))
            assert page.is_visible("#decision")

    def test_a_page_from_a_file_tells_the_command_to_play_on(self, game, browser, write_page):
        """It was a dialog of the browser, which a phone shows without a way to copy."""
        frame = game["decisions"][1][3]
        with open_page(browser, write_page(dict(game, where="it's.json:2"), "#seat=1&frame=%d" % frame)) as page:
            page.click("#resume")
            told = page.input_value("#command input")
            assert "on a computer with mj_bot" in page.inner_text("#command") and "mj-bot play --open" in told
            page.click("#command button >> nth=1")
            assert page.is_hidden("#command")
            page.click("#head tr:nth-child(2) button")
            is_decision = page.input_value("#slider") in map(str, game["decisions"][0])
            assert is_decision == (page.get_attribute("#resume", "href") is not None)
        assert shlex.split(told)[3:] == ["--record", "it's.json:2", "--frame", str(frame), "--seat", "1"]


class TestStrangeRecords:
    def test_markup_is_text(self, browser, write_page):
        record = golden_records(1, "stacked")[0]
        evil = '<img src=x onerror="window.hurt=1"></script><script>window.hurt=1</script>'
        record.players = [evil, "<b>b</b>", "{{game}}", "中文玩家的名字很长很长很长"]
        record.name = evil
        record.steps[5].answers[0] = record.steps[5].answers[0]._replace(response="PLAY " + evil)
        game = review_game(as_read(record), "random")
        with open_page(browser, write_page(game)) as page:
            for _ in range(6):
                page.keyboard.press("ArrowRight")
            assert page.evaluate("window.hurt") is None
            assert page.locator("main img, main b >> text=/^b$/").count() == 0
            assert "<b>b</b>" in page.locator(".mj-table").text_content()
            assert "{{game}}" in page.locator(".mj-table").text_content()
            assert "</script>" in page.inner_text("#title")

    def test_a_record_that_breaks_is_shown_up_to_there(self, browser, write_page):
        record = golden_records(1, "stacked")[0]
        record.steps[20] = record.steps[20]._replace(requests=["3 0 CHI J1 <i>J2</i>"] * 4)
        game = review_game(as_read(record), "random")
        with open_page(browser, write_page(game)) as page:
            page.keyboard.press("End")
            assert page.input_value("#slider") == "19"
            error = page.inner_text("#error")
        assert re.search(r"breaks here: .*expected .* got .*<i>J2</i>.* request 20", error)

    def test_a_record_of_nothing_is_an_error_alone(self, browser, write_page):
        read, = read_games(project_path("README.md"))
        with open_page(browser, write_page(review_game(read, "rule_based"))) as page:
            assert "expected a game" in page.inner_text("#error")
            assert not page.locator("#stage").is_visible()
