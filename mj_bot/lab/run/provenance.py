"""The commit of a result."""

import subprocess

from ...sources import PACKAGE_FOLDER


def read_commit():
    """{"commit": hash, "changed": whether code or weights differ from it} of the checkout, both None outside of one."""
    commit = _git("rev-parse", "HEAD")
    if commit is None or _git("rev-parse", "--show-toplevel") != str(PACKAGE_FOLDER.parent):
        return {"commit": None, "changed": None}
    return {"commit": commit, "changed": bool(_git("status", "--porcelain", "--", PACKAGE_FOLDER.name, "data/weights"))}


def _git(*words):
    try:
        result = subprocess.run(("git",) + words, cwd=PACKAGE_FOLDER.parent, capture_output=True, text=True)
    except OSError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None
