"""The journal of a match: a line a wall, so that a match broken off goes on where it was.

The first line tells the match, each further one is a Unit. Lines are appended whole; one torn by a crash is dropped
when the journal is opened again. Two processes cannot hold one journal.
"""

import fcntl
import json
import os

from ...mahjong.errors import MahjongError, ProtocolError
from .unit import format_unit, parse_unit

FORMAT = "mj_bot arena journal"
VERSION = 1


class Journal(object):
    """The walls of a match that are done.

    units: dict from the wall's number to its Unit.
    """

    def __init__(self, path, match, identity):
        """Opens the journal of a match, or begins it.

        path: of the file; None keeps the walls in memory alone. identity: dict, see provenance.identify.
        Raises ProtocolError: a journal of another match, of other code or another version, or a damaged one.
        MahjongError: it cannot be opened, or another process holds it.
        """
        self.path = path
        self.units = {}
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
        try:
            self._read(match, identity)
        except MahjongError:
            self.close()
            raise

    def _read(self, match, identity):
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            self._file.truncate(whole)
        lines = text[:whole].splitlines()
        if not lines:
            self._write([{"format": FORMAT, "version": VERSION, "match": identity}])
            return
        check_header(_parse_line(lines[0], 1, self.path), FORMAT, VERSION, identity, self.path)
        for number, line in enumerate(lines[1:], 2):
            unit = parse_unit(_parse_line(line, number, self.path), match, "in line %d of %s" % (number, self.path))
            self.units.setdefault(unit.wall, unit)

    def add(self, units):
        """Adds walls that are done."""
        new = [unit for unit in units if unit.wall not in self.units]
        self.units.update((unit.wall, unit) for unit in new)
        if self._file is not None:
            self._write([format_unit(unit) for unit in new])

    def _write(self, objects):
        lines = [json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n" for data in objects]
        try:
            self._file.write("".join(lines).encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise MahjongError("expected room for the journal %r: %s" % (self.path, error)) from None

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
