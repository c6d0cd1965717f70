"""Loads tactics from outside the package.

Their names are FILE.py, FILE.py:CLASS, MODULE:CLASS or WEIGHTS.npz.
"""

import ast
import importlib
import importlib.util
import os
import sys
from types import ModuleType
from typing import Dict, Optional, Tuple

from ..mahjong.errors import UnknownTacticError

# Botzone has these modules, or the .pyz contains them.
_PRESENT = ("MahjongGB", "mj_bot", "numpy")


def split_outside_spec(spec: str) -> Optional[Tuple[str, str]]:
    """Returns (name, text of the options) of a tactic outside the registry, None if the spec has no such form.

    >>> split_outside_spec("own/simple.py:seed=3"), split_outside_spec("mj_bot.tactic.rand:RandomTactic:seed=3")
    (('own/simple.py', 'seed=3'), ('mj_bot.tactic.rand:RandomTactic', 'seed=3'))
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
    return None


def _find_module(name):
    """Returns the importlib spec of a module (or True for a loaded one), None if there is no such module."""
    try:
        return name in sys.modules or importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):
        return None


def import_outside(name: str) -> Tuple[ModuleType, str]:
    """Returns (module, name of the class) of a tactic outside the registry. Errors of the module itself pass through.

    name: as split_outside_spec returns it. Raises UnknownTacticError: no such file, another module has its name, or it
    is not clear which class is meant.
    """
    path, _, class_name = name.partition(":")
    if not path.endswith(".py"):
        return importlib.import_module(path), class_name
    module = _import_file(path)
    return module, class_name or find_class_name(path)


def _import_file(path):
    """Returns the module of a file, imported under its own name, as a script in its folder would import it."""
    stem, folder = os.path.basename(path)[:-3], os.path.dirname(os.path.abspath(path))
    if not os.path.isfile(path):
        raise UnknownTacticError("expected a file with a tactic, there is no %r", path)
    if not stem.isidentifier():
        raise UnknownTacticError("expected a file whose name is letters, digits and _, got %r", path)
    other = sys.modules.get(stem) or _find_module(stem)
    origin = getattr(other, "__file__", getattr(other, "origin", None))
    if other and not (origin and os.path.exists(origin) and os.path.samefile(origin, path)):
        raise UnknownTacticError("expected a file with a name of its own, got %r: Python has a module %s, in %s", path,
                                 stem, origin)
    if folder not in sys.path:
        # The folder comes last, so that its other files replace no module.
        sys.path.append(folder)
    importlib.invalidate_caches()
    return importlib.import_module(stem)


def find_class_name(path: str) -> str:
    """Returns the name of the tactic in a file: its one class that ends in Tactic, or else its only class.

    Raises UnknownTacticError: there is no such class, or several. SyntaxError: the file is no Python.
    """
    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
    names = [name for name in names if name.endswith("Tactic")] or names
    if len(names) != 1:
        raise UnknownTacticError("expected one class that ends in Tactic in %r, got %s; name it as %s:CLASS", path,
                                 ", ".join(names) or "none", path)
    return names[0]


def list_source_files(name: str) -> Dict[str, str]:
    """Returns {path in an archive: file} of a tactic outside the package, with the files next to it that it needs.

    These are the files that the tactic imports, directly or through another of them. Modules of installed packages
    other than the tactic's own are left out.
    name: as split_outside_spec returns it.
    Raises UnknownTacticError: there is no such file.
    """
    target = name.partition(":")[0]
    if target.endswith(".py"):
        root, module = os.path.dirname(os.path.abspath(target)), os.path.basename(target)[:-3]
        own = None
        if not os.path.isfile(target):
            raise UnknownTacticError("expected a file with a tactic, there is no %r", target)
    else:
        top = importlib.util.find_spec(target.partition(".")[0])
        origin = top and top.origin
        if not origin or not os.path.isfile(origin):
            raise UnknownTacticError("expected a module in a file, got %r", target)
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
                    pending += _list_imports(file.read(), package)
    return files


def _list_imports(source, package):
    """Returns the full names of the modules that a source imports, and of what it takes from them."""
    names = []
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        # The error is reported when somebody imports the file.
        return names
    for node in nodes:
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            words = package[:len(package) - node.level + 1] if node.level else []
            words = words + [node.module] * bool(node.module)
            names += [".".join(words)] * bool(words) + [".".join(words + [name.name]) for name in node.names]
    return names
