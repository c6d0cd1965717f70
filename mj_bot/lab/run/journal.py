"""Journals: files of JSON lines, from which interrupted work continues."""

from contextlib import AbstractContextManager

from ...mahjong.errors import MahjongError, ProtocolError
from .files import append_bytes, expect_readable, format_json, open_alone, parse_json, read_limited

_MOST_BYTES = 1 << 32  # a match of a million walls has lines of some 350 bytes


class Journal(AbstractContextManager):
    """A file of JSON lines below a header, for one process at a time; a context manager."""

    def __init__(self, path, format_name, version, *, fingerprint, read=lambda value, place: None):
        """Opens the file or makes it; with None for a path nothing is written.

        fingerprint: dict for JSON, which must be the same for the work to continue. read: called with each line that
        was there and its place, for errors; an unfinished last line is dropped.
        Raises MahjongError: it cannot be opened, or another process has it open. ProtocolError: another fingerprint,
        format or version, or a line that is not JSON; the file stays unchanged.
        """
        self.path = path
        self._file = open_alone(path) if path else None
        try:
            if path:
                self._read(dict(fingerprint, format=format_name, version=version), read)
        except MahjongError:
            self.close()
            raise

    def _read(self, header, read):
        self._file.seek(0)
        with expect_readable("a journal, got %s" % self.path):
            text = read_limited(self._file, _MOST_BYTES)
        whole = text.rfind(b"\n") + 1
        values = [(_parse_line(line, number, self.path), "in line %d of %s" % (number, self.path))
                  for number, line in enumerate(text[:whole].splitlines(), 1)]
        if values:
            check_header(values[0][0], header, self.path)
        elif not _format_line(header).startswith(text):
            raise ProtocolError("expected a file of format %r, got %.80r in %s" % (header["format"], text, self.path))
        self._file.truncate(whole)
        if not values:
            self.append(header)
        for value, place in values[1:]:
            read(value, place)

    def __exit__(self, *details):
        self.close()

    def append(self, *values):
        """Adds a line for each value."""
        if self._file is not None:
            append_bytes(self._file, b"".join(map(_format_line, values)), "the journal %r" % self.path)

    def close(self):
        if self._file is not None:
            self._file.close()


def check_header(data, header, path):
    """Raises ProtocolError unless a file's first dict agrees with `header`, which has a format and a version."""
    if not isinstance(data, dict) or data.get("format") != header["format"]:
        raise ProtocolError("expected a file of format %r, got %.80r in %s" % (header["format"], data, path))
    for key in ["version", *header]:
        if data.get(key) != header[key]:
            raise ProtocolError("expected %s %.120r of %r, got %.120r in %s; move the file away to begin anew"
                                % (key, header[key], header["format"], data.get(key), path))


def _format_line(value):
    text = format_json(value, separators=(",", ":")) + "\n"
    return text.encode("utf-8", "backslashreplace")


def _parse_line(line, number, path):
    try:
        return parse_json(line)
    except ValueError:
        raise ProtocolError("expected JSON, got %.80r in line %d of %s" % (line, number, path)) from None
