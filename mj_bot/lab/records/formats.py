"""Lists the text formats of game records. To add one, write a file and a line in FORMATS.

The compact form (compact.py) is the only form of arrays. Games of every text format can be converted into it.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from ...mahjong.errors import Message, ProtocolError
from .botzone.bot_input import is_simplified, parse_json_input, parse_simplified
from .botzone.golden import parse_golden
from .botzone.match_log import (
    format_log, format_match, goes_on, is_entry, is_log, parse_entries, parse_log, split_log)
from .botzone.official import begins_match, format_official, parse_official
from .follow import record_from_game
from .game_record import SHARED_WALL, Game
from .packed import name_of_file
from .platforms.lianzhong import is_lianzhong, parse_lianzhong
from .platforms.pmn import is_pmn, parse_pmn
from .platforms.salasasa import parse_salasasa, split_rounds
from .platforms.tziakcha import is_tziakcha, parse_tziakcha, split_session

COMPACT = "compact"


class Format(NamedTuple):
    """Describes one format of records, whose games are texts, or JSON values if `is_json`."""

    title: str  # words for --help
    recognises: Callable  # function(text or JSON value): whether it is a game in this format
    # function(cutting.RawGame) that returns a Game, a Record or a Transcript, or raises MahjongError. raw.content is
    # the text or value, a list of values if the format has `joins`; raw.path and raw.line say where it stands.
    read: Callable
    is_json: bool = False
    begins: Callable | None = None  # function(line): whether another game begins there; None: a file has one game
    # function(JSON value): list of its games, such as the hands of a session; None if the value is one game
    split: Callable = lambda value: None
    joins: Callable | None = None  # function(JSON values of a game, value): whether the value goes on with the game
    # function(Game) that returns the text of a game, for `records convert --to`; None: the format is only read
    write: Callable | None = None


def _describe_json(title, key, read, **more):
    """Returns the Format whose games are JSON objects, which only this format gives the key `key`."""
    return Format(title, lambda value: isinstance(value, dict) and key in value, read, is_json=True, **more)


# The formats are asked in this order; the first that recognises a text or value reads it.
FORMATS = {
    "official": Format(
        "the organisers' text", begins_match, lambda raw: parse_official(raw.content, raw.line, raw.path),
        begins=begins_match, write=lambda game: format_official(game) + "\n"),
    "lianzhong": Format("the Lianzhong platform's text", is_lianzhong,
                        lambda raw: parse_lianzhong(raw.content, raw.path)),
    "pmn": Format("PMN of mahjongsoft.com", is_pmn, lambda raw: parse_pmn(raw.content, raw.where),
                  begins=lambda line: line.startswith("[Event ")),
    # The values after a bot's input are requests that came while the bot kept running.
    "input": _describe_json("a bot's JSON input", "requests", lambda raw: parse_json_input(raw.content),
                            joins=lambda values, value: not (isinstance(value, dict) and "requests" in value)),
    "simplified": Format("a bot's simplified input", is_simplified, lambda raw: parse_simplified(raw.content)),
    "golden": _describe_json("games of the recorded judge", "steps", lambda raw: parse_golden(raw.content)),
    "tziakcha": Format("records of 雀渣", is_tziakcha, lambda raw: parse_tziakcha(raw.content, raw.where), is_json=True,
                       split=split_session),
    "salasasa": _describe_json("records of salasasa", "game_round", lambda raw: parse_salasasa(raw.content, raw.where),
                               split=split_rounds),
    "log": Format("Botzone logs", is_log, lambda raw: parse_log(raw.content), is_json=True, split=split_log,
                  write=lambda game: format_log(record_from_game(game))),
    "entries": Format("the judge's displays, one a line", is_entry,
                      lambda raw: parse_entries(raw.content, raw.where), is_json=True, joins=goes_on),
}
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
    return dict({name: entry.write for name, entry in FORMATS.items() if entry.write},
                botzone=lambda game: format_match(record_from_game(game)))


def format_game(form: str, game: Game) -> str:
    """Returns the text of a game in a format. form: a name of list_writers().

    Raises MahjongError: the format cannot express the game.
    """
    if game.facts & SHARED_WALL and form != "log":
        raise ProtocolError("expected a game of four walls for the form %r, got one of one wall, which %s and the "
                            "compact form keep, in %s", form, repr("log"), game.where)
    # Some records have the path of a file as their name, which tells of the user's folders.
    return list_writers()[form](replace(game, name=name_of_file(game.name)))


def detect(content: Any) -> str | None:
    """Returns the name of the format of a game, a text or a JSON value; None if it is of no format."""
    is_json = not isinstance(content, str)
    return next((name for name, entry in FORMATS.items()
                 if entry.is_json == is_json and entry.recognises(content)), None)


def is_riichi(text: str) -> bool:
    """Checks whether a text begins as a record of riichi mahjong, the Japanese game."""
    return _RIICHI.search(text, 0, _RIICHI_SEEN) is not None
