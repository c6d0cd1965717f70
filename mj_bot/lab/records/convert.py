"""Checks games from any source by the rules, in parallel, and writes the legal ones.

A conversion into the compact form writes a folder with a file for each finished task. The same call continues a
conversion that was interrupted.
"""

import hashlib
import marshal
import os
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ...mahjong.errors import MahjongError, ProtocolError
from ..run.command import GOES_ON
from ..run.files import open_whole, write_whole
from ..run.progress import Progress
from ..run.run_folder import RunFolder
from ..run.workers import run_in_order
from ..words import say
from . import compact
from .cutting import cut_games
from .follow import check_game
from .formats import format_game
from .source import parse_raw

_TASK = 256  # most games per task
_TASK_TEXT = 1 << 27  # A task with this many characters takes no more games; one game may have a million.

BROKEN_FILE = "broken.txt"


class CheckedTask(NamedTuple):
    """Keeps the result of a task."""

    games: compact.Games  # legal games of the task
    broken: list  # (where, what is wrong) of each other game
    texts: list  # text of each legal game in the requested format; empty if none was requested
    size: int | None  # bytes of the files read so far; None if an earlier call has done the task


def check_files(files: list[str], workers: int = 1, form: str | None = None, *, skip: int = 0) -> Iterator[CheckedTask]:
    """Yields the result of each task from number `skip` on, in order. A task checks at most 256 games.

    files: of source.list_files. form: name of a format into whose text each game is converted, or None.
    """
    return run_in_order(partial(_check_games, form), islice(_cut_tasks(files), skip, None), workers)


def _check_games(form, raws, size):
    """Returns the CheckedTask of a task, which consists of `raws`. size: bytes of the files read so far."""
    games, broken, texts = [], [], []
    for raw in raws:
        try:
            game = parse_raw(raw._replace(content=marshal.loads(raw.content)) if raw.form else raw)
            check_game(game)
            if form is not None:
                texts.append(format_game(form, game))
            games.append(game)
        except MahjongError as error:
            broken.append((raw.where, str(error)))
    return CheckedTask(compact.pack_games(games), broken, texts, size)


def _cut_tasks(files):
    """Yields (list of RawGame, bytes of the files read so far) for each task."""
    raws, read, waiting = [], 0, 0  # `waiting` counts the characters of the raws.
    for path in files:
        for raw in cut_games(path):
            # The bytes of a JSON value take less memory, and less time on the way to another process.
            raws.append(raw._replace(content=marshal.dumps(raw.content)) if raw.form else raw)
            waiting += raw.size
            if len(raws) == _TASK or waiting >= _TASK_TEXT:
                yield raws, read + raw.position
                raws, waiting = [], 0
        read += count_bytes(path)
    if raws:
        yield raws, read


def count_bytes(path: str) -> int:
    """Returns the bytes of a file or of a folder of games, 0 for a link of the web or a broken one."""
    if os.path.isdir(path):
        return compact.measure_folder(path)
    return os.path.getsize(path) if os.path.exists(path) else 0


def digest_files(files: list[str]) -> str:
    """Returns a digest of the names and sizes of files, a text of hexadecimal digits."""
    digest = hashlib.sha256()
    for name in files:
        digest.update(os.fsencode(name) + b"\0%d\0" % count_bytes(name))
    return digest.hexdigest()


def digest_contents(paths: list[str]) -> str:
    """Returns a digest of the contents of files and of folders of games, a text of hexadecimal digits."""
    digest = hashlib.sha256()
    for path in paths:
        for name in sorted(map(str, Path(path).glob("*.npz"))) if os.path.isdir(path) else [path]:
            if os.path.isfile(name):  # a link of the web is no file
                with open(name, "rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def describe_conversion(files: list[str]) -> dict:
    """Returns the settings of the run that converts these files, as a dict for JSON."""
    return {"kind": "records", "files": len(files), "digest": digest_files(files), "contents": digest_contents(files)}


def complete_conversion(present: dict, former: dict) -> dict:
    """Returns the settings of a former run. An older one gets its missing "contents" from `present`, this run."""
    if "contents" not in present:
        return former
    return {**former, "contents": former.get("contents", present["contents"])}


class _FilesProgress(Progress):
    """Shows a progress bar over the bytes of the files, and prints each broken game."""

    def __init__(self, files, *, hint):
        super().__init__(sum(map(count_bytes, files)), " bytes", name="records", hint=hint, unit_scale=True)
        self.games, self.broken = 0, []

    def show(self, done: CheckedTask) -> None:
        """Counts the games of a task, prints the broken ones and moves the bar."""
        self.games += len(done.games.heads)
        self.broken += done.broken
        if done.size is None:  # an earlier call has printed the broken games of this task
            return
        for where, what in done.broken:
            self.write("%s: %s" % (where, say(what)), file=sys.stderr)
        self.set_postfix_str(say("%d games, %d broken", *self.counts), refresh=False)
        self.update(done.size - self.n)

    @property
    def counts(self) -> tuple[int, int]:
        """Returns (number of legal games, number of the others)."""
        return self.games, len(self.broken)


def check_all(files: list[str], workers: int) -> tuple[int, int]:
    """Checks all games of files and prints the broken ones. Returns (number of legal games, number of the others).

    files: of source.list_files. workers: number of processes.
    """
    with _FilesProgress(files, hint="nothing is kept") as progress:
        for done in check_files(files, workers):
            progress.show(done)
    return progress.counts


def convert_files(files: list[str], run: RunFolder, workers: int) -> tuple[int, int]:
    """Writes the legal games of files into the folder of a run. Returns (number of legal games, number of the others).

    Tasks whose file is there already are not done again. BROKEN_FILE says what is wrong with the other games.
    files: of source.list_files. workers: number of processes.
    """
    done = 0
    with _FilesProgress(files, hint=GOES_ON) as progress:
        while run.has(compact.name_part(done)):
            games, broken = compact.read_part(run.path / compact.name_part(done))
            progress.show(CheckedTask(games, broken, [], None))
            done += 1
        if run.notes.get(compact.PARTS_FACT) != done:
            for task in check_files(files, workers, skip=done):
                compact.write_part(run, done, task.games, broken=task.broken)
                progress.show(task)
                done += 1
            write_whole(run.path / BROKEN_FILE, "".join("%s: %s\n" % item for item in progress.broken))
            run.note(**{compact.PARTS_FACT: done})
    return progress.counts


def convert_all(files: list[str], output: str, workers: int) -> tuple[int, int]:
    """Writes the legal games of files in the compact form, into a folder. Returns what convert_files returns."""
    settings = describe_conversion(files)
    with RunFolder(output, compact.GAMES_KIND, compact.GAMES_VERSION, settings=settings,
                   complete=partial(complete_conversion, settings)) as run:
        return convert_files(files, run, workers)


def write_texts(files: list[str], output: str, form: str, *, workers: int) -> tuple[int, int]:
    """Writes the legal games of files as text. Returns (number of legal games, number of the others).

    A file that is there already must have exactly this text: the command may be given again after it was killed at
    its end, and the file may be the only record of other games.
    files: of source.list_files. output: path of the file. form: name of a format. workers: number of processes.
    Raises ProtocolError: the file `output` is there and has another text.
    """
    is_there = os.path.exists(output)
    refusal = ProtocolError("expected a file that is not there yet, or one of the same games, got %r", output)
    if is_there and not os.path.isfile(output):
        raise refusal
    with _FilesProgress(files, hint="nothing is kept") as progress, \
            open(output, "rb") if is_there else open_whole(output, "wb") as file:
        for done in check_files(files, workers, form):
            text = "".join(done.texts).encode("utf-8", "backslashreplace")
            if not is_there:
                file.write(text)
            elif file.read(len(text)) != text:
                raise refusal
            progress.show(done)
        if is_there and file.read(1):
            raise refusal
    return progress.counts
