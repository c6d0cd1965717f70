"""The command `mj-bot records`: checks games from any source in parallel by the rules, and writes the legal ones.

The same call continues an interrupted conversion into the compact form: a journal next to the file has a line for each
finished task, with its broken games.
"""

import argparse
import contextlib
import hashlib
import os
import sys
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from typing import NamedTuple

import numpy as np

from ...mahjong.errors import MahjongError, ProtocolError
from ..run.command import GOES_ON, check_fan_counter, interruptible, parse_count
from ..run.files import open_whole, write_whole
from ..run.journal import Journal
from ..run.progress import Progress
from ..run.workers import run_in_order
from . import compact
from .follow import check_game
from .formats import COMPACT, FORMATS, HELP, format_game
from .source import cut_games, list_files, parse_raw

# Games a task checks.
_TASK = 128
_GZIP_SIZE = 4  # bytes at the end of a .gz with the size of the text

_FORMAT = "mj_bot conversion journal"
_VERSION = 2
_JOURNAL, _BROKEN = ".journal", ".broken.txt"


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
            _check_same(self._path, len(self._complete.heads) >= self.games and all(map(
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
            _check_same(self._path, len(self._complete.heads) == self.games)
            return
        self._journal.close()
        os.remove(self._path + _JOURNAL)


def _check_same(path, is_same):
    if not is_same:
        raise ProtocolError("expected a file that is not there yet, or one of the same games, got %r" % path)


class FilesProgress(Progress):
    """A bar over the text of the files; prints each broken game. hint: what Ctrl-C does."""

    def __init__(self, files, games=0, broken=0, *, hint=GOES_ON):
        super().__init__(sum(map(measure_text, files)), " bytes", name="records", hint=hint, unit_scale=True)
        self.games, self.broken = games, broken

    def show(self, done):
        """Counts the games of a Done."""
        self.games += len(done.games.heads)
        self.broken += len(done.broken)
        for where, what in done.broken:
            self.write("%s: %s" % (where, what), file=sys.stderr)
        self.set_postfix_str("%d games, %d broken" % (self.games, self.broken), refresh=False)
        self.update(done.size - self.n)


@interruptible("records", "the same command continues a conversion into the compact form")
def main(argv):
    """The command `records`; returns its exit code: 2 where a game is not legal, 130 after an interrupt."""
    parser = argparse.ArgumentParser(
        prog="mj-bot records", epilog=HELP, description="Checks game records, or writes them in another form.")
    actions = parser.add_subparsers(dest="action", required=True)
    check = actions.add_parser(
        "check", help="replay every game by the judge's rules",
        description="Replays every game by the judge's rules: moves, fan, scores. Names the games that break one.")
    convert = actions.add_parser("convert", help="write the legal games in another form",
                                 description="Writes the legal games in another form, and names the others.",
                                 epilog="The same command continues an interrupted conversion into the compact form.")
    convert.add_argument("-o", "--output", required=True, metavar="OUT", help="the file to write")
    writable = sorted(entry.name for entry in FORMATS.values() if entry.format)
    convert.add_argument("--to", choices=[COMPACT] + writable, default=COMPACT, help="the form to write (%(default)s)")
    for action in (check, convert):
        action.add_argument("paths", nargs="+", metavar="PATH", help="files or folders")
        action.add_argument("--workers", type=parse_count, default=1, metavar="N", help="processes (%(default)s)")
    options = parser.parse_args(argv)
    files = list_files(options.paths)
    if options.action == "check":
        return _check(files, options.workers)
    # The folder of the games may be that of the output, which another run would read.
    written = {os.path.realpath(options.output + end) for end in ("", _BROKEN)}
    files = [path for path in files if os.path.realpath(path) not in written]
    if options.to == COMPACT:
        return _convert(files, options.output, options.workers)
    return _write_texts(files, options.output, options.to, workers=options.workers)


def _check(files, workers):
    with FilesProgress(files, hint="nothing is kept") as progress:
        for done in check_files(files, workers):
            progress.show(done)
    print("Games: %d legal, %d not legal" % (progress.games, progress.broken))
    return 2 if progress.broken else 0


def _convert(files, output, workers):
    broken = output + _BROKEN
    with Conversion(files, output) as conversion:
        with FilesProgress(files, conversion.games, len(conversion.broken)) as progress:
            for done in check_files(files, workers, skip=conversion.done):
                conversion.add(done)
                progress.show(done)
        if conversion.broken:
            write_whole(broken, "".join("%s: %s\n" % item for item in conversion.broken))
        conversion.finish()
    print("Games: %d in %s, %.1f bytes each; %d not legal" % (
        conversion.games, output, os.path.getsize(output) / max(1, conversion.games), len(conversion.broken)))
    if conversion.broken:
        print("what is wrong with them: %s" % broken)
    return 2 if conversion.broken else 0


def _write_texts(files, output, form, *, workers):
    """Writes the games as text; a file that is there must be this text, of a command that was killed after its end."""
    is_there = os.path.exists(output)
    _check_same(output, os.path.isfile(output) or not is_there)
    with FilesProgress(files, hint="nothing is kept") as progress, \
            open(output, "rb") if is_there else open_whole(output, "wb") as file:
        for done in check_files(files, workers, form):
            text = "".join(done.texts).encode("utf-8", "backslashreplace")
            if is_there:
                _check_same(output, file.read(len(text)) == text)
            else:
                file.write(text)
            progress.show(done)
        _check_same(output, not (is_there and file.read(1)))
    print("Games: %d in %s; %d not written" % (progress.games, output, progress.broken))
    return 2 if progress.broken else 0
