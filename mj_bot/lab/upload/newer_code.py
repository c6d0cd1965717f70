"""Finds code that Botzone's Python 3.6 and numpy 1.13 cannot run, in source files alone: nothing is imported.

trial.py also runs the file with a real Python 3.6 where there is one. Such a run reaches only the lines that the sample
requests reach. newer_names.json is made by 3rdparty/list_newer_names.py.
"""

import ast
import io
import json
import os
import sys
import tokenize
from functools import lru_cache
from typing import Iterator  # that of collections.abc takes no type before Python 3.9, and handin.py runs on 3.6

from ...trouble import describe_error

FLOOR = (3, 6)
# These classes, and the classes of these modules, take [types] in square brackets since Python 3.9.
_GENERIC_CLASSES = ("dict", "frozenset", "list", "set", "tuple", "type")
_GENERIC_MODULES = ("collections", "collections.abc", "os", "queue", "re")
_GENERIC_FUNCTIONS = ("collections.deque", "collections.defaultdict")
# A `try` that catches one of these errors may use a newer name, because it only tests whether the name exists.
_CAUGHT = ("AttributeError", "Exception", "ImportError", "ModuleNotFoundError", "NameError")


def list_newer_code(sources: dict) -> Iterator[str]:
    """Yields a sentence for each place that needs a newer Python or numpy, with its line and file.

    sources: {path: bytes} of all Python files that ship. A method is known by its name alone, so a method that one of
        the files defines is no newer one.
    """
    checked = {}
    for path, source in sorted(sources.items()):
        try:
            checked[path] = _check_file(path, source)
        except SyntaxError as error:
            yield str(error)
    defined = {name for names, _ in checked.values() for name in names}
    for path, (_, problems) in checked.items():
        for line, words, method in problems:
            if method not in defined:
                yield _format_newer(words, line, path)


@lru_cache(maxsize=None)
def _check_file(path, source):
    """Returns (names of the functions and classes of a file, [(line, what is newer, its name if it is a method)])."""
    tree = _parse(path, source)
    own, defined, modules = _list_names_of(tree)
    return defined, [(node.lineno, *problem) for node in _walk(tree) for problem in _check_node(node, own, modules)]


@lru_cache(maxsize=None)
def _load_newer_names():
    """Returns the dict of newer_names.json: the names that came after Python 3.6 and numpy 1.13."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "newer_names.json")) as file:
        return json.load(file)


def _format_newer(words, line, path):
    return "expected Python 3.6%s, got %s (line %d of %s)" % (
        " and numpy 1.13" if words.startswith("numpy.") else "", words, line, path)


def _parse(path, source):
    """Returns the syntax tree of a file. Raises SyntaxError with a whole sentence as its text."""
    try:
        source.decode()
    except UnicodeDecodeError as error:
        raise SyntaxError("expected a file in UTF-8, got byte 0x%02x (line %d of %s)" % (
            source[error.start], source[:error.start].count(b"\n") + 1, path)) from None
    try:
        tree = ast.parse(source, path, feature_version=FLOOR)
    except SyntaxError as error:
        wanted = "expected Python 3.6, got " * _is_parsed_here(source)
        raise SyntaxError(wanted + describe_error(error, path)) from None
    if sys.version_info >= (3, 12):
        line = _find_newer_fstring(source)
        if line:
            raise SyntaxError(_format_newer("an f-string of a newer form", line, path))
    return tree


def _is_parsed_here(source):
    """Checks whether this Python, which may be a newer one, can parse a file's bytes."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def _find_newer_fstring(source):
    """Returns the line of an f-string that Python 3.6 cannot parse, or None. ast.parse accepts {x=} for 3.6."""
    quotes, last = [], ""
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        name = tokenize.tok_name[token.type]
        if name in ("STRING", "FSTRING_START"):
            quote = token.string.lstrip("rRbBfFuU")
            quote = quote[:3] if quote[:3] in ("'''", '"""') else quote[:1]
            if quote in quotes or quotes and "\\" in token.string:
                return token.start[0]
        if name == "FSTRING_START":
            quotes.append(quote)
        elif name == "FSTRING_END":
            quotes.pop()
        elif quotes and name == "OP" and last == "=" and token.string in ("}", "!", ":"):
            return token.start[0]
        last = token.string if name == "OP" else ""
    return None


def _list_names_of(tree):
    """Returns (names that a file gives a value, its functions and classes, {name: full name of an import or ""})."""
    own, defined, modules = set(), set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            own.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Import):
            for name in node.names:
                top = name.name.partition(".")[0]
                modules[name.asname or top] = name.name if name.asname else top
        elif isinstance(node, ast.ImportFrom):
            for name in node.names:
                modules[name.asname or name.name] = "" if node.level else "%s.%s" % (node.module, name.name)
    return own | defined | set(modules), defined, modules


def _walk(node, is_in_function=False):
    """Yields the nodes of a tree without code that runs only where a newer name exists."""
    if isinstance(node, ast.If) and {"hasattr", "version_info", "TYPE_CHECKING"} & set(_list_names(node.test)):
        return
    inner = ast.iter_child_nodes(node)
    if isinstance(node, ast.Try) and any(handler.type is None or set(_list_names(handler.type)) & set(_CAUGHT)
                                         for handler in node.handlers):
        inner = [*node.handlers, *node.orelse, *node.finalbody]
    elif isinstance(node, ast.AnnAssign) and is_in_function:  # there Python does not compute the annotation
        inner = [node.target] + [node.value] * bool(node.value)
    else:
        yield node
    for child in inner:
        yield from _walk(child, is_in_function or isinstance(node, ast.FunctionDef))


def _check_node(node, own, modules):
    """Yields (what is newer in a node, its name if it is a method, else None)."""
    newer = _load_newer_names()
    if isinstance(node, ast.Import):
        for name in node.names:
            yield from _check_module(name.name)
    elif isinstance(node, ast.ImportFrom) and not node.level:
        problems = list(_check_module(node.module))
        yield from problems or [problem for name in node.names for problem in _check_name(node.module, name.name)]
    elif isinstance(node, ast.Name) and node.id not in own and node.id in newer["names"]["builtins"]:
        yield node.id, None
    elif isinstance(node, ast.Attribute):
        module = _find_module(node.value, modules)
        if module:
            yield from _check_name(module, node.attr)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in newer["methods"] and not _find_module(node.func.value, modules):
            yield "the method %s" % node.func.attr, node.func.attr
    elif isinstance(node, ast.Subscript):
        full = _find_module(node.value, modules) or ""
        module, _, name = full.rpartition(".")
        if isinstance(node.value, ast.Name) and node.value.id in set(_GENERIC_CLASSES) - own:
            yield "%s[...]" % node.value.id, None
        elif module in _GENERIC_MODULES and name[:1].isupper() or full in _GENERIC_FUNCTIONS:
            yield "%s[...]" % full, None
    annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        yield "| between types", None


def _find_module(node, modules):
    """Returns the full name of what `numpy.random` or `np.random` means; None or "" where it is no imported name."""
    if isinstance(node, ast.Name):
        return modules.get(node.id)
    module = _find_module(node.value, modules) if isinstance(node, ast.Attribute) else None
    return module and "%s.%s" % (module, node.attr)


def _check_module(module):
    """Yields the problem of a module that is newer, or is in a newer package."""
    words = module.split(".")
    for name in (".".join(words[:count]) for count in range(1, len(words) + 1)):
        if name in _load_newer_names()["modules"]:
            yield "the module %s" % name, None
            return


def _check_name(module, name):
    """Yields the problem of a name of a module that is newer than the module."""
    full = "%s.%s" % (module, name)
    if name in _load_newer_names()["names"].get(module, ()) or full == "__future__.annotations":
        yield full, None
    elif full in _load_newer_names()["modules"]:
        yield "the module %s" % full, None


def _list_names(node):
    """Returns the names and attributes in an expression, [] for None."""
    inner = ast.walk(node) if node else ()
    return [getattr(word, "id", getattr(word, "attr", "")) for word in inner]
