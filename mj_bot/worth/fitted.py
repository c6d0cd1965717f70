"""Reads the numbers that `mj-bot fit` has measured in games of the search against itself from fitted.json.

Each section of fitted.json is the result of one fit command, with that command, its seed and its commit. To refit:

    mj-bot fit calibrate --games 3000 --seed 1000000 --json mj_bot/worth/fitted.json
    mj-bot fit correction --output build/correction --games 204800 --json mj_bot/worth/fitted.json
    mj-bot fit slips search --against cnn --games 12288 --json mj_bot/worth/fitted.json
"""

import json
import pkgutil

# Not by __package__, which zipimport of Python 3.6 leaves None.
FITTED = json.loads(pkgutil.get_data(__name__.rpartition(".")[0], "fitted.json").decode())


def list_weights(section, features):
    """Returns the weights of some features, a tuple of floats; a feature that was not fitted yet has the weight 0.

    section: a dict of fitted.json with "weights", {name of a feature: weight}. features: names.
    """
    return tuple(section["weights"].get(name, 0.0) for name in features)
