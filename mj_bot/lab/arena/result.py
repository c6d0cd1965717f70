"""The result of a match as a dict for JSON."""

import json
import os

import numpy as np

from ...mahjong.errors import ProtocolError
from ..run.journal import check_header
from . import verdict
from .columns import describe_player, round_number
from .tally import add_up

FORMAT = "mj_bot arena result"
VERSION = 1


def build_result(match, board, rule, command, identity, commits, measured, memory_mb):
    """The result as a dict for JSON.

    board: conduct.Scoreboard of the match that is over. rule: of stopping.py or None. command: that gives the same.
    identity: of identity.identify. commits: of provenance.find_commit. measured: dict of what depends on the
    machine. memory_mb: of each player, by probe_players.
    """
    scores = board.scores
    points = verdict.match_points(scores, match.lineup)
    wins = _count_wins(board.walls)
    elos = verdict.ratings(wins, seed=match.seed)
    tallies = add_up(board.walls)
    for tally, memory in zip(tallies, memory_mb):
        tally.memory_mb = max(tally.memory_mb, memory)
    return {
        "format": FORMAT,
        "version": VERSION,
        "match": identity,
        "config": {
            "command": command, "specs": list(match.specs), "seatings": [list(seating) for seating in match.seatings],
            "confidence": verdict.CONFIDENCE,
        },
        "commits": {"mj_bot": commits},
        "seeds": {"match": match.seed, "first_wall": None if match.walls else match.first_wall_seed},
        "walls": len(board.walls),
        "games": len(board.walls) * len(match.seatings),
        "players": [{
            "name": name, "games": tally.games, **_figures("score", verdict.mean_interval(scores[:, player])),
            **_figures("points", verdict.mean_interval(points[:, player])), **_figures("elo", elos[player]),
            **describe_player(tally),
        } for player, (name, tally) in enumerate(zip(match.names, tallies))],
        "differences": [
            dict(_figures("score", interval), first=match.names[i], second=match.names[j])
            for (i, j), interval in verdict.differences(scores).items()
        ],
        "rule": rule.judge(scores) if rule else None,
        "measured": measured,
        "seats_a_wall": match.seats_a_wall,
        "wall_scores": [[tally.score for tally in wall] for wall in board.walls],
        "wall_wins": wins.tolist(),
    }


def _count_wins(walls):
    """How often who scored more than whom at each wall, float[W, P, P], as verdict.ratings takes it."""
    count = len(walls[0])
    return np.array([[[tally.outscored[other] / 2 for other in range(count)] for tally in wall] for wall in walls])


def _figures(name, interval):
    return {name + "_" + part: round_number(value) for part, value in interval._asdict().items()}


def read_result(path):
    """The result in a file, as a dict.

    Raises ProtocolError: no such file, or no result of this version.
    """
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
    except (OSError, ValueError) as error:
        raise ProtocolError("expected a result of the arena, got %r: %s" % (path, error)) from None
    check_header(data, {"format": FORMAT, "version": VERSION}, path)
    return data


def check_result(path, identity):
    """Refuses to go on where `path` is there and no result of this match and this version; other code may replace it.

    Raises ProtocolError.
    """
    if os.path.exists(path):
        result = read_result(path)
        header = dict(identity, format=FORMAT, version=VERSION)
        del header["sources"]
        check_header(dict(result["match"], format=FORMAT, version=VERSION), header, path)
