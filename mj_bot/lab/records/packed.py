"""Opens files as people have them: packed as .gz, .zip or .tar, in UTF-8, UTF-16 or GB18030.

A small file may unpack to a thousand times its size, so every stream counts the bytes that it gives. Nothing of an
archive is written to disk.
"""

import contextlib
import gzip
import io
import os
import struct
import tarfile
import zipfile
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, getincrementaldecoder
from collections.abc import Iterator
from functools import partial
from io import BufferedReader

from ...mahjong.errors import ProtocolError
from ..run.printable import clean_text

# The files of a .zip may be packed with these methods. bz2 and lzma are refused, because they give up to a gigabyte at
# once, before anything can count it.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_GZIP, _ZIP = b"\x1f\x8b", (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# These errors tell that a stream is damaged or cannot be read.
UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, tarfile.TarError, NotImplementedError,
              RuntimeError)
MOST_FILES = 1000  # most files in a .zip or .tar
# A packed file may give at most _MOST_UNPACKED bytes, and at most _FREE bytes more than _MOST_RATIO times its own size.
# Packs of Botzone's logs give some 20 times their size.
_MOST_UNPACKED = 1 << 32
_MOST_RATIO, _FREE = 200, 1 << 24
_CHUNK = 1 << 16  # bytes that are read at once
_HEAD = 1 << 10  # bytes that tell the encoding of a file
_TAR = slice(257, 262), b"ustar"  # where a .tar names its form, and the name
# Archive programs add these files.
_NOT_RECORDS = ("__MACOSX/", ".DS_Store", "Thumbs.db", "/._")


def describe_failure(error: Exception) -> ProtocolError:
    """Returns a ProtocolError unchanged, and the one that tells of an error of UNREADABLE."""
    return error if isinstance(error, ProtocolError) else ProtocolError(
        "expected a file that can be read to its end, got %s: %s", type(error).__name__, error)


class _Unpacked(io.RawIOBase):
    """Reads the unpacked bytes of a stream. Raises ProtocolError: there are more of them than the limit."""

    def __init__(self, stream, packed_size, name):
        super().__init__()
        self._stream, self._name = stream, name
        self._left = _MOST_UNPACKED
        if packed_size is not None:
            self._left = min(self._left, _FREE + _MOST_RATIO * packed_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:
        data = self._stream.read1(len(buffer))  # read() would lose the bytes before the damage of a file
        self._left -= len(data)
        if self._left < 0:
            raise ProtocolError(
                "expected a packed file that unpacks to at most %d times its size and %d MB, got more in %s: unpack "
                "it, and give a part of it", _MOST_RATIO, _MOST_UNPACKED >> 20, self._name)
        buffer[:len(data)] = data
        return len(data)


def open_members(file: BufferedReader, name: str) -> Iterator[tuple[str, BufferedReader]]:
    """Yields (name, stream of unpacked bytes) for each file in a .zip or .tar, and once for any other file.

    name: name of the file, for names of games and messages of errors. The names of several files in an archive, and of
        every file in a .tar, are added to it without folders.
    Raises ProtocolError: an archive has too many files, another archive, or a password, or a file unpacks to too many
        bytes. Any error of UNREADABLE: the file is damaged.
    """
    head = file.peek(len(_ZIP[0]))
    if head.startswith(_GZIP):
        file = _unpack(file, _measure(file), name)
    if head.startswith(_ZIP):
        yield from _open_zip(file, name)
    elif file.peek(_TAR[0].stop)[_TAR[0]] == _TAR[1]:
        yield from _open_tar(file, name)
    else:
        yield name, file


def _measure(file):
    """Returns the size of a file in bytes, or None for a pipe."""
    if not file.seekable():
        return None
    begin, size = file.tell(), file.seek(0, io.SEEK_END)
    file.seek(begin)
    return size


def _unpack(stream, size, name):
    """Returns a stream with a limit of its bytes, unpacked if it is a .gz. size: its bytes on disk."""
    file = io.BufferedReader(_Unpacked(stream, size, name), _CHUNK)
    if file.peek(len(_GZIP)).startswith(_GZIP):
        file = io.BufferedReader(_Unpacked(gzip.GzipFile(fileobj=file), size, name), _CHUNK)
    if file.peek(len(_ZIP[0])).startswith(_ZIP):
        raise ProtocolError("expected records in a packed file, got a .zip in %s: unpack it", name)
    return file


def _open_tar(file, name):
    count = 0
    with tarfile.open(fileobj=file, mode="r|") as archive:
        for member in archive:
            if member.isfile() and _may_be_record(member.name):
                count += 1
                _check_count(count, ".tar", name)
                inner = "%s/%s" % (name, name_of_file(member.name))
                yield inner, _unpack(archive.extractfile(member), member.size, inner)
    _check_count(count, ".tar", name)


def _may_be_record(inner_name):
    return not (inner_name.endswith("/") or any(word in "/" + inner_name for word in _NOT_RECORDS))


def _check_count(count, ending, name):
    if not count:
        raise ProtocolError("expected records in a %s, got an empty one: %s", ending, name)
    if count > MOST_FILES:
        raise ProtocolError("expected at most %d files in a %s, got more in %s: unpack it", MOST_FILES, ending, name)


def _open_zip(file, name):
    with _expect_whole():
        archive = zipfile.ZipFile(file)
    with archive:
        members = [member for member in archive.infolist() if _may_be_record(member.filename)]
        _check_count(len(members), ".zip", name)
        for member in members:
            inner = "%s/%s" % (name, name_of_file(member.filename)) if len(members) > 1 else name
            if member.flag_bits & 1:
                raise ProtocolError("expected a .zip without a password, got one with it: %s", name)
            if member.compress_type not in _METHODS:
                raise ProtocolError("expected a .zip that is packed as most are, got another method in %s: pack it as "
                                    ".zip again", inner)
            with _expect_whole():
                stream = archive.open(member)
            # zipfile gives no more bytes than the index of the .zip names, even if this size is damaged or untrue.
            with stream:
                yield inner, _unpack(stream, member.compress_size, inner)


@contextlib.contextmanager
def _expect_whole():
    """Turns errors that zipfile raises on a damaged index, inside this context, into BadZipFile."""
    try:
        yield
    except (ValueError, IndexError, struct.error) as error:
        raise zipfile.BadZipFile(str(error)) from error


def name_of_file(path: str) -> str:
    """Returns the last name of a path, or of a name in an archive, as a name for a game.

    >>> name_of_file("/home/me/games/a.json"), name_of_file("C:\\\\games\\\\a.json")
    ('a.json', 'a.json')
    """
    return clean_text(path.replace("\\", "/").rstrip("/").rpartition("/")[2])


def name_of_game(where: str) -> str:
    """Returns a name for a game that has none: the name of the file where it was read, without its endings.

    >>> name_of_game("/home/me/a.json"), name_of_game("/home/me/pack.zip/1.matches:3#2"), name_of_game("a.b.json.gz:7")
    ('a', '1-3-2', 'a.b-7')
    """
    name, _, positions = name_of_file(where).replace("#", ":").partition(":")
    base = name[:-len(".gz")] if name.lower().endswith(".gz") else name
    return "-".join(filter(None, [os.path.splitext(base)[0] or base, *positions.split(":")]))


def read_chunks(file: BufferedReader) -> Iterator[bytes]:
    """Yields the bytes of a file in pieces. UTF-16, with or without a byte order mark, becomes UTF-8.

    Raises any error of UNREADABLE: the file is damaged.
    """
    encoding = _detect_utf16(file.peek(_HEAD)[:_HEAD])
    decoder = encoding and getincrementaldecoder(encoding)("replace")
    for chunk in iter(partial(file.read1, _CHUNK), b""):
        yield decoder.decode(chunk).encode("utf-8", "replace") if decoder else chunk


def _detect_utf16(head):
    """Returns the encoding of bytes in UTF-16, or None. There every ASCII character has a byte 0."""
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return "utf-16-le" if head.startswith(BOM_UTF16_LE) else "utf-16-be"
    even, odd = head[::2].count(0), head[1::2].count(0)
    if len(head) > 3 and even + odd > len(head) // 4 and min(even, odd) * 8 < max(even, odd):
        return "utf-16-le" if odd > even else "utf-16-be"
    return None
