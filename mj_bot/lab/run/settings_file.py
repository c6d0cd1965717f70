"""Changes and checks settings by name: the tables of a file of settings, and the TABLE.NAME=VALUE of --set."""

import dataclasses
import difflib
from collections.abc import Iterable
from typing import Any

import tomllib

from ...mahjong.errors import MahjongError

# Within these limits no sum of a learner overflows, and dividing by a positive setting gives no infinity.
LEAST_POSITIVE, _MOST_NUMBER = 1e-12, 1e12


def number(default: float, least: float = 0, most: float = _MOST_NUMBER) -> Any:
    """Returns the field of a dataclass for a setting that is a number from `least` to `most`."""
    return dataclasses.field(default=default, metadata={"limits": (least, most)})


def choice(default: str, *others: str) -> Any:
    """Returns the field of a dataclass for a setting that is one of several words."""
    return dataclasses.field(default=default, metadata={"words": (default, *others)})


def change_settings(tables: dict[str, dict], changes: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """Returns tables of settings, {table: {name: value}}, with some of them changed.

    changes: (table, name, text of the value), as options.parse_setting returns them.
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
        # change_table refuses a table that is no dict.
        former = changed.get(table, {})
        changed[table] = dict(former, **{name: value}) if isinstance(former, dict) else former
    return changed


def change_table(former: Any, name: str, table: Any, where: str) -> Any:
    """Returns a dataclass of settings with the values of a table, each of its type and within its limits.

    former: the dataclass, whose fields number() and choice() may have made. name: of the table. table: {name: value};
        whole numbers may be written 1e3. where: source of the table, for errors.
    Raises MahjongError: `table` is no dict, or has an unknown name or a value that is not allowed.
    """
    source = "[%s] of %s" % (name, where)
    if not isinstance(table, dict):
        raise MahjongError("expected a table of settings, got %r in %s", table, source)
    items = {item.name: item for item in dataclasses.fields(former)}
    check_names(table, items, source)
    settings = dataclasses.replace(former, **{
        key: _convert(key, value, items[key].type, where=source) for key, value in table.items()})
    for key, item in items.items():
        value, words = getattr(settings, key), item.metadata.get("words")
        least, most = item.metadata.get("limits", (None, None))
        if least is not None and not least <= value <= most or words and value not in words:
            raise MahjongError("expected %s.%s to be %s, got %r in %s", name, key,
                               " or ".join(words) if words else "%.12g .. %.12g" % (least, most), value, where)
    return settings


def _convert(name, value, expected, *, where):
    """Returns a setting in its type. expected: the type. where: source of the setting, for the error."""
    if expected is float and type(value) is int:
        value = float(value)
    elif expected is int and type(value) is float and value.is_integer():
        value = int(value)
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
