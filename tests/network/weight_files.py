"""Whole weight files of a small network and a judge of damaged ones, in Python 3.6 alone.

    python3 tests/network/weight_files.py FILE ...    judges these files
"""

import os
import sys

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

import numpy as np

from mj_bot.mahjong.errors import ModelMismatchError
from mj_bot.network.forward import Network, list_layers
from mj_bot.network.planes import INPUTS
from mj_bot.network.weights import STEPS, load_weights, pack_weights, quantise
from mj_bot.observation.layout import OBSERVATION_SIZE, field

CHANNELS, BLOCKS = 4, 1


def make_arrays(precision):
    """Returns the stored arrays of a small network."""
    rng, stored = np.random.RandomState(0), {}
    for name, shape in list_layers(len(INPUTS), CHANNELS, BLOCKS).items():
        matrix = rng.normal(size=shape).astype(np.float32)
        stored[name + ".bias"] = rng.normal(size=shape[-1:]).astype(np.float32)
        if precision in STEPS:
            stored[name + ".weight"], stored[name + ".scale"] = quantise(matrix, precision)
        else:
            stored[name + ".weight"] = matrix.astype(precision)
    return stored


def make_files():
    """Returns {precision: bytes} of whole weight files."""
    card = {"channels": CHANNELS, "blocks": BLOCKS, "plane_names": list(INPUTS)}
    return {precision: pack_weights(card, make_arrays(precision))[0] for precision in (*STEPS, "float16", "float32")}


def check_file(data):
    """Checks that the bytes of a weight file are loaded, or refused by a ModelMismatchError that says what is wrong."""
    try:
        weights = load_weights(data, "x.npz")
    except ModelMismatchError as error:
        assert "expected" in str(error)
        return
    observations = np.zeros((1, OBSERVATION_SIZE), np.uint8)
    field(observations, "hand")[:, :14] = 1
    with np.errstate(all="ignore"):
        assert Network(weights)(observations).policy.shape == (1, 235)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        with open(path, "rb") as file:
            check_file(file.read())
    print("%d files read" % (len(sys.argv) - 1))
