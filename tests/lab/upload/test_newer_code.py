"""Code that is too new for Botzone's Python 3.6 is found without a Python 3.6."""

import pytest

from mj_bot.lab.upload import pyz
from mj_bot.lab.upload.newer_code import list_newer_code


def list_problems(source):
    return list(list_newer_code({"own.py": source.encode()}))


@pytest.mark.parametrize("line, problem", [
    ("from math import prod", "math.prod"),
    ("import math as m; m.comb(3, 2)", "math.comb"),
    ("import dataclasses", "the module dataclasses"),
    ("from importlib import resources", "the module importlib.resources"),
    ("import importlib.metadata", "the module importlib.metadata"),
    ("import os.path; os.path.splitroot('a')", "os.path.splitroot"),
    ("def own(a: list[int]): pass", "list[...]"),
    ("def own() -> dict[str, int]: pass", "dict[...]"),
    ("import collections.abc; def_ = collections.abc.Iterable[int]", "collections.abc.Iterable[...]"),
    ("def own(a: int | None): pass", "| between types"),
    ("own: int | None = 3", "| between types"),
    ("'draw.json'.removeprefix('draw')", "the method removeprefix"),
    ("breakpoint()", "breakpoint"),
    ("import typing; typing.Protocol", "typing.Protocol"),
    ("from __future__ import annotations", "__future__.annotations"),
])
def test_what_python36_has_not(line, problem):
    """handin.py accepted all of these, and on Botzone the bot only discarded what was safe."""
    assert list_problems("\n" + line) == ["expected Python 3.6, got %s (line 2 of own.py)" % problem]


@pytest.mark.parametrize("line, name", [
    ("import numpy as np; np.unique_counts(own)", "unique_counts"),
    ("import numpy; numpy.take_along_axis", "take_along_axis"),
    ("from numpy.random import default_rng", "random.default_rng"),
    ("from numpy import random; random.default_rng(3)", "random.default_rng")])
def test_what_numpy_1_13_has_not(line, name):
    assert list_problems(line) == ["expected Python 3.6 and numpy 1.13, got numpy.%s (line 1 of own.py)" % name]


@pytest.mark.parametrize("source", [
    "import numpy as np; np.random.RandomState(3).randint(5); np.linalg.norm",
    "try:\n    from functools import cached_property\nexcept ImportError:\n    cached_property = property",
    "import numpy as np\nif hasattr(np, 'take_along_axis'):\n    np.take_along_axis",
    "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import dataclasses",
    "class Own:\n    def removeprefix(self): pass\nOwn().removeprefix()",
    "def own():\n    counts: dict[str, int] = {}",
    "import typing; own: typing.Dict[str, int] = {}",
    "from .math import prod",
    "f'{own!r:>{width}} {own == 3}'",
])
def test_what_python36_runs(source):
    assert list_problems(source) == []


@pytest.mark.parametrize("source, problem", [
    (b"(new := 1)", "expected Python 3.6, got SyntaxError"), (b"(", "SyntaxError"),
    (b"f'{own=}'", "expected Python 3.6, got "), (b"# \xd6\xd0", "expected a file in UTF-8, got byte 0xd6"),
    (b"\0", "SyntaxError: source code"),
])
@pytest.mark.parametrize("name", ["tactic/rand", "tactic/winning_families", "arrays"])
def test_syntax_in_any_shipped_file(monkeypatch, name, source, problem):
    """A newer Python proved a tactic, or a file that it imports, that on Botzone only discarded what was safe."""
    read = pyz.read_bytes
    monkeypatch.setattr(pyz, "read_bytes", lambda path: source + b"\n" + read(path) if name in path else read(path))
    with pytest.raises(pyz.HandinError, match=r"^%s.* \((line 1 of )?mj_bot/%s" % (problem, name)):
        pyz.build("random")
