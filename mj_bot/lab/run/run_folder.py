"""Keeps long work as a folder, so that it can be stopped at any time. Each task writes its part as one whole file.

    with RunFolder("build/match.run", "arena", 1, settings={"seed": 0}) as run:
        for name, task in tasks.items():
            if not run.has(name):
                run.write_json(name, play(task))

FOLDER/run.json says what the run is: its type and version, the settings that must be equal to continue, and the
command. A part that exists is done, because it is written under another name and then renamed. FOLDER/lock admits one
process at a time. Parts are standard files: .npz for arrays, packed JSON for games and results, and files of torch.
"""

import contextlib
import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...arrays import read_arrays
from ...mahjong.errors import ProtocolError
from .command import format_command
from .files import (
    PathLike, expect_readable, format_json, lock_new_folder, parse_json, read_json, read_limited, write_json,
    write_whole)

RUN_FILE, LOCK_FILE = "run.json", "lock"
_RUN_FORMAT = "mj_bot run"
_UNFINISHED = ".tmp"  # end of the name of a file that is not whole yet
_MOST_SHOWN = 60  # most characters of a setting in an error


class RunFolder(contextlib.AbstractContextManager):
    """Keeps the folder of a run for one process at a time; a context manager.

    path: pathlib.Path of the folder. settings: dict that must be equal to continue.
    notes: dict for JSON of what is not known when a run begins; `note` changes it.
    """

    def __init__(self, path: PathLike, run_type: str, version: int, **settings: Any):
        """Begins a run in a new or empty folder, or continues the run in the folder.

        The parameters are those of begin_run. Raises MahjongError: another process works there, or the folder cannot be
        written. ProtocolError: the folder is that of another run, or has other files; it stays unchanged.
        """
        self.path = Path(path)
        _check_owner(self.path)
        self._lock = lock_new_folder(path)
        try:
            self._run = begin_run(path, run_type, version, **settings)
        except BaseException:
            self.close()
            raise
        self.settings, self.notes = self._run["settings"], self._run["facts"]

    def __exit__(self, *details):
        self.close()

    def close(self) -> None:
        """Lets other processes work in the folder."""
        self._lock.close()

    def note(self, **notes: Any) -> None:
        """Adds notes to run.json."""
        self.notes.update(notes)
        write_json(self.path / RUN_FILE, self._run)

    def has(self, name: str) -> bool:
        """Checks whether a part is done. name: the name of its file."""
        return (self.path / name).is_file()

    def write_json(self, name: str, value: Any) -> None:
        """Writes a part NAME.json.gz. value: any value for JSON. Raises MahjongError: it cannot be written."""
        write_whole(self.path / name, gzip.compress(format_json(value, separators=(",", ":")).encode(), mtime=0))

    def read_json(self, name: str) -> Any:
        """Returns the value of a part NAME.json.gz. Raises ProtocolError: it cannot be read."""
        path = self.path / name
        with expect_part(path):
            try:
                with gzip.open(path) as file:
                    return parse_json(read_limited(file))
            except (EOFError, zlib.error) as error:
                raise ValueError(error) from None

    def write_arrays(self, name: str, arrays: Mapping[str, np.ndarray]) -> None:
        """Writes a part NAME.npz. arrays: {name: array}. Raises MahjongError: it cannot be written."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)
        write_whole(self.path / name, buffer.getvalue())

    def read_arrays(self, name: str, most_bytes: int, fields: Mapping[str, tuple]) -> dict[str, np.ndarray]:
        """Returns {name: array} of a part NAME.npz. Raises ProtocolError: it cannot be read, or has other arrays."""
        with expect_part(self.path / name):
            return read_arrays(self.path / name, most_bytes, fields)


def expect_part(path: PathLike) -> contextlib.AbstractContextManager:
    """Returns a context that reads a part of a run; OSError and ValueError become ProtocolError of one line."""
    return expect_readable("a part of a run in %s (remove it, and the same command makes it anew)", path)


def begin_run(path: PathLike, run_type: str, version: int, *, settings: dict,
              complete: Callable[[dict], dict] = dict) -> dict:
    """Writes run.json, or compares the settings with those of the run.json that is there. Removes unfinished files.

    The caller must have locked the folder.
    run_type: what work the run is, such as "arena". version: number of the form of its parts.
    settings: dict for JSON that must be equal to continue.
    complete: function that takes the settings of an older run and returns them with the settings that are new since.
    Returns the dict of run.json.
    Raises MahjongError: the folder cannot be written. ProtocolError: the folder is that of another run, or has other
    files.
    """
    path, settings = Path(path), parse_json(format_json(settings))
    _check_owner(path)
    if (path / RUN_FILE).exists():
        run = read_run(path, run_type, version)
        check_settings(complete(run["settings"]), settings, path)
    else:
        run = {"format": _RUN_FORMAT, "kind": run_type, "version": version, "command": format_command(*sys.argv[1:]),
               "settings": settings, "facts": {}}
        write_json(path / RUN_FILE, run)
    for name in list_parts(path, _UNFINISHED):
        os.remove(path / name)
    return run


def read_run(path: PathLike, run_type: str, version: int) -> dict:
    """Returns the dict of run.json in a folder, with kind, version, command, settings and facts.

    Raises ProtocolError: there is no run.json, or it is of another type or version.
    """
    file = Path(path) / RUN_FILE
    with expect_readable("the folder of a run with its %s, got %r", RUN_FILE, str(path)):
        run = read_json(file)
    if not isinstance(run, dict) or run.get("format") != _RUN_FORMAT or not all(
            isinstance(run.get(key), dict) for key in ("settings", "facts")):
        raise ProtocolError("expected a file of format %r, got %.80r in %s", _RUN_FORMAT, run, file)
    if (run.get("kind"), run.get("version")) != (run_type, version):
        raise ProtocolError("expected a run of kind %r, version %d, got %.80r, version %.20r in %s", run_type, version,
                            run.get("kind"), run.get("version"), file)
    return run


def is_run(path: PathLike) -> bool:
    """Checks whether a folder is that of a run, of any type."""
    return os.path.isfile(os.path.join(path, RUN_FILE))


def list_parts(path: PathLike, suffix: str) -> list[str]:
    """Returns the sorted names of the regular files in a folder that end with `suffix`. Links are left out."""
    with os.scandir(path) as entries:
        return sorted(entry.name for entry in entries
                      if entry.name.endswith(suffix) and entry.is_file(follow_symlinks=False))


def check_settings(former: dict, present: dict, where: PathLike) -> None:
    """Raises ProtocolError: settings, dicts for JSON, differ. The error names them, and `where` the former ones are."""
    former, present = _flatten(former), _flatten(present)
    changes = ["%s %s -> %s" % (key, *(_show(settings, key) for settings in (former, present)))
               for key in dict.fromkeys([*former, *present]) if _show(former, key, None) != _show(present, key, None)]
    if changes:
        raise ProtocolError("expected the settings of %s, got others (there -> now): %s; give another name, or move it "
                            "away to begin anew", where, ", ".join(changes))


def _flatten(settings, prefix=""):
    """Returns {"table.name": value} of nested settings."""
    flat = {}
    for key, value in settings.items():
        flat.update(_flatten(value, "%s%s." % (prefix, key)) if isinstance(value, dict) and value
                    else {prefix + str(key): value})
    return flat


def _show(settings, key, most=_MOST_SHOWN):
    """Returns the JSON text of a setting, "nothing" if there is none."""
    if key not in settings:
        return "nothing"
    text = format_json(settings[key])
    return text if most is None or len(text) <= most else text[:most - 3] + "..."


def _check_owner(path):
    """Raises ProtocolError: a folder has files that are not of a run."""
    if not os.path.isdir(path) or is_run(path):
        return
    others = sorted(name for name in os.listdir(path) if name != LOCK_FILE and not name.endswith(_UNFINISHED))
    if others:
        raise ProtocolError("expected a new or empty folder, or one with %s, got %r in %s", RUN_FILE, others[0], path)
