"""Several games at once: sums against the reviews, ratings, sessions, the person for whom pages open, the pages."""

import json
import os
import pathlib
import re
import tempfile

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.source import read_games
from mj_bot.lab.review.games import ReviewedGame, review_game
from mj_bot.lab.review.decisions import ReviewedDecision
from mj_bot.lab.review.overview import Overview, OverviewSums
from mj_bot.lab.review.pages import build_index, build_page
from mj_bot.lab.library.game_content import make_key, read_session
from mj_bot.lab.library.sessions import PLACING_POINTS, order_sessions
from tests import sharing
from tests.browser import needs_browser, open_page
from tests.golden_games import SAMPLES
from tests.lab.records.platforms.test_salasasa import load_sessions
from tests.lab.records.platforms.test_tziakcha import load_made
from tests.lab.library.games import list_hands, list_reviewed
from tests.lab.review.games import as_read, golden_lines, golden_records, read_data
from tests.sharing import share

NAMES = ["Player A", "Player B", "Player C", "Player D"]
HANDS = 12
SESSION = 6  # hands of the session in the pages; each is reviewed
READ_LOSSES = """column => [...document.querySelectorAll("#games tr[data-game]")].map(row => {
  const cell = row.cells[column];
  return Number((cell.querySelector("i") || cell).textContent);
})"""


def write_hands(folder, session, numbers, hands=HANDS):
    """A file a hand of the made session, under names in another order than that of the hands."""
    for number in numbers:
        step = load_made()[number]
        step["g"]["n"] = hands
        text = json.dumps({"id": "id-%d" % number, "belongs": session, "step": step})
        (folder / ("%s-%02d.json" % (session, 7 * number % HANDS))).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def pages():
    """The pages of a session, of part of another one, of a broken record, and of a game without names."""
    return share("pages", make_pages)


def make_pages():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="secret", dir=sharing.FOLDER)) / "games"
    folder.mkdir()
    write_hands(folder, "first", range(SESSION), SESSION)
    write_hands(folder, "second", [3, 1])
    (folder / "broken.json").write_text('{"step": {"a": [], "g": {}, "p": []}}', encoding="utf-8")
    (folder / "zz.json").write_text(golden_lines(1, "stacked")[0], encoding="utf-8")
    words = ["review", str(folder), "--tactic", "rule_based", "--player", "Player B", "-o", str(folder / "pages")]
    assert main(words) == 2  # for the broken one
    return folder / "pages"


def test_hands_without_a_session_are_joined_where_that_is_certain(tmp_path):
    """Totals that go on, or one file, tell that hands belong together; other hands stay alone."""
    for number, step in enumerate(load_made()):
        if number != 6:
            (tmp_path / ("%02d.json" % (7 * number % HANDS))).write_text(json.dumps(step), encoding="utf-8")
    one, *others = load_sessions()[:3]
    (tmp_path / "one.json").write_text(json.dumps(one), encoding="utf-8")
    one["game_round"] = {number: other["game_round"].popitem()[1] for number, other in enumerate([one] + others)}
    (tmp_path / "whole.json").write_text(json.dumps(one), encoding="utf-8")
    games = [game for path in sorted(tmp_path.iterdir()) for game in read_games(str(path))]
    found = {}
    for game in order_sessions(games):
        found.setdefault(game.record.origin["session"], []).append(game.record.origin["hand"])
    assert sorted(found.values()) == [[0], [0, 1, 2], list(range(6)), list(range(7, HANDS))]
    # The id was the path of the user's file, which the library and its exports then had.
    assert not any(str(tmp_path) in session for session in found)


@pytest.mark.parametrize("hands", [2, 3])
def test_a_copy_of_a_hand_counts_once(hands, tmp_path):
    """In a whole session it counted twice, which no player then had placing points of."""
    write_hands(tmp_path, "one", range(2), hands)
    games = [game for path in 3 * sorted(tmp_path.iterdir()) for game in read_games(str(path))]
    found = list(order_sessions([games[0]._replace(error="cut"), *games[2:]]))
    assert [game.record.origin["hand"] for game in found] == [0, 1] and not found[0].error


@pytest.mark.parametrize("is_named", [True, False])
def test_endless_sessions_do_not_fill_the_memory(is_named, monkeypatch):
    """All hands were kept until the end: 9,000 of them, 196 KB as a file, took 463 MB."""
    monkeypatch.setattr("mj_bot.lab.library.sessions._MOST_WAITING", 20)
    read, given, most = [], 0, 0
    game = list_hands()[0]

    def list_endless():
        for number in range(100):
            origin = dict(game.record.origin, hand=number, hands=1000, session="one" if is_named else "")
            read.append(number)
            yield game._replace(record=type(game.record)(**dict(vars(game.record), origin=origin)))

    for ordered in order_sessions(list_endless()):
        most = max(most, len(read) - given)
        assert ordered.record.origin["hand"] == given
        given += 1
    assert given == 100 and most <= 21


def test_another_hand_with_the_same_number_is_kept_and_told(tmp_path, capsys):
    """The second one vanished without a word."""
    write_hands(tmp_path, "one", range(3), 3)
    (tmp_path / "zz.json").write_text(json.dumps({"id": "id-1", "belongs": "one", "step": dict(
        load_made()[5], g=dict(load_made()[1]["g"], n=3), i=load_made()[1].get("i", 1))}), encoding="utf-8")
    files = sorted(tmp_path.iterdir())
    for paths in (files, files[::-1]):
        found = list(order_sessions(game for path in paths for game in read_games(str(path))))
        whole = [game for game in found if game.transcripts]
        note, = (game for game in found if not game.transcripts)
        assert len(whole) == 4 and len({make_key(game) for game in whole}) == 4
        assert "expected one hand 2 of a session, got two that differ" in str(note.error)
        assert sum(read_session(game) is not None for game in whole) == 3
    assert main(["review", str(tmp_path), "--tactic", "none", "-o", str(tmp_path / "pages")]) == 2
    assert "got two that differ" in capsys.readouterr().err
    assert len([game for game in read_data(tmp_path / "pages" / "index.html")["games"] if not game["error"]]) == 4


def test_a_broken_record_costs_only_itself(pages):
    index = read_data(pages / "index.html")
    assert [bool(game["error"]) for game in index["games"]].count(True) == 1 and len(index["games"]) == SESSION + 4
    assert [len(session["games"]) for session in index["sessions"]] == [SESSION, 2]
    whole, part = index["sessions"]
    assert all(player["places"] is not None for player in whole["players"])
    assert all(player["places"] is None for player in part["players"])


def test_totals_are_those_of_the_records(pages):
    """The totals that the platform gives before each hand, and the last scores on top; sources add up to them."""
    session = read_data(pages / "index.html")["sessions"][0]
    for number, step in enumerate(load_made()[:SESSION]):
        for player in step["p"]:
            assert session["totals"][number][NAMES.index(player["n"])] == player["s"]
    assert [sum(player["sources"]) for player in session["players"]] == session["totals"][-1]
    assert session["names"] == [player["name"] for player in session["players"]] == NAMES
    by_score = sorted(session["players"], key=lambda player: -sum(player["sources"]))
    assert [player["places"] for player in by_score] == list(PLACING_POINTS)
    games = read_data(pages / "index.html")["games"]
    for player in session["players"]:
        wins = [game for game in (games[number] for number in session["games"])
                if game["end"]["verdict"] == "HU" and game["players"][game["end"]["seat"]] == player["name"]]
        assert player["wins"][0] * SESSION == pytest.approx(len(wins), abs=1e-2)
        drawn = [game["scores"][game["end"]["seat"]] for game in wins if game["end"]["from"] is None]
        assert player["sources"][1] == sum(drawn) > 0 or not drawn


def test_all_mistakes_of_all_games(pages):
    """Of four players together the twenty worst were listed; the others were in the pages of their games alone."""
    overview = read_data(pages / "index.html")
    made = [(decision["loss"], number, int(seat), decision["frame"])
            for number, path in enumerate(sorted(pages.glob("game-*.html")))
            for seat, review in read_data(path)["reviews"].items() for decision in review["decisions"]
            if decision["repeats"] is None]
    listed = [(made["loss"], made["game"], made["seat"], made["frame"]) for made in overview["mistakes"]]
    assert len(listed) == sum(sum(filter(None, game["mistakes"])) for game in overview["games"]) > 50
    assert set(listed) <= set(made) and len(set(listed)) == len(listed)
    losses = [loss for loss, *_ in listed if loss is not None]
    assert losses == sorted(losses, reverse=True)
    assert {made["leak"] for made in overview["mistakes"]} > {"tile", "chow"}


def test_the_figures_of_players_by_hand(pages):
    overview, steps = read_data(pages / "index.html"), [load_made()[number] for number in (*range(SESSION), 3, 1)]
    results = [{player["n"]: score for player, score in zip(step["p"], step["s"])} for step in steps]
    for player in overview["players"]:
        name, count = player["name"], len(results)
        assert player["games"] == count
        mean, low, high = player["score"]
        assert mean == pytest.approx(sum(result[name] for result in results) / count, abs=1e-4) and low < mean < high
        assert player["wins"][0] == pytest.approx(sum(result[name] > 0 for result in results) / count, abs=1e-4)
        paid = [sorted(result.values())[1] == -8 and result[name] < -8 for result in results]
        assert player["deal_ins"][0] == pytest.approx(sum(paid) / count, abs=1e-4)
    means = [player["score"][0] for player in overview["players"]]
    assert means == sorted(means, reverse=True)


def test_games_without_names_scores_or_reviews():
    overview = Overview("")
    game = review_game(as_read(golden_records(1, "stacked")[0]), "")
    overview.add(dict(game, players=[""] * 4, scores=None, frames=[], error="broken off"), "game.html")
    shown = overview.describe()
    assert shown["players"] == [] and shown["mistakes"] == [] and shown["unit"] == ""
    assert shown["games"][0]["end"] is None and shown["games"][0]["error"] == "broken off"
    json.dumps(shown)


def test_a_tactic_that_weighs_nothing_has_no_losses():
    record, overview = golden_records(1, "stacked")[0], Overview("random")
    record.players = NAMES
    game = review_game(as_read(record), "random")
    overview.add(game, "game.html")
    shown = overview.describe()
    for described, keys in ((game, ReviewedGame), (game["reviews"][0]["decisions"][0], ReviewedDecision),
                            (shown, OverviewSums)):
        assert described.keys() == keys.__annotations__.keys()
    assert shown["games"][0]["losses"] == [None] * 4 and shown["mistakes"] and shown["unit"] == ""
    assert all(player["loss"] is None for player in shown["players"])


def test_equal_scores_share_the_placing_points(tmp_path):
    overview = Overview("")
    write_hands(tmp_path, "one", [0], hands=1)
    (source,) = read_games(str(next(tmp_path.iterdir())))
    game = dict(review_game(source, ""), scores=[24, -8, -8, -8], frames=[])
    overview.add(game, "game.html", "key")
    shown = overview.describe()
    places = [player["places"] for player in shown["sessions"][0]["players"]]
    assert places == [3.0] + [pytest.approx(2 / 3)] * 3


def test_a_session_loses_what_its_games_lose(tmp_path):
    """The losses of a player of whom some hands are reviewed were those of all hands."""
    overview = Overview("rule_based")
    write_hands(tmp_path, "one", range(3))
    for path in tmp_path.iterdir():
        (source,) = read_games(str(path))
        overview.add(review_game(source, "rule_based", 0), "game.html", "key")
    shown = overview.describe()
    for player in shown["sessions"][0]["players"]:
        losses = [game["losses"][game["players"].index(player["name"])] for game in shown["games"]]
        losses = [loss for loss in losses if loss is not None]
        assert player["lost"] == (sum(losses) if losses else None)


def test_pages_open_on_the_player(pages, game_file, tmp_path, capsys):
    for number in range(1, SESSION + 5):
        game = read_data(pages / ("game-%04d.html" % number))
        if "Player B" in game["players"]:
            assert game["player"] == "Player B" == game["players"][game["seat"]]
    page = tmp_path / "x.html"
    assert main(["review", str(game_file), "--tactic", "none", "--player", "nobody", "-o", str(page)]) == 2
    assert not page.exists()
    assert "expected one player of these games, got 'nobody'; they are without names" in capsys.readouterr().err


def test_a_player_is_found_without_the_prefix_of_a_team(tmp_path, capsys):
    """Only the whole name was found, capitals included."""
    step = json.loads(json.dumps(load_made()[0]))
    for player, name in zip(step["p"], ["红队·Anna", "蓝队·Joanna", "【A】张三", "Bob"]):
        player["n"] = name
    path, out = tmp_path / "a.json", tmp_path / "a.html"
    path.write_text(json.dumps(step), encoding="utf-8")
    for wanted, name in (("anna", "红队·Anna"), ("张三", "【A】张三"), ("BOB", "Bob"), ("joan", "蓝队·Joanna")):
        assert main(["review", str(path), "--tactic", "none", "--player", wanted, "-o", str(out)]) == 0
        assert read_data(out)["player"] == name
    capsys.readouterr()
    for wanted, told in (("队", "near ones are 红队·Anna, 蓝队·Joanna"), ("Bot", "near ones are Bob")):
        assert main(["review", str(path), "--tactic", "none", "--player", wanted, "-o", str(out)]) == 2
        assert told in capsys.readouterr().err


def test_pages_contain_names_alone(pages):
    """No identity or address of a player, and no folder of the machine."""
    for page in pages.iterdir():
        text = page.read_text(encoding="utf-8")
        assert len(text.encode()) < 400_000
        assert not re.search(r"synth\d|0\.0\.0|secret", text), page.name


def test_errors_and_names_begin_where_the_user_pointed(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "bad.json").write_text("{", encoding="utf-8")
    for typed, shown in ((tmp_path, os.path.join("in", "bad.json")), (tmp_path / "in" / "bad.json", "bad.json")):
        assert main(["review", str(typed), "--tactic", "none"]) == 2
        captured = capsys.readouterr()
        assert captured.err.startswith(shown + ":") and str(tmp_path) not in captured.err + captured.out


@pytest.mark.parametrize("form", ["compact", "log"])
def test_converted_records_keep_names_and_session(form, tmp_path):
    for name in ("tziakcha.jsonl", "official.txt"):
        assert main(["records", "convert", str(SAMPLES / name), "--to", form, "-o", str(tmp_path / name)]) == 0
    records = [game.record for game in read_games(str(tmp_path / "tziakcha.jsonl"))]
    assert all(sorted(record.players) == NAMES for record in records)
    assert [record.origin["hand"] for record in records] == list(range(HANDS))
    assert review_game(next(read_games(str(tmp_path / "official.txt"))), "")["players"] == [""] * 4


@needs_browser
class TestPages:
    def test_a_session_and_back_and_forth_between_its_hands(self, browser, pages):
        with open_page(browser, (pages / "index.html").as_uri()) as page:
            assert page.locator("#sessions .link").count() == 2 and page.is_hidden("#session")
            whole, part = page.locator("#sessions .link").all_inner_texts()
            assert whole.count("placing points") == 4 and "placing points" not in part
            page.click("#sessions .link >> nth=0")
            assert page.locator("#session .curve a").count() == page.locator("#games tr[data-game]").count() == SESSION
            index = read_data(pages / "index.html")
            totals = sorted(index["sessions"][0]["totals"][-1], reverse=True)
            cells = page.locator("#session tr.total td").all_inner_texts()
            assert [int(cell) for cell in cells[1:]] == totals
            page.click("#session .curve a >> nth=4")
            page.wait_for_selector("#next")
            assert page.inner_text("#title").startswith("hand 5 of %d" % SESSION)
            page.click("#next")
            page.wait_for_function("() => document.getElementById('title').textContent.startsWith('hand 6')")
            assert page.inner_text("#head tr.current").split("\t")[1].startswith("Player B"), "another seat, one person"
            page.keyboard.press("p")
            page.wait_for_function("() => document.getElementById('title').textContent.startsWith('hand 5')")
            page.click("#back")
            page.wait_for_selector("#session .curve")
            page.click("#whole")
            assert page.locator("#games tr[data-game]").count() == len(index["games"])
            page.go_back()
            page.wait_for_selector("#session .curve")

    def test_points_lost_have_one_total_and_wins_their_names(self, browser, tmp_path):
        """A page had two totals of points lost, and its wins named seats where names are known, without their fan."""
        overview = Overview("cnn,search")
        for game, reviewed in list_reviewed():
            overview.add(reviewed, "game.html", read_session(game))
        shown = overview.describe()
        (tmp_path / "index.html").write_text(build_index(shown), encoding="utf-8")
        lost = sum(loss for game in shown["games"] for loss in game["losses"])
        for language, total, win in (("en", "sum", "Player D 11 fan last tile ← Player C"),
                                     ("zh", "合计", "Player D 11 番 和绝张 ← Player C")):
            with open_page(browser, (tmp_path / "index.html").as_uri() + "#session=1&language=" + language) as page:
                cells = page.locator("#kinds tr.total td").all_inner_texts()
                own = page.locator("#session tr >> nth=-2").locator("td").all_inner_texts()[1:]
                assert cells[0] == total and float(cells[1]) == pytest.approx(lost, abs=0.051)
                assert sum(map(float, own)) == pytest.approx(lost, abs=0.021)
                assert win in page.locator("#games tr[data-game] td:nth-child(3)").all_inner_texts()
                assert not re.search("null|undefined|NaN", page.inner_text("body"))

    @pytest.mark.slow
    def test_this_is_me(self, browser, pages, tmp_path):
        """Pages without --player open on the person whom the reader chose in another page, at the worst mistake.

        A busy browser may open the second page with the storage of a moment before: in 6 of 201 tries it did, and the
        page had the name when it was loaded again. The link to the index carries the name.
        """
        index = {"to": "games", "address": (pages / "index.html").as_uri(), "session": 1}
        game = dict(read_data(pages / "game-0002.html"), player="", seat=0, frame=0, back=index)
        for page in ("one.html", "two.html"):
            (tmp_path / page).write_text(build_page(game), encoding="utf-8")
        with open_page(browser, (tmp_path / "one.html").as_uri()) as page:
            assert page.get_attribute("#head tr.current .me", "aria-pressed") == "false"
            page.locator("#head tr", has_text="Player C").locator(".me").click()
            for _ in range(5):
                page.goto((tmp_path / "two.html").as_uri())
                page.wait_for_selector("#head tr.current")
                if page.evaluate("Me.name()"):
                    break
            assert "Player C" in page.inner_text("#head tr.current")
            review = game["reviews"][str(game["players"].index("Player C"))]
            assert int(page.input_value("#slider")) == review["decisions"][review["mistakes"][0]]["frame"]
            page.click("#back")
            page.wait_for_selector("#session .curve")
            assert page.evaluate("Me.name()") == "Player C" and page.locator("#games td.mine").count() == SESSION
            page.evaluate("localStorage.setItem('mj_bot.me', ''); window.dispatchEvent(new Event('storage'))")
            assert page.locator("#games td.mine").count() == 0, "as another tab does"

    @pytest.mark.slow
    def test_a_run_through_the_mistakes_of_a_session(self, browser, pages):
        index = read_data(pages / "index.html")
        games = [index["games"][number] for number in index["sessions"][1]["games"]]
        count = sum(game["mistakes"][game["players"].index("Player C")] for game in games)
        with open_page(browser, (pages / "index.html").as_uri() + "#session=2&me=Player%20C") as page:
            page.click("#learn")
            for answered in range(1, count + 1):
                page.click("#quiz [data-action]")
                if page.locator("#quiz .solution").count():
                    page.click("#quiz .solution")
                if answered < count:
                    page.click("#quiz .next")
            assert not page.locator("#quiz .next").count() and "hand 4" in page.inner_text("#title")
            assert "Your score" in page.inner_text("#quiz")
            assert "%d of %d answered" % (count, count) in page.inner_text("#quiz")

    @pytest.mark.slow
    def test_games_are_sorted_by_each_columns_loss(self, browser, pages):
        """The broken game comes last. Hands of sessions stay in their order until their reader sorts them."""
        with open_page(browser, (pages / "index.html").as_uri()) as page:
            names = page.locator("#games td:first-child a").all_inner_texts()
            hands = re.findall(r"hand (\d+)\n", "\n".join(names) + "\n")[:SESSION]
            assert hands == [str(1 + number) for number in range(SESSION)]
            page.click("#games th[data-column='total'] button")
            totals = page.evaluate(READ_LOSSES, 7)[:-1]
            assert totals == sorted(totals, reverse=True) and len(set(totals)) > 3
            for seat in range(4):
                page.click("#games th[data-column='%d'] button" % seat)
                losses = page.evaluate(READ_LOSSES, seat + 3)[:-1]
                assert losses == sorted(losses, reverse=True)
            page.click("#games th[data-column='3'] button")
            assert page.evaluate(READ_LOSSES, 6)[:-1] == sorted(losses)

    @pytest.mark.slow
    def test_to_a_mistake_and_back(self, browser, pages):
        with open_page(browser, (pages / "index.html").as_uri()) as page:
            page.click("#language")
            assert page.inner_text("#title").endswith("盘")
            made = read_data(pages / "index.html")["mistakes"][2]
            assert all(name in page.inner_text("#players") for name in NAMES)
            page.click("#worst a >> nth=2")
            page.wait_for_selector("#decision:not([hidden])")
            assert page.input_value("#slider") == str(made["frame"])
            assert page.get_attribute("#head tr.current button", "aria-pressed") == "true"
            assert "决策" in page.inner_text("#decision h2"), "the language goes along"
            assert "%.2f" % made["loss"] in page.inner_text("#decision .verdict")
            page.click("#back")
            page.wait_for_selector("#worst a")
            assert page.inner_text("#title").endswith("盘")

    def test_filters_leave_the_mistakes_that_fit(self, browser, pages):
        """With several sessions the mistakes named seats instead of players, and nothing could be chosen."""
        index = read_data(pages / "index.html")
        with open_page(browser, (pages / "index.html").as_uri()) as page:
            page.select_option("#worst select[name=player]", "Player C")
            page.select_option("#worst select[name=leak]", "tile")
            page.select_option("#worst select[name=state]", "2")
            fitting = [made for made in index["mistakes"] if made["leak"] == "tile" and made["state"] == 2
                       and index["games"][made["game"]]["players"][made["seat"]] == "Player C"]
            told = page.locator("#worst .list a .at").all_inner_texts()
            assert len(told) == len(fitting) > 0 and all("Player C" in text for text in told)
            page.click("#kinds td button >> nth=1")
            page.select_option("#worst select[name=state]", "")
            kind = page.locator("#kinds tr.mine td").all_inner_texts()
            assert kind[2].endswith("(%d)" % page.locator("#worst .list a").count())

    @pytest.mark.slow
    def test_totals_are_of_all_seats_of_a_player(self, browser, tmp_path):
        """And a long name without spaces made the page wider than the screen."""
        record, overview = golden_records(1, "stacked")[0], Overview("")
        record.players = ["x" * 90, "y", "x" * 90, "y"]
        overview.add(review_game(as_read(record), ""), "game-0001.html")
        (tmp_path / "index.html").write_text(build_index(overview.describe()), encoding="utf-8")
        with open_page(browser, (tmp_path / "index.html").as_uri(), width=390) as page:
            told = page.text_content("#players .curve title")
            assert told.endswith("%+d, y %+d" % (sum(record.scores[::2]), sum(record.scores[1::2])))
            assert page.evaluate("document.documentElement.scrollWidth") <= 390

    @pytest.mark.slow
    def test_one_game_is_one_game(self, browser, game_file, tmp_path):
        (tmp_path / "pages").mkdir()
        assert main(["review", str(game_file), "--tactic", "none", "-o", str(tmp_path / "pages")]) == 0
        with open_page(browser, (tmp_path / "pages" / "index.html").as_uri()) as page:
            assert page.inner_text("#title") == page.title() == "1 game"

    @pytest.mark.parametrize("width, language", [(390, "zh"), pytest.param(1280, "en", marks=pytest.mark.slow)])
    def test_nothing_is_wider_than_the_screen(self, browser, pages, width, language):
        for address in ("index.html#session=1", "index.html#session=9", "game-0003.html#"):
            with open_page(browser, "%s&language=%s" % ((pages / address).as_uri().replace("%23", "#"), language),
                           width=width) as page:
                assert page.evaluate("document.documentElement.scrollWidth") <= width
