"""The result of a match as a dict for JSON."""

import json
import math
import os
import textwrap

import numpy as np

from ...mahjong.errors import ProtocolError
from ..run.files import write_whole
from ..table.fan_names import ENGLISH_FANS
from . import verdict
from ..run.journal import check_header
from .tally import Tally

FORMAT = "mj_bot arena result"
VERSION = 1


def build_result(match, progress, rule, command, identity, commits, measured, memory_mb):
    """The result as a dict for JSON.

    progress: conduct.Progress of the match that is over. rule: of stopping.py or None. command: that gives the same.
    identity: of provenance.identify. commits: of provenance.find_commit. measured: dict of what depends on the
    machine. memory_mb: of each player, by probe_players.
    """
    scores = progress.scores
    points = verdict.match_points(scores, match.lineup)
    wins = _count_wins(progress.units)
    elos = verdict.ratings(wins, seed=match.seed)
    tallies = [Tally() for _ in match.names]
    for unit in progress.units:
        for tally, part in zip(tallies, unit.tallies):
            tally.add(part)
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
        "walls": len(progress.units),
        "games": len(progress.units) * len(match.seatings),
        "players": [
            _describe(name, tally, scores[:, player], points[:, player], elos[player], max(memory, tally.memory_mb))
            for player, (name, tally, memory) in enumerate(zip(match.names, tallies, memory_mb))
        ],
        "differences": [
            dict(_figures("score", interval), first=match.names[i], second=match.names[j])
            for (i, j), interval in verdict.differences(scores).items()
        ],
        "rule": rule.judge(scores) if rule else None,
        "measured": measured,
        "seats_a_wall": match.seats_a_wall,
        "wall_scores": [[tally.score for tally in unit.tallies] for unit in progress.units],
        "wall_wins": wins.tolist(),
    }


def _count_wins(units):
    """How often who scored more than whom at each wall, float[W, P, P], as verdict.ratings takes it."""
    count = len(units[0].tallies)
    return np.array([[[tally.outscored[other] / 2 for other in range(count)] for tally in unit.tallies]
                     for unit in units])


def _describe(name, tally, scores, points, elo, memory_mb):
    seats = tally.games
    described = {"name": name, "games": seats}
    described.update(_figures("score", verdict.mean_interval(scores)))
    described.update(_figures("points", verdict.mean_interval(points)))
    described.update(_figures("elo", elo))
    described.update({
        "wins": tally.wins,
        "win_rate": _round(tally.wins / seats),
        "self_draw_rate": _round(tally.self_draws / seats),
        "deal_in_rate": _round(tally.deal_ins / seats),
        "draw_rate": _round(tally.draws / seats),
        "mean_fan": _round(tally.fan / tally.wins) if tally.wins else None,
        "claims_a_game": _round(tally.claims / seats),
        "illegal": tally.illegal,
        "failures": dict(sorted(tally.failures.items())),
        "patterns": {ENGLISH_FANS.get(name, name): count for name, count in tally.patterns.most_common()},
        "decisions": sum(tally.times.values()),
        "decision_ms_p50": _round(tally.time_quantile(0.5)),
        "decision_ms_p99": _round(tally.time_quantile(0.99)),
        "memory_mb": memory_mb,
    })
    return described


def _figures(name, interval):
    return {name + "_" + part: _round(value) for part, value in interval._asdict().items()}


def _round(value):
    return None if value is None or math.isnan(value) else round(float(value), 4)


def write_result(path, result):
    """Writes a result as a JSON file, whole or not at all; players and differences take a line each.

    Raises MahjongError: it cannot be written.
    """
    parts = []
    for key, value in result.items():
        text = json.dumps(value, ensure_ascii=False)
        if key in ("players", "differences"):
            text = "[\n  %s\n ]" % ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value)
        elif key.startswith("wall_"):
            walls = ", ".join(json.dumps(item, separators=(",", ":")) for item in value)
            text = "[\n%s\n ]" % textwrap.fill(walls, 120, initial_indent="  ", subsequent_indent="  ")
        parts.append(" %s: %s" % (json.dumps(key), text))
    write_whole(path, "{\n%s\n}\n" % ",\n".join(parts))


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
