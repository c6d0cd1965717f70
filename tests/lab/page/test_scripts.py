"""The scripts and styles of the pages: their lines are short, which oxlint does not check."""

import pathlib

import pytest

import mj_bot

LAB = pathlib.Path(mj_bot.__file__).parent / "lab"
FILES = sorted(path for path in LAB.glob("**/*") if path.suffix in (".js", ".css", ".html"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_lines_are_short(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    assert not [number for number, line in enumerate(lines, 1) if len(line) > 120]
