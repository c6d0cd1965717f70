"""Finds what is damaged in the file of a library, and writes all else into a new one."""

import contextlib
import sqlite3
import zlib
from collections.abc import Iterable, Iterator

from .game_content import unpack_game, unpack_value
from .library_file import move_library, set_aside
from .store import Library

_UNREADABLE = (sqlite3.Error, zlib.error, ValueError, KeyError, TypeError)
# Tables whose rows are found by the id of a game: the column that has the id, and what reads their content.
_OF_GAME = {"games": ("id", unpack_game), "reviews": ("game", unpack_value), "seats": ("game", None),
            "decisions": ("game", None), "collections": ("game", None)}
# The other tables with their keys; files are read again, which costs nothing but time.
_OTHERS = {"players": ["id"], "learned": ["id"], "lessons": ["key", "seat", "frame"], "matches": ["name"]}
# What names the ids of games: a query, and the column by which it reads.
_IDS = (("SELECT id FROM games NOT INDEXED", "id"), ("SELECT id FROM games INDEXED BY games_by_time", "time"),
        ("SELECT game FROM reviews", "game"))


def check_library(library: Library) -> list:
    """Returns the faults of a library as texts, [] for a sound library."""
    problems = []
    with library.open() as db:
        try:
            problems += [row[0] for row in db.execute("PRAGMA integrity_check") if row[0] != "ok"]
            problems += ["row %s of %s names what is not there" % (row[1], row[0])
                         for row in db.execute("PRAGMA foreign_key_check")]
        except sqlite3.DatabaseError as error:
            problems.append(str(error))
        for row_id in _list_ids(db):
            try:
                for content, in db.execute("SELECT content FROM games WHERE id = ?", (row_id,)):
                    unpack_game(content)
            except _UNREADABLE as error:
                problems.append("game %d cannot be read: %s" % (row_id, error))
    return problems


def rescue_library(library: Library) -> tuple[int, int, str]:
    """Writes all that can be read into a new library in place of the old one, which is renamed.

    A game whose review, figures or decisions cannot be read waits for a new review.
    Returns (games in the new library, games that are lost, new path of the old library). Raises LibraryError.
    """
    whole = Library(library.path + ".rescued")
    whole.prepare()
    with library.open() as old, whole.open(is_change=True) as new:
        new.execute("PRAGMA defer_foreign_keys = ON")
        ids = _list_ids(old)
        for row_id in ids:
            _copy_game(old, new, row_id)
        for table, columns in _OTHERS.items():
            _copy_rows(new, table, _read_from_both_ends(old, "SELECT * FROM " + table, columns))
        # A review names players; without them it is made again.
        new.execute("DELETE FROM seats WHERE player NOT IN (SELECT id FROM players)")
        new.execute("DELETE FROM decisions WHERE player NOT IN (SELECT id FROM players)")
        new.execute("UPDATE games SET tactic = NULL WHERE id NOT IN (SELECT game FROM seats) "
                    "OR id NOT IN (SELECT game FROM reviews) OR id NOT IN (SELECT game FROM decisions)")
        count = new.execute("SELECT count(*) FROM games").fetchone()[0]
    kept = set_aside(library.path)
    move_library(whole.path, library.path)
    return count, len(ids) - count, kept


def _list_ids(db: sqlite3.Connection) -> list[int]:
    """Returns the ids of all games that a table or an index names."""
    return sorted({row_id for query, column in _IDS for row_id, in _read_from_both_ends(db, query, [column])})


def _copy_game(old: sqlite3.Connection, new: sqlite3.Connection, row_id: int) -> None:
    """Copies the rows of a game; none of a game whose content cannot be read."""
    for table, (column, unpack) in _OF_GAME.items():
        source, rows = "FROM %s WHERE %s = ?" % (table, column), []
        with contextlib.suppress(*_UNREADABLE):
            for content, in old.execute("SELECT content " + source, (row_id,)) if unpack else ():
                unpack(content)
            rows = old.execute("SELECT * " + source, (row_id,)).fetchall()
        if table == "games" and not rows:
            return
        _copy_rows(new, table, rows)


def _read_from_both_ends(db: sqlite3.Connection, query: str, columns: list[str]) -> Iterator[tuple]:
    """Yields the rows of a query in the order of some columns up to the first that cannot be read, then backwards."""
    for order in ("", " DESC"):
        try:
            yield from db.execute("%s ORDER BY %s" % (query, ", ".join(column + order for column in columns)))
            return
        except sqlite3.Error:
            continue


def _copy_rows(db: sqlite3.Connection, table: str, rows: Iterable[tuple]) -> None:
    """Adds rows to a table, but for those that are there."""
    for row in rows:
        db.execute("INSERT OR IGNORE INTO %s VALUES (%s)" % (table, ", ".join("?" * len(row))), row)
