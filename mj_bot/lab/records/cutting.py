"""Makes of the bytes of a file the list of its games: the format, the text and the name of each.

A file may have one game or many: one after another as text, one a line, in JSON of any shape, in a saved page.
"""

import io
import os
import re
import sys
from codecs import BOM_UTF8, getincrementaldecoder
from collections.abc import Iterator
from itertools import chain, islice
from typing import NamedTuple

from ...mahjong.errors import MahjongError, ProtocolError
from ..links.links import fetch_link, is_link
from ..run.files import format_json
from ..run.printable import clean_text
from .compact import read_games_folder, unpack_games
from .formats import FORMATS, RIICHI, continues, detect, is_riichi
from .game_record import Game
from .json_games import LEAST_TEXT, list_json_games, list_values
from .notes import note
from .packed import UNREADABLE, open_members, read_chunks
from .saved_page import is_page, list_page_texts
from .shapes import BLANKS

# {first bytes of a file that has no records: what it is}
_OTHER_FILES = {
    b"\x89PNG": "a picture (PNG)", b"\xff\xd8\xff": "a picture (JPEG)", b"GIF8": "a picture (GIF)",
    b"%PDF-": "a document (PDF)", b"\xd0\xcf\x11\xe0": "an old document of Office", b"SQLite format 3": "a database",
    b"\x00\x00\x00\x18ftyp": "a film", b"\x00\x00\x00 ftyp": "a film", b"\x7fELF": "a program",
    b"Rar!": "an archive (RAR), which must be unpacked", b"7z\xbc\xaf": "an archive (7z), which must be unpacked",
    b"\xfd7zXZ": "an archive (xz), which must be unpacked", b"BZh": "an archive (bzip2), which must be unpacked",
    b"bplist00": "a page as Safari saves it, which must be saved as page source",
    b"MJGAMES\n": "games of version 1.0 (.mjg), which this version does not read"}
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
_RAW_LOG = "_rawLogJSON"
# Most characters of one text, which is a game, a page, or JSON with several games. A game has some hundred thousand.
MOST_TEXT = 1 << 24
# Most values of one text of JSON: 16 MB of "[]," take a minute and a gigabyte. Games have a value in every four or more
# characters, and a game has some ten thousand.
_MOST_VALUES = 1 << 21
# The format of a file shows in one of its first lines. A line that ends with one of _OPEN is the beginning of JSON on
# several lines.
_FIRST_LINES, _OPEN = 8, ("[", "{", ",", ":")


class RawGame(NamedTuple):
    """Keeps the text of one game and says where it stands in its source."""

    path: str  # path of the file, for messages of errors
    line: int  # number of the text's first line in the file; number of the game if `content` is a Game
    where: str  # name of the game: "path", or "path:line" or "path#number" if the file has several games
    content: str | Game | MahjongError  # the text; a Game of the compact form; an error if unreadable
    form: str | None = None  # name of the text's format in FORMATS; None if it is unknown
    cut: MahjongError | None = None  # why the text is cut short; None if it is whole


def cut_games(path: str, data: bytes | None = None, shown: str | None = None) -> Iterator[RawGame]:
    """Yields the text of each game of a file. The last text of a damaged file ends at the damage.

    path: path or link of the file. data: bytes of the file, if it is not on disk.
    shown: path to show in the names of games and in errors; None for `path`.
    """
    shown = "stdin" if path == STDIN else clean_text(shown or path, len(shown or path))
    file = None
    try:
        if data is None and os.path.isdir(path):
            yield from _list_compact(read_games_folder(path), shown)
            return
        if data is None and not os.path.exists(path) and is_link(path):
            data = fetch_link(path)
        if data is not None:
            file = io.BufferedReader(io.BytesIO(data))
        else:
            file = sys.stdin.buffer if path == STDIN else open(path, "rb")
        yield from _cut_members(open_members(file, shown), shown)
    except ProtocolError as error:
        yield RawGame(shown, 1, shown, error)
    except UNREADABLE as error:
        yield RawGame(shown, 1, shown, _describe_failure(error))
    finally:
        if file and path != STDIN:
            file.close()


def _cut_members(members, shown):
    """Yields the text of each game of the files in an archive, without texts such as a README."""
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
    return not (text[:1] in tuple("{[<\"&") or any(
        detect("".join(lines[index:]), None) for index in range(len(lines))) or is_riichi(text))


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


def _list_compact(games, name):
    """Yields each game of a compact.Games as a RawGame."""
    if not len(games.heads):
        raise ProtocolError("expected games, got none in %s", name)
    for position, game in enumerate(unpack_games(games), 1):
        yield RawGame(name, position, "%s:%d" % (name, position), game)


def _cut_member(file, name):
    """Yields the text of each game of an unpacked file. Raises ProtocolError: it is a file of another kind."""
    head = file.peek(_LONGEST_MARK)
    mark = next((mark for mark in _OTHER_FILES if head.startswith(mark)), None)
    if mark:
        raise ProtocolError("expected a game as text, got %s: %s", _OTHER_FILES[mark], name)
    for raw in _cut_lines(name, file):
        yield from _cut_text(raw)


def _cut_lines(path, file):
    """Yields a RawGame for each part of a file of text that begins with the first line of a game."""
    failures = []
    lines = _strip_prefixes(_read_lines(file, failures))
    first, is_huge = [], False
    for line in islice(lines, _FIRST_LINES):
        first.append(line)
        is_huge = _check_size(len(line), _count_values(line)) is not None
        if is_huge:
            break
    if is_riichi("".join(first)):
        yield RawGame(path, 1, path, ProtocolError(RIICHI))
        return
    form = None if is_huge else _detect_lines(first)
    start, game_lines, size, values, is_only = 1, [], 0, 0, True
    for line_number, line in enumerate(chain(first, lines), 1):
        if game_lines and form and form.begins(line) and not form.is_head("".join(game_lines)):
            yield RawGame(path, start, "%s:%d" % (path, start), "".join(game_lines))
            start, game_lines, size, values, is_only = line_number, [], 0, 0, False
        if form and not (game_lines or line.strip()):
            start = line_number + 1
            continue
        game_lines.append(line)
        size += len(line)
        values += _count_values(line)
        if _check_size(size, values):
            failures.append(_check_size(size, values))
            game_lines = []
            break
    if game_lines or failures or not first:
        cut = failures[0] if failures else None
        yield RawGame(path, start, path if is_only else "%s:%d" % (path, start), "".join(game_lines), cut=cut)


def _strip_prefixes(lines):
    """Yields the lines without what stands before their JSON, if the first line with text has such a prefix."""
    has_prefix = None
    for line in lines:
        if has_prefix is None and line.strip():
            has_prefix = _PREFIX.match(line) is not None and _RAW_LOG not in line
        yield _PREFIX.sub("", line, 1) if has_prefix else line


def _count_values(line):
    """Returns how many values of JSON a text has at most, without reading it as JSON."""
    return sum(map(line.count, "[{,"))


def _check_size(size, values):
    """Returns the error of a text that is too large, else None. size: its characters. values: of _count_values."""
    if size > MOST_TEXT:
        return ProtocolError("expected at most %d characters a game, got more", MOST_TEXT)
    return ProtocolError("expected at most %d values a text, got more", _MOST_VALUES) if values > _MOST_VALUES else None


def _detect_lines(lines):
    """Returns the Format of a file by its first lines, or None if it is unknown. A line that tells none is skipped."""
    for index, line in enumerate(lines):
        form = detect("".join(lines[index:]), None) or _detect_json_line(line)
        if form or line.rstrip().endswith(_OPEN):
            return form
    return None


def _detect_json_line(line):
    if line.lstrip(BLANKS)[:1] not in ("{", "["):
        return None
    try:
        (value, text), *_ = list_values(line)[0]
    except ProtocolError:
        return None
    return next((form for form, _ in list_json_games(value, text, _detect_value) if form), None)


def _cut_text(raw):
    """Yields a RawGame for each game of a RawGame that has several."""
    if isinstance(raw.content, MahjongError):
        yield raw
        return
    try:
        pieces = list_page_texts(raw.content) if is_page(raw.content) else [raw.content]
        texts, problems = zip(*(_list_texts(piece) for piece in pieces))
    except ProtocolError as problem:
        yield raw._replace(content=problem)
        return
    texts, error = list(chain.from_iterable(texts)), next(filter(None, problems), None)
    for position, (form, text) in enumerate(texts, 1):
        cut = raw.cut or error if position == len(texts) else None
        where = "%s#%d" % (raw.where, position) if len(texts) > 1 else raw.where
        yield RawGame(raw.path, raw.line, where, text, form, cut)


def _list_texts(text):
    """Returns ([(name of a format or None, text)], error of the last game or None) of a text that may be JSON."""
    form = detect(text, None)
    if form or text.lstrip(BLANKS)[:1] not in ("{", "[", '"'):
        return [(_name(form), text)], None
    try:
        values, problem = list_values(text)
    except ProtocolError:
        return [(None, text)], None
    first = _detect_first(values)
    # The values after a bot's input are requests that came while the bot kept running.
    if len(values) * LEAST_TEXT > len(text) or (first and first.has_more_lines and len(values) > 1):
        return [(_name(first), text)], None
    texts = _join_parts([entry for value, piece in values for entry in _list_value(value, piece)])
    return (texts, problem) if any(form for form, _ in texts) else ([(None, text)], None)


def _detect_first(values):
    """Returns the Format of the first of some values, or of the second if the first is the head of a log."""
    first, second, *_ = [_detect_value(value) for value, _ in values[:2]] + [None, None]
    return second if second and not first and second.is_head(values[0][1]) else first


def _join_parts(texts):
    """Returns (name of a format or None, text) of each game, where several texts may be the parts of one game."""
    joined = []
    for form, text in texts:
        if joined and joined[-1][0] and continues(joined[-1][0], form, text):
            joined[-1][1].append(text)
        elif form and joined and joined[-1][0] is None and FORMATS[form].is_head(joined[-1][1][0]):
            joined[-1] = form, joined[-1][1] + [text]
        else:
            joined.append((form, [text]))
    return [(form, "\n".join(texts)) for form, texts in joined]


def _list_value(value, text):
    """Returns [(name of a format or None, text)] of the games in a JSON value."""
    texts = []
    games = list_json_games(value, text, _detect_value)
    if len(games) > 1 and len(games) * LEAST_TEXT > len(text):
        games = []
    for form, game in games:
        hands = form.split(game) if form else None
        for hand in hands or [game]:
            texts.append((_name(form), text if hand is value else format_json(hand)))
    return texts or [(None, text)]


def _detect_value(value):
    """Returns the Format of a JSON value that is one game; None for other values."""
    return detect("", value) if isinstance(value, (dict, list)) else None


def _name(form):
    return form and form.name


def _read_lines(file, failures):
    """Yields the lines of a file of bytes as texts, by UTF-8 or GB18030, as the first line beyond ASCII tells."""
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
    """Yields the lines of a file of bytes, and the beginning of a damaged line, which readline() would lose."""
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
    return ProtocolError("expected a file that can be read to its end, got %s: %s", type(error).__name__, error)
