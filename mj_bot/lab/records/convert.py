"""Reads games from any source in parallel, checks them by the rules, and writes the legal ones into one file.

The same call continues an interrupted conversion into the compact form: a journal next to the file has a line for each
finished task, with its broken games.
"""

import contextlib
import hashlib
import os
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from ...mahjong.errors import MahjongError, ProtocolError
from ..run.command import check_fan_counter
from ..run.journal import Journal
from ..run.workers import run_in_order
from . import compact
from .follow import check_game
from .formats import format_game
from .source import cut_games, parse_raw

# Games a task checks.
_TASK = 128
_GZIP_SIZE = 4  # bytes at the end of a .gz with the size of the text

_FORMAT = "mj_bot conversion journal"
_VERSION = 2
_JOURNAL = ".journal"


class Done(NamedTuple):
    """The result of a task."""

    games: compact.Games  # the legal ones
    broken: list  # of (where, what is wrong)
    texts: list  # of the games, in the requested form
    size: int  # bytes of text of the files read so far


def check_files(files, workers=1, form=None, *, skip=0):
    """Yields a Done for every task in order, from number `skip` on.

    files: paths, see source.list_files. workers: processes. form: of the texts, a name of FORMATS; None for no texts.
    """
    check_fan_counter()
    return run_in_order(partial(_check_games, form), islice(_cut_tasks(files), skip, None), workers)


def _check_games(form, raws, size):
    games, broken, texts = [], [], []
    for raw in raws:
        try:
            game = parse_raw(raw)
            check_game(game)
            if form is not None:
                texts.append(format_game(form, game))
            games.append(game)
        except MahjongError as error:
            broken.append((raw.where, str(error)))
    return Done(compact.pack_games(games), broken, texts, size)


def _cut_tasks(files):
    """(list of Raw, bytes of text of the files read so far) of each task."""
    raws, read = [], 0
    for path in files:
        size = read
        for raw in cut_games(path):
            raws.append(raw)
            size += len(raw.content) if isinstance(raw.content, str) else 0
            if len(raws) == _TASK:
                yield raws, size
                raws = []
        read += measure_text(path)
    if raws:
        yield raws, read


def measure_file(path):
    """Bytes of a file; 0 for a broken link, whose reading fails later."""
    return os.path.getsize(path) if os.path.exists(path) else 0


def measure_text(path):
    """Bytes of a file's text; for a .gz the number that is stored at its end."""
    if path.endswith(".gz") and os.path.isfile(path):  # a pipe can be read only once
        with contextlib.suppress(OSError), open(path, "rb") as file:
            file.seek(-_GZIP_SIZE, os.SEEK_END)
            return int.from_bytes(file.read(), "little")
    return measure_file(path)


def is_converted(path):
    """Whether a conversion into path is complete."""
    return os.path.exists(path) and not os.path.exists(path + _JOURNAL)


def digest_files(files):
    """A digest (text) of the names and sizes of files."""
    digest = hashlib.sha256()
    for name in files:
        digest.update(os.fsencode(name) + b"\0%d\0" % measure_file(name))
    return digest.hexdigest()


class Conversion(AbstractContextManager):
    """A conversion of games into a compact file, which can be continued, as a context manager.

    done: tasks on disk. games: how many games these have. broken: a list of (where, what is wrong). A complete file is
    only compared, since the conversion may have been killed after its end.
    """

    def __init__(self, files, path):
        """Begins or continues a conversion. Raises ProtocolError: it is of other files, or the file of another kind."""
        self._path = path
        self._complete = compact.read_games(path) if is_converted(path) else None
        self.done = self.games = 0
        self.broken = []
        fingerprint = {"files": len(files), "digest": digest_files(files)}
        self._journal = Journal(None if self._complete else path + _JOURNAL, _FORMAT, _VERSION, fingerprint=fingerprint,
                                read=self._read)
        try:
            self._writer = compact.GamesWriter(path)
        except MahjongError:
            self._journal.close()
            raise

    def __exit__(self, *details):
        self._writer.close()
        self._journal.close()

    def add(self, done):
        """Writes the Done of the next task. Raises ProtocolError: a complete file has other games."""
        begin = self.games
        self._count(len(done.games.heads), done.broken)
        if self._complete:
            self._check(len(self._complete.heads) >= self.games and all(map(
                np.array_equal, compact.take_games(self._complete, np.arange(begin, self.games)), done.games)))
            return
        # Games are written before their line: an interrupted run may have written the games of this task.
        if self._writer.game_count < self.games:
            self._writer.write(done.games)
        if self._writer.game_count != self.games:
            raise ProtocolError("expected %d games, as the journal says, got %d in %s"
                                % (self.games, self._writer.game_count, self._path))
        self._journal.append({"games": len(done.games.heads), "broken": done.broken})

    def _read(self, entry, where):
        try:
            self._count(entry["games"], [(place, error) for place, error in entry["broken"]])
        except (LookupError, TypeError, ValueError):
            raise ProtocolError("expected the games and the broken records of a task, got %.80r %s"
                                % (entry, where)) from None

    def _count(self, games, broken):
        self.done += 1
        self.games += games
        self.broken += broken

    def finish(self):
        """Removes the journal: the file is complete. Raises ProtocolError: a complete file has more games."""
        if self._complete:
            self._check(len(self._complete.heads) == self.games)
            return
        self._journal.close()
        os.remove(self._path + _JOURNAL)

    def _check(self, is_same):
        if not is_same:
            raise ProtocolError("expected a file that is not there yet, or one of the same games, got %r" % self._path)
