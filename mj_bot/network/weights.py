"""Reads and writes weight files: one .npz with the numbers and, as JSON, the card that describes them and their origin.

Matrices are stored as int8 or int16 with a float16 scale a column (NAME.weight, NAME.scale), or as float16 or float32;
biases (NAME.bias) as float32. They are [in, out], the first ones [plane, rank, out]. NAME.json next to the file is a
copy of the card for people.
"""

import io
import json
from collections import namedtuple

import numpy as np

from ..arrays import read_arrays
from ..mahjong.errors import ModelMismatchError
from ..observation import layout as observation
from .forward import list_layers
from .planes import INPUTS

WEIGHT_FORMAT = 3
# Most unpacked bytes.
_MOST_BYTES = 1 << 28
MOST_SIZE = 1024
_MOST_NUMBER = 65504  # float16's greatest
# The greatest number of a column in steps. 127 steps change one choice in a hundred, 1023 one in a thousand.
STEPS = {"int8": 127, "int16": 1023}

Weights = namedtuple("Weights", "card planes arrays")
Weights.__doc__ = """The content of a weight file.

card: dict; the network needs its "blocks". planes: tuple of the names of the planes that the network takes.
arrays: name -> float32 array, matrices as [in, out].
"""


def load_weights(data, name=""):
    """Returns the Weights in the bytes of a file.

    name: what errors call it.
    Raises ModelMismatchError: bytes that are no such file, another format, unknown planes, or arrays other than those
        of the network on the card.
    """
    card, stored = read_stored(data, name)
    if card.get("format") != WEIGHT_FORMAT:
        raise ModelMismatchError("expected weights of format %d, got %.80r in %r: train again"
                                 % (WEIGHT_FORMAT, card.get("format"), name))
    planes = _read_planes(card, name)
    check_stored(card, stored, len(planes), name=name)
    return Weights(card, planes, {key: dequantise(stored, key) for key in stored if not key.endswith(".scale")})


def _read_planes(card, name):
    """Returns the names of the planes that a card lists. A card without names means all planes of this version."""
    planes = card.get("plane_names", list(INPUTS))
    if not isinstance(planes, list) or not all(isinstance(plane, str) for plane in planes):
        raise ModelMismatchError("expected the names of the planes on the card, got %.80r in %r" % (planes, name))
    unknown = sorted(set(planes).difference(INPUTS))
    if unknown:
        raise ModelMismatchError("expected planes that this code makes, got %.200r in %r: train again"
                                 % (unknown, name))
    return tuple(planes)


def read_stored(data, name=""):
    """Returns (card, arrays as they are stored) of a weight file of any version.

    Raises ModelMismatchError: bytes that are no such file.
    """
    try:
        stored = read_arrays(io.BytesIO(data), _MOST_BYTES)
        card = json.loads(stored.pop("card").tobytes().decode())
        if not isinstance(card, dict):
            raise ValueError("expected the card as an object, got %.80r" % (card,))
    except (LookupError, RuntimeError, ValueError) as error:
        raise ModelMismatchError("expected a weight file, .npz with a card, got %r: %.200s" % (name, error)) from None
    return card, stored


def check_stored(card, stored, plane_count, *, name=""):
    """Checks that weights are those of the network on the card.

    plane_count: planes that its first layer takes.
    Raises ModelMismatchError: a card without its sizes, a missing or additional array, another shape or type, numbers
        over _MOST_NUMBER.
    """
    sizes = [card.get(key) for key in ("channels", "blocks")]
    if not all(isinstance(size, int) and 0 < size <= MOST_SIZE for size in sizes):
        raise ModelMismatchError("expected channels and blocks, each 1..%d, on the card, got %.80r in %r"
                                 % (MOST_SIZE, sizes, name))
    expected = {}
    for layer, shape in list_layers(plane_count, *sizes).items():
        expected[layer + ".weight"] = (shape, (*STEPS, "float16", "float32"))
        expected[layer + ".bias"] = (shape[-1:], ("float32",))
        weight = stored.get(layer + ".weight")
        if weight is not None and weight.dtype.name in STEPS:
            expected[layer + ".scale"] = (shape[:-2] + shape[-1:], ("float16", "float32"))
    wrong = sorted(set(expected).symmetric_difference(stored))
    if wrong:
        raise ModelMismatchError("expected the arrays of a network of %d blocks, got %r %s in %r" % (
            sizes[1], wrong[0], "without need" if wrong[0] in stored else "not", name))
    for key, (shape, types) in expected.items():
        array = stored[key]
        if array.shape != shape or array.dtype.name not in types:
            raise ModelMismatchError("expected %s of shape %r, %s, got %r, %s in %r" % (
                key, shape, " or ".join(types), array.shape, array.dtype.name, name))
        # Larger ones overflow in the network; nan is refused too.
        if array.dtype.kind == "f" and not (np.abs(array) <= _MOST_NUMBER).all():
            raise ModelMismatchError("expected numbers of at most %g, got others in %s of %r"
                                     % (_MOST_NUMBER, key, name))


def dequantise(stored, key):
    """Returns the array of a key in float32, as the network multiplies it."""
    array = stored[key].astype(np.float32)
    if not key.endswith(".weight"):
        return array
    scale = stored.get(key[:-len("weight")] + "scale")
    if scale is not None:
        array *= scale[..., None, :]
    return array.reshape(-1, array.shape[-1])


def quantise(array, precision):
    """Returns (array of a type in STEPS, float16 scale) of matrices [..., in, out], each column in equal steps.

    A column whose step float16 cannot tell from 0 becomes 0.
    """
    exact = np.abs(array).max(axis=-2) / STEPS[precision]
    scale = exact.astype(np.float16)
    # Rounded down: no number is farther off than half of an exact step.
    scale = np.where(scale > exact, np.nextafter(scale, np.float16(0)), scale)
    steps = np.rint(array / np.where(scale > 0, scale.astype(np.float32), np.inf)[..., None, :])
    most = np.iinfo(precision).max
    return np.clip(steps, -most, most).astype(precision), scale


def pack_weights(card, stored):
    """Returns (bytes of a weight file, text of its card) with the versions of this code.

    The same arrays and card give the same bytes.
    """
    card = dict(card, format=WEIGHT_FORMAT, view_version=observation.OBSERVATION_VERSION)
    text = json.dumps(card, indent=1, sort_keys=True, allow_nan=False) + "\n"
    file = io.BytesIO()
    np.savez_compressed(file, card=np.frombuffer(text.encode(), np.uint8), **stored)
    return file.getvalue(), text
