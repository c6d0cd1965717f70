"""How the engine's functions are compiled: by numba, without the interpreter lock, kept on disk.

numba's cache looks at the file of a function alone, not at what the function calls, so an edit elsewhere would leave
stale code behind. The cache therefore lies in a folder named after all sources that compiled functions are made of.
"""

import hashlib
import os
from pathlib import Path

import numba as nb
from numba.core import config

_PACKAGE = Path(__file__).resolve().parents[2]
# What compiled functions are made of, with the modules whose constants they hold: the engine's, and with them those of
# the batch forms of rule_based and of search, so that an edit compiles no more than it touches.
_ENGINE = tuple("lab/engine/%s.py" % name for name in (
    "bits", "chance", "compile", "games", "owing", "positions", "rules", "shanten", "sources", "stepping", "tables",
    "views", "winning",
)) + (
    "lab/records/moves.py", "lab/walls.py", "mahjong/action.py", "mahjong/fan.py", "mahjong/rules.py",
    "mahjong/shanten.py", "network/view.py",
)
_PATTERN = tuple("lab/pattern/%s.py" % name for name in (
    "choose", "chow", "desk", "fans", "fill", "group", "holding", "irregular", "offer", "tables",
    "tidiness", "value",
)) + tuple("tactic/pattern/%s.py" % name for name in (
    "chow", "group", "holding", "irregular", "parts", "value",
)) + ("tactic/rule_based.py",)
_REACH = tuple("lab/reach/%s.py" % name for name in (
    "choose", "danger", "hand", "openings", "polynomial", "rests", "special", "suits", "tables", "value", "waits",
)) + tuple("reach/%s.py" % name for name in (
    "calibration", "chance", "danger", "outlook", "ready", "rows", "suits", "value",
))
_SOURCES = {"engine": _ENGINE, "reach": _ENGINE + _REACH, "pattern": _ENGINE + _REACH + _PATTERN}


def cache_folder(room):
    """Folder of the compiled code of "engine", "pattern" or "reach", one for each state of the sources:
    ~/.cache/mj_bot/<room>-<hash>.
    """
    digest = hashlib.sha256(nb.__version__.encode())
    for name in _SOURCES[room]:
        digest.update((_PACKAGE / name).read_bytes())
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "mj_bot" / ("%s-%s" % (room, digest.hexdigest()[:12]))


def _make_folder(room):
    """The cache's folder as text; None where there is no place for it, and every process compiles for itself."""
    folder = cache_folder(room)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder) if os.access(folder, os.W_OK) else None


_CACHE_FOLDERS = {room: _make_folder(room) for room in _SOURCES}


def _find_folder(function):
    """The cache's folder of a function, by the file that it is written in; others may call any of them."""
    path = Path(function.__code__.co_filename).resolve()
    name = path.relative_to(_PACKAGE).as_posix() if _PACKAGE in path.parents else ""
    return _CACHE_FOLDERS["engine" if name in _ENGINE else "reach" if name in _REACH else "pattern"]


def jit(function):
    """numba.njit with the engine's options and cache, for functions that allocate nothing.

    Such a function owns no memory, and without numba's reference counting it runs many times faster.
    """
    return _compile(function, _nrt=False)


def jit_part(function):
    """The same for functions that compiled code alone calls: with no door from Python they compile in half the time."""
    return _compile(function, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def jit_with_memory(function):
    """The same for functions that make arrays."""
    return _compile(function)


def _compile(function, **options):
    kept = config.CACHE_DIR
    folder = _find_folder(function)
    if folder:
        config.CACHE_DIR = folder
    try:
        return nb.njit(
            cache=folder is not None, nogil=True, error_model="numpy", boundscheck=False, **options,
        )(function)
    finally:
        config.CACHE_DIR = kept
