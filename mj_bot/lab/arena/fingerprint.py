"""Computes fingerprints of matches. Only results of the same match and code are put together."""

import shlex
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from ...sources import SHIPPED_ROOMS, digest_sources, list_files
from ...tactic import default_weights, parse_spec
from ...tactic.outside import list_source_files
from ..table.players import INTERACTIONS, PLAYERS
from .schedule import Match


def compute_fingerprint(match: Match, *rooms: str, players: Mapping = PLAYERS) -> dict:
    """Returns what results of one match have in common, a dict for JSON: the match, and a digest of its code and files.

    rooms: more rooms of the package whose code counts. players: the registry that names the players.
    """
    memory = {} if match.memory_limit is None else {"memory_limit": match.memory_limit}
    return {"players": list(match.names), "lineup": list(match.lineup), "seed": match.seed,
            "rotations": match.rotations, "time_limit": match.time_limit, **memory,
            "sources": digest_players(match.specs, *rooms, players=players)}


def digest_players(specs: Iterable[str], *rooms: str, players: Mapping = PLAYERS) -> str:
    """Returns a digest of the code that plays games of these players, and of their files.

    rooms: more rooms of the package whose code counts. players: the registry that names the players.
    """
    # The checkpoint of a run names its recipe.
    recipes = ["lab/train"] if any(spec.partition(":")[0] == "network" for spec in specs) else []
    files = list_files(*SHIPPED_ROOMS, "lab/arena", "lab/engine", "lab/table", *recipes, *rooms)
    return digest_sources(files + sorted(set(list_named_files(specs, players))))


def list_named_files(specs: Iterable[str], players: Mapping = PLAYERS) -> Iterator[Path]:
    """Yields the files of players: weights, default ones too, own code, a bot's program, the tensors of a run.

    players: the registry that names the players.
    """
    for spec in specs:
        way, _, rest = spec.partition(":")
        if way in INTERACTIONS:
            words = shlex.split(rest)
        else:
            name, options = parse_spec(spec, players)
            words = [default_weights(name), *filter(None, map(str, options.values()))]
            words += [] if name in players else list_source_files(name).values()
        for path in map(Path, filter(None, words)):
            # A folder is a run of `train`.
            yield from [path] if path.is_file() else path.glob("checkpoint.pt")
