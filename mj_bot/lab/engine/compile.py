"""How the engine's functions are compiled: by numba, without the interpreter lock, kept on disk.

numba's cache looks at the file of a function alone, not at what the function calls, so an edit elsewhere would leave
stale code behind. The cache of a file therefore lies in a folder named after the file and all that it imports.
"""

import os
from functools import lru_cache
from pathlib import Path

import numba as nb
from numba.core import config

from ..run.sources import digest_sources, list_sources


def cache_folder(path):
    """Folder of the compiled code of a file's functions, one for each state of its sources:
    ~/.cache/mj_bot/<file>-<digest>.
    """
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return root / "mj_bot" / ("%s-%s" % (Path(path).stem, digest_sources(list_sources(path), nb.__version__)))


@lru_cache(maxsize=None)
def _make_folder(path):
    """The cache's folder as text; None where there is no place for it, and every process compiles for itself."""
    folder = cache_folder(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return str(folder) if os.access(folder, os.W_OK) else None


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
    folder = _make_folder(function.__code__.co_filename)
    if folder:
        config.CACHE_DIR = folder
    try:
        return nb.njit(
            cache=folder is not None, nogil=True, error_model="numpy", boundscheck=False, **options,
        )(function)
    finally:
        config.CACHE_DIR = kept
