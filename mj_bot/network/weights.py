"""Reads and writes weight files.

A weight file is an .npz with arrays and, as JSON, a card that describes them and their origin. NAME.json next to the
file is a copy of the card for people. Matrices (NAME.weight) are int8 or int16 with a float16 scale for each column
(NAME.scale), or float16 or float32. Biases (NAME.bias) are float32. Matrices have the shape [in, out], those that read
the board [plane, rank, out].
"""

import io
import json
from typing import Dict, NamedTuple, Tuple

import numpy as np

from ..arrays import read_arrays
from ..mahjong.errors import ModelMismatchError
from ..observation.layout import OBSERVATION_VERSION
from .forward import list_layers
from .planes import INPUTS

WEIGHT_FORMAT = 3
# A file with more bytes than this, when unpacked, is refused.
_MOST_BYTES = 1 << 28
MOST_SIZE = 1024
# This is the greatest number of float16. Greater ones overflow in the network.
_MOST_NUMBER = 65504
# The greatest number of a column becomes this integer. More steps change fewer choices of the network, and make larger
# files.
STEPS = {"int8": 127, "int16": 1023}


class Weights(NamedTuple):
    """Keeps the content of a weight file."""

    card: dict  # the network needs its "blocks"
    planes: Tuple[str, ...]  # names of the planes that the network takes
    arrays: Dict[str, np.ndarray]  # float32, matrices as [in, out]


def load_weights(data: bytes, name: str = "") -> Weights:
    """Returns the Weights in the bytes of a file.

    name: what errors call the file.
    Raises ModelMismatchError: the bytes are no weight file, its format or its observation is another one, planes are
        unknown, or the arrays do not fit the network that the card describes.
    """
    card, stored = read_stored(data, name)
    if card.get("format") != WEIGHT_FORMAT:
        raise ModelMismatchError("expected weights of format %d, got %.80r in %r: train again", WEIGHT_FORMAT,
                                 card.get("format"), name)
    version = card.get("observation_version", card.get("view_version"))  # the second is the former name
    if version != OBSERVATION_VERSION:
        raise ModelMismatchError("expected weights for observation %d, got %.80r in %r: train again",
                                 OBSERVATION_VERSION, version, name)
    planes = _read_planes(card, name)
    check_stored(card, stored, len(planes), name=name)
    return Weights(card, planes, {key: dequantise(stored, key) for key in stored if not key.endswith(".scale")})


def _read_planes(card, name):
    """Returns the names of the planes that a card lists. A card without names means all planes of this version."""
    planes = card.get("plane_names", list(INPUTS))
    if not isinstance(planes, list) or not all(isinstance(plane, str) for plane in planes):
        raise ModelMismatchError("expected the names of the planes on the card, got %.80r in %r", planes, name)
    unknown = sorted(set(planes).difference(INPUTS))
    if unknown:
        raise ModelMismatchError("expected planes that this code makes, got %.200r in %r: train again", unknown, name)
    return tuple(planes)


def read_stored(data: bytes, name: str = "") -> Tuple[dict, Dict[str, np.ndarray]]:
    """Returns (card, {name: array as it is stored}) of a weight file of any format version.

    name: what errors call the file.
    Raises ModelMismatchError: the bytes are no weight file.
    """
    try:
        stored = read_arrays(io.BytesIO(data), _MOST_BYTES)
        card = json.loads(stored.pop("card").tobytes().decode())
        if not isinstance(card, dict):
            raise ValueError("expected the card as an object, got %.80r" % (card,))
    except (LookupError, RuntimeError, ValueError) as error:
        raise ModelMismatchError("expected a weight file, .npz with a card, got %r: %.200s", name, error) from None
    return card, stored


def check_stored(card: dict, stored: Dict[str, np.ndarray], plane_count: int, *, name: str = "") -> None:
    """Checks that stored arrays fit the network that the card describes.

    plane_count: how many planes the network takes. name: what errors call the file.
    Raises ModelMismatchError: the card has no sizes, an array is missing or not needed, an array has another shape or
        type, or a number is too great.
    """
    sizes = [card.get(key) for key in ("channels", "blocks")]
    if not all(isinstance(size, int) and 0 < size <= MOST_SIZE for size in sizes):
        raise ModelMismatchError("expected channels and blocks, each 1..%d, on the card, got %.80r in %r", MOST_SIZE,
                                 sizes, name)
    expected = {}
    for layer, shape in list_layers(plane_count, *sizes).items():
        expected[layer + ".weight"] = (shape, (*STEPS, "float16", "float32"))
        expected[layer + ".bias"] = (shape[-1:], ("float32",))
        weight = stored.get(layer + ".weight")
        if weight is not None and weight.dtype.name in STEPS:
            expected[layer + ".scale"] = (shape[:-2] + shape[-1:], ("float16", "float32"))
    wrong = sorted(set(expected).symmetric_difference(stored))
    if wrong:
        raise ModelMismatchError("expected the arrays of a network of %d blocks, got %r %s in %r", sizes[1], wrong[0],
                                 "without need" if wrong[0] in stored else "not", name)
    for key, (shape, types) in expected.items():
        array = stored[key]
        if array.shape != shape or array.dtype.name not in types:
            raise ModelMismatchError("expected %s of shape %r, %s, got %r, %s in %r", key, shape, " or ".join(types),
                                     array.shape, array.dtype.name, name)
        # This comparison refuses nan, too.
        if array.dtype.kind == "f" and not (np.abs(array) <= _MOST_NUMBER).all():
            raise ModelMismatchError("expected numbers of at most %g, got others in %s of %r", _MOST_NUMBER, key, name)


def dequantise(stored: Dict[str, np.ndarray], key: str) -> np.ndarray:
    """Returns the stored array `key` in float32, as the network multiplies it. Matrices become [in, out]."""
    array = stored[key].astype(np.float32)
    if not key.endswith(".weight"):
        return array
    scale = stored.get(key[:-len("weight")] + "scale")
    if scale is not None:
        array *= scale[..., None, :]
    return array.reshape(-1, array.shape[-1])


def quantise(array: np.ndarray, precision: str) -> Tuple[np.ndarray, np.ndarray]:
    """Returns (integers, float16 scale) of matrices [..., in, out]. The scale is one for each column.

    A column whose step is too small for float16 becomes 0.
    precision: "int8" or "int16", the type of the integers.
    """
    exact = np.abs(array).max(axis=-2) / STEPS[precision]
    scale = exact.astype(np.float16)
    # The scale is rounded down, so that no number is farther off than half of an exact step.
    scale = np.where(scale > exact, np.nextafter(scale, np.float16(0)), scale)
    steps = np.rint(array / np.where(scale > 0, scale.astype(np.float32), np.inf)[..., None, :])
    most = np.iinfo(precision).max
    return np.clip(steps, -most, most).astype(precision), scale


def pack_weights(card: dict, stored: Dict[str, np.ndarray]) -> Tuple[bytes, str]:
    """Returns (bytes of a weight file, text of its card), with the format version of this code.

    Equal arrays and cards give equal bytes.
    card: dict. stored: {name: array as it is to be stored}.
    """
    card = dict(card, format=WEIGHT_FORMAT, observation_version=OBSERVATION_VERSION)
    text = json.dumps(card, indent=1, sort_keys=True, allow_nan=False) + "\n"
    file = io.BytesIO()
    np.savez_compressed(file, card=np.frombuffer(text.encode(), np.uint8), **stored)
    return file.getvalue(), text
