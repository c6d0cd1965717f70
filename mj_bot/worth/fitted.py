"""Reads fitted.json, which contains the numbers that `mj-bot fit` has measured in games of the search.

Each section of fitted.json is the result of one fit command, with that command, its seed and its commit. These commands
write the file anew:

    mj-bot fit calibrate --games 3000 --seed 1000000 --json mj_bot/worth/fitted.json
    mj-bot fit correction --output build/correction --games 204800 --json mj_bot/worth/fitted.json
    mj-bot fit verdict --output build/draws --games 75520 --seed 20 --json mj_bot/worth/fitted.json
    mj-bot fit verdict --judges search cnn --output build/own --games 12288 --json mj_bot/worth/fitted.json
"""

import json
import math
import pkgutil
from typing import Any, Iterable, Tuple

from ..mahjong.errors import MahjongError

# All other values of a section are numbers, and lists or dicts of numbers.
_TEXTS = ("command", "commit", "changed", "source", "name")


def check_numbers(value: Any, where: str) -> None:
    """Checks that a value of fitted.json has finite numbers only, besides what tells of its command.

    where: names the value in the error. Raises MahjongError: it has something else.
    """
    if isinstance(value, (dict, list)):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            if key not in _TEXTS:
                check_numbers(part, "%s, %s" % (where, key))
    elif not isinstance(value, (int, float)) or not math.isfinite(value):
        raise MahjongError("expected a finite number in %s, got %r", where, value)


class _Section(dict):
    def __missing__(self, key):
        raise MahjongError("expected %r in worth/fitted.json, got only %s", key, ", ".join(self))


# zipimport of Python 3.6 leaves __package__ None, so the name of the package is taken from __name__.
FITTED = json.loads(pkgutil.get_data(__name__.rpartition(".")[0], "fitted.json").decode(), object_hook=_Section)
check_numbers(FITTED, "worth/fitted.json")


def list_weights(section: dict, features: Iterable[str]) -> Tuple[float, ...]:
    """Returns the weights of some features in a section of fitted.json; 0 for a feature that was not fitted yet."""
    return tuple(section["weights"].get(name, 0.0) for name in features)
