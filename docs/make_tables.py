"""Writes the tables and pictures of measurements in README.md, data/results and docs.

It also writes the table of an observation's bytes in docs/engine.md, and page/fan_rows.json.

    python docs/make_tables.py

Run it after a change of the measurements. The pictures of pages are taken with the system's chromium.
"""

import argparse
import hashlib
import io
import re
import shutil
import sys
import tempfile
import threading
from pathlib import Path

from tqdm import tqdm

from mj_bot.mahjong.errors import MahjongError
from mj_bot.observation.layout import FIELDS, BYTE_RANGES
from mj_bot.sources import PACKAGE_FOLDER
from mj_bot.tactic import REVIEWER
from mj_bot.lab.arena.columns import format_interval
from mj_bot.lab.arena.result import read_result
from mj_bot.lab.arena.results import format_markdown_table, format_result_rows, read_results
from mj_bot.lab.hand.fan_rows import format_rows as format_fan_rows
from mj_bot.lab.run.files import read_json, write_whole
from mj_bot.lab.table.players import TIME_LIMIT
from mj_bot.lab.train.training_report import format_report, read_rows

TOP = PACKAGE_FOLDER.parent
RESULTS_FOLDER = TOP / "data" / "results"
STUDIES = TOP / "docs" / "studies"
# Maps a picture to the file from which it is made. The text "Source" of a .png contains the digest of this file.
PICTURES = {"search_rule_based.png": "search_rule_based.json", "field.png": "field.json",
            **dict.fromkeys(("review.png", "review.zh.png"), "mistake.json"),
            **dict.fromkeys(("play.png", "play.zh.png"), "game.json")}
# Maps a file of results to a player in it. The table of strength has one row per file, with this player's figures.
_STRENGTH = {"cnn_three_rule_based.json": "cnn", "cnn_search.json": "cnn", "random_rule_based.json": "rule_based"}
_HEADS = {
    "README.md": ("player", "at a table with", "points a game (95%)", "wins", "deals in", "games"),
    "README.zh-CN.md": ("选手", "同桌", "每局得分（95% 置信区间）", "和牌率", "点炮率", "局数"),
}
_TURN = 73  # the picture of `play` shows a recorded game that is continued from this event
_SIZE = (1400, 960)  # width and height of the pictures of pages, in pixels
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ("--no-sandbox", "--disable-gpu")


def main() -> None:
    """Writes all tables and pictures, in about a minute."""
    argparse.ArgumentParser(description=(
        "Writes the tables and pictures of measurements in README.md, data/results and docs/studies.")).parse_args()
    for path, text in make_texts().items():
        write_whole(path, text)
    from mj_bot.lab.arena.picture import draw_result  # takes a second

    for name, source in tqdm(PICTURES.items(), unit="picture"):
        path, source = RESULTS_FOLDER / name, RESULTS_FOLDER / source
        page, *language = name.split(".")[:-1]
        if page in _PAGES:
            _PAGES[page](path, source, *language or ["en"])
        else:
            draw_result(read_result(source), path, metadata={"Source": digest(source)})


def make_texts() -> dict[Path, str]:
    """Returns {path: text} of the files with tables of results.

    A table stands between <!-- NAME --> and <!-- /NAME -->.
    """
    tables = {
        RESULTS_FOLDER / "README.md": {"results": format_markdown_table(read_results(RESULTS_FOLDER))},
        STUDIES / "recipes.md": {
            name: format_report(read_rows(RESULTS_FOLDER / (name + ".json"))) for name in ("recipes", "recipes_large")},
        TOP / "docs" / "engine.md": {"layout": _format_layout(), "speed": _format_environments()},
        TOP / "docs" / "rules.md": {"rules": _format_rules()},
        STUDIES / "guangdong.md": {"guangdong": _format_guangdong(), "guangdong-records": _format_records()},
    }
    for name, heads in _HEADS.items():
        tables[TOP / name] = {"strength": _format_strength(heads)}
    texts = {path: _fill(path.read_text(encoding="utf-8"), named) for path, named in tables.items()}
    texts[PACKAGE_FOLDER / "lab" / "page" / "fan_rows.json"] = format_fan_rows()
    return texts


def _format_environments():
    """Returns the table of decisions per second, a row for each environment, from the rows of measure_environments."""
    measured = read_json(RESULTS_FOLDER / "environments.json")
    speeds = {"plain referee": {1: measured[0]["reference"]}}
    for row in measured:
        speeds.setdefault(row["environment"], {})[row["games"]] = row["value"]
    widths = sorted({row["games"] for row in measured})
    return format_result_rows(["games", *(format(width, ",") for width in widths)], [
        [name, *(format(float("%.3g" % row[width]), ",.0f") if width in row else "" for width in widths)]
        for name, row in speeds.items()])


def _format_layout():
    """Returns the table of the fields of an observation."""
    lines = ["| bytes | field | shape | content |", "|---|---|---|---|"]
    for name, shape, content in FIELDS:
        start, end, _ = BYTE_RANGES[name]
        lines.append("| %s | `%s` | %s | %s |" % (
            start if end == start + 1 else "%d to %d" % (start, end - 1), name, " x ".join(map(str, shape)), content))
    return "\n".join(lines) + "\n"


def _fill(text, tables):
    """Returns a text with new tables. tables: {name: text of the table}; each must stand in the text exactly once."""
    for name, table in tables.items():
        text, count = re.subn("(<!-- %s -->\n).*?(<!-- /%s -->)" % (name, name),
                              lambda match, table=table: match.group(1) + table + match.group(2), text, flags=re.S)
        assert count == 1, name
    return text


def _format_strength(heads):
    """Returns the table of strength with one row for each result of _STRENGTH.

    heads: the titles of the columns. data/results/README.md has the commands that made the results.
    """
    rows = []
    for name, player in _STRENGTH.items():
        result = read_result(RESULTS_FOLDER / name)
        seating = result["config"]["seatings"][0]
        seats = {row["name"]: "%d `%s`" % (seating.count(index), row["name"])
                 for index, row in enumerate(result["players"])}
        row = next(row for row in result["players"] if row["name"] == player)
        rows.append([seats.pop(player), ", ".join(seats.values()), format_interval(row, "score_"), "%.1f%%" % (
            100 * row["win_rate"]), "%.1f%%" % (100 * row["deal_in_rate"]), format(result["games"], ",")])
    return format_result_rows(heads, rows)


def _format_rules():
    """Returns the table of the matches of cnn against search by both rules, and below it their commands."""
    rows, commands = [], []
    for rules, path in (("botzone", RESULTS_FOLDER / "cnn_search.json"),
                        ("tziakcha", RESULTS_FOLDER / "tziakcha" / "cnn_search.json")):
        result = read_result(path)
        first, second = result["players"]
        rows.append(["`%s`" % rules, "2 `%s`" % first["name"], "2 `%s`" % second["name"],
                     format_interval(first, "score_"), *(
                         "%.1f%% / %.1f%%" % (100 * first[name], 100 * second[name])
                         for name in ("win_rate", "deal_in_rate")), format(result["games"], ",")])
        commands.append("    %s    # %s\n" % (result["config"]["command"], path.relative_to(RESULTS_FOLDER)))
    heads = ("rules", "player", "against", "points a game of the first (95%)", "wins", "deal-ins", "games")
    return format_result_rows(heads, rows) + "\n" + "".join(commands)


def _format_guangdong():
    """Returns the table of matches of Guangdong mahjong, with a row per first player, and below it the commands."""
    rows, commands = [], []
    for name, result in read_results(RESULTS_FOLDER / "guangdong"):
        first, *others = result["players"]
        seating, compared = result["config"]["seatings"][0], result.get("comparison")
        rows.append([
            first["name"], ", ".join("%d %s" % (seating.count(index), other["name"])
                                     for index, other in enumerate(others, 1)),
            format_interval(result["wins"][first["name"]], spec=".1%"), format_interval(first, "score_"),
            "%s than %s" % (format_interval(compared["wins"], spec="+.1%"), compared["name"]) if compared else "",
            format(result["games"], ",")])
        commands.append("    %s    # %s\n" % (result["config"]["command"], name))
    heads = ("player", "at a table with", "wins (95%)", "points a game (95%)", "more wins in the same seat", "games")
    return format_result_rows(heads, rows) + "\n" + "".join(commands)


def _format_records():
    """Returns the table of training runs of Guangdong mahjong by number of records, and below it the commands."""
    runs = read_json(RESULTS_FOLDER / "guangdong" / "training.json")
    rows = []
    for run in runs:
        result = read_result(RESULTS_FOLDER / "guangdong" / run["match"])
        shares = ["%.1f%% ± %.1f" % (100 * share, 196 * (share * (1 - share) / run["unseen"]) ** 0.5)
                  for share in (run["discard_accuracy"], run["waits_accuracy"])]
        rows.append([
            format(run["records"], ","), format(run["samples_in_all"], ","), "%.1f" % run["processor_minutes"],
            format(run["unseen"], ","), *shares,
            format_interval(result["wins"][result["players"][0]["name"]], spec=".1%"), run["match"]])
    heads = ("records", "trained on in all", "minutes", "unseen", "discards", "waits", "wins (95%)", "match")
    return format_result_rows(heads, rows) + "\n" + "".join("    %s\n" % run["command"] for run in runs)


def digest(path: str | Path) -> str:
    """Returns the text "Source" of a picture that is made from a file: the file's name and digest."""
    return "%s sha256 %s" % (Path(path).name, hashlib.sha256(Path(path).read_bytes()).hexdigest())


def _draw_review(path, source, language):
    """Takes a picture of the page that `review` makes.

    path: path of the picture. source: the game's file. language: "en" or "zh".
    """
    from mj_bot.lab.review import JUDGES
    from mj_bot.lab.review.report import ReviewOptions, review_paths

    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "game.html")
        review_paths([str(source)], JUDGES, TIME_LIMIT, ReviewOptions(output=str(page)))
        _draw_page(path, source, page.as_uri(), language=language)


def _draw_seat(path, source, language):
    """Takes a picture of the page of `play`, on which a recorded game is played on.

    path: path of the picture. source: the game's file. language: "en" or "zh".
    """
    from mj_bot.lab.play.serve import ADDRESS, start_server
    from mj_bot.lab.play.session import Session

    with tempfile.TemporaryDirectory() as folder:
        session = Session([REVIEWER] * 3, REVIEWER, folder)
        session.resume(0, session.past.open_file(source.read_bytes())[0]["name"], _TURN, seat=0)
        server = start_server(session, 0)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            _draw_page(path, source, "http://%s:%d/" % (ADDRESS, server.port), language=language)
        finally:
            server.shutdown()
            server.server_close()
            session.close()


def _draw_page(path, source, url, *, language):
    """Takes a picture of a page with chromium. Its text "Source" is the digest of a file.

    path: path of the picture. source: the file with this digest. url: address of the page. language: "en" or "zh".
    """
    from PIL import Image, PngImagePlugin
    from playwright.sync_api import sync_playwright

    browser_path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser_path is None:
        raise MahjongError("expected one of %s for the picture of a page, got none", ", ".join(_BROWSERS))
    width, height = _SIZE
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=_FLAGS)
        page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page.goto("%s#language=%s" % (url, language), wait_until="networkidle")
        shot = page.screenshot()
        browser.close()
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Source", digest(source))
    with Image.open(io.BytesIO(shot)) as image:
        image.convert("RGB").quantize(256).save(path, optimize=True, pnginfo=texts)
    print("The picture is saved as %s" % path, file=sys.stderr)


_PAGES = {"review": _draw_review, "play": _draw_seat}


if __name__ == "__main__":
    main()
