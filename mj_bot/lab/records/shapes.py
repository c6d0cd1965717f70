"""Checks the values, names and numbers of records where they are read, so that other code can rely on them."""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

from ...mahjong.errors import Message
from ...mahjong.rules import SEATS
from ..run.printable import clean_text

# A reader raises these errors where it meets a value of an unexpected shape.
MISFITS = (AttributeError, IndexError, KeyError, TypeError, ValueError)
_MOST_NUMBER = 10 ** 9
_ID_DIGITS = 10  # of the digest of an id
_LAST_MOMENT = 253402300800  # seconds from 1970 to the year 10000


def describe_misfit(error: Exception) -> Message:
    """Returns the message of an error that is one of MISFITS."""
    if isinstance(error, Message):
        return error
    if isinstance(error, KeyError):
        return Message("no %s", error)
    message = error.args[0] if error.args else ""
    # Python's own words tell of the code that met the value, and of no record.
    return message if isinstance(message, Message) else Message("values of other types than a record has")


def name_place(unit: str, position: int, where: str) -> Message:
    """Returns the end of an error's text. unit: "line", "tick", "action" or "move". where: name of the record."""
    return Message("in " + unit + " %d of %s", position, where)


def take_name(value: Any) -> str:
    """Returns the text or number of a JSON value without control characters. Raises ValueError: another type."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError(Message("expected a name, got %.80r", value))
    return clean_text(str(value))


def digest_id(value: Any) -> str:
    """Returns digits that tell players of one name apart without their id on a platform; "" for None or no id."""
    name = take_name("" if value is None else value)
    return hashlib.sha256(name.encode()).hexdigest()[:_ID_DIGITS] if name else ""


def take_number(value: Any) -> int:
    """Returns the int in a JSON value. Raises ValueError: no whole number, or one beyond a thousand million."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) \
            or abs(value) > _MOST_NUMBER:
        raise ValueError(Message("expected a whole number, got %.80r", value))
    return int(value)


def take_moment(value: Any) -> float:
    """Returns the seconds since 1970 in a JSON value. Raises ValueError: no moment of the years 1970..9999."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < _LAST_MOMENT:
        raise ValueError(Message("expected seconds since 1970, got %.80r", value))
    return value


def take_seat(value: Any) -> int:
    """Returns the seat or wind 0..3 in a JSON value. Raises ValueError: another value."""
    seat = take_number(value)
    if seat not in range(SEATS):
        raise ValueError(Message("expected 0..3, got %r", seat))
    return seat


def as_list(value: Any) -> Any:
    """Returns the items of an object whose keys are numbers that follow one another; any other value unchanged.

    >>> as_list({"0": "a", "1": "b"}), as_list({"name": "a"})
    (['a', 'b'], {'name': 'a'})
    """
    if isinstance(value, dict) and value and all(key.isdecimal() and len(key) < 8 for key in value):
        keys = sorted(value, key=int)
        if int(keys[-1]) - int(keys[0]) == len(keys) - 1 and int(keys[0]) < 2:
            return [value[key] for key in keys]
    return value


def take_list(value: Any, count: int = SEATS, *, take: Callable) -> list:
    """Returns take(item) of each item of a JSON list of `count` items. Raises ValueError: no such list."""
    if not isinstance(value, list) or len(value) != count:
        raise ValueError(Message("expected a list of %d, got %.80r", count, value))
    return [take(item) for item in value]


def take_flowers(value: Any) -> list[tuple]:
    """Returns the flowers of a game in a JSON value: (number of draws before it, seat 0..3, number 1..8) of each.

    Raises ValueError, TypeError: another value.
    """
    flowers = [tuple(map(take_number, flower)) for flower in value]
    if len(flowers) > 8 or not all(
            draws >= 0 and seat in range(SEATS) and 1 <= flower_number <= 8 for draws, seat, flower_number in flowers):
        raise ValueError(Message("expected at most 8 flowers, each [draws before, seat, number], got %.80r", value))
    return flowers


def take_origin(value: Any) -> dict:
    """Returns the items of a JSON value that Record.origin may have. Raises an error of MISFITS: no such object."""
    if not isinstance(value, dict):
        raise ValueError(Message("expected an origin, got %.80r", value))
    return {key: take(value[key]) for key, take in _ORIGIN.items() if value.get(key) is not None}


def take_text(value: Any) -> str:
    """Returns the text in a JSON value. Raises ValueError: another type."""
    if not isinstance(value, str):
        raise ValueError(Message("expected a text, got %.80r", value))
    return value


def take_display(value: Any) -> dict | None:
    """Returns the judge's display object in a JSON value, or None where the value is null.

    Raises ValueError: the value is no object, or its entries do not have the types that the judge writes.
    """
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError(Message("expected a display, got %.80r", value))
    return dict(value, **{key: take(value[key]) for key, take in _DISPLAY.items() if key in value})


# Each of these returns the list of four texts, numbers, names or seats in a JSON value.
take_texts, take_numbers, take_names, _take_seats = (
    partial(take_list, take=take) for take in (take_text, take_number, take_name, take_seat))


def _take_label(value):
    return clean_text(take_text(value))


_ORIGIN = {
    "platform": take_name, "id": take_name, "session": take_name, "title": take_name, "hand": take_number,
    "hands": take_number, "seats": _take_seats, "names": take_names, "ids": take_names,
    "sub_rule": take_name, "penalties": take_numbers, "before": take_numbers, "time": take_moment,
    "rules": lambda rules: {take_name(name): take_number(value) for name, value in rules.items()},
}
_DISPLAY = {
    "action": _take_label, "player": lambda seat: None if seat is None else take_seat(seat), "fanCnt": take_number,
    "quan": take_number, "tile": take_text, "tileCHI": take_text, "canHu": take_numbers, "tileCnt": take_numbers,
    "score": take_numbers,
    "fan": lambda fans: [{"cnt": take_number(fan["cnt"]), "name": _take_label(fan["name"]),
                          "value": take_number(fan["value"])} for fan in fans],
}
