"""Finds the commit with which a result was made."""

import subprocess
from typing import Any

from ...sources import PACKAGE_FOLDER


def read_commit() -> dict[str, Any]:
    """Returns {"commit": hash, "changed": bool} of the checkout; both are None if the package is not in a checkout.

    changed: whether code or weights differ from the commit.
    """
    commit = _git("rev-parse", "HEAD")
    if commit is None or _git("rev-parse", "--show-toplevel") != str(PACKAGE_FOLDER.parent):
        return {"commit": None, "changed": None}
    return {"commit": commit, "changed": bool(_git("status", "--porcelain", "--", PACKAGE_FOLDER.name, "data/weights"))}


def _git(*words):
    """Returns what a git command prints, None if it fails or git is not installed."""
    try:
        result = subprocess.run(("git",) + words, cwd=PACKAGE_FOLDER.parent, capture_output=True, text=True)
    except OSError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None
