"""Lists the parameters of the search, and reads the numbers that `mj-bot fit` has measured in its games.

A new parameter is a line of _TABLE. The values were fitted by matches against a field of players, and checked on walls
that the fit had not used. Only `danger` is higher than its fitted value. The higher value lowers the deal-ins, and the
matches show no loss by it: docs/studies/history.md tells about it.

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
from collections import namedtuple
from typing import Any, Dict, Iterable, Tuple

from ..mahjong.errors import MahjongError
from ..trouble import check_number

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

_TABLE = (
    # Each line has a name, its value, the least and the highest value that is accepted.

    # This share of the own wall is drawn before somebody wins.
    ("horizon", 0.5188, (0, 1)),

    # Each of these is the share of the discards that a hand can use.
    #     chow_claims       discards of the seat before it, for a chow
    #     pair_claims       discards of any seat, for a pair; those of the other two seats, to win by a chow
    #     pung_claims       discards of any seat, for the last tile of a pung
    #     concealed_claims  discards of any seat, for a hand that must stay concealed
    #     win_claims        discards of any seat, for the winning tile of a ready hand
    ("chow_claims", 0.5511, (0, 2)),
    ("pair_claims", 0.1, (0, 1)),
    ("pung_claims", 0.6763, (0, 2)),
    ("concealed_claims", 0.05, (0, 1)),
    ("win_claims", 0.7, (0, 2)),

    # Targets are raised to this power before they are summed. A higher power makes the best target count more.
    ("sharpness", 2.606, (0.5, 10)),
    # Rows with a lower chance are left out.
    ("least_chance", 1e-6, (1e-12, 1)),

    # Each of these is the share of targets that reach eight fan although their pattern has fewer.
    #     short_concealed, short_open  patterns of six fan, in concealed and in open hands
    #     half_concealed, half_open    half flushes without a set of two fan, in concealed and in open hands
    #     pungs_short                  all pungs without a set of two fan
    ("short_concealed", 0.4, (0, 1)),
    ("short_open", 0.2097, (0, 1)),
    ("half_concealed", 0.7, (0, 1)),
    ("half_open", 0.4, (0, 1)),
    ("pungs_short", 0.5, (0, 1)),
    # Targets of all types have these factors: an open hand whose set of winds is of a guest wind, and any hand whose
    # winds or dragons are the pair.
    ("types_guest_wind", 0.6, (0, 1)),
    ("types_honour_pair", 0.9, (0, 1)),
    # A knitted straight also needs a set and the pair. The two are counted separately, so only this share of their
    # product is taken.
    ("knitted_rest", 0.8, (0, 2)),

    # These are the weights of the waits that really count eight fan, and of the chance that a discard deals in.
    ("ready", 1.123, (0, 10)),
    ("danger", 2.0, (0, 20)),

    # There are two switches, 1 or 0: for correction.py, and for waits.py, which needs correction.py.
    ("correction", 1, (0, 1)),
    ("next_draw", 1, (0, 1)),
)

Parameters = namedtuple("Parameters", [name for name, _, _ in _TABLE])
PARAMETERS = Parameters(*[value for _, value, _ in _TABLE])
PARAMETER_LIMITS = {name: limits for name, _, limits in _TABLE}


def replace_parameters(values: Dict[str, float]) -> Parameters:
    """Returns PARAMETERS with other values for some of them.

    values: {name of a parameter: value}.
    Raises TypeError: a name is no parameter, or a value is no number. UnknownTacticError: a value is outside
        PARAMETER_LIMITS, or is a fraction where the parameter is a switch.
    """
    unknown = sorted(set(values) - set(PARAMETERS._fields))
    if unknown:
        raise TypeError("expected parameters out of %s, got %s" % (" ".join(PARAMETERS._fields), " ".join(unknown)))
    for name, value in sorted(values.items()):
        check_number(name, value, *PARAMETER_LIMITS[name], is_whole=isinstance(getattr(PARAMETERS, name), int))
    return PARAMETERS._replace(**values)


def list_weights(section: dict, features: Iterable[str]) -> Tuple[float, ...]:
    """Returns the weights of some features in a section of fitted.json; 0 for a feature that was not fitted yet."""
    return tuple(section["weights"].get(name, 0.0) for name in features)
