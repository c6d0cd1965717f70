"""Finds the games in a text of any format, and in JSON of any shape.

JSON may have one game or a list of games. It may have an object {id: game}, JSON or a page inside a text, an answer of
a server around the games, or the games one after another.
"""

import base64
import contextlib
from typing import Any

from ...mahjong.errors import MahjongError, ProtocolError
from .formats import FORMATS, detect
from .record_json import BLANKS, LEAST_TEXT, list_values, make_json, parse_record_json
from .saved_page import PAGE_WORD, is_page, list_page_texts

_MOST_LEVELS = 8  # most lists, objects and texts around a game
# If a text has more than _MANY values and they have less than _LEAST_ITEM characters on average, the search for games
# stops. A search through millions of short values would take minutes.
_MANY, _LEAST_ITEM = 1000, 20


def find_games(text: str) -> tuple[list[tuple], MahjongError | None]:
    """Returns ([(name of its format, game)], problem) of the games in a text, in order.

    A game is a text or a JSON value, as its format has it. Items of a list that are no games are kept with the format
    None, so that they can be reported. If no game is there, the list has the whole text, or its only value, or an
    error.
    problem: why the last game is cut short; None if it is whole.
    """
    form, has_page = detect(text), is_page(text)
    if form or not (has_page or text.lstrip(BLANKS)[:1] in ("{", "[", '"')):
        return [(form, text)], None
    games, problem = [], None
    try:
        for piece in list_page_texts(text) if has_page else [text]:
            values, problem = list_values(piece)
            games += [game for value in values for game in _search(value, piece) or [(None, value)]]
    except ProtocolError as error:
        return [(None, error if text.lstrip(BLANKS)[0] != '"' else text)], None
    if len(games) > 1 and len(games) * LEAST_TEXT > len(text):
        games = [(None, text)]
    if any(form for form, _ in games):
        return games, problem
    return [(None, problem or (games[0][1] if len(games) == 1 else text))], None


def _search(value: Any, text: str) -> list[tuple[str | None, Any]]:
    """Returns [(name of its format, game)] of the games in a JSON value; [] if it has too many short values."""
    count, most = 0, _MANY + len(text) // _LEAST_ITEM

    def look(value: Any, name: str | None, level: int) -> list:
        """Returns the games in a value. name: id for a game that has none. level: number of values around it."""
        nonlocal count
        count += 1
        form = detect(value) if count <= most and not isinstance(value, str) else None
        if form:
            value = _with_id(value, name)
            return [(form, game) for game in FORMATS[form].split(value) or [value]]
        if level == _MOST_LEVELS or count > most:
            return []
        if isinstance(value, str):
            return [game for item in _open_text(value) for game in look(item, name, level + 1)]
        if isinstance(value, dict):
            if value.get("encoding") == "base64" and isinstance(value.get("text"), str):  # an answer in a .har
                with contextlib.suppress(ValueError):
                    value = {"text": base64.b64decode(value["text"]).decode("utf-8", "replace")}
            # A key with digits is the id of a game. Other keys belong to the answer of a server around the games.
            return [game for key, item in value.items() if isinstance(item, (dict, list, str))
                    for game in look(item, key if any(map(str.isdigit, key)) else name, level + 1)]
        listed = [look(item, None, level + 1) for item in value] if isinstance(value, list) else []
        return [game for item, games in zip(value, listed)
                for game in games or [(None, item)] * (not _is_answer(item))] if any(listed) else []

    games = look(value, None, 0)
    return games if count <= most else []


def _open_text(text):
    """Returns the JSON values in a text."""
    with contextlib.suppress(ProtocolError):
        if text.lstrip()[:1] in ("{", "["):
            return [parse_record_json(make_json(text))]
        if PAGE_WORD in text:
            return list(map(parse_record_json, list_page_texts(text)))
    return []


def _is_answer(item):
    """Checks whether an item of a list is what a .har has of a server, whose other answers are no games."""
    return isinstance(item, dict) and {"request", "response"} <= item.keys()


def _with_id(value, name):
    """Returns a game with `name` as its id, if the game has no id of its own."""
    if name is None:
        return value
    if isinstance(value, list):
        return {"id": name, "logs": value}
    return value if value.get("id") or value.get("_id") else dict(value, id=name)
