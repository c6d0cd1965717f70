"""Reads games from any source in parallel, checks them by the rules, and writes those that hold into one file.

A conversion into the compact form that was broken off goes on with the same call: what is done is told by a journal
beside the file, a line a task, which also keeps what was wrong with games that were left out.
"""

import hashlib
import json
import os
from collections import namedtuple
from itertools import islice

from ...mahjong.errors import MahjongError, ProtocolError
from ...mahjong.fan import IS_AVAILABLE
from ..run.workers import run_tasks
from . import compact
from .botzone_log import format_log
from .follow import check_game, record_from_game
from .golden import format_golden
from .lianzhong import format_lianzhong
from .official import format_official
from .source import cut_games, name_raw, parse_raw

# Games a task checks.
_TASK = 128

_FORMAT = "mj_bot conversion journal"
_VERSION = 1
_JOURNAL = ".journal"

# What came of a task. games: compact.Games that hold. broken: list of (where, what is wrong). texts: of the games in
# the form asked for.
Done = namedtuple("Done", "number games broken texts size")

FORMATS = {
    "official": lambda game: format_official(game) + "\n",
    "lianzhong": format_lianzhong,
    "log": lambda game: format_log(record_from_game(game)),
    "golden": lambda game: format_golden(record_from_game(game)),
}
COMPACT = "compact"


class Checker(object):
    """Checks the games of a task, for worker processes. form: a name of FORMATS, None for no text."""

    def __init__(self, form=None):
        self._form = form

    def __call__(self, number, raws, size):
        games, broken, texts = [], [], []
        for raw in raws:
            try:
                if isinstance(raw, MahjongError):
                    raise raw
                game = parse_raw(raw)
                check_game(game)
                if self._form is not None:
                    texts.append(FORMATS[self._form](game))
                games.append(game)
            except MahjongError as error:
                broken.append((getattr(error, "path", None) or name_raw(raw), str(error)))
        return Done(number, compact.pack_games(games), broken, texts, size)


def check_files(files, workers=1, form=None, skip=0):
    """Yields a Done for every task in order, from number `skip` on.

    files: paths, see source.list_files. workers: processes. form: of the texts, a name of FORMATS.
    """
    if not IS_AVAILABLE:
        raise ProtocolError("expected MahjongGB to count fans, it is not installed; see requirements.txt")
    results = run_tasks(Checker(form), islice(_cut_tasks(files), skip, None), workers)
    early = {}
    try:
        for done in results:
            early[done.number] = done
            while skip in early:
                yield early.pop(skip)
                skip += 1
    finally:
        results.close()


def _cut_tasks(files):
    """(number, list of Raw or of the error in place of a file's rest, bytes of the files read by then)."""
    number, raws, size = 0, [], 0
    for path in files:
        for raw in _cut_or_fail(path):
            raws.append(raw)
            if len(raws) == _TASK:
                yield number, raws, size
                number, raws = number + 1, []
        size += os.path.getsize(path) if os.path.exists(path) else 0
    if raws:
        yield number, raws, size


def _cut_or_fail(path):
    try:
        yield from cut_games(path)
    except MahjongError as error:
        error.path = path
        yield error


def _format_entry(entry):
    return json.dumps(entry, ensure_ascii=False) + "\n"


def is_converted(path):
    """Whether a conversion into path came to its end."""
    return os.path.exists(path) and not os.path.exists(path + _JOURNAL)


def digest_files(files):
    """A digest (text) of the names and sizes of files."""
    digest = hashlib.sha256()
    for name in files:
        digest.update(("%s\0%d\0" % (name, os.path.getsize(name) if os.path.exists(name) else -1)).encode())
    return digest.hexdigest()


class Conversion(object):
    """The writing of games into a compact file that can be taken up again, as a context manager.

    done: tasks that are on disk. games, broken: what they hold: a number, and a list of (where, what is wrong).
    """

    def __init__(self, files, path):
        """Begins the conversion of files into path, or opens the one that was broken off.

        Raises ProtocolError: a conversion of other files, or a file that is whole already.
        """
        self._journal_path = path + _JOURNAL
        header = {"format": _FORMAT, "version": _VERSION, "files": len(files), "digest": digest_files(files)}
        is_new = not os.path.exists(self._journal_path)
        if is_converted(path):
            raise ProtocolError("expected a file that is not there yet, got %r" % path)
        self._writer = compact.GamesWriter(path)
        entries = [header] if is_new else self._read(header)
        # A task is told before its games are written: the last line may have none.
        while sum(entry["games"] for entry in entries[1:]) > self._writer.game_count:
            entries.pop()
        self.games = sum(entry["games"] for entry in entries[1:])
        if self.games != self._writer.game_count:
            raise ProtocolError("expected %d games, as the journal tells, got %d in %s"
                                % (self.games, self._writer.game_count, path))
        self.done = len(entries) - 1
        self.broken = [tuple(item) for entry in entries[1:] for item in entry["broken"]]
        draft = self._journal_path + ".tmp"
        with open(draft, "w", encoding="utf-8") as file:
            file.writelines(map(_format_entry, entries))
        os.replace(draft, self._journal_path)
        self._journal = open(self._journal_path, "a", encoding="utf-8")

    def _read(self, header):
        with open(self._journal_path, encoding="utf-8") as file:
            lines = file.read().split("\n")[:-1]
        try:
            entries = [json.loads(line) for line in lines]
        except ValueError as error:
            raise ProtocolError("expected a journal in lines of JSON, got %s: %s"
                                % (self._journal_path, error)) from None
        if entries and entries[0] != header:
            raise ProtocolError("expected a conversion of these files, %r, got one of %.200r in %s; move it away to "
                                "begin anew" % (header, entries[0], self._journal_path))
        return entries or [header]

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self._writer.close()
        self._journal.close()

    def add(self, done):
        """Writes what came of the next task."""
        self._journal.write(_format_entry({"games": len(done.games.heads), "broken": done.broken}))
        self._journal.flush()
        if len(done.games.heads):
            self._writer.write(done.games)
        self.done += 1
        self.games += len(done.games.heads)
        self.broken += done.broken

    def finish(self):
        """Takes the journal away: the file is whole."""
        self._journal.close()
        os.remove(self._journal_path)
