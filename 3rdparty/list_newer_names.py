"""Lists what the standard library and numpy have gained since Botzone's Python 3.6 and numpy 1.13.

    python3 3rdparty/list_newer_names.py "PYTHON3.6 with numpy 1.13" NEWER_PYTHON ...

It writes mj_bot/lab/upload/newer_names.json, with which handin.py checks the files that it packs. An argument is a
command as a shell splits it, such as "env PYTHONPATH=build/numpy113 python3.6". Names that depend on the system are
left out.
"""

import importlib
import json
import os
import pkgutil
import shlex
import subprocess
import sys
import types

PATH = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "mj_bot", "lab", "upload",
                    "newer_names.json")
# Modules of the system's libraries, and those that no bot uses.
SKIPPED = set("antigravity asyncio crypt ctypes curses distutils encodings ensurepip fcntl idlelib lib2to3 mmap "
              "multiprocessing nis ossaudiodev posix pydoc_data pyexpat resource select selectors signal site socket "
              "spwd sqlite3 sre_compile sre_constants sre_parse ssl sysconfig syslog tarfile termios test this "
              "tkinter turtle turtledemo unittest xml xxlimited xxlimited_35 xxsubtype".split())
NUMPY = ["numpy", "numpy.fft", "numpy.linalg", "numpy.ma", "numpy.polynomial", "numpy.random"]
# Their methods are recognised by name alone, as a file does not tell the type of a variable.
CLASSES = ["builtins:bytearray bytes complex dict float frozenset int list memoryview range set slice str tuple",
           "datetime:date datetime time timedelta", "fractions:Fraction", "numpy:ndarray",
           "pathlib:Path PurePath", "random:Random"]


def list_modules():
    """Returns the names of the modules of this Python, without those that are private or skipped."""
    library = os.path.dirname(os.__file__)
    names = set(sys.builtin_module_names) | {
        module.name for module in pkgutil.iter_modules([library, os.path.join(library, "lib-dynload")])}
    names |= {"%s.%s" % (name, module.name) for name in names
              for module in pkgutil.iter_modules([os.path.join(library, name)])}
    return sorted(name for name in names if name.split(".")[0] not in SKIPPED and not any(
        word.startswith("_") or word in ("test", "tests") for word in name.split(".")))


def dump():
    """Returns {"modules": {module: its public names}, "methods": the public names of CLASSES} of this Python."""
    modules = {}
    for name in list_modules() + NUMPY + ["os.path"]:
        try:
            module = importlib.import_module(name)
        except Exception:  # what the system or this Python's installation does not have
            continue
        is_package = hasattr(module, "__path__")
        modules[name] = sorted(word for word in dir(module) if not word.startswith("_") and (
            is_package or not isinstance(getattr(module, word, None), types.ModuleType)))
    methods = set()
    for line in CLASSES:
        module, _, names = line.partition(":")
        if module in modules:
            methods.update(*(dir(getattr(importlib.import_module(module), name)) for name in names.split()))
    return {"modules": modules, "methods": sorted(word for word in methods if not word.startswith("_"))}


def compare(old, new):
    """Returns what `new` has and `old` has not: {"modules": new modules, "methods": names, "names": {module: names}}.

    Modules that the old Python could not import are left out where they are older than Python 3.6.
    """
    names = {name: sorted(set(words) - set(old["modules"][name]))
             for name, words in new["modules"].items() if name in old["modules"]}
    return {"modules": sorted(set(new["modules"]) - set(old["modules"])),
            "methods": sorted(set(new["methods"]) - set(old["methods"])),
            "names": {name: words for name, words in names.items() if words}}


def ask(command):
    """Returns what dump() returns in another Python. command: how a shell starts it."""
    return json.loads(subprocess.run(shlex.split(command) + ["-W", "ignore", os.path.abspath(__file__), "--dump"],
                                     stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, check=True).stdout.decode())


def main(words):
    if words == ["--dump"]:
        json.dump(dump(), sys.stdout)
        return
    old, *news = map(ask, words)
    merged = {"modules": {}, "methods": []}
    for new in news:
        for name, found in new["modules"].items():
            merged["modules"].setdefault(name, set()).update(found)
        merged["methods"] += new["methods"]
    newer = compare(old, merged)
    rows = ['%s: %s' % (json.dumps(name), json.dumps(found)) for name, found in sorted(newer["names"].items())]
    with open(PATH, "w") as file:
        file.write('{"modules": %s,\n "methods": %s,\n "names": {\n  %s}}\n' % (
            json.dumps(newer["modules"]), json.dumps(newer["methods"]), ",\n  ".join(rows)))


if __name__ == "__main__":
    main(sys.argv[1:])
