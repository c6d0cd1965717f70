"""Lists the text formats of game records. To add one, write a file and a line in FORMATS.

The compact form (compact.py) is the only form of arrays. Games of every text format can be converted into it.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from ...mahjong.errors import MahjongError, ProtocolError
from ..run.files import format_json
from ..table.record import Record, Transcript
from .bot_input import is_simplified, parse_json_input, parse_simplified
from .botzone_log import format_log, format_match, is_log, parse_log
from .follow import record_from_game
from .game_record import SHARED_WALL, Game
from .golden import format_golden, parse_golden
from .json_games import LEAST_TEXT, list_games, list_values
from .platforms.lianzhong import is_lianzhong, parse_lianzhong
from .official import begins_match, format_official, parse_official
from .packed import name_of_file
from .platforms.salasasa import parse_salasasa, split_rounds
from .platforms.tziakcha import is_tziakcha, parse_tziakcha, split_session
from .platforms.write import format_salasasa, format_tziakcha
from .saved_page import is_page, list_page_texts
from .shapes import BLANKS, close_json, parse_json

COMPACT = "compact"


class Raw(NamedTuple):
    """Keeps the text of one game and says where it stands in its source."""

    path: str  # path of the file, for messages of errors
    line: int  # number of the text's first line in the file; number of the game if `content` is a Game
    where: str  # name of the game: "path", or "path:line" or "path#number" if the file has several games
    content: str | Game | MahjongError  # the text; a Game of a compact or .mjg file; an error if unreadable
    cut: MahjongError | None = None  # why the text is cut short; None if it is whole


class Format(object):
    """Describes one format of records.

    A subclass defines `recognises` and `read`. Other code uses only its instance in FORMATS.
    name: the name that the option --to takes. title: words for --help.
    write: method(Game) that returns the text of a game in a file; None if the format is only read.
    """

    name = title = ""
    write = None

    def recognises(self, text: str, value: Any) -> bool:
        """Checks whether the text of a game is in this format.

        value: the JSON value in the text, None where it has none.
        """
        raise NotImplementedError

    def read(self, raw: Raw) -> Game | Record | Transcript:
        """Returns the game in a text as a Game, as a Record, or as the Transcript of one seat.

        raw: the text and its place in the source.
        Raises MahjongError: the text has an error, or it contains no game.
        """
        raise NotImplementedError

    def begins(self, line: str) -> bool:
        """Checks whether a line begins another game of a file. By default a file has one game."""
        return False

    def split(self, value: Any) -> list | None:
        """Returns a list with the JSON value of each game in a JSON value; None if the value is one game."""
        return None


class JsonFormat(Format):
    """Describes a format in which a game is a JSON object on one line or more.

    key: a key that only objects of this format have.
    """

    key = ""

    def recognises(self, text: str, value: Any) -> bool:
        return isinstance(value, dict) and self.key in value

    def begins(self, line: str) -> bool:
        # The lines after a bot's input are requests that came while the bot kept running.
        return bool(line.strip()) and not line.startswith('"')


class _Official(Format):
    name, title = "official", "the organisers' text"

    def recognises(self, text: str, value: Any) -> bool:
        return begins_match(text)

    def begins(self, line: str) -> bool:
        return begins_match(line)

    def read(self, raw: Raw) -> Game:
        return parse_official(raw.content, raw.line, raw.path)

    def write(self, game: Game) -> str:
        return format_official(game) + "\n"


class _Lianzhong(Format):
    name, title = "lianzhong", "the Lianzhong platform's text"

    def recognises(self, text: str, value: Any) -> bool:
        return is_lianzhong(text)

    def read(self, raw: Raw) -> Game:
        return parse_lianzhong(raw.content, raw.path)


class _Input(JsonFormat):
    name, title, key = "input", "a bot's JSON input", "requests"

    def read(self, raw: Raw) -> Transcript:
        return parse_json_input(raw.content)


class _Simplified(Format):
    name, title = "simplified", "a bot's simplified input"

    def recognises(self, text: str, value: Any) -> bool:
        return is_simplified(text)

    def read(self, raw: Raw) -> Transcript:
        return parse_simplified(raw.content)


class _Golden(JsonFormat):
    name, title, key = "golden", "games of the recorded judge", "steps"

    def read(self, raw: Raw) -> Record:
        return parse_golden(raw.content)

    def write(self, game: Game) -> str:
        return format_golden(record_from_game(game))


class _Tziakcha(JsonFormat):
    name, title = "tziakcha", "records of 雀渣"
    write, split = staticmethod(format_tziakcha), staticmethod(split_session)

    def recognises(self, text: str, value: Any) -> bool:
        return is_tziakcha(value)

    def read(self, raw: Raw) -> Game:
        return parse_tziakcha(raw.content, raw.where)


class _Salasasa(JsonFormat):
    name, title, key = "salasasa", "records of salasasa", "game_round"
    write, split = staticmethod(format_salasasa), staticmethod(split_rounds)

    def read(self, raw: Raw) -> Game:
        return parse_salasasa(raw.content, raw.where)


class _Log(JsonFormat):
    name, title = "log", "Botzone logs"

    def recognises(self, text: str, value: Any) -> bool:
        return is_log(value)

    def read(self, raw: Raw) -> Record:
        return parse_log(raw.content)

    def write(self, game: Game) -> str:
        return format_log(record_from_game(game))


# The formats are asked in this order; the first that recognises a text reads it.
FORMATS = {entry.name: entry for entry in (
    _Official(), _Lianzhong(), _Input(), _Simplified(), _Golden(), _Tziakcha(), _Salasasa(), _Log())}
_ONE_WALL = ("log", "tziakcha", "salasasa")
_TITLES = ", ".join(entry.title for entry in FORMATS.values())
# Words that only records of riichi mahjong have: those of tenhou in XML and JSON, of Mahjong Soul, and of mjai.
_RIICHI = re.compile(
    r'<mjlog|"type"\s*:\s*"start_(?:game|kyoku)"|"bakaze"|"dora_marker"|\.lq\.|Record(?:NewRound|DiscardTile)|"liqi'
    r'|"doras"|"log"\s*:\s*\[\s*\[\s*\[|"aka(?:5[12345])?"\s*:\s*\d')
_RIICHI_SEEN = 1 << 16  # characters of a text that are searched for such words
RIICHI = "this is a record of riichi mahjong; here only 国标 (Chinese Standard Mahjong) is read"
# Most characters of one text, which is a game, a page, or JSON with several games. A game has some hundred thousand.
MOST_TEXT = 1 << 24
# Most unpacked bytes of an .mjg.gz, which is read into memory whole.
MOST_PACKED = 1 << 26
HELP = ("Reads %s, and folders of games in the compact form; a page of a match that a browser saved; JSON with one "
        "game or many, one a line, in a list, by their ids or as text. Text is UTF-8, UTF-16 or GB18030, a game has at "
        "most %d million characters. Files may be packed as .gz or .zip. Folders are searched. This version still "
        "reads .mjg files of version 1.0; `records convert` writes their games into a folder." % (
            _TITLES, MOST_TEXT // 10 ** 6))


def list_writers() -> dict[str, Callable]:
    """Returns {name of a format that can be written: function(Game) that returns the text}.

    "botzone" is the form of Botzone's pages, which are read as logs.
    """
    return dict({entry.name: entry.write for entry in FORMATS.values() if entry.write},
                botzone=lambda game: format_match(record_from_game(game)))


def format_game(form: str, game: Game) -> str:
    """Returns the text of a game in a format. form: a name of list_writers().

    Raises MahjongError: the format cannot express the game.
    """
    if game.facts & SHARED_WALL and form not in _ONE_WALL:
        raise ProtocolError("expected a game of four walls for the form %r, got one of one wall, which %s and the "
                            "compact form keep, in %s" % (form, ", ".join(map(repr, _ONE_WALL)), game.where))
    # Some records have the path of a file as their name, which tells of the user's folders.
    return list_writers()[form](replace(game, name=name_of_file(game.name)))


def detect_format(text: str, json_text: str) -> Format | None:
    """Returns the Format of a text, or None if it is unknown.

    text: the text of a game, or its beginning. json_text: what may be the JSON of the game: a line of `text`,
        all of `text`, or its whole items with the open brackets closed.
    """
    try:
        value = parse_json(json_text)
    except ProtocolError:
        value = None
    return _detect(text, value)


def detect_first_line(text: str, line: str) -> Format | None:
    """Returns the Format of a file by one of its lines, or None if it is unknown.

    The line may be JSON with several games.

    text: the line and the lines after it.
    """
    form = detect_format(text, line)
    if form or line.lstrip()[:1] not in ("{", "["):
        return form
    try:
        games = list_games(parse_json(line), line, _is_game)
    except ProtocolError:
        return None
    return _detect("", games[0]) if games else None


def _detect(text, value):
    """Returns the Format of a text and of the JSON value in it, or None if it is unknown."""
    return next((entry for entry in FORMATS.values() if entry.recognises(text, value)), None)


def _is_game(value):
    return isinstance(value, (dict, list)) and _detect("", value) is not None


def is_riichi(text: str) -> bool:
    """Checks whether a text begins as a record of riichi mahjong, the Japanese game."""
    return _RIICHI.search(text, 0, _RIICHI_SEEN) is not None


def split_text(text: str) -> tuple[list[str], ProtocolError | None]:
    """Returns (texts, error): the text of each game in JSON or in a page.

    Other texts are returned whole, as ([text], None).
    error: ProtocolError if the JSON is cut short, else None. It is an error of the last game.
    Raises ProtocolError: a page has no game.
    """
    if not is_page(text):
        return _split_json(text)
    split = [_split_json(piece) for piece in list_page_texts(text)]
    return [piece for texts, _ in split for piece in texts], next((error for _, error in split if error), None)


def _split_json(text):
    """Returns (texts, error) of JSON that may have several games, and ([text], None) of other texts."""
    if text.lstrip(BLANKS)[:1] not in ("{", "[", '"'):
        return [text], None
    try:
        values, problem = list_values(text)
    except ProtocolError:
        return [text], None
    # The values after a bot's input are requests that came while the bot kept running.
    if len(values) * LEAST_TEXT > len(text) or (
            isinstance(values[0][0], dict) and "requests" in values[0][0] and len(values) > 1):
        return [text], None
    texts, count = [], 0
    for value, piece in values:
        games = list_games(value, piece, _is_game)
        if len(games) * LEAST_TEXT > len(piece):
            games = []
        for game in games:
            form = _detect("", game)
            hands = form.split(game) if form else None
            texts += [format_json(hand) for hand in hands] if hands else [piece if game is value else format_json(game)]
        count += len(games)
        if not games:
            texts.append(piece)
    return (texts, problem) if count else ([text], None)


def parse_text(raw: Raw) -> Game | Record | Transcript:
    """Returns the game in a text of any format as a Game, as a Record, or as the Transcript of one seat.

    raw: the text and its place in the source.
    Raises MahjongError: the text has an error, or its format is unknown.
    """
    text = raw.content
    # The JSON may be the first line, the whole text, or the whole items of a text that is cut short.
    form = detect_format(text, text.partition("\n")[0]) or detect_format(text, text) or detect_format(
        text, close_json(text))
    if form:
        return form.read(raw)
    if is_riichi(text):
        raise ProtocolError(RIICHI)
    if "\0" in text:
        raise ProtocolError("expected a game as text, got %s: %s" % ("a file that is no text", raw.where))
    if text.lstrip(BLANKS)[:1] in ("{", "["):
        _, problem = list_values(text)
        if problem:
            raise problem
    lines = enumerate(text.split("\n"), raw.line)
    line_number, line = next((entry for entry in lines if entry[1].strip()), (raw.line, ""))
    raise ProtocolError("expected a game (%s), got %.80r in line %d" % (_TITLES, line, line_number))
