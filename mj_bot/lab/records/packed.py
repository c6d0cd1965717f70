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
    Raises ProtocolError: a .zip has too many files, another archive, or a password, or a file unpacks to too many
        bytes. Any error of UNREADABLE: the file is damaged.
    """
    head = file.peek(len(_GZIP))
    if head.startswith(_ZIP):
        yield from _open_zip(file, name)
    elif head.startswith(_GZIP):
        unpacked = io.BufferedReader(_Unpacked(gzip.GzipFile(fileobj=file), _measure(file), name), _CHUNK)
        if unpacked.peek(len(_ZIP[0])).startswith(_ZIP):
            raise ProtocolError("expected records in a .gz, got a .zip in %s: unpack it", name)
        yield from _open_tar(unpacked, name)
    else:
        yield from _open_tar(file, name)


def _open_tar(file, name):
    """Yields (name, stream of bytes) for each file in a .tar, and once for any other file."""
    if file.peek(_TAR[0].stop)[_TAR[0]] != _TAR[1]:
        yield name, file
        return
    count = 0
    with tarfile.open(fileobj=file, mode="r|") as archive:
        for member in archive:
            if not member.isfile() or any(word in "/" + member.name for word in _NOT_RECORDS):
                continue
            count += 1
            if count > MOST_FILES:
                raise ProtocolError("expected at most %d files in a .tar, got more in %s: unpack it", MOST_FILES, name)
            inner = "%s/%s" % (name, name_of_file(member.name))
            yield inner, _open_inner(archive.extractfile(member), member.size, inner)
    if not count:
        raise ProtocolError("expected records in a .tar, got an empty one: %s", name)


def _open_inner(stream, size, name):
    """Returns the stream of unpacked bytes of a file in an archive, which may be a .gz. size: its bytes there."""
    unpacked = io.BufferedReader(_Unpacked(stream, None, name), _CHUNK)
    head = unpacked.peek(len(_ZIP[0]))
    if head.startswith(_ZIP):
        raise ProtocolError("expected records in a .zip, got another .zip in %s: unpack it", name)
    if head.startswith(_GZIP):
        return io.BufferedReader(_Unpacked(gzip.GzipFile(fileobj=unpacked), size, name), _CHUNK)
    return unpacked


def _measure(file):
    """Returns the size of a file in bytes, or None for a pipe."""
    if not file.seekable():
        return None
    begin = file.tell()
    size = file.seek(0, io.SEEK_END)
    file.seek(begin)
    return size


def _open_zip(file, name):
    """Yields (name, stream of unpacked bytes) for each file in a .zip, which may also come from a pipe."""
    size = _measure(file)
    if size is None:
        file = io.BytesIO(file.read(_FREE + 1))
        size = len(file.getvalue())
        if size > _FREE:
            raise ProtocolError("expected a .zip of at most %d MB on stdin, got more: give its path", _FREE >> 20)
    with _expect_whole():
        archive = zipfile.ZipFile(file)
    with archive:
        members = _list_members(archive, size, name)
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
                yield inner, _open_inner(stream, member.compress_size, inner)


def _list_members(archive, size, name):
    """Returns the files in a .zip that may have records. Raises ProtocolError: none, too many, or too large."""
    members = [member for member in archive.infolist()
               if member.filename[-1:] != "/" and not any(word in member.filename for word in _NOT_RECORDS)]
    if not members:
        raise ProtocolError("expected records in a .zip, got an empty one: %s", name)
    if len(members) > MOST_FILES:
        raise ProtocolError("expected at most %d files in a .zip, got %d in %s: unpack it", MOST_FILES, len(members),
                            name)
    unpacked_size = sum(member.file_size for member in members)
    if unpacked_size > min(_MOST_UNPACKED, _FREE + _MOST_RATIO * size):
        raise ProtocolError("expected a .zip that unpacks to at most %d times its size and %d MB, got %d MB in %s: "
                            "unpack it, and give a part of it", _MOST_RATIO, _MOST_UNPACKED >> 20, unpacked_size >> 20,
                            name)
    return members


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
