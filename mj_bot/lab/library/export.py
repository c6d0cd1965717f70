"""Writes the library's games, decisions and answers of learning for other programs: CSV, Parquet, records."""

import csv
import re
from collections.abc import Iterable, Iterator

from ...mahjong.errors import MahjongError
from ..records.botzone.match_log import LOG_START, format_log
from ..run.files import check_output, open_whole
from .people import select_ids
from .store import Library

# The columns of each table, and the SQL of each column. Times are of the zone of this machine.
_TIME = "datetime(%s, 'unixepoch', 'localtime')"
_GAME = {"player": "players.name", "person": "people.name", "platform": "games.platform", "time": _TIME % "games.time",
         "file": "games.file", "session": "games.session_title", "hand": "games.hand", "game": "games.key"}
_DECISION = ("turn", "kind", "logged", "chosen", "shanten", "eight", "first", "second", "loss", "grade", "leak", "plan",
             "chance", "danger", "milliseconds", "win_chance", "pay_chance")
EXPORT_COLUMNS = {
    "games": {**_GAME, "seat": "seats.seat", "scores": "games.scores", "verdict": "games.verdict",
              "winner": "games.winner", "giver": "games.giver", "fan": "games.fan", "error": "games.error"},
    "decisions": {**_GAME, **{name: "decisions." + name for name in ("seat", "frame", *_DECISION)}},
    # A row for each answer. step, due: of the position, as it is now, see learn/lessons.py. A position of the sample
    # games has no game in the library.
    "answers": {**_GAME, "time": _TIME % "learned.time", "game": "learned.key", "seat": "learned.seat",
                "frame": "learned.frame", "is_right": "learned.is_right", "step": "lessons.step",
                "due": _TIME % "lessons.due", **{name: "decisions." + name for name in _DECISION}},
}
_PEOPLE = "JOIN players ON players.id = {0}.player {1}JOIN players AS people ON people.id = players.person "
_SOURCES = {
    "games": "seats JOIN games ON games.id = seats.game " + _PEOPLE.format("seats", ""),
    "decisions": "decisions JOIN games ON games.id = decisions.game " + _PEOPLE.format("decisions", ""),
    "answers": "learned LEFT JOIN lessons USING (key, seat, frame) LEFT JOIN games ON games.key = learned.key "
               "LEFT JOIN decisions ON decisions.game = games.id AND decisions.seat = learned.seat "
               "AND decisions.frame = learned.frame LEFT " + _PEOPLE.format("decisions", "LEFT "),
}
_ORDERS = {"games": "games.time, games.id, seats.seat", "answers": "learned.id",
           "decisions": "games.time, games.id, decisions.seat, decisions.frame"}
_MARK = "\ufeff"  # without this mark Excel takes the text for another encoding
# A cell that begins with one of these characters is a formula; some spreadsheets accept the wide characters too.
# In countries that write numbers with a comma, semicolons and tabs separate cells.
_FORMULA = re.compile(r"(^|[;|\t\r\n\"])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])")


def list_rows(library: Library, table: str, player: str = "") -> Iterator[tuple]:
    """Yields the rows of a table of EXPORT_COLUMNS. player: a name, all names of that person count; "" for everyone."""
    with library.open() as db:
        wanted = "WHERE players.id IN %s " % select_ids(db, player) if player else ""
        yield from db.execute("SELECT %s FROM %s%sORDER BY %s" % (
            ", ".join(EXPORT_COLUMNS[table].values()), _SOURCES[table], wanted, _ORDERS[table]))


def guard_cell(value: object) -> object:
    """Returns a value for a cell of a spreadsheet; a text that would be a formula gets an apostrophe before it.

    So does the part of a text that would be one where semicolons separate cells.

    >>> guard_cell("=1+1"), guard_cell("a;=1+1"), guard_cell("PLAY W1"), guard_cell(-3)
    ("'=1+1", "a;'=1+1", 'PLAY W1', -3)
    """
    return _FORMULA.sub(r"\g<1>'", value) if isinstance(value, str) else value


def export_library(library: Library, path: str, table: str, player: str = "") -> int:
    """Writes a file, whose kind is the ending of its name, and returns the number of rows or games.

    path: .csv and .parquet contain a table, .jsonl Botzone logs. table: a key of EXPORT_COLUMNS; .jsonl ignores it.
    player: a name, all names of that person count; "" for everyone.
    Raises MahjongError: another ending, a file that cannot be written or that this function has not made, or no
        pyarrow for Parquet.
    """
    for ending, write in ((".csv", _write_csv), (".parquet", _write_parquet)):
        if path.lower().endswith(ending):
            return write(path, [*EXPORT_COLUMNS[table]], list_rows(library, table, player))
    if path.lower().endswith(".jsonl"):
        return _write_records(library, path, player)
    raise MahjongError("expected a file whose name ends in .csv, .parquet or .jsonl, got %r", path)


def _write_csv(path: str, names: list[str], rows: Iterable[tuple]) -> int:
    """Writes rows as CSV, and returns how many there are. names: of the columns."""
    check_output(path, ((_MARK + ",".join(names) + "\n").encode().decode("latin-1"),))
    count = 0
    with open_whole(path) as file:
        file.write(_MARK)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for row in rows:
            writer.writerow(map(guard_cell, row))
            count += 1
    return count


def _write_parquet(path: str, names: list[str], rows: Iterable[tuple]) -> int:
    """Writes rows as Parquet, and returns how many there are. names: of the columns."""
    check_output(path, ("PAR1",))
    import pyarrow
    from pyarrow import parquet

    columns = list(zip(*rows)) or [()] * len(names)
    with open_whole(path, "wb") as file:
        parquet.write_table(pyarrow.table(dict(zip(names, map(list, columns)))), file)
    return len(columns[0])


def _write_records(library: Library, path: str, player: str) -> int:
    """Writes the records of whole games as Botzone logs, and returns how many there are. player: "" for everyone."""
    check_output(path, (LOG_START,))
    count = 0
    keys = library.list_games_with(player)
    with open_whole(path) as file:
        for game in map(library.read_game, keys):
            if game and game.record and not game.error:
                file.write(format_log(game.record).rstrip("\n") + "\n")
                count += 1
    return count
