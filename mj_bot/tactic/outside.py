"""Tactics from outside the package: FILE.py, FILE.py:CLASS, MODULE:CLASS, WEIGHTS.npz, and entry points of packages."""

import ast
import importlib
import importlib.util
import os
import sys

from ..mahjong.errors import UnknownTacticError

# The group in which an installed package names its tactics, NAME = "MODULE:CLASS".
ENTRY_POINTS = "mj_bot.tactics"
# Modules that are on Botzone, or in the file for it.
_PRESENT = ("MahjongGB", "mj_bot", "numpy")


def split_outside_spec(spec):
    """Returns (name, text of the options) of a tactic outside the registry; None where the spec has no such form.

    name: "FILE.py", "FILE.py:CLASS" or "MODULE:CLASS"; "cnn" for a file of weights.

    >>> split_outside_spec("own/simple.py:seed=3"), split_outside_spec("own/simple.py:SimpleTactic")
    (('own/simple.py', 'seed=3'), ('own/simple.py:SimpleTactic', ''))
    >>> split_outside_spec("mj_bot.tactic.rand:RandomTactic:seed=3")
    ('mj_bot.tactic.rand:RandomTactic', 'seed=3')
    >>> split_outside_spec("build/small.npz:torch=1")
    ('cnn', 'weights=build/small.npz,torch=1')
    """
    first, _, rest = spec.partition(":")
    if first.endswith(".npz"):
        return "cnn", ",".join(filter(None, ["weights=" + first, rest]))
    second, _, text = rest.partition(":")
    if first.endswith(".py"):
        return (first + ":" + second, text) if second.isidentifier() else (first, rest)
    if second.isidentifier() and all(map(str.isidentifier, first.split("."))) and _find_module(first):
        return first + ":" + second, text
    target = _read_entry_point(first)
    return target and (target, rest)


def _find_module(name):
    """Returns the importlib spec of a module, None where there is none."""
    try:
        return name in sys.modules or importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None


def _read_entry_point(name):
    """Returns "MODULE:CLASS" of the entry point with this name, None where no installed package has it."""
    try:
        from importlib.metadata import entry_points
    except ImportError:  # before Python 3.8, as on Botzone
        return None
    points = entry_points()
    points = points.select(group=ENTRY_POINTS) if hasattr(points, "select") else points.get(ENTRY_POINTS, ())
    return next((point.value for point in points if point.name == name), None)


def import_outside(name):
    """Returns (module, name of the class) of a tactic's name as split_outside_spec returns it.

    Raises UnknownTacticError: no such file, a file whose name another module has, or no class that is meant. Errors of
        the module itself.
    """
    path, _, class_name = name.partition(":")
    if not path.endswith(".py"):
        return importlib.import_module(path), class_name
    module = _import_file(path)
    return module, class_name or find_class_name(path)


def _import_file(path):
    """Imports a file under its own name, as a script in its folder would, and returns the module."""
    stem, folder = os.path.basename(path)[:-3], os.path.dirname(os.path.abspath(path))
    if not os.path.isfile(path):
        raise UnknownTacticError("expected a file with a tactic, there is no %r" % path)
    if not stem.isidentifier():
        raise UnknownTacticError("expected a file whose name is letters, digits and _, got %r" % path)
    other = sys.modules.get(stem) or _find_module(stem)
    origin = getattr(other, "__file__", getattr(other, "origin", None))
    if other and not (origin and os.path.exists(origin) and os.path.samefile(origin, path)):
        raise UnknownTacticError("expected a file with a name of its own, got %r: Python has a module %s, in %s" % (
            path, stem, origin))
    if folder not in sys.path:
        sys.path.append(folder)  # last, so that its other files replace no module
    importlib.invalidate_caches()
    return importlib.import_module(stem)


def find_class_name(path):
    """Returns the name of the tactic in a file: its one class that ends in Tactic, or else its only class.

    Raises UnknownTacticError: none, or several. SyntaxError.
    """
    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    names = [name for name in names if name.endswith("Tactic")] or names
    if len(names) != 1:
        raise UnknownTacticError("expected one class that ends in Tactic in %r, got %s; name it as %s:CLASS" % (
            path, ", ".join(names) or "none", path))
    return names[0]


def list_source_files(name):
    """Returns {path in an archive: file} of a tactic outside the package, with the files next to it that they import.

    name: as split_outside_spec returns it. Modules of installed packages other than its own are left out.
    Raises UnknownTacticError: no such file.
    """
    target = name.partition(":")[0]
    if target.endswith(".py"):
        root, module = os.path.dirname(os.path.abspath(target)), os.path.basename(target)[:-3]
        own = None
        if not os.path.isfile(target):
            raise UnknownTacticError("expected a file with a tactic, there is no %r" % target)
    else:
        top = importlib.util.find_spec(target.partition(".")[0])
        origin = top and top.origin
        if not origin or not os.path.isfile(origin):
            raise UnknownTacticError("expected a module in a file, got %r" % target)
        root, module = os.path.dirname(origin), target
        own = target.partition(".")[0]
        if top.submodule_search_locations:
            root = os.path.dirname(root)
    files, pending = {}, [module]
    while pending:
        words = pending.pop().split(".")
        if words[0] in _PRESENT or own and words[0] != own:
            continue
        for count in range(1, len(words) + 1):
            stem = "/".join(words[:count])
            path = next((path for path in (stem + "/__init__.py", stem + ".py")
                         if os.path.isfile(os.path.join(root, path))), None)
            if path is None:
                break
            if path not in files:
                files[path] = os.path.join(root, path)
                package = words[:count] if path.endswith("__init__.py") else words[:count - 1]
                with open(files[path], "rb") as file:
                    pending += list_imports(file.read(), package)
    return files


def list_imports(source, package=()):
    """Returns the full names that a source imports, and the names that it takes from modules; [] of a wrong source.

    source: bytes. package: words of its package, for relative imports.
    """
    names = []
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):  # whoever imports it says so
        return names
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(package)[:len(package) - node.level + 1] if node.level else []
            base = ".".join(base + ([node.module] if node.module else []))
            names += [base] * bool(base) + [(base + "." if base else "") + name.name for name in node.names]
    return names
