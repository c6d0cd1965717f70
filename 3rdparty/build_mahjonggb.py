"""Builds PyMahjongGB, the fan calculator, for a given interpreter into a given folder.

    python3 3rdparty/build_mahjonggb.py --python /path/to/python3.6 --into build/python36

The folder then goes on that interpreter's PYTHONPATH. A folder that already holds a working build is left as it is, and
builds for several interpreters may share one. Exit code 0: the folder holds it; 2: it does not, and stderr says why.
"""

import argparse
import os
import re
import subprocess
import sys

NAME = "PyMahjongGB"
VERSION = "1.4.0"

# Run by the given interpreter: which Python it is, whether the build in the folder is the one wanted, and whether it
# counts a known hand (thirteen orphans, 88 fan) right.
_CHECK = """
import os, sys
folder, package = sys.argv[1:]
print("Python %d.%d" % sys.version_info[:2])
sys.path.insert(0, folder)
names = os.listdir(folder) if os.path.isdir(folder) else []
if not any(name.lower().startswith(package.lower()) and name.endswith("-info") for name in names):
    sys.exit("no %s in %s" % (package, folder))
import MahjongGB
if os.path.dirname(os.path.abspath(MahjongGB.__file__)) != folder:
    sys.exit("expected MahjongGB from %s, got %s" % (folder, MahjongGB.__file__))
hand = ("W1", "W9", "T1", "T9", "B1", "B9", "F1", "F2", "F3", "F4", "J1", "J2", "J3")
fans = MahjongGB.MahjongFanCalculator((), hand, "W1", 0, False, False, False, False, 0, 0)
if sum(fan[0] for fan in fans) != 88:
    sys.exit("expected 88 fan of thirteen orphans, got %r" % (fans,))
"""


class BuildError(Exception):
    """Why the folder does not hold a working build."""


def check(python, folder):
    """What is wrong with the build in `folder` for the interpreter `python`, as text; None where it works.

    Raises BuildError: `python` is no interpreter of version 3.5 or newer.
    """
    result = _run([python, "-c", _CHECK, folder, "%s-%s" % (NAME, VERSION)])
    match = re.match(r"Python (\d+)\.(\d+)$", result.stdout.strip())
    if not match or (int(match.group(1)), int(match.group(2))) < (3, 5):
        raise BuildError("expected a Python 3.5 or newer, got %r, which says %r"
                         % (python, _tail(result.stdout) or _tail(result.stderr)))
    return _tail(result.stderr) or "failed" if result.returncode else None


def build(python, folder):
    """Installs the pinned version into `folder` with pip of `python`.

    Raises BuildError: no pip, no compiler, no package; with the last lines of what pip said.
    """
    command = [python, "-m", "pip", "install", "--no-deps", "--upgrade", "--target", folder,
               "%s==%s" % (NAME, VERSION)]
    result = _run(command)
    if result.returncode:
        raise BuildError(
            "expected pip to build %s %s; it needs pip, a C++ compiler and the headers of %s (Python.h). It said:\n%s"
            % (NAME, VERSION, python, _tail(result.stdout + result.stderr, 15))
        )


def _run(command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    except OSError as error:
        raise BuildError("expected an interpreter, got %r: %s" % (command[0], error)) from None


def _tail(text, lines=1):
    return "\n".join(text.strip().splitlines()[-lines:])


def main(argv=None):
    """Exit code of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", required=True, help="the interpreter that shall import it")
    parser.add_argument("--into", required=True, metavar="DIR", help="the folder; made where it is not there")
    options = parser.parse_args(argv)
    folder = os.path.abspath(options.into)
    try:
        if check(options.python, folder) is not None:
            build(options.python, folder)
            problem = check(options.python, folder)
            if problem is not None:
                raise BuildError("the build does not work: %s" % problem)
    except BuildError as error:
        print("build_mahjonggb: %s" % error, file=sys.stderr)
        return 2
    print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
