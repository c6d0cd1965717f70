"""Keeps the matches of the table that are not over, so that they go on after the server of the table has ended.

The library's table `matches` has a row for each of them. `name` is the id of the match, `time` that of its latest move,
in seconds since 1970, and `content` is what play/session.py needs to go on.
"""

import contextlib
import zlib
from typing import Optional

from .game_content import pack_value, unpack_value
from .store import Library


def keep_match(library: Library, name: str, content: Optional[dict], now: float) -> None:
    """Keeps a match in place of what was kept of it before; None forgets a match that is over."""
    with library.open(is_change=True) as db:
        if content is None:
            db.execute("DELETE FROM matches WHERE name = ?", (name,))
        else:
            db.execute("INSERT OR REPLACE INTO matches VALUES (?, ?, ?)", (name, now, pack_value(content)))


def list_matches(library: Library) -> list[tuple[str, float, dict]]:
    """Returns (name, time, content) of each match that can be read, the latest first."""
    with library.open() as db:
        rows, matches = db.execute("SELECT name, time, content FROM matches ORDER BY time DESC, name").fetchall(), []
    for name, time, content in rows:
        with contextlib.suppress(TypeError, ValueError, zlib.error):
            matches.append((name, time, unpack_value(content)))
    return matches


def read_match(library: Library, name: str) -> Optional[dict]:
    """Returns the content of a match, None where there is none."""
    with library.open() as db:
        row = db.execute("SELECT content FROM matches WHERE name = ?", (name,)).fetchone()
        return row and unpack_value(row[0])
