"""Botzone's interpreter, Python 3.6, where this machine has one.

Looked for in the environment's MJ_BOT_PYTHON36, among pyenv's versions, and on the PATH. The libraries it needs lie in
build/python36, where `make test` puts them.
"""

import glob
import os
import shutil
import subprocess
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = os.path.join(REPOSITORY, "build", "python36")


def find_python36():
    """Path of a Python 3.6 that runs, or None."""
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    candidates = [os.environ.get("MJ_BOT_PYTHON36")]
    candidates += sorted(glob.glob(os.path.join(pyenv, "versions", "3.6*", "bin", "python")))
    candidates.append(shutil.which("python3.6"))
    return next((path for path in candidates if path and _is_python36(path)), None)


def _is_python36(path):
    try:
        code = subprocess.call([path, "-c", "import sys; sys.exit(sys.version_info[:2] != (3, 6))"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return code == 0


if __name__ == "__main__":
    found = find_python36()
    if not found:
        sys.exit("no Python 3.6 found: its tests will be skipped; MJ_BOT_PYTHON36 may name one")
    print(found)
