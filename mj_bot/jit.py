"""Compiles functions with numba if numba is installed, else leaves them as they are.

So there is one source, compiled in the workshop and interpreted in the bot.

Compiled code runs without the interpreter lock and is stored on disk. numba's own cache notices only edits in the file
of a function, and no edits of functions in other files that it calls. So the cache of a file is in a folder that is
named after the file and after a digest of all sources that its compiled code may contain. All copies of the package
share it. A process waits a minute for another one that compiles the same function. If a file of the cache is damaged,
its functions are compiled again. If the disk is full, every process compiles for itself. A .pyz never compiles, because
this takes longer than Botzone waits.
"""

import os
import sys
import time
from contextlib import ExitStack, suppress
from functools import lru_cache, partial
from typing import Callable, Sequence

from . import COMPILING, COMPILING_TEXT, QUIET

try:
    # NUMBA_DISABLE_JIT is numba's own switch. Inside a .pyz this module has no file.
    if os.environ.get("NUMBA_DISABLE_JIT") == "1" or not os.path.isfile(__file__):
        raise ImportError("not to be compiled")
    import fcntl
    import hashlib
    import pickle

    import numba
    from numba.core import config, event
    from numba.core.caching import CompileResultCacheImpl, FunctionCache
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import Compiler
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.serialize import dumps
    from numba.extending import register_jitable
except ImportError:
    numba = None

IS_COMPILED = numba is not None
_KEPT_DAYS = 14
_MOST_WAIT = 60.0
# This environment variable is set once trouble with the compiled code was told. Workers inherit it.
_TOLD = "MJ_BOT_CACHE_TOLD"


def jit(function: Callable) -> Callable:
    """Compiles a function that allocates nothing: without numba's reference counting it runs many times faster."""
    return _compile(function, _nrt=False)


def jit_part(function: Callable) -> Callable:
    """Compiles a helper that only other compiled functions call.

    The helper is not cached itself; the cache of each caller contains its machine code.
    """
    if not IS_COMPILED:
        return function
    return _compile(function, False, _nrt=False, no_cpython_wrapper=True, no_cfunc_wrapper=True,
                    pipeline_class=_PartCompiler)


def jit_with_memory(function: Callable) -> Callable:
    """Compiles a function that makes arrays."""
    return _compile(function)


def jitable(function: Callable) -> Callable:
    """Returns a plain Python function as it is, and tells numba that compiled code may call it."""
    return register_jitable(function) if IS_COMPILED else function


def make_table(values: Sequence) -> Sequence:
    """Returns a table of ints in the form that this process reads fastest as table[i][j].

    values: nested lists or tuples.
    """
    if not IS_COMPILED:
        return values
    # numba needs numpy, so it is installed here.
    import numpy as np

    return np.array(values, np.int64)


def _compile(function, is_kept=True, **options):
    """Returns the compiled function, or the function itself without numba. is_kept: whether to store it on disk."""
    if not IS_COMPILED:
        return function
    kept = config.CACHE_DIR
    folder = _make_folder(function.__code__.co_filename) if is_kept else None
    if folder:
        config.CACHE_DIR = folder
    try:
        compiled = numba.njit(nogil=True, error_model="numpy", boundscheck=False, **options)(function)
        if folder:
            cache = _CheckedCache(function)
            # numba takes another folder if it cannot write this one.
            if cache.cache_path.startswith(folder):
                compiled._cache = cache
                lock_path = os.path.join(cache.cache_path, function.__name__ + ".lock")
                compiled.compile = partial(_compile_once, compiled.compile, lock_path)
        return compiled
    finally:
        config.CACHE_DIR = kept


def _compile_once(compile_signature, lock_path, signature):
    """Compiles or loads a function for a signature while no other process does so."""
    # numba's own lock comes first, so that no thread that has locked the file waits for it.
    with global_compiler_lock, ExitStack() as stack:
        with suppress(OSError):
            _lock(stack.enter_context(open(lock_path, "a")))
        return compile_signature(signature)


def _lock(file):
    """Locks a file, unless another process, which may be stopped, keeps it locked for _MOST_WAIT seconds."""
    end = time.monotonic() + _MOST_WAIT
    while time.monotonic() < end:
        with suppress(BlockingIOError):
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        time.sleep(0.05)


@lru_cache(maxsize=None)
def _make_folder(path):
    """Returns the folder for the compiled code of a file in the user's cache; None if it cannot be written."""
    from .project_files import cache_folder
    from .sources import COMPILED_ROOMS, PACKAGE_FOLDER, Path, digest_sources, find_room, list_room_files

    path = Path(path).resolve()
    files = {path, *list_room_files(*COMPILED_ROOMS, *([find_room(path)] if PACKAGE_FOLDER in path.parents else []))}
    root = cache_folder("compiled")
    name = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.join(root, "%s-%s" % (name, digest_sources(sorted(files), numba.__version__)))
    try:
        if not os.path.isdir(folder):
            os.makedirs(folder, exist_ok=True)
            _remove_old(root)
        os.utime(folder)
        if os.access(folder, os.W_OK):
            return folder
        reason = "it cannot be written"
    except OSError as error:
        reason = error.strerror
    _tell_unkept(root, reason)
    return None


def _tell_unkept(folder, reason):
    """Tells once why compiled code cannot be stored."""
    _tell_once("compiled code cannot be kept in %s (%s); every start compiles what it needs" % (folder, reason))


def _tell_once(text):
    """Prints a line on stderr, once for this process and those that it starts."""
    if _TOLD not in os.environ:
        os.environ[_TOLD] = "1"
        # This is the stream of the process, because a replaced sys.stderr is for a command's own messages.
        print("mj_bot: " + text, file=sys.__stderr__, flush=True)


def _remove_old(root):
    """Removes the folders that no process has used for _KEPT_DAYS days."""
    import shutil

    for name in os.listdir(root):
        folder = os.path.join(root, name)
        # Another process may have removed the folder.
        with suppress(FileNotFoundError):
            if os.path.isdir(folder) and time.time() - os.stat(folder).st_mtime > _KEPT_DAYS * 24 * 3600:
                shutil.rmtree(folder, ignore_errors=True)


if IS_COMPILED:
    class _OwnFile(CompileResultCacheImpl._locator_classes[0]):
        """Places the code of a file of the package alike for all copies: the digest in the folder's name is theirs."""

        @classmethod
        def from_function(cls, py_func, py_file):
            """Returns None for a file of others, whose compiled code may depend on files next to it."""
            from .sources import PACKAGE_FOLDER, Path

            return super().from_function(py_func, py_file) if PACKAGE_FOLDER in Path(py_file).parents else None

        @classmethod
        def get_suitable_cache_subpath(cls, py_file):
            """Returns the folder of the file in the package."""
            from .sources import PACKAGE_FOLDER

            return os.path.relpath(os.path.dirname(py_file), PACKAGE_FOLDER)

        def get_source_stamp(self):
            """Returns the same for all copies, whatever comments and times they have."""
            return ""

    class _CheckedFiles(CompileResultCacheImpl):
        """Stores compiled code with its digest, because numba takes any bytes for machine code and runs them."""

        _locator_classes = [_OwnFile, *CompileResultCacheImpl._locator_classes]

        def reduce(self, cres):
            """Returns (digest, bytes) of compiled code."""
            data = dumps(super().reduce(cres))
            return hashlib.sha256(data).digest(), data

        def rebuild(self, target_context, payload):
            """Returns the compiled code of (digest, bytes). Raises ValueError: the two do not belong together."""
            digest, data = payload
            if hashlib.sha256(data).digest() != digest:
                raise ValueError("wrong digest")
            return super().rebuild(target_context, pickle.loads(data))

    class _CheckedCache(FunctionCache):
        """Caches a function, also if a file is damaged or the disk is full."""

        _impl_class = _CheckedFiles

        def load_overload(self, sig, target_context):
            """Returns the compiled code for a signature, None if there is none or its files are damaged."""
            try:
                return super().load_overload(sig, target_context)
            except Exception as error:
                # To unpickle damaged bytes can raise anything.
                _tell_once("the compiled code in %s is damaged (%s); it is compiled anew" % (
                    self.cache_path, type(error).__name__))
                try:
                    self.flush()
                except OSError:
                    self.disable()
                return None

        def save_overload(self, sig, data):
            """Writes compiled code, if there is room for it."""
            try:
                super().save_overload(sig, data)
            except OSError as error:
                self.disable()
                _tell_unkept(self.cache_path, error.strerror)

    class _PartLibrary(JITCodeLibrary):
        """Keeps the code of a helper unoptimized: its callers contain it and are optimized, which is enough."""

        codegen = property(lambda self: self)

        def set_env(self, name, env):
            """Does nothing, because a helper has no machine code of its own."""

        def get_pointer_to_function(self, name):
            """Returns 0, because a helper has no machine code of its own."""
            self._ensure_finalized()
            return 0

        def _optimize_final_module(self):
            pass

        def _finalize_final_module(self):
            self._finalize_dynamic_globals()
            self._finalized = True

    class _PartCompiler(Compiler):
        """Compiles helpers, with a library that is not optimized."""

        def __init__(self, typingctx, targetctx, library, *rest):
            super().__init__(typingctx, targetctx, _PartLibrary(targetctx.codegen(), "part"), *rest)


def _report_compiling():
    """Makes numba announce on stderr that it compiles."""
    class Reporter(event.Listener):
        def on_start(self, details):
            event.unregister("numba:compile", self)
            os.environ[QUIET] = "1"
            # This is the stream of the process, because a replaced sys.stderr is for a command's own messages.
            print(os.environ.get(COMPILING, COMPILING_TEXT), file=sys.__stderr__, flush=True)

        def on_end(self, details):
            pass

    event.register("numba:compile", Reporter())


if IS_COMPILED and QUIET not in os.environ:
    _report_compiling()
