"""The rooms of the project: what may import what."""

import ast
from pathlib import Path

import pytest

from mj_bot.sources import PACKAGE, list_imports

SHIPPED = (("botzone.py", "__main__.py"), ("last_resort.py", "tactic"), ("network", "worth"),
           ("observation", "trouble.py"), ("mahjong",),
           ("arrays.py", "deadline.py", "jit.py", "project_files.py", "sources.py"))
LAB = (("commands",), ("guangdong",), ("play", "live", "review", "hand"), ("page",), ("fit",), ("rl",),
       ("train", "dataset"), ("arena",), ("records",), ("engine",), ("table", "links"), ("run", "upload"))


def room_of(path):
    """The room of a file, lab's rooms as "lab/NAME"."""
    parts = Path(path).relative_to(PACKAGE).parts
    return "/".join(parts[:2]) if parts[0] == "lab" else parts[0]


def floor_of(room):
    """Depth of a room: files outside rooms are on top, the shipped rooms below the workshop's."""
    if room.startswith("lab/"):
        return next((floor for floor, names in enumerate(LAB) if room[4:] in names), -1)
    return next((len(LAB) + floor for floor, names in enumerate(SHIPPED) if room in names), -1)


def test_every_room_has_its_floor():
    rooms = {room_of(path) for path in PACKAGE.rglob("*.py")}
    named = {"lab/" + name for names in LAB for name in names} | {name for names in SHIPPED for name in names}
    assert rooms - named == {"__init__.py", "lab/__init__.py", "lab/__main__.py", "lab/speed.py",
                              "lab/document_tables.py"}
    assert named <= rooms


def test_rooms_import_only_rooms_below():
    arrows = {(room_of(path), room_of(file)): path for path in PACKAGE.rglob("*.py") for file in list_imports(path)
              if room_of(path) != room_of(file)}
    upward = {pair: str(path) for pair, path in arrows.items() if floor_of(pair[0]) > floor_of(pair[1]) >= 0}
    assert not upward
    level = {pair for pair in arrows if floor_of(pair[0]) == floor_of(pair[1])}
    assert not {pair for pair in level if pair[::-1] in level}



@pytest.mark.parametrize("room", sorted(str(path.parent.relative_to(PACKAGE)) for path in PACKAGE.rglob("__init__.py")
                                        if path.parent != PACKAGE))
def test_every_room_says_what_it_is_for(room):
    assert ast.get_docstring(ast.parse((PACKAGE / room / "__init__.py").read_bytes()))
