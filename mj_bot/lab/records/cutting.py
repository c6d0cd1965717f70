"""Makes of the bytes of a file the list of its games: the format, the content and the name of each.

A file may have one game or many: one after another as text, one a line, in JSON of any shape, in a saved page.
"""

import io
import os
import re
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from ...mahjong.errors import MahjongError, ProtocolError
from ..links.links import fetch_link, is_link
from ..run.files import expect_readable, format_json, read_limited
from ..run.printable import clean_text
from .compact import read_games_folder, unpack_games
from .formats import FORMATS, RIICHI, TITLES, detect, is_riichi
from .json_games import find_games
from .notes import note
from .packed import UNREADABLE, describe_failure, open_members, read_chunks
from .record_json import BLANKS
from .saved_page import PAGE_WORD

# {first bytes of a file that has no records: what it is}
_OTHER_FILES = {
    b"\x89PNG": "a picture (PNG)", b"\xff\xd8\xff": "a picture (JPEG)", b"%PDF-": "a document (PDF)",
    b"SQLite format 3": "a database",
    b"Rar!": "an archive (RAR), which must be unpacked", b"7z\xbc\xaf": "an archive (7z), which must be unpacked",
    b"\xfd7zXZ": "an archive (xz), which must be unpacked", b"BZh": "an archive (bzip2), which must be unpacked",
    b"bplist00": "a page as Safari saves it, which must be saved as page source"}
_LONGEST_MARK = 16  # bytes of the longest key of _OTHER_FILES, with some room
# A file next to others is no record if it has a name such as README, or if it is a text in which no game begins. Files
# whose names end so are always read.
_RECORD_ENDS = (".json", ".jsonl", ".matches", ".zip", ".html", ".htm", ".mhtml", ".mht", ".har")
_PROSE_NAME = re.compile(r"(?:^|/)(?:readme|licen[cs]e|说明)[^/]*$")
_HEAD = 1 << 12  # bytes in which a game must begin
STDIN = "-"
# What may stand before the JSON of a line: a number in a list, a sign of a list, a variable of a script.
_PREFIX = re.compile(r"\s*(?:[\[(]?\d{1,7}[\]).:,]*\s+|\d{1,7}[\]).:]\s*|[-*]\s+"
                     r"|(?:(?:var|let|const)\s+)?\w{1,40}\s*=\s*)(?=[\[{])")
# Most characters of one text, which is a game, a page, or JSON with several games. A game has some hundred thousand.
MOST_TEXT = 1 << 24
# Most values of one text of JSON: 16 MB of "[]," take a minute and a gigabyte. Games have a value in every four or more
# characters, and a game has some ten thousand.
_MOST_VALUES = 1 << 21
# The format of a file shows in one of its first lines. A line that ends with one of _OPEN is the beginning of JSON on
# several lines.
_FIRST_LINES, _OPEN = 8, ("[", "{", ",", ":")


class RawGame(NamedTuple):
    """Keeps the content of one game and says where it stands in its source."""

    path: str  # path of the file, for messages of errors
    line: int  # number of the text's first line in the file; number of the game in the compact form
    where: str  # name of the game: "path", or "path:line" or "path#number" if the file has several games
    content: Any  # a text, a JSON value, or a list of the values of one game; a Game; a MahjongError if unreadable
    form: str | None = None  # name of the content's format in FORMATS; None for a Game and an error
    cut: MahjongError | None = None  # why the game is cut short; None if it is whole
    size: int = 0  # characters of its text
    position: int = 0  # bytes of the file that were read up to here


def cut_games(path: str, data: bytes | None = None, shown: str | None = None) -> Iterator[RawGame]:
    """Yields each game of a file. The last game of a damaged file ends at the damage.

    path: path or link of the file. data: bytes of the file, if it is not on disk.
    shown: path to show in the names of games and in errors; None for `path`.
    """
    shown = "stdin" if path == STDIN else clean_text(shown or path, len(shown or path))
    try:
        if data is None and os.path.isdir(path):
            games = read_games_folder(path)
            if not len(games.heads):
                raise ProtocolError("expected games, got none in %s", shown)
            for position, game in enumerate(unpack_games(games), 1):
                yield RawGame(shown, position, "%s:%d" % (shown, position), game)
            return
        if data is None and path == STDIN:
            with expect_readable("a file on stdin that is not too long"):
                data = read_limited(sys.stdin.buffer)
        elif data is None and not os.path.exists(path) and is_link(path):
            data = fetch_link(path)
        with open(path, "rb") if data is None else io.BufferedReader(io.BytesIO(data)) as file:
            for raw in _cut_members(open_members(file, shown), shown):
                yield raw._replace(position=file.tell()) if file.seekable() else raw
    except (ProtocolError, *UNREADABLE) as error:
        yield RawGame(shown, 1, shown, describe_failure(error))


def _cut_members(members, shown):
    """Yields each game of the files in an archive, without texts such as a README."""
    passed, has_games = [], False
    for name, member in members:
        if name != shown and is_prose(name, member.peek(_HEAD)):
            passed.append(name[len(shown) + 1:])
            continue
        has_games = True
        yield from _cut_member(member, name)
    if passed and not has_games:
        raise ProtocolError("expected records in %s, got no game in %s", shown, ", ".join(passed))
    note_passed(passed)


def is_prose(name: str, head: bytes) -> bool:
    """Checks whether a file that was found next to others is no record: a text without a game, or no text.

    name: its name. head: its first bytes.
    """
    name = name.lower()
    if name.removesuffix(".gz").endswith(_RECORD_ENDS) or not head:
        return False
    if _PROSE_NAME.search(name) or head.startswith(tuple(_OTHER_FILES)):
        return True
    lines = list(_read_lines(io.BufferedReader(io.BytesIO(head[:_HEAD])), []))
    text = "".join(lines).lstrip(BLANKS)
    return not (text[:1] in tuple("{[<\"&") or is_riichi(text) or any(
        detect("".join(lines[index:])) for index in range(len(lines))))


def read_head(path: str) -> bytes:
    """Returns the first bytes of a file, unpacked if it is a .gz; b"" where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return next(open_members(file, path))[1].peek(_HEAD) if not path.endswith(".zip") else b""
    except (ProtocolError, *UNREADABLE):
        return b""


def note_passed(names: list[str]) -> None:
    """Tells the names of files that were passed over, in one line; nothing where there are none."""
    if names:
        note("passed over, because no game is in it: %s", ", ".join(names))


def _cut_member(file, name):
    """Yields each game of an unpacked file. Raises ProtocolError: it is a file of another kind."""
    head = file.peek(_LONGEST_MARK)
    mark = next((mark for mark in _OTHER_FILES if head.startswith(mark)), None)
    if mark:
        raise ProtocolError("expected a game as text, got %s: %s", _OTHER_FILES[mark], name)
    games, is_only = [], True  # the games of one text, of which the last may go on in the next text
    for line, text, cut in _cut_texts(file):
        contents, problem = find_games(text)
        for index, (form, content) in enumerate(contents, 1):
            if content is text and not form:
                content = _refuse(text, line, name)
            game = RawGame(name, line, name, [content] if form and FORMATS[form].joins else content, form,
                           (cut or problem) if index == len(contents) else None, len(text) // len(contents))
            joined = games and _join(games[-1], game)
            if joined:
                games[-1] = joined
                continue
            if index == 1 and games:
                yield from _name_games(games, "%s:%d" % (name, games[0].line))
                games, is_only = [], False
            games.append(game)
    yield from _name_games(games, name if is_only else "%s:%d" % (name, games[0].line))


def _join(game, further):
    """Returns a RawGame that goes on with the content of another; None if `further` is no part of the game."""
    form = game.form or further.form
    if not form or not FORMATS[form].joins or further.form not in (form, None):
        return None
    values, more = ([raw.content] if raw.form is None else raw.content for raw in (game, further))
    if not FORMATS[form].joins(values, more[0]):
        return None
    if isinstance(more[0], MahjongError):
        return game._replace(cut=game.cut or more[0])
    # What follows a cut is left out.
    return game if game.cut else game._replace(form=form, content=values + more, cut=further.cut,
                                               size=game.size + further.size)


def _name_games(games, where):
    """Yields the games of a text with their names. where: name of the text."""
    for position, game in enumerate(games, 1):
        content = game.content
        if not game.form and not isinstance(content, MahjongError):
            content = game.cut or _refuse(content, game.line, game.path)
        yield game._replace(where="%s#%d" % (where, position) if len(games) > 1 else where, content=content)


def _refuse(content, line, name):
    """Returns the error of a text or JSON value that is no game. line: number of its first line."""
    text = content if isinstance(content, str) else format_json(content)
    if is_riichi(text):
        return ProtocolError(RIICHI)
    if "\0" in text:
        return ProtocolError("expected a game as text, got %s: %s", "a file that is no text", name)
    if isinstance(content, dict) and isinstance(content.get("log"), dict) and "entries" in content["log"]:
        return ProtocolError("expected a .har into which a browser loaded a match or a record, got one without: let it "
                             "record while the page of the match loads")
    line, shown = next((entry for entry in enumerate(text.split("\n"), line) if entry[1].strip()), (line, ""))
    return ProtocolError("expected a game (%s), got %.80r in line %d", TITLES, shown, line)


def _cut_texts(file):
    """Yields (number of its first line, text, why it is cut short or None) of each game or JSON value of a file."""
    failures = []
    lines = _strip_prefixes(_read_lines(file, failures))
    first = list(islice(lines, _FIRST_LINES))
    if is_riichi("".join(first)):
        yield 1, "", ProtocolError(RIICHI)
        return
    begins = _find_beginning(first)
    start, kept, size, values = 1, [], 0, 0
    for line_number, line in enumerate(chain(first, lines), 1):
        if kept and begins and begins(line):
            yield start, "".join(kept), None
            start, kept, size, values = line_number, [], 0, 0
        if begins and not (kept or line.strip()):
            start = line_number + 1
            continue
        kept.append(line)
        size, values = size + len(line), values + _count_values(line)
        failure = _check_size(size, values)
        if failure:
            failures.append(failure)
            kept = []
            break
    if kept or failures or not first:
        yield start, "".join(kept), failures[0] if failures else None


def _find_beginning(lines):
    """Returns function(line) that tells whether a game of a file begins there, or None. lines: the first of the file.
    """
    for index, line in enumerate(lines):
        form = detect("".join(lines[index:]))
        if form:
            return FORMATS[form].begins
        if line.lstrip(BLANKS)[:1] in ("{", "["):
            games, problem = find_games(line)
            if not problem and any(form for form, _ in games):
                return str.strip
        if line.rstrip().endswith(_OPEN):
            return None
    return None


def _strip_prefixes(lines):
    """Yields the lines without what stands before their JSON, if the first line with text has such a prefix."""
    has_prefix = None
    for line in lines:
        if has_prefix is None and line.strip():
            has_prefix = _PREFIX.match(line) is not None and PAGE_WORD not in line
        yield _PREFIX.sub("", line, 1) if has_prefix else line


def _count_values(line):
    """Returns how many values of JSON a text has at most, without reading it as JSON."""
    return sum(map(line.count, "[{,"))


def _check_size(size, values):
    """Returns the error of a text that is too large, else None. size: its characters. values: of _count_values."""
    if size > MOST_TEXT:
        return ProtocolError("expected at most %d characters a game, got more", MOST_TEXT)
    return ProtocolError("expected at most %d values a text, got more", _MOST_VALUES) if values > _MOST_VALUES else None


def _read_lines(file, failures):
    """Yields the lines of a file, in UTF-8 or GB18030. failures: list to which the error is added that ends them."""
    encoding = None
    for line in _split_lines(file, failures):
        if encoding is None and not line.isascii():
            encoding = "utf-8"
            try:
                # An incremental decoder accepts a file that is cut short inside a character.
                getincrementaldecoder(encoding)().decode(line)
            except UnicodeDecodeError:
                encoding = "gb18030"
        text = line.decode(encoding or "ascii", "replace").removeprefix("\ufeff").replace("\r\n", "\n")
        failure = _check_size(len(text), _count_values(text))
        if failure:
            failures.append(failure)
            return
        yield text


def _split_lines(file, failures):
    """Yields the lines of a file of bytes, and the beginning of a damaged line, which readline() would lose."""
    rest = bytearray()
    try:
        for chunk in read_chunks(file):
            rest += chunk
            if b"\n" in chunk:
                *lines, rest = rest.split(b"\n")
                yield from (line + b"\n" for line in lines)
            if len(rest) > 4 * MOST_TEXT:
                break
    except (ProtocolError, *UNREADABLE) as error:
        failures.append(describe_failure(error))
    if rest:
        yield rest
