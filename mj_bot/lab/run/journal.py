"""Journals: files of JSON lines that work which was broken off goes on from."""

import fcntl
import json
import os

from ...mahjong.errors import MahjongError, ProtocolError


class LineFile(object):
    """A file of JSON lines under a header, which one process at a time appends to.

    Lines are appended whole; one torn by a crash is dropped when the file is read again.
    """

    def __init__(self, path, format_name, version, identity):
        """Opens the file or makes it; None for a path keeps nothing.

        Raises MahjongError: it cannot be opened, or another process holds it.
        """
        self._path = path
        self._header = format_name, version, identity
        self._file = None
        if path is None:
            return
        try:
            self._file = open(path, "a+b")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.close()
            raise MahjongError("expected a journal that no other match writes to, got %r" % path) from None
        except OSError as error:
            raise MahjongError("expected a journal that can be written, got %r: %s" % (path, error)) from None

    def read(self):
        """What stands below the header, as (object, text that an error ends with); writes the header of a new file.

        Raises ProtocolError: a header of another match, format or version, or a line that is no JSON.
        """
        if self._file is None:
            return
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            self._file.truncate(whole)
        format_name, version, identity = self._header
        lines = text[:whole].splitlines()
        if not lines:
            self.append([{"format": format_name, "version": version, "match": identity}])
            return
        check_header(_parse_line(lines[0], 1, self._path), format_name, version, identity, self._path)
        for number, line in enumerate(lines[1:], 2):
            yield _parse_line(line, number, self._path), "in line %d of %s" % (number, self._path)

    def append(self, objects):
        """Adds a line for each object."""
        if self._file is None:
            return
        lines = [json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n" for data in objects]
        try:
            self._file.write("".join(lines).encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise MahjongError("expected room for the journal %r: %s" % (self._path, error)) from None

    def close(self):
        """Lets go of the file."""
        if self._file is not None:
            self._file.close()


def check_header(data, format_name, version, identity, path):
    """Refuses the header of a file that is not of this format, version and match.

    Raises ProtocolError.
    """
    if not isinstance(data, dict) or data.get("format") != format_name:
        raise ProtocolError("expected a file of format %r, got %.80r in %s" % (format_name, data, path))
    if data.get("version") != version:
        raise ProtocolError("expected version %d of %r, got %r in %s; move the file away to play anew"
                            % (version, format_name, data.get("version"), path))
    found = data.get("match")
    found = found if isinstance(found, dict) else {}
    for key, value in identity.items():
        if found.get(key) != value:
            raise ProtocolError(
                "expected a file of this match, with %s %.120r, got %.120r in %s; move the file away to play anew"
                % (key, value, found.get(key), path))


def _parse_line(line, number, path):
    try:
        return json.loads(line)
    except ValueError:
        raise ProtocolError("expected JSON, got %.80r in line %d of %s" % (line, number, path)) from None
