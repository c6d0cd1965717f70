"""The source files that a module depends on, found by its imports."""

import ast
import hashlib
from functools import lru_cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def list_sources(*paths):
    """Returns the files of these modules and of all their imports from the package, as a sorted list of pathlib.Path.

    The data of a module, in a JSON file of the name of the module, is one of these files.

    paths: pathlib.Path of Python files. Imports inside functions count too; names in strings do not.
    """
    found, left = set(), [Path(path).resolve() for path in paths]
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += list_imports(path)
    data = {path.with_suffix(".json") for path in found}
    return sorted(found.union(filter(Path.is_file, data)))


def digest_sources(paths, *more):
    """A digest (text of 16 hexadecimal digits) of the files' names and contents, and of further texts.

    Of a Python file only the code counts, not comments, docstrings and layout.
    """
    digest = hashlib.sha256("\0".join(more).encode())
    for path in paths:
        content = _read_code(path) if path.suffix == ".py" else path.read_bytes()
        digest.update(path.name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:16]


@lru_cache(maxsize=None)
def _read_code(path):
    """The code of a Python file as bytes, without comments and docstrings."""
    tree = ast.parse(path.read_bytes(), str(path))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree).encode()


@lru_cache(maxsize=None)
def list_imports(path):
    """Files of the package that a file imports, list of pathlib.Path; names in strings do not count."""
    folder = path.parent.relative_to(PACKAGE.parent).parts if PACKAGE in path.parents else ()
    found = []
    for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
        if isinstance(node, ast.ImportFrom):
            base = folder[:len(folder) - node.level + 1] if node.level else ()
            module = base + tuple(node.module.split(".") if node.module else ())
            for name in node.names:
                found += _find_module(module + (name.name,)) or _find_module(module)
        elif isinstance(node, ast.Import):
            for name in node.names:
                found += _find_module(tuple(name.name.split(".")))
    return found


def _find_module(names):
    """[file of a module of the package], [] where there is none."""
    if names[:1] != (PACKAGE.name,):
        return []
    path = PACKAGE.parent.joinpath(*names)
    return [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()][:1]
