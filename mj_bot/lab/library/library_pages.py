"""Lists the games and players of a library, and builds its pages on play's server."""

import json
import pathlib

from ..page import build_document
from .store import Library

# Files with what the pages of this room say.
LIBRARY_WORDS = ("words.en.js", "words.zh.js")
_FOLDER = pathlib.Path(__file__).parent
_GAMES_PER_PAGE, _MOST_PLAYERS = 100, 60
_GAME_COLUMNS = ("key", "title", "platform", "hand", "file", "time", "players", "scores", "verdict", "winner", "fan",
                 "error", "tactic")


def list_games(library: Library, *, most: int, after: int = 0) -> list[dict]:
    """Returns games, the latest first, as dicts of columns of the table games; players and scores are lists.

    after: how many to leave out.
    """
    with library.open() as db:
        rows = db.execute("SELECT %s FROM games ORDER BY time DESC, id DESC LIMIT ? OFFSET ?" % (
            ", ".join(_GAME_COLUMNS)), (most, after))
        games = [dict(zip(_GAME_COLUMNS, row)) for row in rows]
        return [dict(game, **{name: json.loads(game[name] or "null") for name in ("players", "scores")})
                for game in games]


def list_players(library: Library, *, most: int = _MOST_PLAYERS) -> list[dict]:
    """Returns the players with the most games: {"name", "others": their other names, "games"}."""
    with library.open() as db:
        rows = db.execute(
            "SELECT person, count(*) FROM seats JOIN players ON players.id = player GROUP BY person "
            "ORDER BY count(*) DESC, person LIMIT ?", (most,)).fetchall()
        names = {}
        for name, person in db.execute("SELECT name, person FROM players ORDER BY id != person, name"):
            names.setdefault(person, []).append(name)
        return [{"name": names[person][0], "others": names[person][1:], "games": count} for person, count in rows]


def build_library_page(library: Library, after: int = 0) -> str:
    """Returns the list of the games as HTML. after: how many of the latest to leave out."""
    return _build("./", library.count()["games"], games=list_games(library, most=_GAMES_PER_PAGE, after=after),
                  players=list_players(library), after=after)


def build_gone_page(base: str, reason: str = "") -> str:
    """Returns the page for an address of no game or player as HTML.

    base: address of the server's first page. reason: a sentence for the reader, or "".
    """
    return _build(base, reason=reason)


def _build(base, count=None, **more):
    """Returns the page library.html. count: of all games, None for an address that is no more. more: further data."""
    data = {"base": base, "count": count, "most": _GAMES_PER_PAGE, "games": [], "players": [], "reason": "", **more}
    return build_document("library", _FOLDER, "mj_bot", data, scripts=(*LIBRARY_WORDS, "library.js"))
