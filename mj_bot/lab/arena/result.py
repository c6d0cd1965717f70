"""Builds the result of a match: a dict for JSON, and tables for the terminal."""

import os
from collections.abc import Sequence

import numpy as np

from ...mahjong.errors import ProtocolError
from ..run.files import expect_readable, read_json
from ..run.provenance import read_commit
from ..run.run_folder import check_settings
from ..table.players import shorten
from . import verdict
from .columns import (
    RESULT_COLUMNS, describe_confidence, format_interval, format_number, round_number)
from .run_match import Scoreboard
from .schedule import MIN_WALLS
from .sequential import METHOD, correct_interval
from .stopping import StoppingRule
from .tally import sum_tallies
from .verdict import mean_interval

RESULT_FORMAT = "mj_bot arena result"
RESULT_VERSION = 1
_HEADER = {"format": RESULT_FORMAT, "version": RESULT_VERSION}
_SMALL = 0.5  # difference in points per game that is worth showing
_SHOWN = [column for column in RESULT_COLUMNS if column.head]


def build_result(
        board: Scoreboard, *, command: str, fingerprint: dict, measured: dict, memory_mb: Sequence[int]) -> dict:
    """Returns the result of a match as a dict for JSON.

    If a rule may end the match, only the difference that the rule tests has an interval, which is corrected for the
    rule. Intervals for a fixed number of walls would be too narrow.
    board: finished walls of the match. command: command that repeats it.
    memory_mb: peak memory of each player in MB, as it was measured before the match.
    fingerprint: what all results of the match have in common. measured: figures that depend on the machine.
    """
    match, rule, scores = board.match, board.rule, board.scores
    wins = np.array([[[tally.outscored[other] / 2 for other in range(len(match.names))] for tally in wall]
                     for wall in board.walls])
    differences = verdict.differences(scores)
    tested = rule.choose_pair(scores) if rule else None
    if tested:
        i, j = tested
        differences[tested] = correct_interval(rule, scores[:, i] - scores[:, j], board.wall_count, seed=match.seed)
    result = {
        **_HEADER, "match": fingerprint,
        "config": {"command": command, "specs": list(match.specs), "seatings": list(map(list, match.seatings)),
                   "confidence": verdict.CONFIDENCE},
        "commits": {"mj_bot": read_commit()},
        "seeds": {"match": match.seed, "first_wall": match.first_wall_seed},
        "walls": len(board.walls), "games": len(board.walls) * len(match.seatings),
        "players": _describe_players(board, wins, memory_mb),
        "differences": [
            dict(describe_confidence(interval, "score_", not rule or pair == tested), first=match.names[pair[0]],
                 second=match.names[pair[1]], method=METHOD if pair == tested else None)
            for pair, interval in differences.items()
        ],
        "rule": rule.judge(scores) if rule else None, "measured": measured, "seats_per_wall": match.seats_per_wall,
        "wall_scores": [[tally.score for tally in wall] for wall in board.walls],
        "wall_wins": wins.tolist(),
    }
    if not rule:
        won = np.array([[tally.wins for tally in wall] for wall in board.walls])
        shares = [verdict.share_interval(won[:, player], seats) for player, seats in enumerate(match.seats_per_wall)]
        result.update(wins=dict(zip(match.names, map(describe_confidence, shares))), wall_won=won.tolist())
    return result


def _describe_players(board, wins, memory_mb):
    """Returns the figures of each player, dicts for JSON. wins: float[W, P, P], of player over player at each wall."""
    scores, has_ends = board.scores, not board.rule
    points, elos = verdict.match_points(scores, board.match.lineup), verdict.ratings(wins)
    players = []
    for player, (name, tally, memory) in enumerate(zip(board.match.names, sum_tallies(board.walls), memory_mb)):
        tally.memory_mb = max(tally.memory_mb, memory)
        players.append({
            "name": name, "games": tally.games,
            **describe_confidence(mean_interval(scores[:, player]), "score_", has_ends),
            **describe_confidence(mean_interval(points[:, player], 1, 4), "points_", has_ends),
            **describe_confidence(elos[player], "elo_", has_ends),
            **{column.key: round_number(column.compute(tally)) for column in RESULT_COLUMNS}})
    return players


def check_comparable(former: dict, fingerprint: dict, wall_count: int, *, rule: StoppingRule | None) -> None:
    """Checks that a match with a fingerprint, a number of walls and perhaps a rule fits a former result.

    Raises ProtocolError: the walls, seats, opponents or rules differ, a rule ends a match, or the result has no wins by
        wall.
    """
    if rule or former["rule"]:
        raise ProtocolError("expected matches of a fixed number of walls to compare, got one that a rule ends")
    # Old results have the key "walls" with the value None.
    own, other = ({key: value[1:] if key == "players" else value for key, value in match.items()
                   if key not in ("sources", "files", "walls")} for match in (fingerprint, former["match"]))
    if own != other or wall_count != former["walls"]:
        own, other = dict(own, walls=wall_count), dict(other, walls=former["walls"])
        differ = [key for key in own if own[key] != other.get(key)]
        raise ProtocolError("expected a result with %s, got one with %s", *(
            ", ".join("%s = %r" % (key, side.get(key)) for key in differ) for side in (own, other)))
    if not {"wall_won", "seats_per_wall"} <= former.keys():
        raise ProtocolError("expected a result that has the wins at each wall, got one without; play that match anew")


def compare_with_former(result: dict, former: dict) -> dict:
    """Returns how the first player of a result compares with that of a former result on the same walls.

    The dict has the former player's "name" and two gains of the new player, each with its interval: "wins" in the
    share of games won, "score" in points per game.
    """
    figures = {"name": former["players"][0]["name"]}
    for name, key, most in (("wins", "wall_won", 1), ("score", "wall_scores", np.inf)):
        own, other = (np.array(data[key], float)[:, 0] / data["seats_per_wall"][0] for data in (result, former))
        figures[name] = describe_confidence(mean_interval(own - other, -most, most))
    return figures


def read_result(path: str) -> dict:
    """Returns the result in a file, a dict.

    Raises ProtocolError: the file cannot be read, or contains no result of this version.
    """
    with expect_readable("a result of the arena, got %r", path):
        data = read_json(path)
    for key, expected in _HEADER.items():
        if not isinstance(data, dict) or data.get(key) != expected:
            raise ProtocolError("expected a file with the %s %r, got %.80r in %s", key, expected, data, path)
    return data


def check_result(path: str, fingerprint: dict) -> None:
    """Raises ProtocolError: the path exists and is no result of this match; other sources do not matter."""
    if os.path.exists(path):
        check_settings(dict(read_result(path)["match"], sources=None), dict(fingerprint, sources=None), path)


def format_tables(result: dict) -> str:
    """Returns the result as text: strength, style, who is better, and the verdict of the rule that ended the match."""
    players = result["players"]
    names = {player["name"]: shorten(player["name"]) for player in players}
    lines = _format_players(players, names) + [""]
    lines += [_say_who_is_better(difference, names, result["walls"]) for difference in result["differences"]]
    if result["walls"] < MIN_WALLS:
        lines.append("Too few walls to rely on: %d. Play %d or more." % (result["walls"], MIN_WALLS))
    for name, wins in result.get("wins", {}).items():
        lines.append("%s wins %s of its games" % (names[name], format_interval(wins, spec=".1%")))
    if "comparison" in result:
        other = result["comparison"]
        lines.append("%s less %s in the same seat at the same walls: %s wins, %s points a game" % (
            names[players[0]["name"]], shorten(other["name"]), format_interval(other["wins"], spec="+.1%"),
            format_interval(other["score"])))
    rule = result["rule"] or {}
    if "sprt" in rule:
        lines.append("%s against %s: %s by the sequential test of %g against %g (error rates %g and %g)" % (
            names[players[0]["name"]], names[players[1]["name"]], rule["verdict"], *rule["sprt"], rule["alpha"],
            rule["beta"]))
    if "until" in rule:
        lines.append("The widest interval is %s +-%g" % ("within" if rule["is_reached"] else "wider than",
                                                         rule["until"]))
    if rule:
        lines.append("Other figures have no interval: stopping early biases them.")
    measured = result["measured"]
    lines.append("%d walls in %d seatings, %d games; %d of them now in %.0f s, %.1f a second" % (
        result["walls"], len(result["config"]["seatings"]), result["games"], measured["games_played"],
        measured["seconds"], measured["games_per_second"]))
    return "\n".join(lines)


def _format_players(players, names):
    """Returns the lines of the two tables: strength, and style. names: {name of a player: its short name}."""
    width = max(len("player"), max(map(len, names.values())))
    lines = ["%-*s  %-24s  %-19s  %s" % (width, "player", "score a game", "points a wall", "Elo")]
    lines += ["%-*s  %-24s  %-19s  %s" % (
        width, names[player["name"]], format_interval(player, "score_"), format_interval(player, "points_", ".2f"),
        format_interval(player, "elo_", "+.1f")) for player in players]
    lines += ["", "%-*s  %s" % (width, "player", " ".join(column.head for column in _SHOWN))]
    return lines + ["%-*s  %s" % (width, names[player["name"]], " ".join(
        format_number(player[column.key], column.spec).rjust(len(column.head)) for column in _SHOWN))
        for player in players]


def _say_who_is_better(difference, names, walls):
    """Returns the line about the difference between two players, an entry of "differences" in a result."""
    first, second = names[difference["first"]], names[difference["second"]]
    mean, low, high = (difference["score_" + key] for key in ("mean", "low", "high"))
    if low is None:
        return "%s less %s: %+.2f points a game, no interval" % (first, second, mean)
    interval, method = verdict.ConfidenceInterval(mean, low, high), difference.get("method")
    if low <= 0 <= high:
        hint = "" if method else "; about %s walls would show one of %g" % (
            format(verdict.count_walls_to_show(interval, walls, _SMALL), ","), _SMALL)
        text = "No difference shown between %s and %s: %+.2f points a game (95%%: %+.2f to %+.2f)%s" % (
            first, second, mean, low, high, hint)
    else:
        text = "%s beats %s by %.2f points a game (95%%: %.2f to %.2f)" % (
            (first, second, mean, low, high) if low > 0 else (second, first, -mean, -high, -low))
    return text + (", corrected for early stopping (%s)" % method if method else "")
