"""Reads the JSON of records: with limits, with errors that name the place, and where a text is cut short.

Texts that are nearly JSON are read too: Python's str(dict), the shell of MongoDB and its canonical JSON.
"""

import ast
import contextlib
import json
import math
import re
from functools import lru_cache
from typing import Any

from ...mahjong.errors import Message, ProtocolError
from ..run.files import format_json

_MOST_DIGITS = 20  # The time to read a number grows with the square of its length.
# Most levels of nested brackets; no record has more. Recursive code calls itself once for each level.
_MOST_DEPTH = 64
# A string without an end goes to the end of the text. The signs ++ and *+ do not backtrack; backtracking would take a
# time that grows with the square of the length.
_TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)
_CLOSERS = {"[": "]", "{": "}"}
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
# These characters may stand between two values of JSON in a file.
BLANKS = " \t\r\n\ufeff\x1e"
# LEAST_TEXT is less than the length of any game. A text with more than _MANY values that are shorter has no games.
LEAST_TEXT, _MANY = 100, 1000
_BETWEEN = re.compile("[%s,;]*+" % BLANKS)
# {Python's message on a text that is no JSON: what the text should have there}
_EXPECTED = {
    "Expecting value": "a value", "Expecting ',' delimiter": "a comma or a bracket",
    "Expecting ':' delimiter": "a colon", "Unterminated string starting at": "the end of the text that begins there",
    "Expecting property name enclosed in double quotes": "a name in double quotes",
    "Invalid control character at": "no line break in a text", "Invalid \\escape": "another letter after the backslash",
    "Invalid \\uXXXX escape": "four hexadecimal digits after \\u"}
_IS_NEAR = re.compile(
    r"\s*[\[{][\[{(\s]*(?:'|\d+\s*:)|[\[{].{0,200}?\b(?:ObjectId|NumberInt|NumberLong|ISODate)\(", re.DOTALL)
# Tokens of a text that is nearly JSON. Python prints a long text as several ones. Of a call such as ObjectId("...") the
# value is taken.
_NEAR_TOKENS = re.compile(
    r"""(?P<text>'(?:[^'\\]|\\.)*+'(?:\s++'(?:[^'\\]|\\.)*+')*+)|"(?:[^"\\]|\\.)*+"|\b(?:True|False|None)\b"""
    r"""|\b(?:ObjectId|NumberInt|NumberLong|NumberDecimal|ISODate)\(\s*(?P<value>"[^"]*"|'[^']*'|-?\d[\d.]*)\s*\)"""
    r"""|(?P<key>\b\d+(?=\s*:))|[()]|,(?=\s*[\]})])""", re.DOTALL)
_WORDS = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]", ",": ""}
# Ids, dates and numbers in MongoDB's canonical JSON: the text in quotes is the value of the object.
_CANONICAL = re.compile(
    r'\{\s*"\$(?:(?:oid|symbol|date)"\s*:\s*("[^"\\]*")|number\w+"\s*:\s*"(-?\d[\d.]*)")\s*\}')


def parse_record_json(text: str) -> Any:
    """Returns the value of a JSON text; a half of a surrogate pair becomes U+FFFD.

    Raises ProtocolError: no JSON, NaN, an infinity, a number of more than 20 digits, brackets nested too deeply.
    """
    value, end = decode_json(text)
    if text[end:].strip(BLANKS):
        raise _make_error(text, len(text) - len(text[end:].lstrip(BLANKS)), "its end after the first value")
    return value


def decode_json(text: str, begin: int = 0) -> tuple[Any, int]:
    """Returns (value, index after it) of the JSON that begins in a text at the index `begin`, or after blanks there.

    Raises ProtocolError: no JSON begins there, or the value has NaN, an infinity, a number of more than 20 digits, or
        brackets nested too deeply.
    """
    while begin < len(text) and text[begin] in BLANKS:
        begin += 1
    try:
        value, end = _DECODER.raw_decode(text, begin)
        is_deep = _is_deep(value)
    except RecursionError:
        is_deep = True
    except json.JSONDecodeError as error:
        raise _make_error(text, error.pos, _EXPECTED.get(error.msg, "another character")) from None
    except ValueError as error:
        raise ProtocolError("expected JSON, got %.80r: %s", text[begin:begin + 80], error) from None
    if is_deep:
        raise ProtocolError("expected JSON, got brackets nested too deeply: %.80r", text[begin:begin + 80])
    if _SURROGATE.search(text, begin, end):
        value = json.loads(format_json(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return value, end


def _make_error(text, position, expected):
    """Returns the ProtocolError for a JSON text that has something else than `expected` at the index `position`."""
    line, came = text.count("\n", 0, position) + 1, text[position:position + 40].strip().partition("\n")[0]
    if not text[position:].strip():
        text = text.rstrip()
        return ProtocolError("expected JSON, got its end in line %d after %r: expected %s", text.count("\n") + 1,
                             text.rpartition("\n")[2][-40:], expected)
    if "\n" in text.strip():
        return ProtocolError("expected JSON, got %r in line %d: expected %s", came, line, expected)
    return ProtocolError("expected JSON, got %r at character %d: expected %s", came, position + 1, expected)


def _is_deep(value):
    """Checks whether lists and objects are nested more than _MOST_DEPTH levels deep in a JSON value."""
    level = [value]
    for _ in range(_MOST_DEPTH):
        level = [item for outer in level if isinstance(outer, (list, dict))
                 for item in (outer.values() if isinstance(outer, dict) else outer)]
        if not level:
            return False
    return True


def _parse_int(text):
    if len(text) > _MOST_DIGITS:
        raise ValueError(Message("a number of %d digits", len(text)))
    return int(text)


def _parse_float(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(Message("a number beyond all bounds, %.20s", text))
    return value


def _refuse(text):
    raise ValueError(Message("the number %s", text))


_DECODER = json.JSONDecoder(parse_int=_parse_int, parse_float=_parse_float, parse_constant=_refuse)


def list_values(text: str) -> tuple[list, ProtocolError | None]:
    """Returns ([value], problem) of the JSON values in a text, which follow one another.

    The list ends early if the values are too short for games.
    problem: ProtocolError where the text breaks off or goes on with something else, else None. The last value then
        contains the items that are whole.
    Raises ProtocolError: the text does not begin with JSON.
    """
    values, end, text = [], 0, make_json(text)
    while len(values) <= _MANY + len(text) // LEAST_TEXT:
        begin = _BETWEEN.match(text, end).end()
        if begin == len(text):
            break
        try:
            value, end = decode_json(text, begin)
            values.append(value)
        except ProtocolError as problem:
            with contextlib.suppress(ProtocolError):
                values.append(parse_record_json(close_json(text[begin:])))
            if not values:
                raise
            return values, problem
    return values, None


@lru_cache(1)
def close_json(text: str) -> str:
    """Returns a JSON text up to its last whole item, and closes the brackets that are open there.

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
    # After the index `end` brackets were only opened.
    return text[:end] + "".join(_CLOSERS[bracket] for bracket in reversed(open_brackets[:depth]))


def make_json(text: str) -> str:
    """Returns a text as JSON, if it is a value as Python or MongoDB prints it; else the text itself.

    >>> make_json("{'a': [True, None], 2: ('x\\"', ObjectId('5f'))}")
    '{"a": [true, null], "2": ["x\\\\"", "5f"]}'
    >>> make_json('{"_id": {"$oid": "5f"}, "quan": {"$numberInt": "2"}}')
    '{"_id": "5f", "quan": 2}'
    """
    if '"$' in text:
        text = _CANONICAL.sub(lambda value: (value[1] or value[2]) + "\n" * value[0].count("\n"), text)
    return _NEAR_TOKENS.sub(_replace, text) if _IS_NEAR.match(text) else text


def _replace(token):
    text = token["text"] or token["value"] or _WORDS.get(token[0], token[0])
    if text[:1] == "'":
        with contextlib.suppress(ValueError, SyntaxError):
            return json.dumps(ast.literal_eval("(%s)" % text))
        return json.dumps(text[1:-1])
    return '"%s"' % text if token["key"] else text
