"""Changes and checks settings by name: the tables of a file of settings, and the TABLE.NAME=VALUE of --set."""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

import tomllib

from ...mahjong.errors import MahjongError


def change_settings(tables: dict[str, dict], changes: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """Returns tables of settings with some of them changed.

    tables: {table: {name: value}}. changes: (table, name, text of the value), as options.parse_setting returns them.
    The text is a TOML value; a text without quotes is allowed too.

    >>> change_settings({"run": {"games": 5}}, [("run", "games", "1e3"), ("run", "device", "cpu")])
    {'run': {'games': 1000.0, 'device': 'cpu'}}
    """
    changed = dict(tables)
    for table, name, text in changes:
        try:
            value = tomllib.loads("value = " + text)["value"]
        except (ValueError, RecursionError):  # the text is no TOML, a very long number, or has many brackets
            value = text
        # parse_table refuses a table that is no dict.
        former = changed.get(table, {})
        changed[table] = dict(former, **{name: value}) if isinstance(former, dict) else former
    return changed


def parse_table(types: Mapping[str, type], table: Any, where: str) -> dict[str, Any]:
    """Returns the settings of a table, each of its type: bool, int, float, str, dict or tuple.

    Whole numbers may be written 1e3. where: source of the table, for errors.
    Raises MahjongError: `table` is no dict, or has an unknown name or a value of another type.
    """
    if not isinstance(table, dict):
        raise MahjongError("expected a table of settings, got %r in %s", table, where)
    check_names(table, types, where)
    return {name: _convert(name, value, types[name], where=where) for name, value in table.items()}


def _convert(name, value, expected, *, where):
    """Returns a setting in its type. expected: the type. where: source of the setting, for the error."""
    if expected is float and type(value) is int:
        value = float(value)
    elif expected is int and type(value) is float and value.is_integer():
        value = int(value)
    elif expected is tuple and isinstance(value, list):
        value = tuple(value)
    if type(value) is not expected:
        raise MahjongError("expected %s = a value of type %s, got %r in %s", name, expected.__name__, value, where)
    return value


def check_names(data: Iterable[str], names: Iterable[str], where: str) -> None:
    """Raises MahjongError: a dict has a key that is none of the names; the error suggests the nearest name.

    where: source of the dict, for the error.
    """
    for name in data:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1, cutoff=0.0)[0]
            raise MahjongError("expected settings out of %s, got %r in %s; did you mean %r?", ", ".join(names), name,
                               where, near)
