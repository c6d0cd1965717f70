"""Reads arrays from .npz files that nobody has checked."""

import os
import re
import struct
import zipfile
import zlib

import numpy as np

# Errors of zipfile and numpy on arbitrary bytes.
_BROKEN = (AttributeError, EOFError, LookupError, MemoryError, OverflowError, RuntimeError, ValueError, struct.error,
           zipfile.BadZipFile, zlib.error)
# An array's header as np.savez writes it.
_HEADER = re.compile(br"\x93NUMPY\x01\x00..{'descr': '(\|[biu]1|<[iuf][248]|<U\d{1,4})', "
                     br"'fortran_order': (False|True), 'shape': \(([\d, ]{0,60})\), } *\n", re.DOTALL)


def read_arrays(file, most_bytes, fields=None):
    """Returns the arrays of an .npz file that nobody has checked, {name: array}.

    file: path of a regular file, or an open file of bytes. most_bytes: that may be unpacked. fields: {name: (regular
    expression of the type, such as "u1" or "i8", shape with None for any length)} of the arrays, if they are known.
    Raises OSError: the file cannot be read. ValueError: no such file, more bytes, or other arrays than the fields.

    np.load would trust the sizes that the file claims, and raise the errors of each library that it reads headers with.
    """
    if isinstance(file, (str, os.PathLike)) and os.path.exists(file) and not os.path.isfile(file):
        raise ValueError("expected a file, got something else")
    try:
        arrays = _unpack(file, most_bytes)
    except _BROKEN as error:
        raise ValueError("expected an .npz, got %s: %.200s" % (type(error).__name__, error)) from None
    for name, (kind, shape) in (fields or {}).items():
        if name not in arrays:
            raise ValueError("expected an array %r, got none" % name)
        array = arrays[name]
        if not re.match(kind + "$", array.dtype.str[1:]) or len(array.shape) != len(shape) or any(
                size not in (None, found) for size, found in zip(shape, array.shape)):
            raise ValueError("expected %r of type %s and shape %r, got %s, %r" % (
                name, kind, shape, array.dtype.str, array.shape))
    return arrays


def _unpack(file, most_bytes):
    arrays = {}
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > most_bytes:
            raise ValueError("expected at most %d bytes unpacked" % most_bytes)
        # The other methods have errors of their own, and numpy uses neither.
        if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries):
            raise ValueError("expected entries that are stored or deflated")
        for entry in entries:
            content = archive.read(entry)
            header = _HEADER.match(content)
            if header is None:
                raise ValueError("expected an array of numbers, got %.80r" % content)
            dtype, by_columns, sizes = (group.decode() for group in header.groups())
            shape = tuple(int(size) for size in sizes.replace(",", " ").split())
            array = np.frombuffer(content, dtype, offset=header.end())
            array = array.reshape(shape, order="F" if by_columns == "True" else "C")
            arrays[entry.filename[:-len(".npy")]] = array.copy("K")
    return arrays
