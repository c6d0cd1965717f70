"""One game as one HTML page that needs nothing else: no network, no file beside it."""

import html
import pathlib

from ..page.assets import embed_json, read_asset
from ..page.tiles import draw_sprite
from ..table.fan_names import ENGLISH_FANS

_FOLDER = pathlib.Path(__file__).parent
# Moves of a decision that a page shows; the JSON has all.
_RANKED = 8


def build_page(game):
    """HTML text of a reviewed game, as games.review_game returns it."""
    page = read_asset("viewer.html", _FOLDER)
    style = read_asset("table.css") + read_asset("viewer.css", _FOLDER)
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
        fan_names={name: ENGLISH_FANS[name] for name in fans if name in ENGLISH_FANS})


def _shorten_decision(decision):
    ranked = [entry for place, entry in enumerate(decision["ranked"])
              if place < _RANKED or entry[0] == decision["logged"]]
    leads = None if decision["logged"] == decision["chosen"] else decision["logged_leads"]
    return dict(decision, ranked=ranked, logged_leads=leads)
