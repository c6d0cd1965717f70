"""Finds the games in JSON of any shape.

A text may have one game or a list of games. It may have an object {id: game}, JSON inside a text, an answer of a
server around the games, or one game per line.
"""

import re
from collections.abc import Callable
from typing import Any

from ...mahjong.errors import ProtocolError
from ..run.files import format_json
from .near_json import make_json, plain_value
from .saved_page import is_har, list_har_texts
from .shapes import BLANKS, close_json, decode_json, parse_record_json

_MOST_LEVELS = 6  # most lists, objects and texts around a game
# LEAST_TEXT is less than the length of any game, _LEAST_ITEM less than the mean length of the items around games.
# If a text has more than _MANY values and their mean length is below these bounds, the search for games stops. A search
# through millions of short values would take minutes.
LEAST_TEXT, _LEAST_ITEM, _MANY = 100, 20, 1000
_CANONICAL = '"$'
_BETWEEN = re.compile("[%s,;]*+" % BLANKS)


def list_values(text: str) -> tuple[list[tuple], ProtocolError | None]:
    """Returns ([(value, its text)], problem) of the JSON values in a text, which follow one another.

    The list ends early if the values are too short for games.
    problem: ProtocolError where the text breaks off or goes on with something else, else None. The last value then
        contains the items that are whole.
    Raises ProtocolError: the text does not begin with JSON.
    """
    values, end, text = [], 0, make_json(text)
    while True:
        begin = _BETWEEN.match(text, end).end()
        if begin == len(text) or len(values) > _MANY and len(values) * LEAST_TEXT > len(text):
            return values, None
        try:
            value, end = decode_json(text, begin)
            values.append(_make_plain(value, text[begin:end]))
        except ProtocolError as problem:
            whole = close_json(text[begin:])
            try:
                values.append(_make_plain(parse_record_json(whole), whole))
            except ProtocolError:
                if not values:
                    raise problem from None
            return values, problem


def _make_plain(value, text):
    """Returns (value, its text) without the types that MongoDB's canonical JSON has around numbers and ids."""
    if _CANONICAL not in text:
        return value, text
    value = plain_value(value)
    return value, format_json(value)


def list_json_games(value: Any, text: str, detect: Callable) -> list[tuple]:
    """Returns [(format, game)] of the games in a JSON value, in order; [] if the text has too many short values.

    Items of a list that are no games are kept with the format None, so that the reader can report them. Items of an
    object without a game are left out.
    value: JSON value of `text`, whose length limits how many items are looked at.
    detect: function(value) that returns the format of a value that is one game, else None.
    """
    count, most = 0, _MANY + len(text) // _LEAST_ITEM

    def look(value: Any, name: str | None, level: int) -> list:
        """Returns the games in a value.

        name: id for a game that has none. level: number of lists, objects and texts around the value.
        """
        nonlocal count
        count += 1
        if count > most:
            return []
        form = detect(value)
        if form:
            return [(form, _with_id(value, name))]
        if level == _MOST_LEVELS:
            return []
        inner = _open_value(value)
        if inner is not None:
            return [game for item in inner for game in look(item, name, level + 1)]
        if isinstance(value, dict):
            # A key with digits is the id of a game. Other keys belong to the answer of a server around the games.
            return [game for key, item in value.items() if isinstance(item, (dict, list, str))
                    for game in look(item, key if any(map(str.isdigit, key)) else name, level + 1)]
        if isinstance(value, list):
            listed = [look(item, None, level + 1) for item in value]
            if any(listed):
                return [game for item, games in zip(value, listed) for game in games or [(None, item)]]
        return []

    games = look(value, None, 0)
    return games if count <= most else []


def _open_value(value):
    """Returns the values in a text of JSON or in a .har; None for any other value."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return [parse_record_json(make_json(value))]
        except ProtocolError:
            return []
    return list_har_texts(value) if is_har(value) else None


def _with_id(value, name):
    """Returns a game with `name` as its id, if the game has no id of its own."""
    if name is None:
        return value
    if isinstance(value, list):
        return {"id": name, "logs": value}
    return value if value.get("id") or value.get("_id") else dict(value, id=name)
