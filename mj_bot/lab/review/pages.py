"""Builds the pages of reviewed games, each one file that needs no network; an index of several; the index as text."""

import pathlib
from collections.abc import Iterable
from itertools import chain
from typing import Any
from unicodedata import east_asian_width

from ...mahjong.errors import Message
from ...mahjong.rules import SEATS
from ..fit.joint_value import HALF
from ..library.leaks import name_leak, name_state
from ..page import build_document
from ..page.constants import NAMED
from ..table.board import WINDS, name_verdict
from ..table.fan_names import ENGLISH_FANS
from ..words import say
from .decisions import add_summaries, is_mistake
from .judges import LIMITS

_FOLDER = pathlib.Path(__file__).parent
# The scripts of both pages in their order; the last one starts the page.
_VIEWER = ("viewer_state.js", "viewer_learning.js", "viewer_head.js", "viewer_timeline.js", "viewer_controls.js",
           "viewer_keys.js", "viewer.js")
_INDEX = ("index_state.js", "index_games.js", "index_mistakes.js", "index_deal_ins.js",
          "index_players.js", "index.js")
_COLUMNS = ("game", "players", "wind", "end", "scores", "decisions", "same action", "loss%s", "breaks")
_DIGITS = 3  # decimals of the numbers of a page


def build_page(game: dict[str, Any]) -> str:
    """Returns the page of a reviewed game as HTML. The game may have further keys, which the viewer uses:

    back {"address", "to": "games" or "table", "session"}; previous, next: addresses of games; resume {"address",
    "seat"}: to play on from a frame; marked: names of tiles; fan_names.
    """
    reviews = {seat: dict(review, decisions=[shorten_decision(decision) for decision in review["decisions"]])
               for seat, review in game["reviews"].items()}
    return build_document("viewer", _FOLDER, game["name"] or "mj_bot", {
        "fan_names": ENGLISH_FANS, "limits": LIMITS, "half": HALF, "said": {}, **game,
        "reviews": reviews}, scripts=_VIEWER)


def build_question_page(question: dict[str, Any], title: str = "") -> str:
    """Returns a page that asks for one decision and folds its answer, as HTML.

    question: a learn.positions.Question. title: what stands before the page's own title.
    """
    seat, decision = question["seat"], dict(question["decision"], frame=0, repeats=None)
    review = {"unit": question["unit"], "decisions": [decision], "mistakes": [0], "summary": {}, "accuracy": None,
              "error": None, "deal_ins": []}
    return build_document("viewer", _FOLDER, title or "mj_bot", {
        "ask": True, "name": title, "where": "", "players": [""] * SEATS, "player": "", "session": None, "error": None,
        "scores": None, "own_rules": None, "said": {}, "notes": [], "distances": [[]] * SEATS,
        "tactic": ",".join(question["judges"]), "judges": question["judges"], "limits": LIMITS, "half": HALF,
        "fan_names": ENGLISH_FANS, "seats": [seat], "seat": seat, "frame": 0,
        "frames": [{"event": question["event"], "set": [[[], question["position"]]]}],
        "decisions": [[0] if other == seat else [] for other in range(SEATS)], "reviews": {seat: review}},
        scripts=_VIEWER)


def build_index(overview: dict[str, Any]) -> str:
    """Returns the table of several games as HTML. overview: of Overview.describe."""
    return build_document("index", _FOLDER, str(count_games(len(overview["games"]))),
                          dict(overview, fan_names=ENGLISH_FANS), scripts=_INDEX)


def shorten_decision(decision: dict[str, Any]) -> dict[str, Any]:
    """Returns a decision of decisions.py without what a page does not use, and with `leak` and `state`.

    leak: of library/leaks.name_leak, null without a mistake. state: of library/leaks.name_state.
    """
    shortened = dict(decision, reasons="" if decision["explanation"] else decision["reasons"],
                     explanation=_round(decision["explanation"]), ranked=_round(decision["ranked"]))
    shortened["judges"] = [{key: judge[key] for key in ("name", "chosen", "loss")} for judge in decision["judges"]]
    shortened["answers"] = _round(decision.get("answers", []))
    shortened["leak"] = name_leak(decision)[0] if is_mistake(decision) else None
    shortened["state"] = name_state(decision)
    if decision["logged"] == decision["chosen"]:
        shortened["logged_facts"] = None
    for key in ("chosen_facts", "logged_facts"):
        if shortened[key]:
            shortened[key] = {name: fact for name, fact in shortened[key].items() if name != "useful"}
            shortened[key]["targets"] = [target for target in shortened[key]["targets"] if target[1] <= NAMED]
    return shortened


def _round(value: Any) -> Any:
    """Returns JSON with its numbers in as many digits as a page may show."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _round(item) for key, item in value.items()}
    return [_round(item) for item in value] if isinstance(value, (list, tuple)) else value


def format_table(games: list[dict]) -> str:
    """Returns reviewed games as lines of text for a terminal, and their totals in the last one."""
    reviews = [list(game["reviews"].values()) for game in games]
    unit = next((" (%s)" % review["unit"] for review in chain(*reviews) if review["unit"]), "")
    rows = [[say(head.replace("%s", unit)) for head in _COLUMNS]]
    for game, of_game in zip(games, reviews):
        players = " / ".join(name for name in game["players"] if name)
        scores = " ".join("%+d" % score for score in game["scores"] or ())
        wind = "" if game["wind"] is None else say(WINDS[game["wind"]])
        # Its error was printed when the game was read.
        rows.append([game["name"], players, wind, name_verdict(game["verdict"] or ""), scores, *_sum_up(of_game, unit),
                     say("yes") if game["error"] else ""])
    broken = sum(game["error"] is not None for game in games)
    rows.append([say(count_games(len(games))), "", "", "", "", *_sum_up(chain(*reviews), unit),
                 say("%d break", broken) if broken else ""])
    for row in rows:
        # A long path keeps its end, a long list of players its beginning.
        row[:2] = [row[0] if len(row[0]) <= 40 else "..." + row[0][3 - 40:],
                   row[1] if len(row[1]) <= 60 else row[1][:60 - 3] + "..."]
    widths = [max(map(count_columns, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell + " " * (width - count_columns(cell)) for cell, width in zip(row, widths)).rstrip()
                     for row in rows)


def count_columns(text: str) -> int:
    """Returns the columns of a text in a terminal, where a Chinese character takes two."""
    return len(text) + sum(east_asian_width(letter) in ("W", "F") for letter in text)


def count_games(count: int) -> Message:
    """Returns "1 game" or "2 games"."""
    return Message("%d game" if count == 1 else "%d games", count)


def _sum_up(reviews: Iterable[dict], unit: str) -> list[str]:
    """Returns the cells of a line of the table for the decisions of some reviews."""
    counts = add_summaries(review["summary"] for review in reviews).get("all")
    if counts is None:
        return ["", "", ""]
    return [str(counts["decisions"]), "%.1f%%" % (100 * counts["same"] / counts["decisions"]),
            "%.3f" % counts["loss"] if unit else ""]
