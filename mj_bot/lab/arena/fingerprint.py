"""Fingerprints of matches: only results of the same match and code are put together."""

import shlex
from pathlib import Path

from ...sources import PACKAGE, digest_sources, list_sources
from ...tactic import default_weights
from ..table.players import INTERACTIONS, PLAYERS


def compute_fingerprint(match):
    """What results of one match have in common, a dict for JSON: the match, and a digest of its code and files."""
    return {"players": list(match.names), "lineup": list(match.lineup), "seed": match.seed,
            "rotations": match.rotations, "time_limit": match.time_limit, "sources": digest_players(match.specs)}


def digest_players(specs, *paths):
    """A digest (text) of the code that plays games of these players, of their files and of the modules `paths`."""
    names = {spec.partition(":")[0] for spec in specs}
    places = [PLAYERS[name] for name in names & set(PLAYERS)]
    modules = [PACKAGE.parent.joinpath(*place.split(":")[0].split(".")).with_suffix(".py") for place in places]
    modules = [path for path in modules if path.exists()]  # the player tells of others
    runners = [Path(__file__).with_name(name) for name in ("engine_runner.py", "referee_runner.py")]
    # The checkpoint of a run names its recipe.
    recipes = (PACKAGE / "lab" / "train" / "recipes").glob("*.py") if "network" in names else ()
    return digest_sources(list_sources(*runners, *modules, *recipes, *paths) + sorted(set(list_named_files(specs))))


def list_named_files(specs):
    """Yields the players' files: weights, a tactic's default weights too; an outside bot's program; a run's tensors."""
    for spec in specs:
        way, _, rest = spec.partition(":")
        words = shlex.split(rest) if way in INTERACTIONS else [default_weights(way), *rest.replace("=", ",").split(",")]
        for path in map(Path, filter(None, words)):
            # A folder is a run of `train`.
            yield from [path] if path.is_file() else path.glob("checkpoint.pt")
