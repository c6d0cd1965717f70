"""Reads and changes the games, reviews and players of the library."""

import contextlib
import json
import os
import re
import sqlite3
import time
import zlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Optional

import numpy as np

from ..records.source import ReadGame
from ..table.record import Record
from .figures import FIGURES, describe_seats
from .game_content import (
    describe_result, identify_players, is_hand, make_key, name_players, pack_game, pack_value, unpack_game,
    unpack_value)
from .library_file import BUSY_SECONDS, LibraryError, LibraryFile, find_library
from .people import find_named, find_player, list_names, select_ids

# What records.source.read_games adds to the path of a file with several games.
_GAME_OF_FILE = re.compile(r"(:\d+)?(#\d+)?$")
HERE = "here"  # the platform of games that were played here


def open_library(
        path: Optional[str] = None, busy_seconds: float = BUSY_SECONDS, *, may_rename: bool = True) -> "Library":
    """Returns the library at a path, None for the user's, after bringing it to the present version.

    busy_seconds: how long each of its methods waits for another process that writes.
    A damaged file is renamed, and named on stderr; the library begins anew. may_rename: False for an error instead.
    Raises LibraryError: a file that is no library, or one that cannot be used.
    """
    library = Library(os.path.abspath(path or find_library()), busy_seconds)
    library.prepare(may_rename)
    return library


class Library(LibraryFile):
    """Keeps games and their reviews in a file."""

    # -- games

    def add_games(
            self, games: Iterable[ReadGame], *, is_own: bool = False,
            former: Optional[str] = None) -> list[tuple[str, bool]]:
        """Adds games without a review; games that are there stay, but a whole one replaces a broken one.

        is_own: whether they were played here. former: key of the game that they replace, after its last choices were
        taken back; None for none.
        Returns [(key, whether it is new)].
        """
        with self.open(is_change=True) as db:
            added = [_add_game(db, game, is_own) for game in games]
            if former and former not in dict(added):
                db.execute("DELETE FROM games WHERE key = ?", (former,))
            return added

    def collect(self, name: str, keys: list) -> None:
        """Keeps the games of a file, in their order, under the name of its page."""
        with self.open(is_change=True) as db:
            db.execute("DELETE FROM collections WHERE name = ?", (name,))
            db.executemany("INSERT INTO collections SELECT ?, ?, id FROM games WHERE key = ?",
                           [(name, position, key) for position, key in enumerate(keys)])

    def list_collection(self, name: str) -> list[str]:
        """Returns the keys of the games of a file, [] where there is no such file."""
        return self._list_keys("collections JOIN games ON id = game WHERE name = ? ORDER BY position", name)

    def list_session(self, platform: str, session: str) -> list[str]:
        """Returns the keys of the hands of a session, in their order; [] for an unknown session."""
        return self._list_keys("games WHERE platform = ? AND session = ? ORDER BY hand, id", platform, session)

    def list_waiting(self) -> list[str]:
        """Returns the keys of the games without a review, the oldest import first."""
        return self._list_keys("games WHERE tactic IS NULL ORDER BY id")

    def list_games_with(self, player: str) -> list[str]:
        """Returns the keys of the games in which a person with a name sat, reviewed or not, or "" for all games.

        The oldest game is first. Raises LibraryError: no game has such a player.
        """
        with self.open() as db:
            ids = select_ids(db, player)
            known = {text for row in db.execute("SELECT identity, name FROM players WHERE id IN " + ids)
                     for text in row} or {player}
        keys = self._list_keys(
            "games WHERE tactic IS NULL AND EXISTS (SELECT 1 FROM json_each(identities) WHERE value IN (%s)) "
            "OR id IN (SELECT game FROM seats WHERE player IN %s) ORDER BY time, id" % (
                ", ".join("?" * len(known)), ids), *known) if player else self._list_keys("games ORDER BY time, id")
        if player and not keys:
            raise LibraryError("expected a player of the library, got %r", player)
        return keys

    def _list_keys(self, query: str, *values: str) -> list[str]:
        """Returns the keys of games. query: what follows FROM in SQL."""
        with self.open() as db:
            return [key for key, in db.execute("SELECT key FROM " + query, values)]

    def add_review(self, key: str, game: dict) -> None:
        """Adds the review of a game, as review/games.py describes it; an older one is replaced."""
        with self.open(is_change=True) as db:
            row = db.execute("SELECT id, content FROM games WHERE key = ?", (key,)).fetchone()
            if row:  # else it was forgotten meanwhile
                _add_review(db, row[0], game, record=unpack_game(row[1]).record)

    def read_game(self, key: str) -> Optional[ReadGame]:
        """Returns a game, None where there is no such game."""
        with self.open() as db:
            row = db.execute("SELECT content FROM games WHERE key = ?", (key,)).fetchone()
            return row and unpack_game(row[0])

    def read_review(self, key: str) -> Optional[dict]:
        """Returns the review of a game, None where there is none; its seats are ints again."""
        with self.open() as db:
            row = db.execute("SELECT reviews.content FROM games JOIN reviews ON game = id WHERE key = ?",
                             (key,)).fetchone()
            if not row:
                return None
            game = unpack_value(row[0])
        return dict(game, reviews={int(seat): review for seat, review in game["reviews"].items()})

    def forget_games(self, keys: list) -> int:
        """Removes games with their answers of learning; returns how many games there were.

        Raises LibraryError: there is no game with one of the keys, and none is removed.
        """
        with self.open(is_change=True) as db:
            keys = dict.fromkeys(keys)
            for key in keys:
                if not db.execute("DELETE FROM games WHERE key = ?", (key,)).rowcount:
                    raise LibraryError("expected a game of the library, got %r; `mj-bot library list` names them", key)
            for table in ("learned", "lessons"):
                db.executemany("DELETE FROM %s WHERE key = ?" % table, [(key,) for key in keys])
            db.execute("DELETE FROM files")  # a later import of a file reads it again
            # Names that games have, also before their reviews, keep what was joined.
            db.execute(
                "WITH seated AS (SELECT value FROM games, json_each(identities)), "
                "kept AS (SELECT id, person FROM players WHERE identity IN seated OR name IN seated "
                "OR id IN (SELECT player FROM seats)) "
                "DELETE FROM players WHERE id NOT IN (SELECT id FROM kept UNION SELECT person FROM kept)")
            return len(keys)

    def forget_answers(self) -> int:
        """Removes all answers of learning, and when their positions come back; returns how many answers there were."""
        with self.open(is_change=True) as db:
            db.execute("DELETE FROM lessons")
            return db.execute("DELETE FROM learned").rowcount

    # -- files that were imported

    def is_imported(self, path: str) -> bool:
        """Checks whether a file was imported, and has not changed since."""
        with self.open() as db:
            row = db.execute("SELECT size, time, inode FROM files WHERE path = ?", (_name_file(path),)).fetchone()
        return row is not None and row == read_file_stamp(path)

    def mark_imported(self, path: str, measured: Optional[tuple]) -> None:
        """Notes that all games of a file are in the library. measured: of read_file_stamp before it was read."""
        if measured:
            with self.open(is_change=True) as db:
                db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?)", (_name_file(path), *measured))

    # -- players

    def list_names(self, name: str) -> list:
        """Returns all names of the person with a name, see people.list_names; [] for an unknown name."""
        with self.open() as db:
            return list_names(db, name)

    def join_names(self, name: str, others: list) -> None:
        """Counts other names as the person who has a name. Raises LibraryError: an unknown name."""
        with self.open(is_change=True) as db:
            named = [find_named(db, each) for each in [name, *others]]
            if None in named:
                raise LibraryError("expected a player of the library, got %r; `mj-bot library list --players` "
                                   "names them", [name, *others][named.index(None)])
            db.executemany("UPDATE players SET person = ? WHERE person = ?",
                           [(named[0][0], person) for _, person in named])

    def split_names(self, name: str) -> None:
        """Makes every name of a person a person of its own again."""
        with self.open(is_change=True) as db:
            db.execute("UPDATE players SET person = id WHERE id IN " + select_ids(db, name))

    # -- matches of the table that are not over, so that they go on after its server has ended

    def keep_match(self, name: str, content: Optional[dict], now: float) -> None:
        """Keeps a match in place of what was kept of it before; None forgets a match that is over.

        name: id of the match. content: what play/session.py needs to go on. now: seconds since 1970.
        """
        with self.open(is_change=True) as db:
            if content is None:
                db.execute("DELETE FROM matches WHERE name = ?", (name,))
            else:
                db.execute("INSERT OR REPLACE INTO matches VALUES (?, ?, ?)", (name, now, pack_value(content)))

    def list_matches(self) -> dict[str, tuple[float, dict]]:
        """Returns {name: (time, content)} of the matches that can be read, the latest first."""
        matches = {}
        with self.open() as db:
            for name, time, content in db.execute("SELECT * FROM matches ORDER BY time DESC, name"):
                with contextlib.suppress(TypeError, ValueError, zlib.error):
                    matches[name] = time, unpack_value(content)
        return matches

    def count(self) -> dict[str, int]:
        """Returns {"games", "waiting" for a review, "players"}."""
        with self.open() as db:
            return {name: db.execute("SELECT count(*) FROM " + table).fetchone()[0] for name, table in (
                ("games", "games"), ("waiting", "games WHERE tactic IS NULL"), ("players", "players"))}


def read_file_stamp(path: str) -> Optional[tuple[int, int, int]]:
    """Returns (bytes, nanoseconds since 1970 of the last change, inode) of a file, None where there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns, stat.st_ino


def _name_file(path: str) -> str:
    """Returns the path by which the library knows a file, from any folder."""
    return _escape(os.path.abspath(path))


def _escape(text: str) -> str:
    """Returns a text that SQLite takes: bytes of a file's name that are not UTF-8 become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _add_game(db: sqlite3.Connection, game: ReadGame, is_own: bool) -> tuple[str, bool]:
    """Adds a game without a review to the table games; returns (key, whether it is new)."""
    key, record, path = make_key(game), game.record, game.where
    origin, error = record.origin if record else {}, game.error and _escape(str(game.error))
    old = db.execute("SELECT id, error, players FROM games WHERE key = ?", (key,)).fetchone()
    if old and (error or not old[1]):
        if record and not error:
            _name_players(db, old[0], json.loads(old[2]), record)
        return key, False
    if old:
        db.execute("DELETE FROM games WHERE id = ?", old[:1])
    file = _GAME_OF_FILE.sub("", path)
    played = origin.get("time")
    if played is None:
        stamp = read_file_stamp(file)
        played = stamp[1] / 1e9 if stamp else time.time()
    row = dict(
        describe_result(record), key=key, title=_escape(record.name) if record else "",
        platform=HERE if is_own else origin.get("platform", ""), session_title=origin.get("title", ""),
        hands=origin.get("hands"), file=_escape(os.path.basename(file)), path=_escape(path), time=played,
        added=time.time(), players=json.dumps(name_players(record)), identities=json.dumps(identify_players(record)),
        error=error, content=pack_game(game))
    if is_hand(game):
        row.update(session=origin.get("session") or None, hand=origin["hand"])
    row["scores"] = json.dumps(row["scores"])
    _insert(db, "games", row)
    return key, not old


def _name_players(db: sqlite3.Connection, row_id: int, former: list[str], record: Record) -> None:
    """Takes names of players from a copy of a game; a name that had another seat leaves it. The review stays.

    row_id: of the game in the table games. former: the names there. record: of the copy.
    """
    names = name_players(record)
    players = [name or ("" if old in names else old) for name, old in zip(names, former)]
    if players == former:
        return
    content, review = db.execute("SELECT games.content, reviews.content FROM games LEFT JOIN reviews ON game = id "
                                 "WHERE id = ?", (row_id,)).fetchone()
    game = unpack_game(content)
    named = replace(game.record, players=players)
    db.execute("UPDATE games SET players = ?, identities = ?, content = ? WHERE id = ?", (
        json.dumps(players), json.dumps(identify_players(named)), pack_game(game._replace(record=named)), row_id))
    if review:
        _add_review(db, row_id, dict(unpack_value(review), players=players), record=named)


def _add_review(db: sqlite3.Connection, row_id: int, game: dict, *, record: Optional[Record]) -> None:
    """Adds the review of a game, with its figures and decisions; seats without a name get none of these.

    row_id: id of the game in the table games.
    """
    db.execute("DELETE FROM seats WHERE game = ?", (row_id,))
    db.execute("DELETE FROM decisions WHERE game = ?", (row_id,))
    db.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?)", (row_id, pack_value(game)))
    fans = game["frames"][-1]["event"].get("fans", []) if game["frames"] else []
    db.execute("UPDATE games SET tactic = ?, fans = ?, error = ? WHERE id = ?",
               (game["tactic"], json.dumps(fans), game["error"], row_id))
    identities = identify_players(record) if record else game["players"]
    for seat, (figures, rows) in describe_seats(game, record).items():
        name = game["players"][seat]
        if not name:
            continue
        player = find_player(db, identities[seat], name, row_id=row_id)
        packed = np.array([figures[name] for name in FIGURES], np.float32).tobytes()
        db.execute("INSERT INTO seats VALUES (?, ?, ?, ?)", (row_id, seat, player, packed))
        for row in rows:
            _insert(db, "decisions", dict(row, game=row_id, seat=seat, player=player))


def _insert(db: sqlite3.Connection, table: str, row: dict) -> None:
    """Adds a row to a table. row: {column: value}."""
    db.execute("INSERT INTO %s (%s) VALUES (%s)" % (
        table, ", ".join(row), ", ".join("?" * len(row))), [*row.values()])
