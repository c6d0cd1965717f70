"""Lists the text formats of game records. To add one, write a file and a line in FORMATS.

The compact form (compact.py) is the only form of arrays. Games of every text format can be converted into it.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...mahjong.errors import Message, ProtocolError
from ..table.record import Record, Transcript
from .botzone import displays
from .botzone.bot_input import is_simplified, parse_json_input, parse_simplified
from .botzone.match_log import (
    format_log, format_match, is_entry, is_log, parse_entries, parse_log, split_log)
from .follow import record_from_game
from .game_record import SHARED_WALL, Game
from .botzone.golden import format_golden, parse_golden
from .platforms.lianzhong import is_lianzhong, parse_lianzhong
from .botzone.official import begins_match, format_official, parse_official
from .packed import name_of_file
from .platforms.pmn import is_pmn, parse_pmn
from .platforms.salasasa import parse_salasasa, split_rounds
from .platforms.tziakcha import is_tziakcha, parse_tziakcha, split_session
from .shapes import parse_record_json

COMPACT = "compact"
_FIRST_REQUEST = re.compile(r'"0 0 [0-3]\\?"')


class Format(object):
    """Describes one format of records.

    A subclass defines `recognises` and `read`. Other code uses only its instance in FORMATS.
    name: the name that the option --to takes. title: words for --help.
    write: method(Game) that returns the text of a game in a file; None if the format is only read.
    has_more_lines: whether the lines after a game's JSON belong to the game too.
    is_part: whether a JSON value is only a part of a game, which the next values continue.
    """

    name = title = ""
    write = None
    has_more_lines = is_part = False

    def recognises(self, text: str, value: Any) -> bool:
        """Checks whether a text is a game in this format. value: its JSON value; None if it is not JSON."""
        raise NotImplementedError

    def read(self, raw: Any) -> Game | Record | Transcript:
        """Returns the game in a cutting.RawGame. Raises MahjongError: the text has an error or no game."""
        raise NotImplementedError

    def begins(self, line: str) -> bool:
        """Checks whether a line begins another game of a file. By default a file has one game."""
        return False

    def is_head(self, text: str) -> bool:
        """Checks whether a text is no game, but says something about the game that follows it."""
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

    def read(self, raw: Any) -> Game:
        return parse_official(raw.content, raw.line, raw.path)

    def write(self, game: Game) -> str:
        return format_official(game) + "\n"


class _Lianzhong(Format):
    name, title = "lianzhong", "the Lianzhong platform's text"

    def recognises(self, text: str, value: Any) -> bool:
        return is_lianzhong(text)

    def read(self, raw: Any) -> Game:
        return parse_lianzhong(raw.content, raw.path)


class _Pmn(Format):
    name, title = "pmn", "PMN of mahjongsoft.com"

    def recognises(self, text: str, value: Any) -> bool:
        return is_pmn(text)

    def begins(self, line: str) -> bool:
        return line.startswith("[Event ")

    def read(self, raw: Any) -> Game:
        return parse_pmn(raw.content, raw.where)


class _Input(JsonFormat):
    name, title, key = "input", "a bot's JSON input", "requests"
    has_more_lines = True

    def read(self, raw: Any) -> Transcript:
        return parse_json_input(raw.content)


class _Simplified(Format):
    name, title = "simplified", "a bot's simplified input"

    def recognises(self, text: str, value: Any) -> bool:
        return is_simplified(text)

    def read(self, raw: Any) -> Transcript:
        return parse_simplified(raw.content)


class _Golden(JsonFormat):
    name, title, key = "golden", "games of the recorded judge", "steps"

    def read(self, raw: Any) -> Record:
        return parse_golden(raw.content)

    def write(self, game: Game) -> str:
        return format_golden(record_from_game(game))


class _Tziakcha(JsonFormat):
    name, title = "tziakcha", "records of 雀渣"
    split = staticmethod(split_session)

    def recognises(self, text: str, value: Any) -> bool:
        return is_tziakcha(value)

    def read(self, raw: Any) -> Game:
        return parse_tziakcha(raw.content, raw.where)


class _Salasasa(JsonFormat):
    name, title, key = "salasasa", "records of salasasa", "game_round"
    split = staticmethod(split_rounds)

    def read(self, raw: Any) -> Game:
        return parse_salasasa(raw.content, raw.where)


class _Log(JsonFormat):
    name, title = "log", "Botzone logs"
    split = staticmethod(split_log)

    def recognises(self, text: str, value: Any) -> bool:
        return is_log(value)

    def read(self, raw: Any) -> Record:
        return parse_log(raw.content)

    def write(self, game: Game) -> str:
        return format_log(record_from_game(game))


class _Entries(JsonFormat):
    name, title, is_part = "entries", "the judge's displays, one a line", True

    def recognises(self, text: str, value: Any) -> bool:
        return is_entry(value)

    def begins(self, line: str) -> bool:
        return '"INIT"' in line or _FIRST_REQUEST.search(line) is not None or (
            any('"%s"' % key in line for key in displays.HEAD_KEYS) and self.is_head(line))

    def is_head(self, text: str) -> bool:
        try:
            return displays.is_head(parse_record_json(text))
        except ProtocolError:
            return False

    def read(self, raw: Any) -> Record | Game:
        return parse_entries(raw.content, raw.where)


# The formats are asked in this order; the first that recognises a text reads it.
FORMATS = {entry.name: entry for entry in (
    _Official(), _Lianzhong(), _Pmn(), _Input(), _Simplified(), _Golden(), _Tziakcha(), _Salasasa(), _Log(),
    _Entries())}
TITLES = ", ".join(entry.title for entry in FORMATS.values())
# Words that only records of riichi mahjong have: those of tenhou in XML and JSON, of Mahjong Soul, and of mjai.
_RIICHI = re.compile(
    r'<mjlog|"type"\s*:\s*"start_(?:game|kyoku)"|"bakaze"|"dora_marker"|\.lq\.|Record(?:NewRound|DiscardTile)|"liqi'
    r'|"doras"|"log"\s*:\s*\[\s*\[\s*\[|"aka(?:5[12345])?"\s*:\s*\d')
_RIICHI_SEEN = 1 << 16  # characters of a text that are searched for such words
RIICHI = "this is a record of riichi mahjong; here only 国标 (Chinese Standard Mahjong) is read"
HELP = Message(
    "Reads %s, and folders of games in the compact form; a page of a match that a browser saved; JSON with one game or "
    "many, one a line, in a list, by their ids or as text. Text is UTF-8, UTF-16 or GB18030. Files may be packed as "
    ".gz or .zip. Folders are searched.", TITLES)


def list_writers() -> dict[str, Callable]:
    """Returns {name of a format: function(Game) that returns its text}; "botzone" is a log of Botzone."""
    return dict({entry.name: entry.write for entry in FORMATS.values() if entry.write},
                botzone=lambda game: format_match(record_from_game(game)))


def format_game(form: str, game: Game) -> str:
    """Returns the text of a game in a format. form: a name of list_writers().

    Raises MahjongError: the format cannot express the game.
    """
    if game.facts & SHARED_WALL and form != _Log.name:
        raise ProtocolError("expected a game of four walls for the form %r, got one of one wall, which %s and the "
                            "compact form keep, in %s", form, repr(_Log.name), game.where)
    # Some records have the path of a file as their name, which tells of the user's folders.
    return list_writers()[form](replace(game, name=name_of_file(game.name)))


def detect(text: str, value: Any) -> Format | None:
    """Returns the Format of a game, or None. text: "" where the JSON value is given. value: None without JSON."""
    return next((entry for entry in FORMATS.values() if entry.recognises(text, value)), None)


def read_raw(form: str, raw: Any) -> Game | Record | Transcript:
    """Returns what the reader of the format `form` makes of a cutting.RawGame."""
    return FORMATS[form].read(raw)


def continues(form: str, other: str | None, text: str) -> bool:
    """Checks whether a text in a format `other`, or in None, is a further part of a game in the format `form`."""
    return FORMATS[form].is_part and other in (form, None) and not FORMATS[form].begins(text)


def is_riichi(text: str) -> bool:
    """Checks whether a text begins as a record of riichi mahjong, the Japanese game."""
    return _RIICHI.search(text, 0, _RIICHI_SEEN) is not None
