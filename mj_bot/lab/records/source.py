"""Reads the games in files, in directories and behind links, in all formats of formats.py, packed or not."""

import os
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...mahjong.errors import MahjongError, ProtocolError
from ..links.links import is_link, list_link_lines, list_links
from ..run.files import read_text
from ..run.run_folder import is_run
from ..table.record import Record, Transcript
from .compact import is_games_folder
from .cutting import STDIN, RawGame, cut_games, is_prose, note_passed, read_head
from .follow import game_from_record, record_from_game
from .formats import FORMATS
from .game_record import Game
from .packed import name_of_game
from .saved_page import PAGE_WORD

_SUFFIXES = (".json", ".jsonl", ".txt", ".log", ".matches", ".zip", ".tar", ".tgz", ".har", ".pmn")  # .gz may follow.
_PAGES, _MOST_PAGE = (".html", ".htm", ".mhtml", ".mht"), 1 << 24


class ReadLimits(NamedTuple):
    """Limits how much is read of one file, so that a small packed file cannot fill the memory."""

    games: int = 1 << 12
    characters: int = 1 << 28
    seconds: float = 300.0  # time of reading only, without the time that the caller takes for each game


# _POSITION is the end of the name of one of several games of a file, such as ":12" or "#2". _IN_ZIP is the end of the
# name of a file in an archive, such as ".zip/a.json".
_POSITION = re.compile(r"(:\d+)?(#\d+)?$")
_IN_ZIP = re.compile(r"(\.(?:zip|tar|tar\.gz|tgz))/[^/]*$", re.IGNORECASE)


class ReadGame(NamedTuple):
    """Keeps one game that was read from a file. Of a broken game it keeps the moves before the error."""

    where: str  # name of the game: "path", or "path:line" or "path#number" if the file has several games
    record: Record | None  # None if the source has only one seat's side, or if nothing can be read
    transcripts: list  # Transcript (requests and responses) of each seat in the source
    error: MahjongError | None  # None if the whole game could be read


def list_files(paths: Iterable[str], may_read_stdin: bool = False) -> list[str]:
    """Returns the links and paths of files that `paths` name, in order.

    A directory stands for all files in it that have a suffix of records. A folder of games in the compact form is
    listed as one path. Files in the folders of other runs are left out.
    may_read_stdin: whether a path may be STDIN.
    Raises ProtocolError: a path does not exist, or a directory has no records.
    """
    files = []
    for path in paths:
        if os.path.isdir(path):
            names = sorted(_walk(path))
            prose = [name for name in names if os.path.isfile(name) and is_prose(name, read_head(name))]
            records = [name for name in names if name not in prose]
            note_passed([os.path.relpath(name, path) for name in prose])
            if not records:
                raise ProtocolError("expected records (%s, or with .gz, or saved pages of matches) in %r, found none",
                                    " ".join(_SUFFIXES), path)
            files += records
        elif os.path.isfile(path) and list_link_lines(read_head(path).decode("utf-8", "replace").lstrip("\ufeff")):
            files += list_link_lines(read_text(path).lstrip("\ufeff"))
        elif os.path.exists(path) or (may_read_stdin and path == STDIN):
            files.append(path)
        elif is_link(path):
            files += list_links(path) or [path]  # A pasted text may contain several links.
        else:
            raise ProtocolError("expected a file, a directory or a link, there is no %r", path)
    return files


def find_file(where: str) -> str:
    """Returns the path or link of the file that contains a game. A path or link of a file is returned unchanged.

    where: "path", or "path:line" or "path#number" of one of several games.

    >>> find_file("no.jsonl:12"), find_file("no.zip/a.json#2"), find_file("no.json")
    ('no.jsonl', 'no.zip', 'no.json')
    """
    path = where if os.path.exists(where) else _POSITION.sub("", where)
    return path if os.path.exists(path) else _IN_ZIP.sub(r"\1", path)


def list_named_files(paths: Iterable[str]) -> list[tuple]:
    """Returns (path or link, None for all of its games or the name of one) for files, directories, links and STDIN.

    Raises ProtocolError: a path does not exist, or a directory has no records.
    """
    return [(file, None if find_file(path) == path else path)
            for path in paths for file in list_files([find_file(path)], may_read_stdin=True)]


def read_named_games(files: Iterable[tuple], limits: "ReadLimits | None" = None) -> Iterator[ReadGame]:
    """Yields the games of files. files: list of (path, game) that list_named_files returned. limits: of each file.

    Raises ProtocolError: a file has no game of that name.
    """
    for path, where in files:
        is_there = False
        for game in read_games(path, limits=limits):
            # A file of one game names no line, but people write one.
            if where in (None, game.where) or where == "%s:1" % game.where:
                is_there = True
                yield game
                if where:
                    break
        if where and not is_there:
            raise ProtocolError("expected a game of %s, got %r: no such game", path, where)


def pick_game(games: Iterable, position: int) -> Any:
    """Returns one of the games. position: its number, 1 first. Raises ProtocolError: there are fewer games."""
    count = 0
    for count, game in enumerate(games, 1):
        if count == position:
            return game
    raise ProtocolError("expected a game 1..%d, got %d", count, position)


def _walk(path):
    """Yields the paths of files with records in a directory, and of folders of games in the compact form."""
    for folder, folders, names in os.walk(path):
        if is_run(folder):
            folders.clear()
            if is_games_folder(folder):
                yield folder
            continue
        for name in names:
            path = os.path.join(folder, name)
            is_file = os.path.isfile(path) or not os.path.exists(path)  # A pipe would wait for its other end.
            if is_file and (name.lower().removesuffix(".gz").endswith(_SUFFIXES) or _is_match_page(path)):
                yield path


def _is_match_page(path):
    """Checks whether a file is a page of a match. A folder may have pages of our own review, too."""
    if not path.lower().endswith(_PAGES) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        # UTF-16 has zeros between the letters, and a page in one file breaks its lines with "=".
        return PAGE_WORD.encode() in re.sub(b"\0|=\r?\n", b"", file.read(_MOST_PAGE))


def parse_raw(raw: RawGame) -> Game:
    """Returns the game of a RawGame.

    Raises MahjongError: the content has no game of all four seats, or breaks off, or its format is unknown.
    """
    game, problem = _parse(raw)
    if problem:
        raise problem
    if isinstance(game, Transcript):
        raise ProtocolError("expected a game of all four seats, got one bot's input in %s", raw.where)
    if isinstance(game, Record):
        game = game_from_record(game)
        game.where = raw.where
    return game


def _parse(raw):
    """Returns (game of a RawGame up to its end or an error, the error or None). It gets the name of its file."""
    game, problem = raw.content, raw.cut
    try:
        if isinstance(game, MahjongError):
            raise game
        game = FORMATS[raw.form].read(raw) if raw.form else game
    except MahjongError as error:
        game, problem = getattr(error, "record", None), raw.cut or error
    if isinstance(game, (Game, Record)):
        game.name = game.name or name_of_game(raw.where)
    if isinstance(game, Game):
        game.where = raw.where
    return game, problem


def read_games(path: str, data: bytes | None = None, shown: str | None = None, *,
               limits: ReadLimits | None = None) -> Iterator[ReadGame]:
    """Yields each game of a file. Reading goes on after a broken game.

    path: path or link of the file. data: bytes of the file, if it is not on disk.
    shown: path to show in the names of games and in errors; None for `path`.
    limits: ReadLimits; None for none. Where they end the reading, the last ReadGame says so in its error.
    """
    raws, count, size, seconds = cut_games(path, data, shown), 0, 0, 0.0
    while True:
        start = time.monotonic()
        raw = next(raws, None)
        if raw is None:
            return
        game = _read_game(raw)
        count, seconds = count + 1, seconds + time.monotonic() - start
        size += raw.size
        if limits and (count > limits.games or size > limits.characters or seconds > limits.seconds):
            reached = ("%d games" % limits.games if count > limits.games else "%d MB" % (limits.characters >> 20)
                       if size > limits.characters else "%g s" % limits.seconds)
            yield ReadGame(raw.path, None, [], ProtocolError(
                "expected a file of at most %s, got more in %s: the rest is left out", reached, raw.path))
            return
        yield game


def _read_game(raw):
    """Returns the ReadGame of a RawGame. It does not raise errors but keeps them."""
    game, error = _parse(raw)
    try:
        if isinstance(game, Game):
            game = record_from_game(game)
        if not (error or (game.steps if isinstance(game, Record) else game.requests)):
            raise ProtocolError("expected a game with moves, got none in %s", raw.where)
    except MahjongError as caught:
        error, game = caught, getattr(caught, "record", None)
    if isinstance(game, Transcript):
        return ReadGame(raw.where, None, [game], error)
    return ReadGame(raw.where, game, game.transcripts() if game else [], error)
