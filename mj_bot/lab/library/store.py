"""Opens the file of the library, brings it to the present version, and reads and changes it in several processes."""

import contextlib
import json
import os
import re
import sqlite3
import sys
import time as clock
import zlib
from collections.abc import Iterable, Iterator
from typing import Optional

import numpy as np

from ...mahjong.errors import MahjongError
from ...trouble import describe_error
from ..records.source import ReadGame
from ..run.files import NO_ROOM, make_folder
from ..table.record import Record
from ..words import say
from .figures import FIGURES, describe_seats
from .game_content import (
    describe_result, is_hand, make_key, name_players, pack_game, pack_value, unpack_game, unpack_value)
from .schema import LIBRARY_VERSION, MIGRATIONS

# A variable of the environment that names another file.
LIBRARY_VARIABLE = "MJ_BOT_LIBRARY"
# Says that a file of SQLite is a library: the letters "mjbo".
_APPLICATION = 0x6D6A626F
_BUSY_SECONDS = 20  # to wait for another process
# What records.source.read_games adds to the path of a file with several games.
_GAME_OF_FILE = re.compile(r"(:\d+)?(#\d+)?$")
HERE = "here"  # the platform of games that were played here
_DECISION_COLUMNS = 21


class LibraryError(MahjongError):
    """Tells that the library cannot be used, for example on a full disk, or while another process uses it."""


class DamagedLibraryError(LibraryError):
    """Tells that the file of the library is no whole database."""


def find_library() -> str:
    """Returns the path of the user's library: that of the environment, else one in the user's folder for data."""
    import platformdirs

    return os.environ.get(LIBRARY_VARIABLE) or os.path.join(
        platformdirs.user_data_dir("mj_bot", appauthor=False), "library.sqlite")


def open_library(path: Optional[str] = None) -> "Library":
    """Returns the library at a path, None for the user's, after bringing it to the present version.

    A damaged file is renamed, and named on stderr; the library begins anew. Raises LibraryError.
    """
    path = os.path.abspath(path or find_library())
    make_folder(os.path.dirname(path))
    library = Library(path)
    try:
        library.prepare()
    except DamagedLibraryError as error:
        print("library: %s" % say("%s; it is kept as %s, and a new library begins", error, _set_aside(path)),
              file=sys.stderr)
        library.prepare()
    return library


def _set_aside(path: str) -> str:
    """Renames a damaged library with the files that belong to it; returns its new path."""
    count = 1
    while os.path.exists("%s.damaged-%d" % (path, count)):
        count += 1
    for ending in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            os.replace(path + ending, "%s.damaged-%d%s" % (path, count, ending))
    return "%s.damaged-%d" % (path, count)


class Library(object):
    """Keeps games and their reviews in a file; every method opens it anew, so threads and processes may share it.

    Every method raises LibraryError.
    """

    def __init__(self, path: str):
        self.path = path

    @contextlib.contextmanager
    def open(self, is_change: bool = False) -> Iterator[sqlite3.Connection]:
        """Opens a connection in a transaction, as a context; an exception undoes it. is_change: whether it writes."""
        db = None
        try:
            db = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            db.execute("BEGIN IMMEDIATE" if is_change else "BEGIN")
            yield db
            db.execute("COMMIT")
        except MahjongError:
            raise
        except (sqlite3.Error, zlib.error, ValueError) as error:  # damaged texts and numbers are ValueErrors
            raise _translate(error, self.path) from error
        except (TypeError, LookupError, ArithmeticError) as error:  # values of another type, by other programs
            raise LibraryError("expected a library that can be used, got %s: %s", self.path,
                               describe_error(error)) from error
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            raise LibraryError("expected room on the disk for the library %s, got: %s", self.path, error) from error
        finally:
            if db:
                db.close()

    def prepare(self) -> None:
        """Makes the tables of a new file, or brings those of an older version to the present one."""
        with self.open() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            is_other = db.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION and db.execute(
                "SELECT count(*) FROM sqlite_master").fetchone()[0]
        if is_other:
            raise LibraryError("expected a library of mj_bot, got another database: %s", self.path)
        if version > LIBRARY_VERSION:
            raise LibraryError("expected a library of version %d or older, got one of version %d of a newer mj_bot: %s",
                               LIBRARY_VERSION, version, self.path)
        if version == LIBRARY_VERSION:
            return
        with self.open(is_change=True) as db:
            # Another process may have done it meanwhile.
            for script in MIGRATIONS[db.execute("PRAGMA user_version").fetchone()[0]:]:
                for statement in filter(str.strip, script.split(";")):
                    db.execute(statement)
            db.execute("PRAGMA user_version = %d" % LIBRARY_VERSION)
            db.execute("PRAGMA application_id = %d" % _APPLICATION)

    # -- games

    def add_games(self, games: Iterable[ReadGame], *, time: Optional[float] = None, is_own: bool = False) -> list:
        """Adds games without a review; games that are there stay, but a whole one replaces a broken one.

        time: seconds since 1970 at which they were played; None for the time in each record, or else that of its file.
        is_own: whether they were played here; such a game replaces the one
        that was saved at its path.
        Returns [(key, whether it is new)].
        """
        with self.open(is_change=True) as db:
            return [_add_game(db, game, time=time, is_own=is_own) for game in games]

    def collect(self, name: str, keys: list) -> None:
        """Keeps the games of a file, in their order, under the name of its page."""
        with self.open(is_change=True) as db:
            db.execute("DELETE FROM collections WHERE name = ?", (name,))
            db.executemany("INSERT INTO collections SELECT ?, ?, id FROM games WHERE key = ?",
                           [(name, position, key) for position, key in enumerate(keys)])

    def list_collection(self, name: str) -> list:
        """Returns the keys of the games of a file, [] where there is no such file."""
        with self.open() as db:
            return [key for key, in db.execute("SELECT key FROM collections JOIN games ON id = game WHERE name = ? "
                                               "ORDER BY position", (name,))]

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

    def list_waiting(self) -> list:
        """Returns the keys of the games without a review, the oldest import first."""
        with self.open() as db:
            return [key for key, in db.execute("SELECT key FROM games WHERE tactic IS NULL ORDER BY id")]

    def forget_games(self, keys: list) -> int:
        """Removes games with their answers of learning; returns how many games there were."""
        with self.open(is_change=True) as db:
            count = sum(db.execute("DELETE FROM games WHERE key = ?", (key,)).rowcount for key in keys)
            for table in ("learned", "lessons"):
                db.executemany("DELETE FROM %s WHERE key = ?" % table, [(key,) for key in keys])
            db.execute("DELETE FROM files")  # a later import of a file reads it again
            db.execute("DELETE FROM players WHERE id NOT IN (SELECT player FROM seats) "
                       "AND id NOT IN (SELECT person FROM players WHERE id IN (SELECT player FROM seats))")
            return count

    def forget_answers(self) -> int:
        """Removes all answers of learning, and when their positions come back; returns how many answers there were."""
        with self.open(is_change=True) as db:
            db.execute("DELETE FROM lessons")
            return db.execute("DELETE FROM learned").rowcount

    # -- files that were imported

    def is_imported(self, path: str) -> bool:
        """Checks whether a file was imported, and has not changed since."""
        with self.open() as db:
            row = db.execute("SELECT size, time FROM files WHERE path = ?", (path,)).fetchone()
        return row is not None and row == _measure_file(path)

    def mark_imported(self, path: str) -> None:
        """Notes that all games of a file are in the library. Links are read again each time."""
        measured = _measure_file(path)
        if measured:
            with self.open(is_change=True) as db:
                db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", (path, *measured))

    # -- players

    def list_names(self, name: str) -> list:
        """Returns all names of the person who has a name, the person's own first; [] for an unknown name."""
        with self.open() as db:
            return [row[0] for row in db.execute(
                "SELECT name FROM players WHERE person = (SELECT person FROM players WHERE name = ?) "
                "ORDER BY id != person, name", (name,))]

    def join_names(self, name: str, others: list) -> None:
        """Counts other names as the person who has a name. Raises LibraryError: an unknown name."""
        with self.open(is_change=True) as db:
            people = {}
            for each in [name, *others]:
                row = db.execute("SELECT person FROM players WHERE name = ?", (each,)).fetchone()
                if not row:
                    raise LibraryError("expected a player of the library, got %r; `mj-bot library list --players` "
                                       "names them", each)
                people[each] = row[0]
            own = db.execute("SELECT id FROM players WHERE name = ?", (name,)).fetchone()[0]
            db.executemany("UPDATE players SET person = ? WHERE person = ?", [(own, old) for old in people.values()])

    def split_names(self, name: str) -> None:
        """Makes every name of a person a person of its own again."""
        with self.open(is_change=True) as db:
            db.execute("UPDATE players SET person = id WHERE person = (SELECT person FROM players WHERE name = ?)",
                       (name,))

    # -- the whole file

    def check(self) -> list:
        """Returns the faults of the library as texts, [] for a sound library."""
        problems = []
        with self.open() as db:
            problems += [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
            problems += ["row %s of %s names what is not there" % (row[1], row[0])
                         for row in db.execute("PRAGMA foreign_key_check")]
            for key, content in db.execute("SELECT key, content FROM games"):
                try:
                    unpack_game(content)
                except (ValueError, KeyError, TypeError, zlib.error) as error:
                    problems.append("game %s cannot be read: %s" % (key, error))
        return problems

    def count_games(self) -> int:
        """Returns the number of games."""
        with self.open() as db:
            return db.execute("SELECT count(*) FROM games").fetchone()[0]

    def count(self) -> dict:
        """Returns {"games", "waiting" for a review, "players", "decisions", "bytes" of the file}."""
        with self.open() as db:
            counts = [db.execute("SELECT count(*) FROM " + table).fetchone()[0] for table in (
                "games", "games WHERE tactic IS NULL", "players", "decisions")]
        return dict(zip(("games", "waiting", "players", "decisions"), counts), bytes=os.path.getsize(self.path))


def _translate(error: Exception, path: str) -> LibraryError:
    """Returns the LibraryError for an error of SQLite, zlib or a value that cannot be parsed."""
    text = str(error)
    if isinstance(error, (zlib.error, ValueError)) or "malformed" in text or "not a database" in text:
        return DamagedLibraryError("expected a whole library, got a damaged one: %s (%s)", path, text)
    if "full" in text:
        return LibraryError("expected room on the disk for the library %s, got: %s", path, text)
    if "locked" in text or "busy" in text:
        return LibraryError("expected the library %s, got none in %d seconds: another process uses it", path,
                            _BUSY_SECONDS)
    return LibraryError("expected a library that can be used, got %s: %s", path, text)


def _measure_file(path: str) -> Optional[tuple[int, float]]:
    """Returns (bytes, seconds since 1970 of the last change) of a file, None where there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_size, stat.st_mtime


def _add_game(
        db: sqlite3.Connection, game: ReadGame, *, time: Optional[float], is_own: bool) -> tuple[str, bool]:
    """Adds a game without a review to the table games; returns (key, whether it is new)."""
    key, record, path = make_key(game), game.record, game.where
    origin, error = record.origin if record else {}, game.error and str(game.error)
    if is_own:
        db.execute("DELETE FROM games WHERE path = ? AND platform = ? AND key != ?", (path, HERE, key))
    old = db.execute("SELECT id, error FROM games WHERE key = ?", (key,)).fetchone()
    if old and (error or not old[1]):
        return key, False
    if old:
        db.execute("DELETE FROM games WHERE id = ?", old[:1])
    result, hand = describe_result(record), is_hand(game)
    file = _GAME_OF_FILE.sub("", path)
    if time is None:
        time = origin.get("time")
    if time is None:
        measured = _measure_file(file)
        time = measured[1] if measured else clock.time()
    db.execute(
        "INSERT INTO games (key, title, platform, session, session_title, hand, hands, file, path, time, added, "
        "players, scores, verdict, winner, giver, fan, error, content) VALUES (%s)" % ", ".join("?" * 19),
        (key, record.name if record else "", HERE if is_own else origin.get("platform", ""),
         origin.get("session") or None if hand else None, origin.get("title", ""), origin.get("hand") if hand else None,
         origin.get("hands"), os.path.basename(file), path, time, clock.time(), json.dumps(name_players(record)),
         json.dumps(result["scores"]), result["verdict"], result["winner"], result["giver"], result["fan"], error,
         pack_game(game)))
    return key, not old


def _add_review(db: sqlite3.Connection, row_id: int, game: dict, *, record: Optional[Record]) -> None:
    """Adds the review of a game, with its figures and decisions; seats without a name get none of these.

    row_id: id of the game in the table games.
    """
    end = game["frames"][-1]["event"] if game["frames"] else {}
    end = end if end.get("kind") == "END" else {}
    is_win = end.get("verdict") == "HU"
    db.execute("DELETE FROM seats WHERE game = ?", (row_id,))
    db.execute("DELETE FROM decisions WHERE game = ?", (row_id,))
    db.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?)", (row_id, pack_value(game)))
    db.execute("UPDATE games SET tactic = ?, scores = ?, verdict = ?, winner = ?, giver = ?, fan = ?, fans = ?, "
               "error = ? WHERE id = ?", (
                   game["tactic"], json.dumps(game["scores"] or end.get("scores")), end.get("verdict"),
                   end["seat"] if is_win else None, end["from"] if is_win else None, end["fan"] if is_win else None,
                   json.dumps(end.get("fans", [])), game["error"], row_id))
    for seat, (figures, rows) in describe_seats(game, record).items():
        name = game["players"][seat]
        if not name:
            continue
        player = _find_player(db, name)
        db.execute("INSERT INTO seats VALUES (?, ?, ?, ?)", (
            row_id, seat, player, _pack_figures(figures)))
        db.executemany("INSERT INTO decisions VALUES (%s)" % ", ".join("?" * _DECISION_COLUMNS), [
            (row_id, seat, row[0], player, *row[1:]) for row in rows])


def _find_player(db: sqlite3.Connection, name: str) -> int:
    """Returns the id of a name in the table players, after adding a name that is not there yet."""
    row = db.execute("SELECT id FROM players WHERE name = ?", (name,)).fetchone()
    if row:
        return row[0]
    player = db.execute("INSERT INTO players (name, person) VALUES (?, 0)", (name,)).lastrowid
    db.execute("UPDATE players SET person = id WHERE id = ?", (player,))
    return player


def _pack_figures(figures: dict) -> bytes:
    """Returns the figures of a seat as bytes of float32, in the order of FIGURES."""
    return np.array([figures[name] for name in FIGURES], np.float32).tobytes()
