"""Weight files: one .npz with the numbers and, as JSON, the card that says what they are and where they come from.

Matrices are stored as int8 with a float32 scale a column (NAME.weight, NAME.scale), or as float16 or float32; biases
(NAME.bias) as float32. Convolutions are nine matrices, [3, 3, in, out], all others are [in, out]. The same card lies
beside the file as NAME.json, to be read by people.
"""

import io
import json
import os
import pkgutil
import zipfile

import numpy as np

from ..mahjong.errors import ModelMismatchError
from ..observation import layout as observation
from . import planes

FORMAT = 1
_MOST = 127
_CONVERT = "python3 -m mj_bot.lab train convert"


class Weights(object):
    """What a weight file holds.

    card: dict; the network needs its "blocks". arrays: name -> float32 array, matrices as [in, out].
    """

    def __init__(self, card, arrays):
        self.card = card
        self.blocks = card["blocks"]
        self.arrays = arrays


def versions():
    """The versions that a weight file's card must share with this code."""
    return {"format": FORMAT, "view_version": observation.VERSION, "planes_version": planes.VERSION}


def find_weights(name):
    """The bytes of a weight file: one that was handed in with the bot, or the file at that path.

    Raises ModelMismatchError: neither is there.
    """
    try:
        data = pkgutil.get_data("mj_bot", "weights/" + os.path.basename(name))
    except (OSError, ValueError):
        data = None
    if data is None:
        try:
            with open(name, "rb") as file:
                data = file.read()
        except OSError as error:
            raise ModelMismatchError("expected a weight file, got %r: %s" % (name, error.strerror)) from None
    return data


def load_weights(data, name=""):
    """The Weights in the bytes of a file.

    name: what errors call it.
    Raises ModelMismatchError: bytes that are no such file, or weights of another version of the planes.
    """
    card, stored = read_stored(data, name)
    expected = versions()
    found = {key: card.get(key) for key in expected}
    if found != expected:
        raise ModelMismatchError("expected weights of %s, got %s in %r; `%s %s NEW.npz` converts what can be" % (
            _format(expected), _format(found), name, _CONVERT, name or "OLD.npz"))
    return Weights(card, {key: dequantise(stored, key) for key in stored if not key.endswith(".scale")})


def read_stored(data, name=""):
    """(card, arrays as they are stored) of a file of any version.

    Raises ModelMismatchError: bytes that are no such file, or weights of a network that needs advice.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            stored = {key: file[key] for key in file.files}
        card = json.loads(stored.pop("card").tobytes().decode())
    except (ValueError, KeyError, EOFError, TypeError, AttributeError, zipfile.BadZipFile):
        raise ModelMismatchError("expected a weight file, .npz with a card, got %r" % name) from None
    if card.get("is_advised"):
        raise ModelMismatchError("expected a network that needs no advice of a tactic, got %r; train again" % name)
    return card, stored


def dequantise(stored, key):
    """The array of a key in float32, as the network multiplies it."""
    array = stored[key].astype(np.float32)
    if key.endswith(".weight"):
        scale = stored.get(key[:-len("weight")] + "scale")
        if scale is not None:
            array *= scale[..., None, :]
        array = array.reshape(-1, array.shape[-1])
    return array


def quantise(array):
    """(int8 array, float32 scale) of matrices [..., in, out]: the greatest number of each column becomes 127."""
    scale = np.abs(array).max(axis=-2) / _MOST
    scale = np.where(scale > 0, scale, 1).astype(np.float32)
    return np.rint(array / scale[..., None, :]).astype(np.int8), scale


def write_weights(path, card, stored):
    """Writes a file and its card; both are moved into place when they are complete."""
    card = dict(card, **versions())
    text = json.dumps(card, indent=1, sort_keys=True) + "\n"
    with open(path + ".tmp", "wb") as file:
        np.savez_compressed(file, card=np.frombuffer(text.encode(), np.uint8), **stored)
    card_path = os.path.splitext(path)[0] + ".json"
    with open(card_path + ".tmp", "w") as file:
        file.write(text)
    os.replace(path + ".tmp", path)
    os.replace(card_path + ".tmp", card_path)


def _format(found):
    return ", ".join("%s %s" % item for item in sorted(found.items()))
