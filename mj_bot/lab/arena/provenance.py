"""Which code and which match a result belongs to."""

import hashlib
import shlex
import subprocess
from pathlib import Path

from .. import players

_PACKAGE = Path(__file__).resolve().parents[2]
# What decides how a game goes, beside all that ships.
_LAB_SOURCES = ("match.py", "players.py", "referee.py", "walls.py", "engine/*.py", "reach/*.py",
                "arena/batched/*.py", "arena/engine_runner.py", "arena/schedule.py", "arena/table.py", "arena/tally.py",
                "train/exported.py", "train/lookahead.py", "train/network.py", "train/player.py", "train/recipe.py",
                "train/recipes/*.py")


def identify(match):
    """What must be the same for results to belong together, as a dict for JSON: the match, and a digest of all code and
    files that decide how its games go."""
    return {
        "players": list(match.names),
        "lineup": list(match.lineup),
        "seed": match.seed,
        "rotations": match.rotations,
        "walls": hashlib.sha256("\n".join(match.walls).encode()).hexdigest()[:16] if match.walls else None,
        "time_limit": match.time_limit,
        "sources": digest_sources(match.specs),
    }


def digest_sources(specs):
    """A digest (text) of all code that decides how games go, and of the files that players' specs name, weights or an
    outside bot's program."""
    lab = _PACKAGE / "lab"
    paths = {path for path in _PACKAGE.rglob("*") if lab not in path.parents and "__pycache__" not in path.parts}
    paths.update(path for pattern in _LAB_SOURCES for path in lab.glob(pattern))
    digest = hashlib.sha256()
    for path in sorted(filter(Path.is_file, paths)) + sorted(_named_files(specs)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _named_files(specs):
    for spec in specs:
        way, _, rest = spec.partition(":")
        words = shlex.split(rest) if way in players.INTERACTIONS else rest.replace("=", ",").split(",")
        for path in map(Path, filter(None, words)):
            # A folder is a run of `train`.
            yield from [path] if path.is_file() else path.glob("checkpoint/*.pt")


def find_commit():
    """{"commit": hash, "changed": whether files differ from it} of the checkout, both None outside of one."""
    commit = _git("rev-parse", "HEAD")
    if commit is None or _git("rev-parse", "--show-toplevel") != str(_PACKAGE.parent):
        return {"commit": None, "changed": None}
    return {"commit": commit, "changed": bool(_git("status", "--porcelain", "--", _PACKAGE.name))}


def _git(*words):
    try:
        result = subprocess.run(("git",) + words, cwd=_PACKAGE.parent, capture_output=True, text=True)
    except OSError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None
