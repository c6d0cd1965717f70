"""What comes out of records, checked where it comes in: JSON, names and numbers that the rest can rely on."""

import json
import math
import re

from ...mahjong.errors import ProtocolError
from ...mahjong.rules import SEATS

# What a value of another shape raises when it is taken apart.
MISFITS = (AttributeError, IndexError, KeyError, TypeError, ValueError)
# Reading a number takes the square of its length.
_MOST_DIGITS = 20
_MOST_NUMBER = 10 ** 9
_MOST_NAME = 200
# Deeper than any record; what takes a value apart later calls itself for each bracket.
_MOST_DEPTH = 64
# A string that is not closed goes to the end; ++ and *+ keep no places to come back to.
_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)
_CLOSERS = {"[": "]", "{": "}"}


def parse_json(text):
    """The value of a JSON text; a half of a surrogate pair becomes U+FFFD.

    Raises ProtocolError: no JSON, or JSON that others cannot read or that takes too long: NaN and infinities, numbers
    of more than 20 digits, brackets nested too deeply.

    >>> parse_json('["\\\\ud800", 1.5]')
    ['\ufffd', 1.5]
    """
    try:
        value = json.loads(text, parse_int=_parse_int, parse_float=_parse_float, parse_constant=_refuse)
        is_deep = _is_deep(value)
    except RecursionError:
        is_deep = True
    except ValueError as error:
        raise ProtocolError("expected JSON, got %.80r: %s" % (text, error)) from None
    if is_deep:
        raise ProtocolError("expected JSON, got brackets nested too deeply: %.80r" % text)
    return _mend_surrogates(value) if "\\u" in text else value


def _is_deep(value):
    level = [value]
    for _ in range(_MOST_DEPTH):
        level = [item for outer in level if isinstance(outer, (list, dict))
                 for item in (outer.values() if isinstance(outer, dict) else outer)]
        if not level:
            return False
    return True


def _parse_int(text):
    if len(text) > _MOST_DIGITS:
        raise ValueError("a number of %d digits" % len(text))
    return int(text)


def _parse_float(text):
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number beyond all bounds, %.20s" % text)
    return number


def _refuse(text):
    raise ValueError("the number %s" % text)


def _mend_surrogates(value):
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_mend_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_mend_surrogates(key): _mend_surrogates(item) for key, item in value.items()}
    return value


def describe_misfit(error):
    """What one of MISFITS says, as text."""
    return "no %s" % error if isinstance(error, KeyError) else str(error)


def close_json(text):
    """The JSON text up to the last item that is whole, with the brackets closed that are open there.

    >>> close_json('{"logs": [1, {"a": "b"}, {"c": [2, 3')
    '{"logs": [1, {"a": "b"}, {"c": [2]}]}'
    """
    open_brackets, end, depth = [], 0, 0
    for match in _TOKENS.finditer(text):
        token = match.group()
        if token in _CLOSERS:
            open_brackets.append(token)
        elif token in ("]", "}"):
            if not open_brackets or _CLOSERS[open_brackets[-1]] != token:
                break
            open_brackets.pop()
        if token in ("]", "}", ","):
            end = match.start() if token == "," else match.end()
            depth = len(open_brackets)
    # Since then brackets were only opened.
    return text[:end] + "".join(_CLOSERS[bracket] for bracket in reversed(open_brackets[:depth]))


def clean_text(text, most=_MOST_NAME):
    """A text fit for terminals and files: what is not to be printed becomes U+FFFD, what is too long is cut.

    >>> clean_text("\\x1b[31mred\\n")
    '\ufffd[31mred\ufffd'
    """
    if len(text) > most:
        text = text[:most - 3] + "..."
    return text if text.isprintable() else "".join(
        character if character.isprintable() else "\ufffd" for character in text)


def take_name(value):
    """The name in a JSON value, a text or a number, cleaned. Raises ValueError: another type."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError("expected a name, got %.80r" % (value,))
    return clean_text(str(value))


def take_number(value):
    """The int in a JSON value. Raises ValueError: none, or one beyond a thousand million."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) \
            or abs(value) > _MOST_NUMBER:
        raise ValueError("expected a whole number, got %.80r" % (value,))
    return int(value)


def take_seat(value):
    """The seat or wind 0..3 in a JSON value. Raises ValueError."""
    number = take_number(value)
    if number not in range(SEATS):
        raise ValueError("expected 0..3, got %r" % number)
    return number


def take_texts(value, count=SEATS):
    """The list of `count` texts in a JSON value. Raises ValueError."""
    if not isinstance(value, list) or len(value) != count or not all(isinstance(text, str) for text in value):
        raise ValueError("expected %d texts, got %.80r" % (count, value))
    return value


def take_numbers(value):
    """The list of four ints in a JSON value. Raises ValueError."""
    if not isinstance(value, list) or len(value) != SEATS:
        raise ValueError("expected %d numbers, got %.80r" % (SEATS, value))
    return [take_number(number) for number in value]


def take_names(value):
    """The list of four names in a JSON value. Raises ValueError."""
    if not isinstance(value, list) or len(value) != SEATS:
        raise ValueError("expected %d names, got %.80r" % (SEATS, value))
    return [take_name(name) for name in value]


def take_flowers(value):
    """The flowers of a game.Game in a JSON value, a list of triples. Raises ValueError, TypeError."""
    flowers = [tuple(map(take_number, flower)) for flower in value]
    if len(flowers) > 8 or not all(
            draws >= 0 and seat in range(SEATS) and 1 <= number <= 8 for draws, seat, number in flowers):
        raise ValueError("expected at most 8 flowers, each [draws before, seat, number], got %.80r" % (value,))
    return flowers


def take_origin(value):
    """The origin of a table.record.Record in a JSON value; whatever else is in it is dropped. Raises ValueError."""
    if not isinstance(value, dict):
        raise ValueError("expected an origin, got %.80r" % (value,))
    read = {
        "platform": take_name, "id": take_name, "session": take_name, "title": take_name, "hand": take_number,
        "hands": take_number, "seats": lambda seats: [take_seat(seat) for seat in take_numbers(seats)],
        "names": take_names, "penalties": take_numbers, "before": take_numbers,
        "rules": lambda rules: {take_name(name): take_number(number) for name, number in rules.items()},
    }
    return {key: take(value[key]) for key, take in read.items() if value.get(key) is not None}


def take_text(value):
    """The text in a JSON value. Raises ValueError."""
    if not isinstance(value, str):
        raise ValueError("expected a text, got %.80r" % (value,))
    return value


def take_display(value):
    """The judge's display object in a JSON value, None where it has none.

    Raises ValueError: another type, or one whose ending does not have the types of the judge's.
    """
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError("expected a display, got %.80r" % (value,))
    shown = dict(value)
    if "action" in shown:
        shown["action"] = clean_text(take_text(shown["action"]))
    if shown.get("player") is not None:
        shown["player"] = take_seat(shown["player"])
    for key in ("fanCnt", "quan"):
        if key in shown:
            shown[key] = take_number(shown[key])
    for key in ("tile", "tileCHI"):
        if key in shown:
            shown[key] = take_text(shown[key])
    for key in ("canHu", "tileCnt", "score"):
        if key in shown:
            shown[key] = take_numbers(shown[key])
    if "fan" in shown:
        shown["fan"] = [{"cnt": take_number(fan["cnt"]), "name": clean_text(take_text(fan["name"])),
                         "value": take_number(fan["value"])} for fan in shown["fan"]]
    return shown
