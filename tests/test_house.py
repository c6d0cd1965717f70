"""The rooms of the project: what may import what."""

import ast
import importlib
import numbers
from functools import lru_cache

import numpy as np
import pytest

from mj_bot.sources import COMPILED_ROOMS, PACKAGE_FOLDER, find_room, list_room_files

SHIPPED = (("botzone.py", "__main__.py"), ("last_resort.py", "tactic"), ("network", "worth"),
           ("observation", "trouble.py"), ("mahjong",),
           ("arrays.py", "blas.py", "deadline.py", "jit.py", "project_files.py", "sources.py"))
LAB = (("commands",), ("guangdong",), ("play",), ("learn",), ("live", "review", "hand"), ("library",), ("page",),
       ("fit",), ("rl",), ("train", "dataset"), ("arena",), ("records",), ("worlds",), ("environments",), ("engine",),
       ("table", "links"), ("run", "upload"), ("words",))


@lru_cache(maxsize=None)
def list_imports(path):
    """Returns (file of the package, imported name) of the imports of a file; names in strings do not count."""
    folder = path.parent.relative_to(PACKAGE_FOLDER.parent).parts
    imports = []
    for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
        if isinstance(node, ast.ImportFrom):
            base = folder[:len(folder) - node.level + 1] if node.level else ()
            module = base + tuple(node.module.split(".") if node.module else ())
            for name in node.names:
                files = _find_module(module + (name.name,)) or _find_module(module)
                imports += [(file, name.asname or name.name) for file in files]
        elif isinstance(node, ast.Import):
            imports += [(file, name.name) for name in node.names for file in _find_module(tuple(name.name.split(".")))]
    return imports


def _find_module(names):
    """Returns [file of a module of the package], [] where there is none."""
    if names[:1] != (PACKAGE_FOLDER.name,):
        return []
    path = PACKAGE_FOLDER.parent.joinpath(*names)
    return [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()][:1]


def floor_of(room):
    """Depth of a room: files outside rooms are on top, the shipped rooms below the workshop's."""
    if room.startswith("lab/"):
        return next((floor for floor, names in enumerate(LAB) if room[4:] in names), -1)
    return next((len(LAB) + floor for floor, names in enumerate(SHIPPED) if room in names), -1)


def test_every_room_has_its_floor():
    rooms = {find_room(path) for path in PACKAGE_FOLDER.rglob("*.py")}
    named = {"lab/" + name for names in LAB for name in names} | {name for names in SHIPPED for name in names}
    assert rooms - named == {"__init__.py", "api.py", "lab/__init__.py", "lab/__main__.py", "lab/speed.py"}
    assert named <= rooms


def test_rooms_import_only_rooms_below():
    arrows = {(find_room(path), find_room(file)): path for path in PACKAGE_FOLDER.rglob("*.py")
              for file, _ in list_imports(path) if find_room(path) != find_room(file)}
    upward = {pair: str(path) for pair, path in arrows.items() if floor_of(pair[0]) > floor_of(pair[1]) >= 0}
    assert not upward
    level = {pair for pair in arrows if floor_of(pair[0]) == floor_of(pair[1])}
    assert not {pair for pair in level if pair[::-1] in level}



def test_every_room_says_what_it_is_for():
    assert not [path for path in PACKAGE_FOLDER.glob("**/*/__init__.py")
                if not ast.get_docstring(ast.parse(path.read_bytes()))]


def list_compiled():
    return [path for path in PACKAGE_FOLDER.rglob("*.py")
            if b"jit" in path.read_bytes() and (PACKAGE_FOLDER / "jit.py") in {file for file, _ in list_imports(path)}]


def test_compiled_code_is_that_of_its_digest():
    """Machine code with a constant or a compiled function of another room would outlive an edit of it."""
    pytest.importorskip("numba")
    for path in list_compiled():
        module = importlib.import_module(".".join(path.relative_to(PACKAGE_FOLDER.parent).with_suffix("").parts))
        covered = list_room_files(*COMPILED_ROOMS, find_room(path))
        for file, name in list_imports(path):
            value = getattr(module, name, None)
            is_compiled_in = hasattr(value, "py_func") or isinstance(value, (numbers.Number, str, tuple, np.ndarray))
            assert file in covered or not is_compiled_in, (path, name)
