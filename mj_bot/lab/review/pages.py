"""Reviewed games to look at: a page of one, a table of several as text and as a page that links theirs.

A page needs nothing else: no network, no file beside it.
"""

import html
import pathlib

from ..page import embed_json, read_asset
from ..page.tiles import draw_sprite
from ..table.board import WINDS
from ..table.fan_names import ENGLISH_FANS
from .decisions import add_summaries

_FOLDER = pathlib.Path(__file__).parent
# Moves of a decision that a page shows; the JSON has all.
_RANKED = 8
_HEAD = ("game", "players", "wind", "end", "scores", "decisions", "same kind", "same action", "loss%s", "breaks")
_TABLE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>%(title)s</title><style>
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 16px auto; max-width: 1400px; padding: 0 12px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 4px 8px; border-bottom: 1px solid #8885; white-space: nowrap; }
td:nth-child(n+6) { text-align: right; } td:last-child {
  text-align: left; color: #c0392b; white-space: normal; min-width: 16em;
}
tr:last-child { font-weight: 650; }
</style></head><body><h1>%(title)s</h1><div class="wide"><table>
%(rows)s
</table></div></body></html>
"""


def build_page(game):
    """HTML text of a reviewed game, as games.review_game returns it."""
    page = read_asset("viewer.html", _FOLDER)
    style = read_asset("table.css") + read_asset("page.css") + read_asset("viewer.css", _FOLDER)
    script = "\n".join([
        read_asset(name) for name in ("table.js", "words.js", "panels.js")] + [read_asset("viewer.js", _FOLDER)])
    parts = {
        "title": html.escape(game["name"] or "mj_bot"), "style": style, "sprite": draw_sprite(), "script": script,
        "game": embed_json(_shorten(game)),
    }
    # Split, so that a part which happens to hold a mark stays as it is.
    pieces = page.split("{{")
    return pieces[0] + "".join(
        parts[mark] + rest for mark, rest in (piece.split("}}", 1) for piece in pieces[1:]))


def _shorten(game):
    """The game with what the page shows."""
    fans = {name for frame in game["frames"] for _, _, name in frame["event"].get("fans", ())}
    return dict(
        game, reviews={seat: dict(review, decisions=[_shorten_decision(decision) for decision in review["decisions"]])
                       for seat, review in game["reviews"].items()},
        fan_names={name: ENGLISH_FANS[name] for name in sorted(fans) if name in ENGLISH_FANS})


def _shorten_decision(decision):
    ranked = [entry for place, entry in enumerate(decision["ranked"])
              if place < _RANKED or entry[0] == decision["logged"]]
    leads = None if decision["logged"] == decision["chosen"] else decision["logged_leads"]
    return dict(decision, ranked=ranked, logged_leads=leads)


def list_rows(games):
    """The table's cells as texts: the head, a list of 10 a game, and the totals last."""
    reviews = (review for game in games for review in game["reviews"].values())
    unit = next((" (%s)" % review["unit"] for review in reviews if review["unit"]), "")
    rows = [[head.replace("%s", unit) for head in _HEAD]]
    for game in games:
        players = " / ".join(name for name in game["players"] if name)
        scores = " ".join("%+d" % score for score in game["scores"] or ())
        wind = "" if game["wind"] is None else WINDS[game["wind"]]
        rows.append([game["name"], players, wind, game["verdict"] or "", scores]
                    + _format_summary(add_summaries(review["summary"] for review in game["reviews"].values()))
                    + [game["error"] or ""])
    total = add_summaries(review["summary"] for game in games for review in game["reviews"].values())
    broken = sum(game["error"] is not None for game in games)
    return rows + [[count_games(len(games)), "", "", "", ""] + _format_summary(total)
                   + ["%d break" % broken if broken else ""]]


def format_table(games):
    """The table as lines of text for a terminal."""
    rows = list_rows(games)
    for row in rows[1:-1]:
        row[-1] = "yes" if row[-1] else ""  # what is wrong has been said when the game was read
    for row in rows:
        row[:2] = [cell if len(cell) <= 40 else "..." + cell[-37:] for cell in row[:2]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def build_index(games, links, title):
    """HTML text of the table.

    links: for each game the name of its page's file.
    """
    head, *cells_of_games = list_rows(games)
    rows = ["<tr>%s</tr>" % "".join("<th>%s</th>" % html.escape(cell) for cell in head)]
    for row, link in zip(cells_of_games, links + [None]):
        cells = [html.escape(cell) for cell in row]
        if link:
            cells[0] = '<a href="%s">%s</a>' % (html.escape(link), cells[0])
        rows.append("<tr>%s</tr>" % "".join("<td>%s</td>" % cell for cell in cells))
    return _TABLE % {"title": html.escape(title), "rows": "\n".join(rows)}


def count_games(count):
    """A number of games in words.

    >>> count_games(1), count_games(2)
    ('1 game', '2 games')
    """
    return "%d game%s" % (count, "" if count == 1 else "s")


def _format_summary(summary):
    counts = summary.get("all")
    if counts is None:
        return ["", "", "", ""]
    shares = ["%.1f%%" % (100 * counts[key] / counts["decisions"]) for key in ("kind", "same")]
    return [str(counts["decisions"])] + shares + ["%.3f" % counts["loss"]]
