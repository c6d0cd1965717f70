"""Computes fingerprints of matches. Only results of the same match and code are put together."""

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ...sources import SHIPPED_ROOMS, digest_sources, list_room_files
from ...tactic import default_weights, parse_spec
from ...tactic.outside import list_source_files
from ..table.players import INTERACTIONS, PLAYERS
from .schedule import Match


def compute_fingerprint(match: Match, *rooms: str, players: Mapping = PLAYERS) -> dict:
    """Returns what all results of a match have in common, a dict for JSON: the match, and digests of code and files.

    rooms: further rooms of the package whose code counts.
    """
    files = sorted(set(list_player_files(match.specs, players)))
    # A player network:FOLDER runs the code of the recipe that its checkpoint names.
    recipes = ["lab/train"] if any(spec.partition(":")[0] == "network" for spec in match.specs) else []
    memory = {} if match.memory_limit is None else {"memory_limit": match.memory_limit}
    return {"players": list(match.names), "lineup": list(match.lineup), "seed": match.seed,
            "rotations": match.rotations, "time_limit": match.time_limit, **memory,
            "sources": digest_sources(list_room_files(
                *SHIPPED_ROOMS, "lab/arena", "lab/engine", "lab/table", *recipes, *rooms)),
            "files": {path.name: digest_sources([path]) for path in files}}


def list_player_files(specs: Iterable[str], players: Mapping = PLAYERS) -> Iterator[Path]:
    """Yields the files that players use: weights, also default ones, own code, a bot's program, a checkpoint."""
    for spec in specs:
        protocol, _, rest = spec.partition(":")
        if protocol in INTERACTIONS:
            words = shlex.split(rest)
        else:
            name, options = parse_spec(spec, players)
            words = [default_weights(name), *filter(None, map(str, options.values()))]
            words += [] if name in players else list_source_files(name).values()
        for path in map(Path, filter(None, words)):
            # A folder is that of a run of `train`. os.path takes words of a command that are too long for a name.
            yield from [path] if os.path.isfile(path) else path.glob("checkpoint.pt") if os.path.isdir(path) else ()
