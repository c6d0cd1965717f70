"""Damaged files as hypothesis makes them: always the same ones, and the smallest that shows an error is reported.

What a file is made of is recognised by its first bytes, so that a new form of file needs no code here.
"""

import gzip
import io
import json
import re
import zipfile

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import break_bytes, break_value

_TYPES = ("f8", "i4", "u1", "i1", "b1", "U3", "u8", "c8")
_NUMBERS = (np.nan, np.inf, -1, 0, 3, 255, 10 ** 6, 2 ** 62, -2 ** 63)
_HEADER = slice(10, 127)  # of a small array in numpy's form, without its length and line break
_HEADER_WORDS = (b"|O", b"<f8", b">f4", b"|V2", b"1099511627776,", b"-1,", b"", b"((((((", b"True", b"9,9,9,9", b"'")


def try_damaged(wholes, check, count):
    """Calls check(name, data) for `count` damaged forms of whole files.

    wholes: {name: bytes} of whole files.
    """
    @settings(max_examples=count, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(sorted(wholes)), st.randoms(use_true_random=False))
    def run(name, rng):
        check(name, break_content(rng, wholes[name]))

    run()


def break_content(rng, data):
    """Returns the bytes of a file with damage inside: in a zip, gzip, an array, JSON, words, or only bytes."""
    if rng.random() < 0.25:
        return break_bytes(rng, data)
    if data[:2] == b"PK":
        return _break_zip(rng, data)
    if data[:2] == b"\x1f\x8b":
        return gzip.compress(break_content(rng, gzip.decompress(data)), 1)
    if data[:6] == b"\x93NUMPY":
        return _break_array(rng, data)
    if data[:1] in (b"{", b"["):
        return _break_json(rng, data)
    if rng.random() < 0.1:
        return gzip.compress(break_content(rng, data), 1)
    words = data.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(words)
    return b" ".join(words)


def _break_zip(rng, data):
    """Another content of an entry, another name, no entry, or another way to pack all."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(sorted(contents))
    content = contents.pop(name)
    kind = rng.randrange(10)
    if kind == 0:
        contents[rng.choice((name + "x", "../" + name, "x", *contents))] = content
    elif kind > 1:
        contents[name] = break_content(rng, content)
    buffer = io.BytesIO()
    method = zipfile.ZIP_LZMA if rng.random() < 0.05 else zipfile.ZIP_STORED
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _break_array(rng, data):
    """Another header, type, shape or number; an array of bytes may contain a file itself."""
    array = np.load(io.BytesIO(data))
    kind = rng.randrange(6)
    if kind == 0:
        header = re.sub(rb"(?<='descr': ')...|(?<='shape': \()[\d, ]*|False",
                        lambda match: rng.choice((match.group(), *_HEADER_WORDS)), data[_HEADER])
        return data[:_HEADER.start] + header[:117].ljust(117) + data[_HEADER.stop:]
    if kind == 1:
        array = np.zeros(array.shape, rng.choice(_TYPES))
    elif kind == 2:
        array = rng.choice((array[None], array.T, array[..., None]))
    elif kind == 3:
        array = array.reshape(-1)[:rng.randrange(array.size + 1)]
    elif array.dtype == np.uint8 and array[:1].tobytes() == b"{":
        array = np.frombuffer(break_content(rng, array.tobytes()), np.uint8)
    elif array.size:
        array = array.copy()
        with np.errstate(invalid="ignore", over="ignore"):
            for _ in range(rng.choice((1, 1, 3))):
                number = rng.choice((*_NUMBERS, rng.randrange(256)))
                array.reshape(-1)[rng.randrange(array.size)] = np.array(number).astype(array.dtype)
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _break_json(rng, data):
    """Another value somewhere in a line of JSON."""
    lines = data.split(b"\n")
    index = rng.randrange(len(lines))
    try:
        value = json.loads(lines[index])
    except ValueError:
        return break_bytes(rng, data)
    for _ in range(rng.choice((1, 1, 2))):
        value = break_value(rng, value)
    lines[index] = json.dumps(value).encode("utf-8", "surrogatepass")
    return b"\n".join(lines)
