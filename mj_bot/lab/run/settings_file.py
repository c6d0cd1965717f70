"""Settings by name: the tables of a file of settings, and the TABLE.NAME=VALUE of --set."""

import difflib
import tomllib

from ...mahjong.errors import MahjongError


def change_settings(tables, changes):
    """Returns tables of settings with some changed.

    tables: {table: {name: value}}. changes: (table, name, text of the value as in TOML, or a text without quotes), as
    options.parse_setting returns them.

    >>> change_settings({"run": {"games": 5}}, [("run", "games", "1e3"), ("run", "device", "cpu")])
    {'run': {'games': 1000.0, 'device': 'cpu'}}
    """
    changed = dict(tables)
    for table, name, text in changes:
        try:
            value = tomllib.loads("value = " + text)["value"]
        except (ValueError, RecursionError):  # no TOML, a long number, or many brackets
            value = text
        # A table that is none is refused with the others.
        former = changed.get(table, {})
        changed[table] = dict(former, **{name: value}) if isinstance(former, dict) else former
    return changed


def parse_table(types, table, where):
    """Returns the settings of a table, each of its type; whole numbers may be written 1e3.

    types: {name: bool, int, float, str, dict or tuple}. table: {name: value}. where: it comes from.
    Raises MahjongError: no table, an unknown name, or a value of another type.
    """
    if not isinstance(table, dict):
        raise MahjongError("expected a table of settings, got %r in %s" % (table, where))
    check_names(table, types, where)
    return {name: _convert(name, value, types[name], where=where) for name, value in table.items()}


def _convert(name, value, expected, *, where):
    if expected is float and type(value) is int:
        value = float(value)
    elif expected is int and type(value) is float and value.is_integer():
        value = int(value)
    elif expected is tuple and isinstance(value, list):
        value = tuple(value)
    if type(value) is not expected:
        raise MahjongError("expected %s = a value of type %s, got %r in %s" % (name, expected.__name__, value, where))
    return value


def check_names(data, names, where):
    """Raises MahjongError where a key of a dict is none of the names. where: the dict comes from."""
    for name in data:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1, cutoff=0.0)[0]
            raise MahjongError("expected settings out of %s, got %r in %s; did you mean %r?" % (
                ", ".join(names), name, where, near))
