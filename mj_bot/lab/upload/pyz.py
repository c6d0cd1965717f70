"""Makes mj_bot.pyz, the file for Botzone: the shipped rooms of mj_bot and at most one weight file with its card.

The same files give the same bytes. Standard library only, and Python 3.6: handin.py runs on any Python.
"""

import io
import os
import re
import stat
import sys
import zipfile
from typing import List, Optional

from ...mahjong.errors import MahjongError
from ...tactic import DEFAULT_TACTIC, TACTICS, default_weights, parse_spec
from ...tactic.outside import find_class_name, list_source_files
from .newer_code import list_newer_code

PACKAGE_NAME = "mj_bot"
# The folder above the package: the clone, or where the package is installed.
PROJECT_FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# What does not ship: the workshop, its interface api.py, and two folders that only an installed package contains. A
# clone has these two folders next to the package.
_UNSHIPPED = ("lab", "api.py", "data", "examples")
# A tactic opens its file there with mj_bot.tactic.read_weight_file, and the card with read_weight_card.
WEIGHTS_FOLDER = "weights"
MAX_BYTES = 4000000
_MOST_READ = 1 << 26  # bytes of a file, far more than can fit

_MAIN = '''"""What Botzone starts; made by handin.py."""

import os
import sys
import zipimport


class Importer(zipimport.zipimporter):
    """Python's own compiles a module twice, once only to tell the name of its file. This saves 20 ms a turn."""

    def get_filename(self, name):
        end = os.sep + "__init__.py" if self.is_package(name) else ".py"
        return self.archive + os.sep + self.prefix + name.rpartition(".")[2] + end


sys.path_hooks[:] = [Importer if hook is zipimport.zipimporter else hook for hook in sys.path_hooks]
sys.path_importer_cache.clear()

from mj_bot.botzone import run

run(%r, keep_running=%r)
# Python's own end would take a tenth of the turn's time, and would wait for threads of the tactic.
try:
    sys.stderr.flush()
except (AttributeError, OSError, ValueError):
    pass
os._exit(0)
'''


class HandinError(MahjongError):
    """Tells why there is no file to hand in."""


def list_sources(suffix: str = ".py") -> List[str]:
    """Returns the paths of the shipped files with this suffix, relative to PROJECT_FOLDER, sorted."""
    paths = []
    for folder, folders, names in os.walk(os.path.join(PROJECT_FOLDER, PACKAGE_NAME)):
        folders[:] = [name for name in folders if not name.startswith((".", "__")) and name not in _UNSHIPPED]
        paths += [os.path.join(folder, name) for name in names if name.endswith(suffix) and name not in _UNSHIPPED]
    return sorted(os.path.relpath(path, PROJECT_FOLDER).replace(os.sep, "/") for path in paths)


def build(tactic: str = DEFAULT_TACTIC, weights: Optional[str] = None, keep_running: bool = False) -> bytes:
    """Returns the bytes of the .pyz.

    A tactic outside the package goes into the file, and so do the modules next to it that it imports.

    tactic: spec as mj_bot.tactic.parse_spec takes it. weights: path of a weight file, instead of the spec's option
        `weights`. keep_running: whether the bot stays for the requests after the first; also a setting of the bot on
        Botzone.
    Raises UnknownTacticError: no such tactic. HandinError: code that Botzone cannot run, no such weight file, or 4 MB
        and more.
    """
    contents = {path: read_bytes(os.path.join(PROJECT_FOLDER, path)) for path in list_sources() + list_sources(".json")}
    name, options = parse_spec(tactic)
    module, own = _list_own_files(name)
    contents.update((path, read_bytes(file)) for path, file in own.items())
    if sys.version_info >= (3, 8):  # earlier ones cannot parse what is newer
        for problem in list_newer_code({path: contents[path] for path in contents if path.endswith(".py")}):
            raise HandinError(problem)
    weights = weights or options.pop("weights", None) or default_weights(name)
    if weights:
        options["weights"] = os.path.basename(str(weights))
        if not options["weights"].rpartition(".")[2].isalpha() or "," in options["weights"]:
            raise HandinError("expected a weight file whose name is no number and has no comma, got %r",
                              options["weights"])
    elif any(b"CNNTactic" in contents.get(path, b"") for path in {module, *own}):
        weights = default_weights("cnn")  # CNNTactic, which a subclass inherits from, finds them by itself
    card = os.path.splitext(str(weights))[0] + ".json"
    for path in [weights] * bool(weights) + [card] * (bool(weights) and os.path.isfile(card)):
        contents["%s/%s/%s" % (PACKAGE_NAME, WEIGHTS_FOLDER, os.path.basename(str(path)))] = read_bytes(path)
    tactic = ":".join(filter(None, [_name_in_file(name), ",".join("%s=%s" % item for item in options.items())]))
    contents["__main__.py"] = (_MAIN % (tactic, keep_running)).encode()
    archive = _zip(contents)
    if len(archive) >= MAX_BYTES:
        raise HandinError("expected a file under %d bytes, got %d; weights in half precision may fit", MAX_BYTES,
                          len(archive))
    return archive


def _list_own_files(name):
    """Returns (path of a tactic's module in the file, {path in the file: file} of a tactic outside the package)."""
    target = str(TACTICS.get(name, name))
    module = target.partition(":")[0]
    if target.startswith(PACKAGE_NAME + "."):
        return module.replace(".", "/") + ".py", {}
    return None, list_source_files(target)


def _name_in_file(name):
    """Returns the name by which the tactic is loaded in the file: that of a FILE.py is MODULE:CLASS there."""
    path, _, class_name = name.partition(":")
    if path.endswith(".py"):
        return "%s:%s" % (os.path.basename(path)[:-3], class_name or find_class_name(path))
    target = str(TACTICS.get(name, name))
    return name if target.startswith(PACKAGE_NAME + ".") else target


def read_bytes(path: str) -> bytes:
    """Returns the bytes of a file. Raises HandinError: it cannot be read, has no end, or is far too large."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise HandinError("expected a readable file, got %r: it is a folder, a pipe or a device", path)
        if status.st_size > _MOST_READ:
            raise HandinError("expected a file of at most %d bytes, got %r of %d", _MOST_READ, path, status.st_size)
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise HandinError("expected a readable file, got %r: %s", path, error.strerror) from None


def _zip(contents):
    """Returns the bytes of a zip of {path: bytes}; equal contents give equal bytes."""
    buffer = io.BytesIO()
    # Stored, not deflated: every zlib packs differently, and modules are imported from here at each turn.
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(contents):
            entry = zipfile.ZipInfo(path, date_time=(1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, contents[path])
    return buffer.getvalue()


def read_tactic(path: str) -> Optional[str]:
    """Returns the spec of the tactic in a file that handin.py made, "" for another file, None where there is none."""
    if not os.path.exists(path):
        return None
    try:
        with zipfile.ZipFile(path) as archive:
            return re.search(r"run\('([^']*)'", archive.read("__main__.py").decode()).group(1)
    except (OSError, KeyError, ValueError, AttributeError, zipfile.BadZipFile):
        return ""
