"""Broken weight files and a judge of how they are refused, in Python 3.6 alone as tests/wire_fuzz.py.

    python3 tests/network/weights_fuzz.py --count 1000 --seed 0
"""

import io
import json
import os
import random
import re
import sys
import zipfile

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

if __name__ == "__main__":
    sys.path.insert(0, REPOSITORY)

import numpy as np

from mj_bot.mahjong.errors import ModelMismatchError
from mj_bot.network.forward import Network, list_layers
from mj_bot.network.planes import INPUTS
from mj_bot.network.weights import STEPS, load_weights, pack_weights, quantise
from mj_bot.observation.layout import OBSERVATION_SIZE, field
from tests.fuzz import break_bytes, break_value, run_command, try_broken

CHANNELS, BLOCKS = 4, 1
_HEADERS = (b"'descr': '|O'", b"'descr': '<f8'", b"'descr': [('a', '<f4')]", b"'shape': (1099511627776,)",
            b"'shape': (-1,)", b"'shape': ()", b"'fortran_order': True", b"((((((((((", b"'shape': (9,9,9,9)")


def make_arrays(precision):
    """The stored arrays of a small network."""
    rng, stored = np.random.RandomState(0), {}
    for name, shape in list_layers(len(INPUTS), CHANNELS, BLOCKS).items():
        matrix = rng.normal(size=shape).astype(np.float32)
        stored[name + ".bias"] = rng.normal(size=shape[-1:]).astype(np.float32)
        if precision in STEPS:
            stored[name + ".weight"], stored[name + ".scale"] = quantise(matrix, precision)
        else:
            stored[name + ".weight"] = matrix.astype(precision)
    return stored


def load_files():
    """[bytes] of whole weight files, packed and plain."""
    files = []
    for precision in (*STEPS, "float16", "float32"):
        stored = make_arrays(precision)
        files.append(pack_weights({"channels": CHANNELS, "blocks": BLOCKS, "plane_names": list(INPUTS)}, stored)[0])
        files.append(_repack(files[-1], lambda contents: None))
    return files


def _repack(data, change, method=zipfile.ZIP_STORED):
    """The file with changed {name: bytes} of its entries, packed by another method, else not at all."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    change(contents)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def break_file(rng, files):
    """A broken weight file as bytes: other arrays, another card, another header of an array, other bytes."""
    data = rng.choice(files)
    if rng.random() < 0.05:
        data = _repack(data, lambda contents: None, rng.choice((zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)))
    kind = rng.randrange(6)
    if kind < 4:
        change = (_break_array, _break_card, _break_header, _break_names)[kind]
        return _repack(data, lambda contents: change(rng, contents))
    if kind == 4:
        return break_bytes(rng, data)
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 30))):
        # The zip's own tables lie at the end.
        start = 0 if rng.random() < 0.5 else max(0, len(data) - 2000)
        data[rng.randrange(start, len(data))] = rng.choice((0, 1, 255, 127, rng.randrange(256)))
    return bytes(data)


def _pack_array(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def _pick(rng, contents):
    return rng.choice(sorted(name for name in contents if name != "card.npy"))


def _break_array(rng, contents):
    name = _pick(rng, contents)
    array = np.load(io.BytesIO(contents[name]))
    kind = rng.randrange(5)
    if kind == 0:
        array = array[..., :-1]
    elif kind == 1:
        array = array.astype(rng.choice(("float64", "int8", "int32", "complex64", "U3", "bool")))
    elif kind == 2:
        array = array.T
    elif kind == 3:
        array = array.astype(np.float32)
        array.flat[rng.randrange(array.size)] = rng.choice((np.nan, np.inf))
    else:
        array = array[None]
    contents[name] = _pack_array(array)


def _break_card(rng, contents):
    card = break_value(rng, json.loads(np.load(io.BytesIO(contents["card.npy"])).tobytes().decode()))
    text = json.dumps(card).encode("utf-8", "surrogatepass")
    if rng.random() < 0.2:
        text = text[:rng.randrange(len(text))] + rng.choice((b"\xff", b"[" * 3000, b"9" * 5000, b""))
    contents["card.npy"] = _pack_array(np.frombuffer(text + b" ", np.uint8))


def _break_header(rng, contents):
    name = rng.choice(sorted(contents))
    content = contents[name]
    start, end = content.index(b"{"), content.index(b"\n")
    kind = tuple(map(rng.choice, (b"<|>=", b"fiucbUV", b"0123489")))
    at = rng.randrange(start, end)
    header = rng.choice((
        b"{" + rng.choice(_HEADERS) + b", 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}",
        content[start:at] + rng.choice((b"(", b"'", b"9" * 400, b"\x00", b"\xff", b"L", b"-")) + content[at:end],
        re.sub(br"'descr': '...'", b"'descr': '%c%c%c'" % kind, content[start:end])))
    version = bytes([rng.randrange(5), rng.randrange(3)]) if rng.random() < 0.2 else content[6:8]
    contents[name] = content[:6] + version + content[8:start] + header[:end - start].ljust(end - start) + content[end:]


def _break_names(rng, contents):
    name = _pick(rng, contents)
    content = contents.pop(name)
    if rng.random() < 0.6:
        contents[rng.choice((name + "x", "blocks.9.first.weight.npy", "../" + name, "x", "card.npy"))] = content


def find_complaint(data):
    """What is wrong with how the bytes of a weight file are read, None where nothing is."""
    try:
        weights = load_weights(data, "x.npz")
    except ModelMismatchError as error:
        return None if "expected" in str(error) else "expected what was expected, got %r" % str(error)
    observations = np.zeros((1, OBSERVATION_SIZE), np.uint8)
    field(observations, "hand")[:, :14] = 1
    answer = Network(weights)(observations)
    return None if answer.policy.shape == (1, 235) else "expected 235 logits, got %r" % (answer.policy.shape,)


def run_fuzz(count, seed):
    """(file, complaint) of the first of `count` broken files that is not read rightly, else None.

    Any error but ModelMismatchError comes out as it is.
    """
    rng = random.Random(seed)
    files = load_files()
    for data in files:
        load_weights(data, "x.npz")
    return try_broken(count, lambda: break_file(rng, files), find_complaint)


if __name__ == "__main__":
    np.seterr(all="ignore")
    sys.exit(run_command(__doc__, run_fuzz, "files read"))
