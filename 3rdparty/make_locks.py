"""Locks what is installed: writes 3rdparty/locks/NAME.txt, every release with its hashes, and looks for known holes.

    make locks

torch is not in them: which file of it fits depends on the machine's GPU. Standard library only; uv and pip-audit are
installed into build/locks.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOCKS = HERE / "locks"
TOOLS = ("uv==0.13.9", "pip-audit==2.10.1")
# Name of the lock: the files that its releases come from.
SOURCES = {
    "play": ("requirements.txt",),
    "workshop": ("requirements.txt", "3rdparty/requirements-workshop.txt"),
    "test": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-test.txt"),
    "ray": ("requirements.txt", "3rdparty/requirements-workshop.txt", "3rdparty/requirements-ray.txt"),
}
_HEAD = "# Made by `make locks` from %s.\n"


def main():
    """Exit code: 0, or 1 where a release has a known hole."""
    tools = HERE.parent / "build" / "locks"
    subprocess.run([sys.executable, "-m", "venv", str(tools)], check=True)
    subprocess.run([str(tools / "bin" / "python"), "-m", "pip", "install", "--quiet", *TOOLS], check=True)
    LOCKS.mkdir(exist_ok=True)
    code = 0
    for name, sources in SOURCES.items():
        lock = subprocess.run(
            [str(tools / "bin" / "uv"), "pip", "compile", "--quiet", "--python-version", "3.11", "--universal",
             "--generate-hashes", "--no-annotate", "--no-header", *sources],
            cwd=str(HERE.parent), check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
        path = LOCKS / (name + ".txt")
        path.write_text(_HEAD % ", ".join(sources) + lock, encoding="utf-8")
        code |= subprocess.run(
            [str(tools / "bin" / "pip-audit"), "--disable-pip", "--require-hashes", "--progress-spinner", "off",
             "-r", str(path)], stdout=subprocess.DEVNULL).returncode
    return code


if __name__ == "__main__":
    sys.exit(main())
