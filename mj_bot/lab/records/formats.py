"""The registry of the text forms of game records; to add one, write a file and a line in FORMATS.

The only form of arrays is compact.py, into which all others can be converted.
"""

from typing import Callable, NamedTuple, Optional

from ...mahjong.errors import ProtocolError
from ..run.files import format_json
from .bot_input import is_simplified, parse_json_input, parse_simplified
from .botzone_log import format_log, parse_log, split_log
from .follow import record_from_game
from .game import SHARED_WALL
from .golden import format_golden, parse_golden
from .platforms.lianzhong import is_lianzhong, parse_lianzhong
from .official import begins_match, format_official, parse_official
from .platforms.salasasa import parse_salasasa, split_rounds
from .platforms.tziakcha import is_tziakcha, parse_tziakcha, split_session
from .shapes import close_json, parse_cut_json, parse_json

COMPACT = "compact"


class Format(NamedTuple):
    """One form of records."""

    name: str  # as --to takes it
    title: str  # for --help
    detect: Callable  # function(text, value): whether a game's text is of this form; value: the JSON in it, or None
    begins: Optional[Callable]  # function(line): whether another game begins there; None: a file has one game
    parse: Callable  # function(source.Raw): the Game, Record or Transcript. Raises MahjongError
    format: Optional[Callable] = None  # function(Game): its text in a file; None: read only
    split: Optional[Callable] = None  # function(value): JSON of each of several games; returns None for one game


def _begins_json(line):
    # One game a line; the lines after a bot's input are requests that came while it kept running.
    return line.strip() and not line.startswith('"')


def _has(key):
    return lambda text, value: isinstance(value, dict) and key in value


FORMATS = {entry.name: entry for entry in (
    Format("official", "the organisers' text", lambda text, value: begins_match(text), begins_match,
           lambda raw: parse_official(raw.content, raw.line, raw.path), lambda game: format_official(game) + "\n"),
    Format("lianzhong", "the Lianzhong platform's text", lambda text, value: is_lianzhong(text), None,
           lambda raw: parse_lianzhong(raw.content, raw.path)),
    Format("input", "a bot's JSON input", _has("requests"), _begins_json,
           lambda raw: parse_json_input(raw.content)),
    Format("simplified", "a bot's simplified input", lambda text, value: is_simplified(text), None,
           lambda raw: parse_simplified(raw.content)),
    Format("golden", "games of the recorded judge", _has("steps"), _begins_json,
           lambda raw: parse_golden(raw.content, raw.where), lambda game: format_golden(record_from_game(game))),
    Format("tziakcha", "records of 雀渣", lambda text, value: is_tziakcha(value), _begins_json,
           lambda raw: parse_tziakcha(raw.content, raw.where), split=split_session),
    Format("salasasa", "records of salasasa", _has("game_round"), _begins_json,
           lambda raw: parse_salasasa(raw.content, raw.where), split=split_rounds),
    Format("log", "Botzone logs", lambda text, value: isinstance(value, list) or _has("logs")(text, value),
           _begins_json, lambda raw: parse_log(raw.content, raw.where),
           lambda game: format_log(record_from_game(game)), split_log),
)}
_TITLES = ", ".join(entry.title for entry in FORMATS.values())
# Keys of objects with several games.
_CONTAINERS = ('"records"', '"game_round"')
# Most characters of a game's text, or of JSON with several; a game has some hundred thousand.
MOST_TEXT = 1 << 24
# Characters of the shortest game: a list of millions of shorter items took a minute to refuse.
_LEAST_TEXT = 100
# Most unpacked bytes of an .mjg.gz, which is read whole: 1 MB may unpack to 1,000 MB.
MOST_PACKED = 1 << 26
HELP = ("Reads %s, and folders of games in the compact form; text is UTF-8 or GB18030, a game has at most %d million "
        "characters, and may be packed as .gz. Folders are searched. This version still reads .mjg files of version "
        "1.0; `records convert` writes their games into a folder." % (_TITLES, MOST_TEXT // 10 ** 6))


def format_game(form, game):
    """The text of a Game in a form, a name of FORMATS. Raises MahjongError: a game that the form cannot express."""
    if game.facts & SHARED_WALL and form != "log":
        raise ProtocolError("expected a game of four walls for the form %r, got one of one wall, which 'log' and the "
                            "compact form keep, in %s" % (form, game.where))
    return FORMATS[form].format(game)


def detect_format(text, json_text):
    """The Format of a text, or None. text: of a game, or its beginning. json_text: the part of it that may be JSON."""
    try:
        value = parse_json(json_text)
    except ProtocolError:
        value = None
    return _detect(text, value)


def _detect(text, value):
    return next((entry for entry in FORMATS.values() if entry.detect(text, value)), None)


def split_text(text):
    """([text of each game], error) of JSON that may have several games; ([text], None) of any other text.

    error: ProtocolError where the JSON is cut short; it belongs to the last game.
    """
    if not text.lstrip().startswith("[") and not any(key in text for key in _CONTAINERS):
        return [text], None
    try:
        value, problem = parse_cut_json(text)
    except ProtocolError:
        return [text], None
    found = _detect(text, value)
    values = found and found.split and found.split(value)
    if not values or len(values) * _LEAST_TEXT > len(text):
        return [text], None
    return [format_json(item) for item in values], problem


def parse_text(raw):
    """The Game, Record or Transcript of a source.Raw that is text.

    Raises MahjongError: an error of the form, or an unknown form.
    """
    text = raw.content
    # The JSON may be the first line, the whole text, or the complete items of a cut text.
    found = detect_format(text, text.partition("\n")[0]) or detect_format(text, text) or detect_format(
        text, close_json(text))
    if not found:
        if text.lstrip().startswith(("{", "[")):
            parse_json(text)  # says what is wrong with it
        raise ProtocolError("expected a game (%s), got %r" % (_TITLES, text[:40]))
    return found.parse(raw)
