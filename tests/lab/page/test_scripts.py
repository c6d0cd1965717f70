"""The scripts of the pages: their lines are short, which oxlint does not check."""

import pathlib

import pytest

import mj_bot

SCRIPTS = sorted((pathlib.Path(mj_bot.__file__).parent / "lab").glob("*/*.js"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_lines_are_short(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    assert not [number for number, line in enumerate(lines, 1) if len(line) > 120]
