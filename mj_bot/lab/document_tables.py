"""Writes the tables and pictures of measurements in README.md, data/results and docs/studies, and a table of bytes.

    python3 -m mj_bot.lab.document_tables

For those who change the measurements. The pictures of pages are taken with the system's chromium.
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

from ..mahjong.errors import MahjongError
from ..observation.layout import FIELDS, BYTE_RANGES
from ..sources import PACKAGE_FOLDER
from ..tactic import REVIEWER
from .arena.columns import format_interval
from .arena.result import read_result
from .arena.results import format_rows, format_table, read_results
from .hand.fan_rows import format_rows as format_fan_rows
from .run.files import read_json, write_whole
from .table.players import TIME_LIMIT
from .train.training_report import format_report, read_rows

TOP = PACKAGE_FOLDER.parent
RESULTS_FOLDER = TOP / "data" / "results"
STUDIES = TOP / "docs" / "studies"
# Pictures with their sources; the text "Source" of a .png has the digest of its source.
PICTURES = {"search_rule_based.png": "search_rule_based.json", "field.png": "field.json",
            **dict.fromkeys(("review.png", "review.zh.png"), "mistake.json"),
            **dict.fromkeys(("play.png", "play.zh.png"), "game.json")}
# The table of strength: a file a row, with the player of the row.
_STRENGTH = {"cnn_three_rule_based.json": "cnn", "cnn_search.json": "cnn", "random_rule_based.json": "rule_based"}
_HEADS = {
    "README.md": ("player", "at a table with", "points a game (95%)", "wins", "deals in", "games"),
    "README.zh-CN.md": ("选手", "同桌", "每局得分（95% 置信区间）", "和牌率", "点炮率", "局数"),
}
_TURN = 73  # from which the game of the picture of `play` is played on
_SIZE = (1400, 960)  # of the pictures of pages, in pixels
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = ("--no-sandbox", "--disable-gpu")


def main():
    """Writes all tables and pictures, in about a minute."""
    argparse.ArgumentParser(prog="python3 -m mj_bot.lab.document_tables", description=(
        "Writes the tables and pictures of measurements in README.md, data/results and docs/studies.")).parse_args()
    for path, text in make_texts().items():
        write_whole(path, text)
    from .arena.picture import draw_result  # takes a second

    for name, source in tqdm(PICTURES.items(), unit="picture"):
        path, source = RESULTS_FOLDER / name, RESULTS_FOLDER / source
        page, *language = name.split(".")[:-1]
        if page in _PAGES:
            _PAGES[page](path, source, *language or ["en"])
        else:
            draw_result(read_result(source), path, metadata={"Source": digest(source)})


def make_texts():
    """{pathlib.Path: text} of files with tables of the results, each between <!-- NAME --> and <!-- /NAME -->."""
    tables = {
        RESULTS_FOLDER / "README.md": {"results": format_table(read_results(RESULTS_FOLDER))},
        STUDIES / "recipes.md": {
            name: format_report(read_rows(RESULTS_FOLDER / (name + ".json"))) for name in ("recipes", "recipes_large")},
        STUDIES / "self_play.md": {"self-play": _format_self_play()},
        TOP / "docs" / "engine.md": {"layout": _format_layout(), "speed": _format_environments()},
        TOP / "docs" / "rules.md": {"rules": _format_rules()},
        STUDIES / "guangdong.md": {"guangdong": _format_guangdong(), "guangdong-records": _format_records()},
    }
    for name, heads in _HEADS.items():
        tables[TOP / name] = {"strength": _format_strength(heads)}
    texts = {path: _fill(path.read_text(encoding="utf-8"), parts) for path, parts in tables.items()}
    texts[PACKAGE_FOLDER / "lab" / "page" / "fan_rows.js"] = format_fan_rows()
    return texts


def _format_environments():
    """The speed of the environments by the number of games, as a table. See speed.measure_environments."""
    lines = ["| | games | decisions/s | without the policy | for a second of a processor | times the referee |",
             "|---|---|---|---|---|---|"]
    for row in read_json(RESULTS_FOLDER / "environments.json"):
        lines.append("| %s | %s | %s | %s | %s | %.3g |" % (row["environment"], format(row["games"], ","), *(
            format(float("%.3g" % row[name]), ",.0f")
            for name in ("value", "alone", "alone_per_processor")), row["ratio"]))
    return "\n".join(lines) + "\n"


def _format_layout():
    """The fields of an observation as a table."""
    lines = ["| bytes | field | shape | content |", "|---|---|---|---|"]
    for name, shape, content in FIELDS:
        start, end, _ = BYTE_RANGES[name]
        lines.append("| %s | `%s` | %s | %s |" % (
            start if end == start + 1 else "%d to %d" % (start, end - 1), name, " x ".join(map(str, shape)), content))
    return "\n".join(lines) + "\n"


def _fill(text, tables):
    for name, table in tables.items():
        text, count = re.subn("(<!-- %s -->\n).*?(<!-- /%s -->)" % (name, name),
                              lambda found, table=table: found.group(1) + table + found.group(2), text, flags=re.S)
        assert count == 1, name
    return text


def _format_strength(heads):
    """Returns the table of strength, a row for each match of _STRENGTH. data/results/README.md has their commands."""
    rows = []
    for name, player in _STRENGTH.items():
        result = read_result(RESULTS_FOLDER / name)
        seating = result["config"]["seatings"][0]
        seats = {found["name"]: "%d `%s`" % (seating.count(place), found["name"])
                 for place, found in enumerate(result["players"])}
        found = next(found for found in result["players"] if found["name"] == player)
        rows.append([seats.pop(player), ", ".join(seats.values()), format_interval(found, "score_"), "%.1f%%" % (
            100 * found["win_rate"]), "%.1f%%" % (100 * found["deal_in_rate"]), format(result["games"], ",")])
    return format_rows(heads, rows)


def _format_self_play():
    """The curve of data/results/self_play.json: a row for each saved network that played both opponents."""
    measured = read_json(RESULTS_FOLDER / "self_play.json")["strength"]
    seed = measured[0]["seed"]  # of the walls of the curve
    rows = {}
    for found in measured:
        if found["seed"] == seed:
            rows.setdefault(found["games"], {})[found["opponent"]] = found
    return format_rows(["games", "against search", "against start", "wins", "deals in"], [
        [format(games, ","), *("%+.2f (%+.2f .. %+.2f)" % (row[name]["points"], row[name]["low"], row[name]["high"])
                               if name in row else "" for name in ("search", "start")),
         "%.1f%%" % (100 * row["search"]["wins"]), "%.1f%%" % (100 * row["search"]["deal_ins"])]
        for games, row in rows.items() if "search" in row])


def _format_rules():
    """Returns the matches of cnn against search by both rules: a row for each, and below the table the commands."""
    rows, commands = [], []
    for rules, path in (("botzone", RESULTS_FOLDER / "cnn_search.json"),
                        ("tziakcha", RESULTS_FOLDER / "tziakcha" / "cnn_search.json")):
        result = read_result(path)
        first, second = result["players"]
        rows.append(["`%s`" % rules, "2 `%s`" % first["name"], "2 `%s`" % second["name"],
                     format_interval(first, "score_"), *(
                         "%.1f%% / %.1f%%" % (100 * first[name], 100 * second[name])
                         for name in ("win_rate", "deal_in_rate")), format(result["games"], ",")])
        commands.append("    .venv/bin/%s    # %s\n" % (result["config"]["command"], path.relative_to(RESULTS_FOLDER)))
    heads = ("rules", "player", "against", "points a game of the first (95%)", "wins", "deal-ins", "games")
    return format_rows(heads, rows) + "\n" + "".join(commands)


def _format_guangdong():
    """Matches of Guangdong mahjong: a row for the first player of each, and below the table the commands."""
    rows, commands = [], []
    for name, result in read_results(RESULTS_FOLDER / "guangdong"):
        first, *others = result["players"]
        places, compared = result["config"]["seatings"][0], result.get("comparison")
        rows.append([
            first["name"], ", ".join("%d %s" % (places.count(place), other["name"])
                                     for place, other in enumerate(others, 1)),
            format_interval(result["wins"][first["name"]], spec=".1%"), format_interval(first, "score_"),
            "%s than %s" % (format_interval(compared["wins"], spec="+.1%"), compared["name"]) if compared else "",
            format(result["games"], ",")])
        commands.append("    .venv/bin/%s    # %s\n" % (result["config"]["command"], name))
    heads = ("player", "at a table with", "wins (95%)", "points a game (95%)", "more wins in the same seat", "games")
    return format_rows(heads, rows) + "\n" + "".join(commands)


def _format_records():
    """Training runs of Guangdong mahjong by number of records: a row a run, and below the table the commands."""
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
    return format_rows(heads, rows) + "\n" + "".join("    .venv/bin/%s\n" % run["command"] for run in runs)


def digest(path):
    """The text "Source" of a picture that is made from a file."""
    return "%s sha256 %s" % (Path(path).name, hashlib.sha256(Path(path).read_bytes()).hexdigest())


def _draw_review(path, source, language):
    """Takes a picture of the page that `review` makes."""
    from .review import JUDGES
    from .review.report import ReviewOptions, review_paths

    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "game.html")
        review_paths([str(source)], JUDGES, TIME_LIMIT, ReviewOptions(output=str(page)))
        _draw_page(path, source, page.as_uri(), language=language)


def _draw_seat(path, source, language):
    """Takes a picture of the page of `play`, where a recorded game is played on."""
    from .play.serve import ADDRESS, start_server
    from .play.session import Session

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
    """Takes a picture of a page with chromium; its text "Source" is the digest of a file."""
    from PIL import Image, PngImagePlugin
    from playwright.sync_api import sync_playwright

    browser_path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser_path is None:
        raise MahjongError("expected one of %s for the picture of a page, got none" % ", ".join(_BROWSERS))
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
