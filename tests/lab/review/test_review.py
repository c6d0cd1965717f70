"""The command review: one page, a folder of games, JSON, records that break, bad use."""

import gzip
import json

import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.records.botzone.match_log import format_log
from mj_bot.lab.review import report
from mj_bot.lab.review.games import review_game
from mj_bot.lab.review.pages import count_columns
from mj_bot.lab.run.files import open_alone
from mj_bot.lab.table.board import WINDS
from tests.lab.review.games import golden_lines, golden_records, read_data


def test_one_game_becomes_a_page_and_json(game_file, tmp_path, capsys):
    page, data = tmp_path / "game.html", tmp_path / "game.out"
    assert main(["review", str(game_file), "--tactic", "random", "-o", str(page), "--json", str(data)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and "http://" not in text.replace("http://www.w3.org/", "")
    assert "{{" not in text.split('<script type="application/json"')[0]
    (game,) = json.loads(data.read_text(encoding="utf-8"))["games"]
    assert game["error"] is None and game["verdict"] == "HU"
    assert sorted(game["reviews"]) == ["0", "1", "2", "3"]
    captured = capsys.readouterr()
    assert str(page) in captured.err and "win" in captured.out


@pytest.mark.parametrize("seat", ["2", "West", "西"])
def test_json_on_stdout_is_json_alone(seat, game_file, capsys):
    assert main(["review", str(game_file), "--tactic", "random", "--seat", seat, "--json", "-"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["tactic"] == "random" and list(report["games"][0]["reviews"]) == ["2"]


@pytest.mark.slow
def test_a_folder_becomes_a_table_with_totals(tmp_path, capsys):
    folder, pages = tmp_path / "games", tmp_path / "pages"
    folder.mkdir()
    records = golden_records(3, "stacked")
    records[0].players = ["<script>alert(1)</script>", "北风", "c", "d"]
    for number, record in enumerate(records):
        with gzip.open(folder / ("%d.json.gz" % number), "wt", encoding="utf-8") as file:
            file.write(format_log(record))
    assert main(["review", str(folder), "--tactic", "random", "-o", str(pages), "--json", str(tmp_path / "all")]) == 0
    games = json.loads((tmp_path / "all").read_text(encoding="utf-8"))["games"]
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 5 and rows[-1].startswith("3 games")
    assert len({count_columns(row[:row.index(wind)]) for row in rows[1:4] for wind in WINDS if wind in row}) == 1
    summaries = [review["summary"] for game in games for review in game["reviews"].values()]
    total = sum(summary["all"]["decisions"] for summary in summaries if summary)
    assert str(total) in rows[-1].split()
    index = (pages / "index.html").read_text(encoding="utf-8")
    rows = read_data(pages / "index.html")["games"]
    assert "<script>alert" not in index and rows[0]["players"][0] == "<script>alert(1)</script>"
    for number in (1, 2, 3):
        assert rows[number - 1]["link"] == "game-%04d.html" % number and (pages / ("game-%04d.html" % number)).exists()


def test_one_of_several_games(tmp_path, capsys):
    path, page = tmp_path / "games.jsonl", tmp_path / "game.html"
    lines = golden_lines(2, "stacked")
    path.write_text("".join(lines), encoding="utf-8")
    assert main(["review", str(path), "--game", "2", "--tactic", "none", "-o", str(page)]) == 0
    assert read_data(page)["reviews"] == {}
    out = capsys.readouterr().out
    first, second = ("%(mode)s-%(seed)d" % json.loads(line) for line in lines)
    assert second in out and first not in out
    assert main(["review", str(path), "--game", "3"]) == 2
    assert "expected a game 1..2, got 3" in capsys.readouterr().err


@pytest.mark.parametrize("requests, message", [
    (["3 0 PLAY W1"] * 3, "step 40: expected"), (["3 0 GANG"] * 4, "request 40: expected"),
], ids=["no record", "against the rules"])
def test_a_broken_record_is_shown_up_to_there(requests, message, game_file, tmp_path, capsys):
    page, data = tmp_path / "game.html", tmp_path / "data"
    game = json.loads(game_file.read_text(encoding="utf-8"))
    game["steps"][40][0] = requests
    game_file.write_text(json.dumps(game), encoding="utf-8")
    assert main(["review", str(game_file), "--tactic", "random", "-o", str(page), "--json", str(data)]) == 2
    (game,) = json.loads(data.read_text(encoding="utf-8"))["games"]
    assert len(game["frames"]) == 40 and message in game["error"]
    assert message in capsys.readouterr().err and page.exists()


@pytest.mark.parametrize("text", ["", "nothing", "{", "[]", '{"logs": 3}', '{"steps": [[]]}', "\x00\xff"])
def test_what_is_no_record_leaves_a_good_page_alone(text, tmp_path, capsys):
    path, page = tmp_path / "game.json", tmp_path / "game.html"
    path.write_text(text, encoding="utf-8")
    page.write_text("good", encoding="utf-8")
    assert main(["review", str(path), "-o", str(page), "--json", str(tmp_path / "data")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("game.json:") and ": expected" in error and error.count("\n") == 1
    assert page.read_text(encoding="utf-8") == "good" and not (tmp_path / "data").exists()


def test_an_interrupt_keeps_the_games_before_and_says_so(tmp_path, monkeypatch, capsys):
    path, data = tmp_path / "games.jsonl", tmp_path / "all.json"
    path.write_text("".join(line.rstrip("\n") + "\n" for line in golden_lines(3, "stacked")), encoding="utf-8")
    seen = []

    def review_two(*arguments, **options):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(review_game(*arguments, **options))
        return seen[-1]

    monkeypatch.setattr(report, "review_game", review_two)
    assert main(["review", str(path), "--tactic", "none", "--json", str(data)]) == 130
    assert "interrupted; the games before are saved" in capsys.readouterr().err
    assert len(json.loads(data.read_text(encoding="utf-8"))["games"]) == 2


def test_json_that_cannot_be_written_leaves_nothing(game_file, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    for name, tactic in (("folder", "none"), ("left.json", "cnn:/no/such.npz")):
        assert main(["review", str(game_file), "--tactic", tactic, "--json", str(tmp_path / name)]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "game.json"]
    assert "expected a file, got the folder" in capsys.readouterr().err


def test_its_json_among_the_records_is_no_record_and_replaces_none(game_file, tmp_path, capsys):
    record, data = game_file.read_bytes(), tmp_path / "review.json"
    words = ["review", str(tmp_path), "--tactic", "none", "--json", str(data)]
    assert main(words) == 0
    first = data.read_bytes()
    assert main(words) == 0 and data.read_bytes() == first
    assert main(["review", str(game_file), "--tactic", "none", "--json", str(game_file)]) == 2
    assert "expected a new file or one of the same kind" in capsys.readouterr().err and game_file.read_bytes() == record


def test_a_seat_that_no_game_has_is_an_error(capsys):
    """The input of a bot has its own seat alone."""
    assert main(["review", "data/samples/draw.json", "--tactic", "none", "--seat", "east"]) == 2
    assert "expected a seat of these games, got East; they have South" in capsys.readouterr().err
    assert main(["review", "data/samples/draw.json", "--tactic", "none", "--seat", "south"]) == 0


FOREIGN = ["my own site", "<!doctype html>\n<html><head><title>mine</title></head></html>", "{}"]


@pytest.mark.parametrize("name", ["index.html", "game-0001.html", "game-0007.html"])
@pytest.mark.parametrize("content", FOREIGN)
def test_a_folder_with_pages_of_others_is_refused(name, content, tmp_path, capsys):
    """A person's index.html was replaced without a word, and so was a page of the same name as one of a game."""
    path, pages = tmp_path / "games.jsonl", tmp_path / "site"
    path.write_text("".join(golden_lines(2, "stacked")), encoding="utf-8")
    pages.mkdir()
    (pages / name).write_text(content, encoding="utf-8")
    (pages / "other.html").write_text("mine", encoding="utf-8")
    assert main(["review", str(path), "--tactic", "none", "-o", str(pages)]) == 2
    said = capsys.readouterr().err
    assert name in said and ("got another page" in said or "which begins with" in said)
    assert (pages / name).read_text(encoding="utf-8") == content
    assert {page.name for page in pages.iterdir()} == {name, "other.html", ".lock"}
    (pages / name).unlink()
    for _ in range(2):  # its own pages are replaced
        assert main(["review", str(path), "--tactic", "none", "-o", str(pages)]) == 0
    assert (pages / "other.html").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("content", FOREIGN)
def test_a_page_of_others_is_refused(content, game_file, tmp_path, capsys):
    """Every file that began as HTML does was replaced."""
    page = tmp_path / "page.html"
    page.write_text(content, encoding="utf-8")
    assert main(["review", str(game_file), "--tactic", "none", "-o", str(page)]) == 2
    assert page.read_text(encoding="utf-8") == content
    page.write_text("")
    for _ in range(2):
        assert main(["review", str(game_file), "--tactic", "none", "-o", str(page)]) == 0


def test_one_review_at_a_time_writes_a_folder(tmp_path, capsys):
    """Two mixed their pages."""
    path, pages = tmp_path / "games.jsonl", tmp_path / "pages"
    path.write_text("".join(golden_lines(2, "stacked")), encoding="utf-8")
    pages.mkdir()
    with open_alone(str(pages / ".lock")):
        assert main(["review", str(path), "--tactic", "none", "-o", str(pages)]) == 2
    assert "another review uses it" in capsys.readouterr().err and not (pages / "index.html").exists()
    assert main(["review", str(path), "--tactic", "none", "-o", str(pages)]) == 0
    assert not (pages / ".lock").read_bytes()  # it names no command: people publish the folder


def test_a_shorter_review_removes_the_former_pages(tmp_path):
    """game-0002.html of the review before stayed, and belonged to no index."""
    for count in (2, 1):
        (tmp_path / "games.jsonl").write_text("".join(golden_lines(count, "stacked")))
        assert main(["review", str(tmp_path / "games.jsonl"), "--tactic", "none", "-o", str(tmp_path / "pages")]) == 0
    assert sorted(path.name for path in (tmp_path / "pages").glob("*.html")) == ["game-0001.html", "index.html"]
