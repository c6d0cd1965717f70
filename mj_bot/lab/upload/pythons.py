"""Finds the Python that tries the file for Botzone: a Python 3.6, which Botzone has, else one with the bot's libraries.

    python3 -m mj_bot.lab.upload.pythons

prints the path of a Python 3.6. It is looked for in the environment's MJ_BOT_PYTHON36, among pyenv's versions, and on
the PATH. Its libraries may lie in build/python36 of a clone, where `make test` puts them.
"""

import glob
import json
import os
import shutil
import subprocess
import sys
from collections import namedtuple
from typing import Optional, Tuple

from ...project_files import IS_CLONE
from .pyz import PROJECT_FOLDER, HandinError

# The libraries of the bot, see requirements.txt, and the target of make that installs them in a clone.
LIBRARIES = ("numpy", "MahjongGB")
_DISTRIBUTIONS = ("numpy", "PyMahjongGB")
READY_MARK = ".venv/play.ready"
PYTHON36_LIBRARIES = os.path.join(PROJECT_FOLDER, "build", "python36")

Python = namedtuple("Python", "path version folders")
Python.__doc__ = """Describes a Python with the bot's libraries.

path, version: texts. folders: those of the LIBRARIES, in their order.
"""

_DESCRIBE = """import json, os, platform, sys
sys.path[:0] = sys.argv[1:]
import MahjongGB, numpy
folders = [os.path.dirname(numpy.__path__[0]), os.path.dirname(MahjongGB.__file__)]
print(json.dumps([platform.python_version(), folders]))
"""


def find_python36() -> Optional[str]:
    """Returns the path of a Python 3.6 that runs, or None."""
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    candidates = [os.environ.get("MJ_BOT_PYTHON36")]
    candidates += sorted(glob.glob(os.path.join(pyenv, "versions", "3.6*", "bin", "python")))
    candidates.append(shutil.which("python3.6"))
    return next((path for path in candidates if path and _is_python36(path)), None)


def _is_python36(path):
    code = "import sys; sys.exit(sys.version_info[:2] != (3, 6))"
    try:
        return subprocess.call([path, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def describe_python(path: str, folder: Optional[str] = None) -> Optional[Python]:
    """Returns the Python at a path, None where it cannot import the LIBRARIES. folder: where they may lie."""
    try:
        result = subprocess.run([path, "-c", _DESCRIBE] + [folder] * bool(folder), stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, universal_newlines=True)
        version, folders = json.loads(result.stdout)
    except (OSError, ValueError):
        return None
    return Python(path, version, folders)


def choose_python() -> Tuple[Python, str]:
    """Returns the Python that tries the file, and why it is no Python 3.6: "" where it is one.

    It is a Python 3.6 with the LIBRARIES, else this one if it has them, else that of .venv.
    Raises HandinError: no Python has them, and make cannot set up .venv.
    """
    path = find_python36()
    python = path and describe_python(path, PYTHON36_LIBRARIES)
    if python:
        return python, ""
    if not path:
        reason = "there is none here; MJ_BOT_PYTHON36 may name one"
    else:
        reason = "%s has no numpy and MahjongGB; %s -m pip install %s" % (path, path, " ".join(_DISTRIBUTIONS))
    return describe_python(sys.executable) or _set_up_python(), reason


def _set_up_python():
    """Returns the Python of .venv in a clone, which make sets up where it is not there."""
    if not IS_CLONE:
        raise HandinError("expected a Python with the libraries of the bot, %s, got %s: pip install %s",
                          " and ".join(LIBRARIES), sys.executable, " ".join(_DISTRIBUTIONS))
    if not os.path.exists(os.path.join(PROJECT_FOLDER, READY_MARK)):
        print("handin: setting up .venv to test the file there, once ...", file=sys.stderr)
    try:
        subprocess.run(["make", "--silent", "--directory", PROJECT_FOLDER, READY_MARK], check=True,
                       stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        raise HandinError("expected `make %s` to install the libraries of the bot: %s", READY_MARK, error) from None
    path = os.path.join(PROJECT_FOLDER, ".venv", "bin", "python")
    python = describe_python(path)
    if not python:
        raise HandinError("expected %s to have the libraries of the bot: %s -m pip install %s", path, path,
                          " ".join(_DISTRIBUTIONS))
    return python


if __name__ == "__main__":
    print(find_python36() or sys.exit("no Python 3.6 found: its tests will be skipped; MJ_BOT_PYTHON36 may name one"))
