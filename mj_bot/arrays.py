"""Reads arrays from .npz files that nobody has checked."""

import os
import re
import struct
import zipfile
import zlib
from typing import IO, Dict, Optional, Tuple, Union

import numpy as np

# These are the errors of zipfile and numpy on arbitrary bytes.
_BROKEN = (AttributeError, EOFError, LookupError, MemoryError, OverflowError, RuntimeError, ValueError, struct.error,
           zipfile.BadZipFile, zlib.error)
# This matches the header of an array as np.savez writes it.
_HEADER = re.compile(br"\x93NUMPY\x01\x00..{'descr': '(\|[biu]1|<[iuf][248]|<U\d{1,4})', "
                     br"'fortran_order': (False|True), 'shape': \(([\d, ]{0,60})\), } *\n", re.DOTALL)


def read_arrays(
        file: Union[str, os.PathLike, IO[bytes]], most_bytes: int,
        fields: Optional[Dict[str, Tuple[str, Tuple[Optional[int], ...]]]] = None) -> Dict[str, np.ndarray]:
    """Returns the arrays of an .npz file that nobody has checked, {name: array}.

    np.load would trust the sizes that the file claims, and would raise the errors of every library that it uses.
    file: path of a regular file, or an open file of bytes. most_bytes: how many bytes may be unpacked.
    fields: {name: (regular expression of the type, such as "u1" or "i8", shape)} of the arrays that must be there. None
        in a shape stands for any length. If `fields` is None, the file may have any arrays.
    Raises OSError: the file cannot be read. ValueError: it is no .npz of arrays of numbers, it has more bytes, or its
        arrays are not those of `fields`.
    """
    if isinstance(file, (str, os.PathLike)) and os.path.exists(file) and not os.path.isfile(file):
        raise ValueError("expected a file, got something else")
    try:
        arrays = _unpack(file, most_bytes)
    except _BROKEN as error:
        raise ValueError("expected an .npz, got %s: %.200s" % (type(error).__name__, error)) from None
    for name, (type_pattern, shape) in (fields or {}).items():
        if name not in arrays:
            raise ValueError("expected an array %r, got none" % name)
        array = arrays[name]
        if not re.match(type_pattern + "$", array.dtype.str[1:]) or len(array.shape) != len(shape) or any(
                size not in (None, length) for size, length in zip(shape, array.shape)):
            raise ValueError("expected %r of type %s and shape %r, got %s, %r" % (
                name, type_pattern, shape, array.dtype.str, array.shape))
    return arrays


def _unpack(file, most_bytes):
    """Returns {name: array} of an archive. Raises ValueError, or one of the errors in _BROKEN."""
    arrays = {}
    with zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        if sum(entry.file_size for entry in entries) > most_bytes:
            raise ValueError("expected at most %d bytes unpacked" % most_bytes)
        # Other methods have errors of their own, and numpy does not use them.
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
