"""Tells which player of the library a name means: the one who has it, or else the latest who had it."""

import sqlite3
from typing import Optional

_NAMED = ("SELECT id, person FROM players WHERE name = ?",
          "SELECT players.id, person FROM games JOIN seats ON game = games.id JOIN players ON players.id = player "
          "WHERE json_extract(games.players, '$[' || seat || ']') = ? ORDER BY time DESC LIMIT 1")


def find_named(db: sqlite3.Connection, name: str) -> Optional[tuple[int, int]]:
    """Returns (id, person) of the player with a name, None for an unknown name."""
    return next(filter(None, (db.execute(query, (name,)).fetchone() for query in _NAMED)), None)


def select_ids(db: sqlite3.Connection, *names: str) -> str:
    """Returns SQL in brackets that selects the ids of all players who are the persons with some names."""
    persons = [str(person) for _, person in filter(None, (find_named(db, name) for name in names))]
    return "(SELECT id FROM players WHERE person IN (%s))" % ", ".join(persons)


def list_names(db: sqlite3.Connection, name: str) -> list[str]:
    """Returns all names of the person with a name: the person's own, joined ones, former ones; [] for an unknown name.

    A former name is one that games have, and that the library does not list.
    """
    ids = select_ids(db, name)
    names = [row[0] for row in db.execute(
        "SELECT name FROM players WHERE id IN %s ORDER BY id != person, name" % ids)]
    for former, in db.execute(
            "SELECT DISTINCT json_extract(games.players, '$[' || seat || ']') FROM seats JOIN games ON games.id = game "
            "WHERE player IN %s ORDER BY 1" % ids):
        if not any(known == former or known.startswith(former + " (") for known in names):
            names.append(former)
    return names


def find_player(db: sqlite3.Connection, identity: str, name: str, *, row_id: int) -> int:
    """Returns the id of a player in the table players, after adding a player that is not there yet.

    identity: of game_content.identify_players. name: of the player in the game row_id.
    """
    label = name if identity == name else "%s (%s)" % (name, identity.partition(":")[2])
    row = db.execute("SELECT id, name FROM players WHERE identity = ?", (identity,)).fetchone()
    if not row and identity == name:  # a record without ids means whoever has the name
        row = db.execute("SELECT id, name FROM players WHERE name = ?", (name,)).fetchone()
    elif not row:  # earlier games of this player had no ids
        row = db.execute("UPDATE players SET identity = ? WHERE identity = ? RETURNING id, name",
                         (identity, name)).fetchone()
    if not row:
        player = db.execute("INSERT INTO players (identity, name, person) VALUES (?, ?, 0)",
                            (identity, _pick_label(db, name, label))).lastrowid
        db.execute("UPDATE players SET person = id WHERE id = ?", (player,))
        return player
    player, former = row
    if former not in (name, label) and not db.execute(
            "SELECT 1 FROM seats JOIN games ON id = game WHERE player = ? AND time > (SELECT time FROM games "
            "WHERE id = ?)", (player, row_id)).fetchone():  # renamed since
        db.execute("UPDATE players SET name = ? WHERE id = ?", (_pick_label(db, name, label), player))
    return player


def _pick_label(db: sqlite3.Connection, name: str, label: str) -> str:
    """Returns the name of a player, or a label with an id where another player has that name."""
    return label if db.execute("SELECT 1 FROM players WHERE name = ?", (name,)).fetchone() else name
