"""Computes digests of the package's source files.

With a digest, compiled code and stored results can name the code that made them. A digest covers whole rooms, so that
no list of imports is needed. The machine code of a file may contain constants and functions of its own room and of
COMPILED_ROOMS. After an edit anywhere else it need not be compiled again.
"""

import ast
import hashlib
from functools import lru_cache
from pathlib import Path
from typing import Iterable, List, Union

PACKAGE_FOLDER = Path(__file__).resolve().parent
# Compiled code of any room may use these rooms and files. tests/test_house.py checks that it uses no others.
COMPILED_ROOMS = ("jit.py", "mahjong", "network", "observation", "worth", "lab/engine", "lab/records/game_record.py",
                  "lab/table/one_wall.py", "lab/table/walls.py")
# The .pyz for Botzone consists of these rooms.
SHIPPED_ROOMS = tuple(sorted(path.name for path in PACKAGE_FOLDER.iterdir() if path.name not in ("lab", "api.py") and (
    path.suffix == ".py" or (path / "__init__.py").exists())))


def find_room(path: Union[str, Path]) -> str:
    """Returns the room of a file of the package, such as "worth" or "lab/engine"; "jit.py" for a file outside rooms."""
    words = Path(path).relative_to(PACKAGE_FOLDER).parts
    return "/".join(words[:2]) if words[0] == "lab" else words[0]


def list_room_files(*rooms: str) -> List[Path]:
    """Returns the Python and JSON files of rooms, or of single files in the package, sorted."""
    paths = {path for room in rooms for path in [PACKAGE_FOLDER / room, *(PACKAGE_FOLDER / room).rglob("*")]}
    return sorted(path for path in paths if path.suffix in (".py", ".json"))


def digest_sources(paths: Iterable[Path], *more: str) -> str:
    """Returns a digest of the names and contents of files, and of further texts, as 16 hexadecimal digits.

    Of a Python file only the code counts, not comments, docstrings and layout.
    """
    digest = hashlib.sha256("\0".join(more).encode())
    for path in paths:
        content = _read_code(path) if path.suffix == ".py" else path.read_bytes()
        digest.update(path.name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:16]


@lru_cache(maxsize=None)
def _read_code(path):
    """Returns the code of a Python file as bytes, without comments and docstrings."""
    tree = ast.parse(path.read_bytes(), str(path))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            del node.body[0]
    return ast.dump(tree).encode()
