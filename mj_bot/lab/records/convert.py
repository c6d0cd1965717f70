"""Checks games from any source in parallel by the rules, and writes the legal ones.

The same call continues an interrupted conversion into the compact form, a folder with a file for each finished task.
"""

import contextlib
import hashlib
import os
import sys
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import NamedTuple

from ...mahjong.errors import MahjongError, ProtocolError
from ..run.command import GOES_ON, check_fan_counter
from ..run.files import open_whole, write_whole
from ..run.progress import Progress
from ..run.run_folder import RunFolder
from ..run.workers import run_in_order
from ..words import say
from . import compact
from .follow import check_game
from .formats import format_game
from .source import cut_games, parse_raw

# Games a task checks.
_TASK = 256
_GZIP_SIZE = 4  # bytes at the end of a .gz with the size of the text

BROKEN_FILE = "broken.txt"


class Done(NamedTuple):
    """The result of a task."""

    games: compact.Games  # the legal ones
    broken: list  # of (where, what is wrong)
    texts: list  # of the games, in the requested form
    size: int | None  # bytes of text of the files read so far; None where an earlier call has done the task


def check_files(files: list[str], workers: int = 1, form: str | None = None, *, skip: int = 0) -> Iterator[Done]:
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


def measure_file(path: str) -> int:
    """Bytes of a file, or of a folder of games; 0 for a broken link, whose reading fails later."""
    if os.path.isdir(path):
        return compact.measure_folder(path)
    return os.path.getsize(path) if os.path.exists(path) else 0


def measure_text(path: str) -> int:
    """Bytes of a file's text; for a .gz the number that is stored at its end, for a .zip those of its index."""
    if path.lower().endswith(".zip") and os.path.isfile(path):
        with contextlib.suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
            return sum(member.file_size for member in archive.infolist())
    if path.endswith(".gz") and os.path.isfile(path):  # a pipe can be read only once
        with contextlib.suppress(OSError), open(path, "rb") as file:
            file.seek(-_GZIP_SIZE, os.SEEK_END)
            return int.from_bytes(file.read(), "little")
    return measure_file(path)


def digest_files(files: list[str]) -> str:
    """A digest (text) of the names and sizes of files."""
    digest = hashlib.sha256()
    for name in files:
        digest.update(os.fsencode(name) + b"\0%d\0" % measure_file(name))
    return digest.hexdigest()


def describe_conversion(files: list[str]) -> dict:
    """The settings of the run that converts these files, a dict for JSON."""
    return {"kind": "records", "files": len(files), "digest": digest_files(files)}


def convert_files(files: list[str], run: RunFolder, workers: int = 1, *, show: Callable) -> tuple[int, list]:
    """Writes the legal games of files into a run_folder.RunFolder, and what is wrong with the others into BROKEN_FILE.

    Parts that are there are not made again. workers: processes. show: function(Done) for each task, whose size is None
    where its part was there.
    Returns (number of games, list of (where, what is wrong)).
    """
    count, broken, done = 0, [], 0

    def add(task):
        nonlocal count
        count += len(task.games.heads)
        broken.extend(task.broken)
        show(task)

    while run.has(compact.name_part(done)):
        games, errors = compact.read_part(run.path / compact.name_part(done))
        add(Done(games, errors, [], None))
        done += 1
    if run.facts.get(compact.PARTS_FACT) != done:
        for task in check_files(files, workers, skip=done):
            compact.write_part(run, done, task.games, task.broken)
            add(task)
            done += 1
        write_whole(run.path / BROKEN_FILE, "".join("%s: %s\n" % item for item in broken))
        run.note(**{compact.PARTS_FACT: done})
    return count, broken


def _check_same(path, is_same):
    if not is_same:
        raise ProtocolError("expected a file that is not there yet, or one of the same games, got %r" % path)


class FilesProgress(Progress):
    """A bar over the text of the files; prints each broken game. hint: what Ctrl-C does."""

    def __init__(self, files, *, hint=GOES_ON):
        super().__init__(sum(map(measure_text, files)), " bytes", name="records", hint=hint, unit_scale=True)
        self.games = self.broken = 0

    def show(self, done: Done) -> None:
        """Counts the games of a Done."""
        self.games += len(done.games.heads)
        self.broken += len(done.broken)
        if done.size is None:  # of an earlier call
            return
        for where, what in done.broken:
            self.write("%s: %s" % (where, say(what)), file=sys.stderr)
        self.set_postfix_str(say("%d games, %d broken" % (self.games, self.broken)), refresh=False)
        self.update(done.size - self.n)


def check_all(files: list[str], workers: int) -> tuple[int, int]:
    """Checks all games of files, and shows the broken ones: (number of legal games, number of the others)."""
    with FilesProgress(files, hint="nothing is kept") as progress:
        for done in check_files(files, workers):
            progress.show(done)
    return progress.games, progress.broken


def convert_all(files: list[str], output: str, workers: int) -> tuple[int, int]:
    """Writes the legal games of files in the compact form: (number of them, number of the others).

    output: path of a folder, in which BROKEN_FILE says what is wrong with the others.
    """
    with RunFolder(output, compact.GAMES_KIND, compact.GAMES_VERSION, settings=describe_conversion(files)) as run:
        with FilesProgress(files) as progress:
            games, broken = convert_files(files, run, workers, show=progress.show)
    return games, len(broken)


def write_texts(files: list[str], output: str, form: str, *, workers: int) -> tuple[int, int]:
    """Writes the legal games of files as text: (number of them, number of the others).

    A file that is there must be this text, of a command that was killed after its end.
    """
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
    return progress.games, progress.broken
