"""Reads the games in files, in directories and behind links, in all formats of formats.py, packed or not."""

import io
import os
import re
import sys
import time
from codecs import BOM_UTF8, getincrementaldecoder
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any, NamedTuple

from ...mahjong.errors import MahjongError, ProtocolError
from ..links.links import fetch_link, is_link, list_links
from ..run.run_folder import is_run
from ..table.record import Record, Transcript
from ..words import clean_text
from .compact import is_games_folder, read_games_folder, unpack_games
from .follow import game_from_record, record_from_game
from .formats import MOST_PACKED, MOST_TEXT, RIICHI, Raw, detect_first_line, is_riichi, parse_text, split_text
from .game_record import BrokenGameError, Game
from .mjg import MJG_MAGIC, parse_mjg
from .packed import UNREADABLE, name_of_game, open_members, read_chunks

# {first bytes of a file that has no records: what it is}
_OTHER_FILES = {
    b"\x89PNG": "a picture (PNG)", b"\xff\xd8\xff": "a picture (JPEG)", b"GIF8": "a picture (GIF)",
    b"%PDF-": "a document (PDF)", b"\xd0\xcf\x11\xe0": "an old document of Office", b"SQLite format 3": "a database",
    b"\x00\x00\x00\x18ftyp": "a film", b"\x00\x00\x00 ftyp": "a film", b"\x7fELF": "a program",
    b"Rar!": "an archive (RAR), which must be unpacked", b"7z\xbc\xaf": "an archive (7z), which must be unpacked",
    b"\xfd7zXZ": "an archive (xz), which must be unpacked", b"BZh": "an archive (bzip2), which must be unpacked"}
_LONGEST_MARK = 16  # bytes of the longest key of _OTHER_FILES, with some room
_SUFFIXES = (".json", ".jsonl", ".txt", ".log", ".matches", ".mjg", ".zip")  # Each may have .gz after it.
_PAGES, _PAGE_WORD, _MOST_PAGE = (".html", ".htm"), b"_rawLogJSON", 1 << 24
STDIN = "-"
# The format of a file shows in one of its first lines. A line that ends with one of _OPEN is the beginning of JSON on
# several lines.
_FIRST_LINES, _OPEN = 8, ("[", "{", ",", ":")


class ReadLimits(NamedTuple):
    """Limits how much is read of one file, so that a small packed file cannot fill the memory."""

    games: int = 1 << 12
    characters: int = 1 << 28
    seconds: float = 300.0  # time of reading only, without the time that the caller takes for each game


# _POSITION is the end of the name of one of several games of a file, such as ":12" or "#2". _IN_ZIP is the end of the
# name of a file in an archive, such as ".zip/a.json".
_POSITION = re.compile(r"(:\d+)?(#\d+)?$")
_IN_ZIP = re.compile(r"(\.zip)/[^/]*$", re.IGNORECASE)


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
            records = sorted(_walk(path))
            if not records:
                raise ProtocolError("expected records (%s, or with .gz, or saved pages of matches) in %r, found none"
                                    % (" ".join(_SUFFIXES), path))
            files += records
        elif os.path.exists(path) or (may_read_stdin and path == STDIN):
            files.append(path)
        elif is_link(path):
            files += list_links(path) or [path]  # A pasted text may contain several links.
        else:
            raise ProtocolError("expected a file, a directory or a link, there is no %r" % path)
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
    """Returns (path or link of a file, game) for paths of files, names of games, and stdin.

    paths: each names a file, a directory, a link, STDIN, or one game of a file, such as "games.jsonl:12".
    game: name of the one game that is meant; None for all games of the file.
    Raises ProtocolError: a path does not exist, or a directory has no records.
    """
    return [(file, None if find_file(path) == path else path)
            for path in paths for file in list_files([find_file(path)], may_read_stdin=True)]


def read_named_games(files: Iterable[tuple]) -> Iterator[ReadGame]:
    """Yields the games of files. files: list of (path, game) that list_named_files returned.

    Raises ProtocolError: a file has no game of that name.
    """
    for path, where in files:
        is_there = False
        for game in read_games(path):
            if where in (None, game.where):
                is_there = True
                yield game
                if where:
                    break
        if where and not is_there:
            raise ProtocolError("expected a game of %s, got %r: no such game" % (path, where))


def pick_game(games: Iterable, position: int) -> Any:
    """Returns one of the games. position: its number, 1 first. Raises ProtocolError: there are fewer games."""
    count = 0
    for count, game in enumerate(games, 1):
        if count == position:
            return game
    raise ProtocolError("expected a game 1..%d, got %d" % (count, position))


def _walk(path):
    """Yields the paths of files with records in a directory, and of folders of games in the compact form."""
    for folder, folders, names in os.walk(path):
        if is_run(folder):
            folders.clear()
            if is_games_folder(folder):
                yield folder
            continue
        yield from (os.path.join(folder, name) for name in names
                    if name.lower().removesuffix(".gz").endswith(_SUFFIXES)
                    or _is_match_page(os.path.join(folder, name)))


def _is_match_page(path):
    """Checks whether a file is a page of a match.

    A folder may have other pages too, for example those of our own review.
    """
    if not path.lower().endswith(_PAGES) or not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return _PAGE_WORD in file.read(_MOST_PAGE).replace(b"\0", b"")


def cut_games(path: str, data: bytes | None = None, shown: str | None = None) -> Iterator[Raw]:
    """Yields the text of each game of a file. The last text of a damaged file ends at the damage.

    path: path or link of the file. data: bytes of the file, if it is not on disk.
    shown: path to show in the names of games and in errors; None for `path`.
    """
    shown = "stdin" if path == STDIN else clean_text(shown or path, len(shown or path))
    file = None
    try:
        if data is None and os.path.isdir(path):
            yield from _list_games(read_games_folder(path), shown)
            return
        if data is None and not os.path.exists(path) and is_link(path):
            data = fetch_link(path)
        if data is not None:
            file = io.BufferedReader(io.BytesIO(data))
        else:
            file = sys.stdin.buffer if path == STDIN else open(path, "rb")
        for name, member in open_members(file, shown):
            yield from _cut_member(member, name, is_packed=member is not file)
    except ProtocolError as error:
        yield Raw(shown, 1, shown, error)
    except UNREADABLE as error:
        yield Raw(shown, 1, shown, _describe_failure(error))
    finally:
        if file and path != STDIN:
            file.close()


def _list_games(games, name):
    """Yields each game of a compact.Games as a Raw."""
    if not len(games.heads):
        raise ProtocolError("expected games, got none in %s" % name)
    for position, game in enumerate(unpack_games(games), 1):
        yield Raw(name, position, "%s:%d" % (name, position), game)


def _cut_member(file, name, is_packed):
    """Yields the text of each game of an unpacked file.

    is_packed: whether the file came out of an archive.
    Raises ProtocolError: it is a file of another kind, or too long. Any error of UNREADABLE: the file is damaged.
    """
    head = file.peek(_LONGEST_MARK)
    mark = next((mark for mark in _OTHER_FILES if head.startswith(mark)), None)
    if mark:
        raise ProtocolError("expected a game as text, got %s: %s" % (_OTHER_FILES[mark], name))
    if not head.startswith(MJG_MAGIC):
        for raw in _cut_text(name, file):
            yield from _split(raw)
        return
    data = file.read(MOST_PACKED + 1 if is_packed else -1)
    if is_packed and len(data) > MOST_PACKED:
        raise ProtocolError("expected games of at most %d bytes in a packed file, got more in %s: unpack it" % (
            MOST_PACKED, name))
    yield from _list_games(parse_mjg(data, name), name)


def _cut_text(path, file):
    """Yields a Raw for each game of a file of text, where a line begins each game."""
    failures = []
    lines = _read_lines(file, failures)
    first = []
    for line in islice(lines, _FIRST_LINES):
        first.append(line)
        if len(line) > MOST_TEXT:
            break
    if is_riichi("".join(first)):
        yield Raw(path, 1, path, ProtocolError(RIICHI))
        return
    form = _detect_lines(first)
    start, game_lines, size, is_only = 1, [], 0, True
    for line_number, line in enumerate(chain(first, lines), 1):
        if game_lines and form and form.begins(line):
            yield Raw(path, start, "%s:%d" % (path, start), "".join(game_lines))
            start, game_lines, size, is_only = line_number, [], 0, False
        if form and not (game_lines or line.strip()):
            start = line_number + 1
            continue
        game_lines.append(line)
        size += len(line)
        if size > MOST_TEXT:
            failures.append(ProtocolError("expected at most %d characters a game, got more" % MOST_TEXT))
            game_lines = []
            break
    if game_lines or failures or not first:
        yield Raw(path, start, path if is_only else "%s:%d" % (path, start), "".join(game_lines), *failures[:1])


def _detect_lines(lines):
    """Returns the Format of a file by its first lines, or None if it is unknown. A line that tells none is skipped."""
    for index, line in enumerate(lines):
        form = detect_first_line("".join(lines[index:]), line)
        if form or line.rstrip().endswith(_OPEN):
            return form
    return None


def _split(raw):
    """Yields a Raw for each game of a Raw that has several."""
    if isinstance(raw.content, MahjongError):
        yield raw
        return
    try:
        texts, error = split_text(raw.content)
    except ProtocolError as problem:
        yield raw._replace(content=problem)
        return
    if len(texts) == 1 and error is None:
        yield raw._replace(content=texts[0])
        return
    for position, text in enumerate(texts, 1):
        cut = raw.cut or error if position == len(texts) else None
        where = "%s#%d" % (raw.where, position) if len(texts) > 1 else raw.where
        yield Raw(raw.path, raw.line, where, text, cut)


def _read_lines(file, failures):
    """Yields the lines of a file of bytes as texts.

    failures: list to which an error that ends the reading is appended.
    The first line that is not ASCII tells the encoding, UTF-8 or GB18030. Bytes that are invalid in it become U+FFFD.
    """
    encoding = None
    for line in _split_lines(file, failures):
        if encoding is None and not line.isascii():
            line, encoding = line.removeprefix(BOM_UTF8), "utf-8"
            try:
                # An incremental decoder accepts a file that is cut short inside a character.
                getincrementaldecoder(encoding)().decode(line)
            except UnicodeDecodeError:
                encoding = "gb18030"
        yield line.decode(encoding or "ascii", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def _split_lines(file, failures):
    """Yields the lines of a file of bytes, and also the beginning of a damaged line, which readline() would lose.

    failures: list to which an error that ends the reading is appended.
    """
    pieces, size = [], 0  # The pieces of a line are joined at its end, because every join copies them.
    try:
        for chunk in read_chunks(file):
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                yield b"".join([*pieces, line, b"\n"])
                pieces, size = [], 0
            pieces.append(rest)
            size += len(rest)
            if size > 4 * MOST_TEXT:
                break
    except ProtocolError as error:
        failures.append(error)
    except UNREADABLE as error:
        failures.append(_describe_failure(error))
    if size:
        yield b"".join(pieces)


def _describe_failure(error):
    return ProtocolError("expected a file that can be read to its end, got %s: %s" % (type(error).__name__, error))


def parse_raw(raw: Raw) -> Game:
    """Returns the game in a text. raw: the text and its place in the source.

    Raises MahjongError: the text has no game of all four seats, or its format is unknown.
    """
    game = _parse(raw)
    if isinstance(game, Transcript):
        raise ProtocolError("expected a game of all four seats, got one bot's input in %s" % raw.where)
    if isinstance(game, Record):
        game = game_from_record(game)
        game.where = raw.where
    return game


def _parse(raw):
    """Returns the game in a text as a Game, as a Record, or as the Transcript of one seat.

    A game without a name gets the name of its file.
    """
    try:
        game = _parse_nameless(raw)
    except BrokenGameError as error:
        if isinstance(error.record, Record):
            error.record.name = error.record.name or name_of_game(raw.where)
        raise
    if isinstance(game, Record):
        game.name = game.name or name_of_game(raw.where)
    elif isinstance(game, Game):
        game = replace(game, name=game.name or name_of_game(raw.where), where=raw.where)
    return game


def _parse_nameless(raw):
    """Returns the game in a text, without a name if the text does not name it."""
    if isinstance(raw.content, MahjongError):
        raise raw.content
    if isinstance(raw.content, Game):
        return raw.content
    if raw.cut is None:
        return parse_text(raw)
    try:
        game = parse_text(raw)
    except MahjongError as error:  # This error follows from the cut, which is raised below.
        game = getattr(error, "record", None)
    if isinstance(game, Game):
        game = record_from_game(game)
    raise BrokenGameError(str(raw.cut), game) from raw.cut


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
        size += len(raw.content) if isinstance(raw.content, str) else 0
        if limits and (count > limits.games or size > limits.characters or seconds > limits.seconds):
            reached = ("%d games" % limits.games if count > limits.games else "%d MB" % (limits.characters >> 20)
                       if size > limits.characters else "%g s" % limits.seconds)
            yield ReadGame(raw.path, None, [], ProtocolError(
                "expected a file of at most %s, got more in %s: the rest is left out" % (reached, raw.path)))
            return
        yield game


def _read_game(raw):
    """Returns the ReadGame of a Raw. It does not raise errors but keeps them."""
    error = None
    try:
        game = _parse(raw)
        if isinstance(game, Game):
            game = record_from_game(game)
        if isinstance(game, Record) and not game.steps:
            raise ProtocolError("expected a game with moves, got none in %s" % raw.where)
    except MahjongError as caught:
        error, game = caught, getattr(caught, "record", None)
    if isinstance(game, Transcript):
        return ReadGame(raw.where, None, [game], error)
    return ReadGame(raw.where, game, game.transcripts() if game else [], error)
