"""How the engine's functions are compiled: by numba, without the interpreter lock, kept on disk.

numba's cache looks at the file of a function alone, not at what the function calls, so an edit elsewhere would leave
stale code behind. The cache of a file therefore lies in a folder named after the file and all that it imports.
"""

import multiprocessing
import os
import shutil
import sys
import time
from functools import lru_cache
from pathlib import Path

import numba as nb
from numba.core import config, event

from ..run.sources import digest_sources, list_sources

# In the environment of all processes that come of one which has said that it compiles.
_SAID = "MJ_BOT_COMPILES"
_LONG = 2  # seconds
_KEPT_DAYS = 14


class _Reporter(event.Listener):
    """Says on stderr, once a process tree, that code is compiled, and what took long."""

    def __init__(self):
        self._depth = 0  # of functions that are compiled for others

    def on_start(self, event):
        if not self._depth:
            self._start = time.perf_counter()
            if _SAID not in os.environ:
                os.environ[_SAID] = "1"
                self._say("compiling for this machine, once; it takes a minute or two ...")
        self._depth += 1

    def on_end(self, event):
        self._depth -= 1
        seconds = time.perf_counter() - self._start
        if not self._depth and seconds >= _LONG and sys.exc_info()[0] is None:
            function = event.data["dispatcher"].py_func
            self._say("compiled %s.%s in %.0f s" % (function.__module__, function.__name__, seconds))

    def _say(self, text):
        # The stream of the process: whoever puts another in the place of sys.stderr wants a command's own words.
        print("mj_bot: " + text, file=sys.__stderr__, flush=True)


if multiprocessing.parent_process() is None and _SAID not in os.environ:
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
