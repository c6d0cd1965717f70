"""Several games at once: the sums against the reviews, ratings, and the page in a browser, to a mistake and back."""

import json
import sys

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.botzone_log import format_log
from mj_bot.lab.records.source import ReadGame
from mj_bot.lab.review.games import review_game
from mj_bot.lab.review.overview import Overview
from tests.browser import needs_browser, open_page
from tests.golden_games import with_samples
from tests.lab.review.games import golden_records

NAMES = ["ann", "bob", "cyd", "dan"]
READ_LOSSES = """column => [...document.querySelectorAll("#games tr[data-game]")].map(row => {
  const cell = row.cells[column];
  return Number((cell.querySelector("i") || cell).textContent);
})"""


@pytest.fixture(scope="module")
def records():
    records = golden_records(6, "stacked") + golden_records(1, "explore", ending="HUANG")
    for number, record in enumerate(records):
        record.name = "game %d" % number
        record.players = NAMES[number % 4:] + NAMES[:number % 4]
    return records


@pytest.fixture(scope="module")
def games(records):
    return [review_game(ReadGame("x/%d.json" % number, record, record.transcripts(), None), "rule_based")
            for number, record in enumerate(records)]


@pytest.fixture(scope="module")
def overview(games):
    overview = Overview("rule_based")
    for number, game in enumerate(games):
        overview.add(game, "game-%d.html" % number)
    return overview.describe()


@pytest.fixture(scope="module")
def pages(records, tmp_path_factory):
    """The folder that the command makes of these games."""
    folder = tmp_path_factory.mktemp("games")
    for number, record in enumerate(records):
        (folder / ("%d.json" % number)).write_text(format_log(record), encoding="utf-8")
    assert main(["review", str(folder), "--tactic", "rule_based", "-o", str(folder / "pages")]) == 0
    return folder / "pages"


def test_the_worst_mistakes_of_all_games(games, overview):
    found = [(decision["loss"], number, seat, decision["frame"]) for number, game in enumerate(games)
             for seat, review in game["reviews"].items() for decision in review["decisions"]
             if decision["loss"] is not None]
    expected = sorted(found, key=lambda entry: -entry[0])[:20]
    worst = [made for made in overview["worst"] if made["loss"] is not None]
    assert [made["loss"] for made in worst] == [loss for loss, *_ in expected][:len(worst)]
    assert {(made["loss"], made["game"], made["seat"], made["frame"]) for made in worst} <= set(found)
    missed = sum(decision["loss"] is None for game in games for review in game["reviews"].values()
                 for decision in review["decisions"])
    assert len(overview["worst"]) == 20 and len(worst) == 20 - min(20, missed)


def test_the_figures_of_players(records, overview):
    assert sorted(player["name"] for player in overview["players"]) == NAMES
    for player in overview["players"]:
        seats = [(record, record.players.index(player["name"])) for record in records]
        assert player["games"] == len(records)
        assert player["score"] == pytest.approx(sum(record.scores[seat] for record, seat in seats) / len(records))
        wins = [record.closing["action"] == "HU" and record.scores[seat] > 0 for record, seat in seats]
        assert player["wins"] == pytest.approx(sum(wins) / len(records))
        paid = [sorted(record.scores)[1] == -8 and record.scores[seat] < -8 for record, seat in seats]
        assert player["deal_ins"] == pytest.approx(sum(paid) / len(records))


def test_ratings_follow_who_scored_more(overview, records):
    """By hand: the share of games against each other in which one scored more, a half for as much."""
    pytest.importorskip("choix", reason="no choix: ratings need the workshop")
    ahead = dict.fromkeys(NAMES, 0.0)
    for record in records:
        for name, score in zip(record.players, record.scores):
            ahead[name] += sum((score > other) + 0.5 * (score == other) for other in record.scores) - 0.5
    order = [player["name"] for player in overview["players"]]
    assert overview["rated"] and [ahead[name] for name in order] == sorted(ahead.values(), reverse=True)
    assert abs(sum(player["rating"][0] for player in overview["players"])) <= 2
    assert all(len(player["rating"]) == 1 for player in overview["players"])  # no interval of so few games


def test_without_the_workshop_there_are_no_ratings(games, monkeypatch):
    monkeypatch.setitem(sys.modules, "mj_bot.lab.arena.verdict", None)
    overview = Overview("rule_based")
    overview.add(games[0], "game.html")
    shown = overview.describe()
    assert not shown["rated"] and all(player["rating"] is None for player in shown["players"])


def test_games_without_names_scores_or_reviews(games):
    overview = Overview("")
    overview.add(dict(games[0], players=[""] * 4, reviews={}, scores=None, frames=[], error="broken off"), "game.html")
    shown = overview.describe()
    assert shown["players"] == [] and shown["worst"] == [] and shown["unit"] == ""
    assert shown["games"][0]["end"] is None and shown["games"][0]["error"] == "broken off"
    json.dumps(shown)


def test_a_tactic_that_weighs_nothing_has_no_losses(records):
    overview = Overview("random")
    overview.add(review_game(ReadGame("x.json", records[0], records[0].transcripts(), None), "random"), "game.html")
    shown = overview.describe()
    assert shown["games"][0]["losses"] == [None] * 4 and shown["worst"] and shown["unit"] == ""
    assert all(player["loss"] is None for player in shown["players"])


@needs_browser
class TestPage:
    def test_games_are_sorted_by_each_columns_loss(self, browser, pages):
        with open_page(browser, (pages / "index.html").as_uri(), locale="en-US") as page:
            totals = page.evaluate(READ_LOSSES, 7)
            assert totals == sorted(totals, reverse=True) and len(set(totals)) > 3
            for seat in range(4):
                page.click("#games th[data-column='%d'] button" % seat)
                losses = page.evaluate(READ_LOSSES, seat + 3)
                assert losses == sorted(losses, reverse=True)
            page.click("#games th[data-column='3'] button")
            assert page.evaluate(READ_LOSSES, 6) == losses[::-1]
            assert all(name in page.inner_text("#players") for name in NAMES)
            assert "0.json" in page.inner_text("#games")

    def test_to_a_mistake_and_back(self, browser, pages, overview):
        with open_page(browser, (pages / "index.html").as_uri(), locale="en-US") as page:
            page.click("#language")
            assert page.inner_text("#title").endswith("局")
            made = overview["worst"][2]
            page.click("#worst a >> nth=2")
            page.wait_for_selector("#decision:not([hidden])")
            assert page.input_value("#slider") == str(made["frame"])
            assert page.get_attribute("#head tr.current button", "aria-pressed") == "true"
            assert "决策" in page.inner_text("#decision h2"), "the language goes along"
            assert "%.2f" % made["loss"] in page.inner_text("#decision .verdict")
            page.click("#back")
            page.wait_for_selector("#worst a")
            assert page.inner_text("#title").endswith("局")

    def test_one_game_is_one_game(self, browser, records, tmp_path):
        path = tmp_path / "one.json"
        path.write_text(format_log(records[0]), encoding="utf-8")
        (tmp_path / "pages").mkdir()
        assert main(["review", str(path), "--tactic", "none", "-o", str(tmp_path / "pages")]) == 0
        with open_page(browser, (tmp_path / "pages" / "index.html").as_uri(), locale="en-US") as page:
            assert page.inner_text("#title") == page.title() == "1 game"

    @pytest.mark.parametrize("width", [390, 1280])
    def test_nothing_is_wider_than_the_screen(self, browser, pages, width):
        with open_page(browser, (pages / "index.html").as_uri(), width=width) as page:
            assert page.evaluate("document.documentElement.scrollWidth") <= width

    @pytest.mark.slow
    @with_samples
    def test_logs_of_botzone(self, folder, browser, tmp_path):
        path = folder / "botzone.jsonl.gz"
        assert main(["review", str(path), "--tactic", "rule_based", "-o", str(tmp_path)]) == 0
        with open_page(browser, (tmp_path / "index.html").as_uri()) as page:
            totals = page.evaluate(READ_LOSSES, 7)
            assert len(totals) >= 5 and totals == sorted(totals, reverse=True)
            for place in range(5):
                page.click("#worst a >> nth=%d" % place)
                page.wait_for_selector("#decision:not([hidden])")
                page.click("#back")
                page.wait_for_selector("#worst a")
