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
# All that compiled functions are made of, with the modules whose constants they hold.
_SOURCES = tuple("lab/engine/%s.py" % name for name in (
    "bits", "chance", "compile", "games", "owing", "positions", "rules", "shanten", "sources", "stepping", "tables",
    "views", "winning",
)) + tuple("lab/pattern/%s.py" % name for name in (
    "choose", "chow", "desk", "fans", "fill", "group", "holding", "irregular", "offer", "tables",
    "tidiness", "value",
)) + tuple("lab/reach/%s.py" % name for name in (
    "choose", "danger", "hand", "openings", "polynomial", "rests", "special", "suits", "tables", "value", "waits",
)) + tuple("tactic/pattern/%s.py" % name for name in (
    "chow", "group", "holding", "irregular", "parts", "value",
)) + tuple("reach/%s.py" % name for name in (
    "calibration", "chance", "danger", "outlook", "ready", "rows", "suits", "value",
)) + (
    "lab/records/moves.py", "lab/walls.py", "mahjong/action.py", "mahjong/fan.py", "mahjong/rules.py",
    "mahjong/shanten.py", "network/view.py", "tactic/rule_based.py",
)


def cache_folder():
    """Folder of the compiled code, one for each state of the sources: ~/.cache/mj_bot/engine-<hash>."""
    digest = hashlib.sha256(nb.__version__.encode())
    for name in _SOURCES:
        digest.update((_PACKAGE / name).read_bytes())
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "mj_bot" / ("engine-" + digest.hexdigest()[:12])


def _make_folder():
    """The cache's folder as text; None where there is no place for it, and every process compiles for itself."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder) if os.access(folder, os.W_OK) else None


_CACHE_FOLDER = _make_folder()


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
    if _CACHE_FOLDER:
        config.CACHE_DIR = _CACHE_FOLDER
    try:
        return nb.njit(
            cache=_CACHE_FOLDER is not None, nogil=True, error_model="numpy", boundscheck=False, **options,
        )(function)
    finally:
        config.CACHE_DIR = kept
