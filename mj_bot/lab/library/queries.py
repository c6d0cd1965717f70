"""Lists the games and players of a library, and the games of a player."""

import json
import re

from .library_file import LibraryError
from .people import select_ids
from .store import Library

_GAME_COLUMNS = ("key", "title", "platform", "session_title", "hand", "hands", "file", "time", "players", "scores",
                 "verdict", "winner", "giver", "fan", "error", "tactic")


def is_key(name: str) -> bool:
    """Checks whether a name has the form of game_content.make_key."""
    return re.fullmatch("[0-9a-f]{16}", name) is not None


def list_games(library: Library, *, most: int, after: int = 0) -> list:
    """Returns games, the latest first, as dicts of columns of the table games; players and scores are lists.

    after: how many to leave out.
    """
    with library.open() as db:
        rows = db.execute("SELECT %s FROM games ORDER BY time DESC, id DESC LIMIT ? OFFSET ?" % (
            ", ".join(_GAME_COLUMNS)), (most, after)).fetchall()
        games = [dict(zip(_GAME_COLUMNS, row)) for row in rows]
        return [dict(game, **{name: json.loads(game[name] or "null") for name in ("players", "scores")})
                for game in games]


def list_session(library: Library, platform: str, session: str) -> list[str]:
    """Returns the keys of the hands of a session, in their order; [] for an unknown session."""
    with library.open() as db:
        return [key for key, in db.execute("SELECT key FROM games WHERE platform = ? AND session = ? ORDER BY hand, id",
                                           (platform, session))]


def list_players(library: Library, *, most: int) -> list:
    """Returns the players with the most games: {"name", "others": their other names, "games"}."""
    with library.open() as db:
        rows = db.execute(
            "SELECT person, count(*) FROM seats JOIN players ON players.id = player GROUP BY person "
            "ORDER BY count(*) DESC, person LIMIT ?", (most,)).fetchall()
        names = {}
        for player, name, person in db.execute("SELECT id, name, person FROM players ORDER BY name"):
            names.setdefault(person, []).insert(0 if player == person else 99, name)
        return [{"name": names[person][0], "others": names[person][1:], "games": count} for person, count in rows]


def list_games_with(library: Library, player: str) -> list:
    """Returns the keys of the games in which a person with this name sat, also of those without a review.

    Raises LibraryError: no game has such a player.
    """
    with library.open() as db:
        ids = select_ids(db, player)
        known = {text for row in db.execute("SELECT identity, name FROM players WHERE id IN " + ids)
                 for text in row} or {player}
        keys = [key for key, in db.execute(
            "SELECT key FROM games WHERE tactic IS NULL AND EXISTS (SELECT 1 FROM json_each(identities) WHERE value "
            "IN (%s)) OR id IN (SELECT game FROM seats WHERE player IN %s)" % (", ".join("?" * len(known)), ids),
            [*known])]
    if not keys:
        raise LibraryError("expected a player of the library, got %r", player)
    return keys
