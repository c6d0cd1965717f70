"""How the engine's functions are compiled: by numba, without the interpreter lock, kept on disk.

numba's cache looks at the file of a function alone, not at what the function calls, so an edit elsewhere would leave
stale code behind. The cache of a file therefore lies in a folder named after the file and all that it imports.
"""

import os
import shutil
import sys
import time
from functools import lru_cache
from pathlib import Path

import numba as nb
from numba.core import config, event

from ..run.sources import digest_sources, list_sources
from ..run.workers import QUIET

_KEPT_DAYS = 14


class _Reporter(event.Listener):
    """Says on stderr that code is compiled, before it begins."""

    def on_start(self, details):
        event.unregister("numba:compile", self)
        os.environ[QUIET] = "1"
        # The stream of the process: whoever puts another in the place of sys.stderr wants a command's own words.
        print("mj_bot: compiling the engine for this machine, once, about 40 s ...", file=sys.__stderr__, flush=True)

    def on_end(self, details):
        pass


if QUIET not in os.environ:
    event.register("numba:compile", _Reporter())


@lru_cache(maxsize=None)
def _make_folder(path):
    """Folder of the compiled code of a file's functions, one for each state of its sources, as text:
    ~/.cache/mj_bot/<file>-<digest>; None where there is no place for it, and every process compiles for itself.
    """
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mj_bot"
    folder = root / ("%s-%s" % (Path(path).stem, digest_sources(list_sources(path), nb.__version__)))
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _remove_old(root)
        os.utime(folder)
    except OSError:
        return None
    return str(folder) if os.access(folder, os.W_OK) else None


def _remove_old(root):
    """Removes the folders that no process has asked for in a while: those of sources that have changed since."""
    for folder in root.iterdir():
        try:
            is_old = time.time() - folder.stat().st_mtime > _KEPT_DAYS * 24 * 3600
        except FileNotFoundError:
            continue  # another process removes them too
        if is_old and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)


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
