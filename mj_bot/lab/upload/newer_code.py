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
# A `try` that catches one of these errors may use a newer name, because it only tests whether the name exists.
_CAUGHT = ("AttributeError", "Exception", "ImportError", "ModuleNotFoundError", "NameError")


def list_newer_code(sources: dict) -> Iterator[str]:
    """Yields a sentence for each place that needs a newer Python or numpy, with its line and file.

    sources: {path: bytes} of all Python files that ship. A method is known by its name alone, so a method that one of
        the files defines is no newer one.
    """
    visitors = {}
    for path, source in sorted(sources.items()):
        try:
            visitors[path] = _visit(path, source)
        except SyntaxError as error:
            yield str(error)
    defined = {name for visitor in visitors.values() for name in visitor.defined}
    for path, visitor in visitors.items():
        for line, words, method in visitor.problems:
            if method not in defined:
                yield _format_newer(words, line, path)


@lru_cache(maxsize=None)
def _visit(path, source):
    """Returns the _Visitor of a file, after its visit. path: str. source: bytes. Raises SyntaxError: see _parse."""
    visitor = _Visitor(_load_newer_names())
    visitor.visit(_parse(path, source))
    return visitor


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


class _Visitor(ast.NodeVisitor):
    """Collects `problems`, (line, what is newer, method or None), and names that the file has `defined`."""

    def __init__(self, newer):
        """newer: the dict of newer_names.json."""
        self.problems, self.defined = [], set()
        self._newer = newer
        self._modules = {}  # by the name that they have in this file
        self._own = set()  # names that this file gives a value
        self._is_in_function = False

    def visit_Module(self, node: ast.Module) -> None:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
                self._own.add(inner.id)
            elif isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                self._own.add(inner.name)
                self.defined.add(inner.name)
            elif isinstance(inner, ast.arg):
                self._own.add(inner.arg)
            elif isinstance(inner, (ast.Import, ast.ImportFrom)):
                for name in inner.names:
                    self._own.add(name.asname or name.name.partition(".")[0])
                    if isinstance(inner, ast.Import):
                        self._modules[name.asname or name.name.partition(".")[0]] = (
                            name.name if name.asname else name.name.partition(".")[0])
                    elif not inner.level:
                        self._modules[name.asname or name.name] = "%s.%s" % (inner.module, name.name)
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for name in node.names:
            self._check_module(node.lineno, name.name)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        if node.level:
            return
        if node.module == "__future__":
            if any(name.name == "annotations" for name in node.names):
                self._add(node.lineno, "from __future__ import annotations")
            return
        if self._check_module(node.lineno, node.module):
            for name in node.names:
                self._check_name(node.lineno, node.module, name.name)

    def visit_Try(self, node: ast.Try) -> None:
        names = {word for handler in node.handlers for word in _list_names(handler.type)}
        if not any(handler.type is None for handler in node.handlers) and not names & set(_CAUGHT):
            self.generic_visit(node)
            return
        for inner in [*node.handlers, *node.orelse, *node.finalbody]:
            self.visit(inner)

    def visit_If(self, node: ast.If) -> None:
        if not {"hasattr", "version_info", "TYPE_CHECKING"} & set(_list_names(node.test)):
            self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if node.id not in self._own and node.id in self._newer["names"]["builtins"]:
            self._add(node.lineno, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        module = self._find_module(node.value)
        if module:
            self._check_name(node.lineno, module, node.attr)
        else:
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in self._newer["methods"] and (
                not self._find_module(function.value)):
            self._add(function.lineno, "the method %s" % function.attr, function.attr)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        value = node.value
        if isinstance(value, ast.Name) and value.id in _GENERIC_CLASSES and value.id not in self._own:
            self._add(node.lineno, "%s[...]" % value.id)
        else:
            full = self._find_module(value) or ""
            module, _, name = full.rpartition(".")
            if module in _GENERIC_MODULES and name[:1].isupper() or full in ("collections.deque",
                                                                             "collections.defaultdict"):
                self._add(node.lineno, "%s[...]" % full)
        self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> None:
        self._check_annotation(node.annotation)
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._check_annotation(node.returns)
        outside, self._is_in_function = self._is_in_function, True
        self.generic_visit(node)
        self._is_in_function = outside

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if self._is_in_function:  # there Python does not compute the annotation
            node = ast.Tuple([node.target] + [node.value] * bool(node.value), ast.Load())
        else:
            self._check_annotation(node.annotation)
        self.generic_visit(node)

    def _check_annotation(self, annotation):
        if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
            self._add(annotation.lineno, "| between types")

    def _find_module(self, node):
        """Returns the full name of what `numpy.random` or `np.random` means; None where it is no imported name."""
        if isinstance(node, ast.Name):
            return self._modules.get(node.id)
        if isinstance(node, ast.Attribute):
            module = self._find_module(node.value)
            return module and "%s.%s" % (module, node.attr)
        return None

    def _check_module(self, line, module):
        words = module.split(".")
        name = next((".".join(words[:count]) for count in range(1, len(words) + 1)
                     if ".".join(words[:count]) in self._newer["modules"]), None)
        if name:
            self._add(line, "the module %s" % name)
        return not name

    def _check_name(self, line, module, name):
        if name in self._newer["names"].get(module, ()):
            self._add(line, "%s.%s" % (module, name))
        elif "%s.%s" % (module, name) in self._newer["modules"]:
            self._add(line, "the module %s.%s" % (module, name))

    def _add(self, line, words, method=None):
        self.problems.append((line, words, method))


def _list_names(node):
    """Returns the names and attributes in an expression, [] for None."""
    inner = ast.walk(node) if node else ()
    return [getattr(word, "id", getattr(word, "attr", "")) for word in inner]
