"""Turns texts that are nearly JSON into JSON: Python's str(dict), the shell of MongoDB and its canonical JSON."""

import ast
import contextlib
import json
import re
from typing import Any

_IS_NEAR = re.compile(
    r"\s*[\[{][\[{(\s]*(?:'|\d+\s*:)|[\[{].{0,200}?\b(?:ObjectId|NumberInt|NumberLong|ISODate)\(", re.DOTALL)
# The signs *+ do not backtrack. Python prints a long text as several ones. Of a call such as ObjectId("...") the value
# is taken.
_TOKEN = re.compile(
    r"""(?P<text>'(?:[^'\\]|\\.)*+'(?:\s++'(?:[^'\\]|\\.)*+')*+)|"(?:[^"\\]|\\.)*+"|\b(?P<word>True|False|None)\b"""
    r"""|\b(?:ObjectId|NumberInt|NumberLong|NumberDecimal|ISODate)\(\s*(?P<value>"[^"]*"|'[^']*'|-?\d[\d.]*)\s*\)"""
    r"""|(?P<key>\b\d+(?=\s*:))|(?P<bracket>[()])|,(?=\s*[\]})])""", re.DOTALL)
_WORDS = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]"}
_MOST_DIGITS = 20


def make_json(text: str) -> str:
    """Returns a text as JSON, if it is a value as Python or the shell of MongoDB prints it; else the text itself.

    >>> make_json("{'a': [True, None], 2: ('x\\"', ObjectId('5f'))}")
    '{"a": [true, null], "2": ["x\\\\"", "5f"]}'
    """
    return _TOKEN.sub(_replace, text) if _IS_NEAR.match(text) else text


def _replace(token):
    word, text = token["word"] or token["bracket"], token["text"] or token["value"]
    if word:
        return _WORDS[word]
    if token["key"]:
        return '"%s"' % token["key"]
    if text and text[0] == "'":
        if "\\" in text or "'" in text[1:-1]:
            with contextlib.suppress(ValueError, SyntaxError):
                return json.dumps(ast.literal_eval("(%s)" % text))
        return json.dumps(text[1:-1], ensure_ascii=False)
    return text or ("" if token[0] == "," else token[0])


def plain_value(value: Any) -> Any:
    """Returns a JSON value with the numbers, ids and dates of MongoDB's canonical JSON as plain values.

    >>> plain_value({"_id": {"$oid": "5f"}, "quan": {"$numberInt": "2"}, "time": {"$date": {"$numberLong": "7"}}})
    {'_id': '5f', 'quan': 2, 'time': 7}
    """
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        (key, item), = value.items()
        if key in ("$oid", "$date", "$symbol"):
            return plain_value(item)
        if key in ("$numberInt", "$numberLong", "$numberDouble", "$numberDecimal") and isinstance(item, str):
            with contextlib.suppress(ValueError):
                if len(item) <= _MOST_DIGITS:
                    return int(item) if item.lstrip("-").isdecimal() else json.loads(item, parse_constant=float)
    return {key: plain_value(item) for key, item in value.items()}
