"""The examples of the docstrings run."""

import doctest
import importlib
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
# pytest's own --doctest-modules imports every module of the project in every process of the tests.
MODULES = sorted(".".join(path.relative_to(REPOSITORY).with_suffix("").parts) for folder in ("mj_bot", "tests")
                 for path in REPOSITORY.joinpath(folder).rglob("*.py") if path != Path(__file__)
                 and "    >>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings(name):
    failed, count = doctest.testmod(importlib.import_module(name))
    assert count and not failed
