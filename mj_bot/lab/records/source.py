"""Reads the games in files, directories and behind links, of all forms of formats.py, packed as .gz or not."""

import gzip
import io
import os
import sys
import zlib
from codecs import BOM_UTF8, getincrementaldecoder
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, Union

from ...mahjong.errors import MahjongError, ProtocolError
from ..links.links import fetch_link, is_link
from ..run.run_folder import is_run
from ..table.record import Record, Transcript
from .compact import is_games_folder, unpack_games
from .compact import read_games as read_games_folder
from .follow import game_from_record, record_from_game
from .formats import MOST_PACKED, MOST_TEXT, detect_format, parse_text, split_text
from .game import BrokenGameError, Game
from .mjg import MJG_MAGIC, parse_mjg
from .shapes import clean_text

_SUFFIXES = (".json", ".jsonl", ".txt", ".log", ".mjg")  # each also with .gz
STDIN = "-"
_CHUNK = 1 << 16
# Lines by which the form of a file is known; JSON of several lines has such an end in the first.
_FIRST_LINES, _OPEN = 8, ("[", "{", ",", ":")
_GZIP = b"\x1f\x8b"
_UNREADABLE = (OSError, EOFError, zlib.error)


class Raw(NamedTuple):
    """The text of a game in its source."""

    path: str  # for errors
    line: int  # the first one
    where: str  # "path", or "path:line" of one of several
    content: Union[str, Game, MahjongError]  # a Game of the compact form; an error where nothing can be read
    cut: Union[MahjongError, None] = None  # why the text ends here, if it is cut short


def list_files(paths, may_read_stdin=False):
    """Links and paths of the files in `paths`, in order; of a directory those with a suffix of records.

    A folder of games in the compact form is one of them; files in the folders of other runs are none.

    may_read_stdin: whether STDIN is allowed.
    Raises ProtocolError: a path that does not exist, or a directory without records.
    """
    files = []
    for path in paths:
        if os.path.isdir(path):
            found = sorted(_walk(path))
            if not found:
                raise ProtocolError("expected records (%s, or with .gz) in %r, found none" % (
                    " ".join(_SUFFIXES), path))
            files += found
        elif os.path.exists(path) or is_link(path) or (may_read_stdin and path == STDIN):
            files.append(path)
        else:
            raise ProtocolError("expected a file, a directory or a link, there is no %r" % path)
    return files


def _walk(path):
    for folder, folders, names in os.walk(path):
        if is_run(folder):
            folders.clear()
            if is_games_folder(folder):
                yield folder
            continue
        yield from (os.path.join(folder, name) for name in names
                    if name.lower().removesuffix(".gz").endswith(_SUFFIXES))


def cut_games(path, data=None, shown=None):
    """Yields the Raw of each game of a file; the last one of a damaged file ends at the damage.

    path: also a link. data: bytes of the file, if it is not on disk. shown: the path for names and errors, if it is
    another.
    """
    shown = "stdin" if path == STDIN else clean_text(shown or path, len(path))
    file = None
    try:
        if data is None and os.path.isdir(path):
            yield from _list_games(read_games_folder(path), shown)
            return
        if data is None and is_link(path):
            data = fetch_link(path)
        if data is not None:
            file = io.BufferedReader(io.BytesIO(data))
        else:
            file = sys.stdin.buffer if path == STDIN else open(path, "rb")
        is_packed = file.peek(len(_GZIP))[:len(_GZIP)] == _GZIP
        if is_packed:
            file = gzip.GzipFile(fileobj=file)
        if file.peek(len(MJG_MAGIC)).startswith(MJG_MAGIC):
            data = file.read(MOST_PACKED + 1 if is_packed else -1)
            if is_packed and len(data) > MOST_PACKED:
                raise ProtocolError("expected games of at most %d bytes in a .gz, got more in %s: unpack it" % (
                    MOST_PACKED, shown))
            yield from _list_games(parse_mjg(data, shown), shown)
            return
        for raw in _cut_text(shown, file):
            yield from _split(raw)
    except ProtocolError as error:
        yield Raw(shown, 1, shown, error)
    except _UNREADABLE as error:
        yield Raw(shown, 1, shown, _describe_failure(error))
    finally:
        if file and path != STDIN:
            file.close()


def _list_games(games, shown):
    """Yields the Raw of each of compact.Games."""
    if not len(games.heads):
        raise ProtocolError("expected games, got none in %s" % shown)
    for number, game in enumerate(unpack_games(games, shown), 1):
        yield Raw(shown, number, "%s:%d" % (shown, number), game)


def _cut_text(path, file):
    failures = []
    lines = _read_lines(file, failures)
    first = []
    for line in islice(lines, _FIRST_LINES):
        first.append(line)
        if len(line) > MOST_TEXT:
            break
    found = _detect_lines(first)
    is_one = found is None or found.begins is None
    start, parts, size = 1, [], 0
    for number, line in enumerate(chain(first, lines), 1):
        if parts and not is_one and found.begins(line):
            yield Raw(path, start, "%s:%d" % (path, start), "".join(parts))
            start, parts, size = number, [], 0
        if not (parts or is_one or line.strip()):
            start = number + 1
            continue
        parts.append(line)
        size += len(line)
        if size > MOST_TEXT:
            failures.append(ProtocolError("expected at most %d characters a game, got more" % MOST_TEXT))
            parts = []
            break
    if parts or failures or not first:
        yield Raw(path, start, path if is_one else "%s:%d" % (path, start), "".join(parts), *failures[:1])


def _detect_lines(lines):
    """The Format of a file by its first lines, which may be broken; None: unknown."""
    for at, line in enumerate(lines):
        found = detect_format("".join(lines[at:]), line)
        if found or line.rstrip().endswith(_OPEN):
            return found
    return None


def _split(raw):
    """Yields a Raw for each game of a Raw with several."""
    texts, error = split_text(raw.content)
    if len(texts) == 1 and error is None:
        yield raw._replace(content=texts[0])
        return
    for number, text in enumerate(texts, 1):
        cut = raw.cut or error if number == len(texts) else None
        yield Raw(raw.path, raw.line, "%s#%d" % (raw.where, number), text, cut)


def _read_lines(file, failures):
    """Yields the lines of a file of bytes as texts; appends the error that ends the reading to `failures`.

    The first line that is not ASCII tells the encoding, UTF-8 or GB18030. Bytes that are neither become U+FFFD.
    """
    encoding = None
    for line in _split_lines(file, failures):
        if encoding is None and not line.isascii():
            line, encoding = line.removeprefix(BOM_UTF8), "utf-8"
            try:
                getincrementaldecoder(encoding)().decode(line)  # a file that is cut short may end inside a character
            except UnicodeDecodeError:
                encoding = "gb18030"
        yield line.decode(encoding or "ascii", "replace").replace("\r\n", "\n")


def _split_lines(file, failures):
    """Yields the lines of a file of bytes, also the beginning of a damaged line, which readline() would lose."""
    parts, size = [], 0  # of a line; joined at its end, as every join copies it
    try:
        for chunk in iter(partial(file.read1, _CHUNK), b""):
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                yield b"".join([*parts, line, b"\n"])
                parts, size = [], 0
            parts.append(rest)
            size += len(rest)
            if size > 4 * MOST_TEXT:
                break
    except _UNREADABLE as error:
        failures.append(_describe_failure(error))
    if size:
        yield b"".join(parts)


def _describe_failure(error):
    return ProtocolError("expected a file that can be read to its end, got %s: %s" % (type(error).__name__, error))


def parse_raw(raw):
    """The Game of a Raw. Raises MahjongError: no game of all four seats, or a text of no known form."""
    game = _parse(raw)
    if isinstance(game, Transcript):
        raise ProtocolError("expected a game of all four seats, got one bot's input in %s" % raw.where)
    if isinstance(game, Record):
        game = game_from_record(game)
        game.where = raw.where
    return game


def _parse(raw):
    if isinstance(raw.content, MahjongError):
        raise raw.content
    if isinstance(raw.content, Game):
        return raw.content
    if raw.cut is None:
        return parse_text(raw)
    try:
        game = parse_text(raw)
    except MahjongError as error:  # the cut says why
        game = getattr(error, "record", None)
    if isinstance(game, Game):
        game = record_from_game(game)
    raise BrokenGameError(str(raw.cut), game) from raw.cut


class ReadGame(NamedTuple):
    """A game of a file; of a broken one the part before the error."""

    where: str  # "path", or "path:line" of one of several
    record: Union[Record, None]  # None where the source has one seat's side only, or nothing can be read
    transcripts: list  # a table.record.Transcript of each seat in the source
    error: Union[MahjongError, None]


def read_games(path, data=None, shown=None):
    """Yields a ReadGame for each game of a file, also after a broken one. data, shown: as of cut_games."""
    for raw in cut_games(path, data, shown):
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
            yield ReadGame(raw.where, None, [game], error)
        else:
            yield ReadGame(raw.where, game, game.transcripts() if game else [], error)
