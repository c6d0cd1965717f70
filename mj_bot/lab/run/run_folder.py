"""The one way to keep long work: a run is a folder, and each task writes its part as one whole file.

    with RunFolder("build/match.run", "arena", 1, settings={"seed": 0}) as run:
        for name, task in tasks.items():
            if not run.has(name):
                run.write_json(name, play(task))

FOLDER/run.json says what the run is: its kind and version, the settings that must be the same to continue, and the
command. A part that is there is done, because it is written under another name and then renamed. FOLDER/lock admits one
process at a time. Parts are standard files: .npz for arrays, packed JSON for games and results, and files of torch.
"""

import contextlib
import gzip
import io
import os
import sys
import zlib
from pathlib import Path

import numpy as np

from ...arrays import read_arrays
from ...mahjong.errors import ProtocolError
from .command import format_command
from .files import (
    expect_readable, format_json, lock_new_folder, parse_json, read_json, read_limited, write_json, write_whole)

RUN_FILE, LOCK_FILE = "run.json", "lock"
_RUN_FORMAT = "mj_bot run"
_UNFINISHED = ".tmp"  # of files.open_whole
_MOST_SHOWN = 60  # characters of a setting in an error


class RunFolder(contextlib.AbstractContextManager):
    """The folder of a run, for one process at a time; a context manager.

    path: pathlib.Path of the folder. settings: dict that must be the same to continue. facts: dict for JSON of what is
    not known when a run begins, changed by `note`.
    """

    def __init__(self, path, kind, version, *, settings, complete=dict):
        """Begins a run in a new or empty folder, or continues the one that is there.

        kind, version: of the work and of its parts. settings: dict for JSON that must be the same to continue.
        complete: function that adds to the settings of an older run those that it did not know.
        Raises MahjongError: another process works there, or it cannot be written. ProtocolError: another run, or a
        folder of something else; it stays unchanged.
        """
        self.path = Path(path)
        _check_owner(self.path)
        self._lock = lock_new_folder(path)
        try:
            self._run = begin_run(path, kind, version, settings=settings, complete=complete)
        except BaseException:
            self.close()
            raise
        self.settings, self.facts = self._run["settings"], self._run["facts"]

    def __exit__(self, *details):
        self.close()

    def close(self):
        """Lets other processes work in the folder."""
        self._lock.close()

    def note(self, **facts):
        """Adds facts to run.json."""
        self.facts.update(facts)
        write_json(self.path / RUN_FILE, self._run)

    def has(self, name):
        """Checks whether a part is done."""
        return (self.path / name).is_file()

    def list_parts(self, suffix):
        """Returns the sorted names of the parts that are done and end with `suffix`."""
        return list_parts(self.path, suffix)

    def write_json(self, name, value):
        """Writes a part NAME.json.gz. Raises MahjongError: it cannot be written."""
        write_whole(self.path / name, gzip.compress(format_json(value, separators=(",", ":")).encode(), mtime=0))

    def read_json(self, name):
        """Returns the value of a part NAME.json.gz. Raises ProtocolError: it cannot be read."""
        path = self.path / name
        with expect_part(path):
            try:
                with gzip.open(path) as file:
                    return parse_json(read_limited(file))
            except (EOFError, zlib.error) as error:
                raise ValueError(error) from None

    def write_arrays(self, name, arrays):
        """Writes a part NAME.npz of {name: array}. Raises MahjongError: it cannot be written."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        write_whole(self.path / name, buffer.getvalue())

    def read_arrays(self, name, most_bytes, fields):
        """Returns {name: array} of a part NAME.npz.

        most_bytes, fields: of arrays.read_arrays. Raises ProtocolError: it cannot be read, or has other arrays.
        """
        with expect_part(self.path / name):
            return read_arrays(self.path / name, most_bytes, fields)


def expect_part(path):
    """Returns a context that reads a part of a run; OSError and ValueError become ProtocolError of one line."""
    return expect_readable("a part of a run in %s (remove it, and the same command makes it anew)" % path)


def begin_run(path, kind, version, *, settings, complete=dict):
    """Writes run.json, or compares the one that is there; removes unfinished files. For one process, which has a lock.

    kind, version, settings, complete: of RunFolder. Returns the dict of run.json. Raises as RunFolder does.
    """
    path, settings = Path(path), parse_json(format_json(settings))
    _check_owner(path)
    if (path / RUN_FILE).exists():
        run = read_run(path, kind, version)
        check_settings(complete(run["settings"]), settings, path)
    else:
        run = {"format": _RUN_FORMAT, "kind": kind, "version": version, "command": format_command(*sys.argv[1:]),
               "settings": settings, "facts": {}}
        write_json(path / RUN_FILE, run)
    for name in list_parts(path, _UNFINISHED):
        os.remove(path / name)
    return run


def read_run(path, kind, version):
    """Returns the dict of run.json in a folder, with kind, version, command, settings and facts.

    Raises ProtocolError: there is none, or it is of another kind or version.
    """
    file = Path(path) / RUN_FILE
    with expect_readable("the folder of a run with its %s, got %r" % (RUN_FILE, str(path))):
        run = read_json(file)
    if not isinstance(run, dict) or run.get("format") != _RUN_FORMAT or not all(
            isinstance(run.get(key), dict) for key in ("settings", "facts")):
        raise ProtocolError("expected a file of format %r, got %.80r in %s" % (_RUN_FORMAT, run, file))
    if (run.get("kind"), run.get("version")) != (kind, version):
        raise ProtocolError("expected a run of kind %r, version %d, got %.80r, version %.20r in %s" % (
            kind, version, run.get("kind"), run.get("version"), file))
    return run


def is_run(path):
    """Checks whether a folder is that of a run, of any kind."""
    return os.path.isfile(os.path.join(path, RUN_FILE))


def list_parts(path, suffix):
    """Returns the sorted names of the regular files in a folder that end with `suffix`, without links."""
    with os.scandir(path) as entries:
        return sorted(entry.name for entry in entries
                      if entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False))


def check_settings(former, present, where):
    """Raises ProtocolError that names the settings which differ, with their former and present values.

    former, present: dicts for JSON. where: the folder or file of the former ones.
    """
    former, present = _flatten(former), _flatten(present)
    changes = ["%s %s -> %s" % (key, *(_show(settings, key) for settings in (former, present)))
               for key in dict.fromkeys([*former, *present]) if _show(former, key, None) != _show(present, key, None)]
    if changes:
        raise ProtocolError("expected the settings of %s, got others (there -> now): %s; give another name, or move it "
                            "away to begin anew" % (where, ", ".join(changes)))


def _flatten(settings, prefix=""):
    flat = {}
    for key, value in settings.items():
        flat.update(_flatten(value, "%s%s." % (prefix, key)) if isinstance(value, dict) and value
                    else {prefix + str(key): value})
    return flat


def _show(settings, key, most=_MOST_SHOWN):
    if key not in settings:
        return "nothing"
    text = format_json(settings[key])
    return text if most is None or len(text) <= most else text[:most - 3] + "..."


def _check_owner(path):
    """Refuses a folder with files that are not of a run."""
    if not os.path.isdir(path) or is_run(path):
        return
    others = sorted(name for name in os.listdir(path) if name != LOCK_FILE and not name.endswith(_UNFINISHED))
    if others:
        raise ProtocolError("expected a new or empty folder, or one with %s, got %r in %s" % (
            RUN_FILE, others[0], path))
