"""Reads fitted.json, which contains the numbers that `mj-bot fit` has measured in games of the search.

Each section of fitted.json is the result of one fit command, with that command, its seed and its commit. These commands
write the file anew:

    mj-bot fit calibrate --games 3000 --seed 1000000 --json mj_bot/worth/fitted.json
    mj-bot fit correction --output build/correction --games 204800 --json mj_bot/worth/fitted.json
    mj-bot fit slips search --against cnn --output build/slips --games 12288 --json mj_bot/worth/fitted.json
    mj-bot fit verdict --output build/draws --games 75520 --seed 20 --json mj_bot/worth/fitted.json
"""

import json
import pkgutil
from typing import Iterable, Tuple

# zipimport of Python 3.6 leaves __package__ None, so the name of the package is taken from __name__.
FITTED = json.loads(pkgutil.get_data(__name__.rpartition(".")[0], "fitted.json").decode())


def list_weights(section: dict, features: Iterable[str]) -> Tuple[float, ...]:
    """Returns the weights of some features in a section of fitted.json; 0 for a feature that was not fitted yet."""
    return tuple(section["weights"].get(name, 0.0) for name in features)
