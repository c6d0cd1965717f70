"""Builds the result of a match: a dict for JSON, and tables for the terminal."""

import os
from typing import Any

import numpy as np

from ...mahjong.errors import ProtocolError
from ..run.files import expect_readable, read_json
from ..run.provenance import read_commit
from ..run.run_folder import check_settings
from ..table.players import shorten
from . import verdict
from .columns import RESULT_COLUMNS, LEGEND, describe, describe_player, format_interval, format_number, round_number
from .schedule import MIN_WALLS, Match
from .sequential import METHOD, correct_interval
from .tally import add_up
from .verdict import mean_interval

RESULT_FORMAT = "mj_bot arena result"
RESULT_VERSION = 1
_HEADER = {"format": RESULT_FORMAT, "version": RESULT_VERSION}
# A relevant difference in points a game.
_SMALL = 0.5
_SHOWN = [column for column in RESULT_COLUMNS if column.head]


def build_result(
        match: Match, board: Any, rule: Any, *, command: str, fingerprint: dict, measured: dict, memory_mb: list[int],
        most_walls: int) -> dict:
    """Returns the result as a dict for JSON.

    board: run_match.Scoreboard at the end of the match. rule: a rule of stopping.py, or None. command: repeats the
    match.
    fingerprint: dict of compute_fingerprint. measured: dict of what depends on the machine. memory_mb: memory of each
    player, as probe_players returns it. most_walls: walls to be played if the rule does not end the match.
    After a rule only the difference that the rule tests has an interval, corrected for it: intervals for a fixed number
    of walls would be too narrow.
    """
    scores = board.scores
    points = verdict.match_points(scores, match.lineup)
    wins = np.array([[[tally.outscored[other] / 2 for other in range(len(match.names))] for tally in wall]
                     for wall in board.walls])
    elos = verdict.ratings(wins)
    differences = verdict.differences(scores)
    tested = rule.choose_pair(scores) if rule else None
    if tested:
        i, j = tested
        differences[tested] = correct_interval(rule, scores[:, i] - scores[:, j], most_walls, seed=match.seed)
    tallies = add_up(board.walls)
    for tally, memory in zip(tallies, memory_mb):
        tally.memory_mb = max(tally.memory_mb, memory)
    result = {
        **_HEADER, "match": fingerprint,
        "config": {"command": command, "specs": list(match.specs), "seatings": list(map(list, match.seatings)),
                   "confidence": verdict.CONFIDENCE},
        "commits": {"mj_bot": read_commit()},
        "seeds": {"match": match.seed, "first_wall": match.first_wall_seed},
        "walls": len(board.walls), "games": len(board.walls) * len(match.seatings),
        "players": [{
            "name": name, "games": tally.games, **_figures("score", mean_interval(scores[:, player]), not rule),
            **_figures("points", mean_interval(points[:, player], 1, 4), not rule),
            **_figures("elo", elos[player], not rule), **describe_player(tally),
        } for player, (name, tally) in enumerate(zip(match.names, tallies))],
        "differences": [
            dict(_figures("score", interval, not rule or pair == tested), first=match.names[pair[0]],
                 second=match.names[pair[1]], method=METHOD if pair == tested else None)
            for pair, interval in differences.items()
        ],
        "rule": rule.judge(scores) if rule else None, "measured": measured, "seats_a_wall": match.seats_a_wall,
        "wall_scores": [[tally.score for tally in wall] for wall in board.walls],
        "wall_wins": wins.tolist(),
    }
    if not rule:
        won = np.array([[tally.wins for tally in wall] for wall in board.walls])
        result["wins"] = {name: describe(verdict.share_interval(won[:, place], match.seats_a_wall[place]))
                          for place, name in enumerate(match.names)}
        result["wall_won"] = won.tolist()
    return result


def _figures(name, interval, has_ends):
    """Returns an Interval for JSON, or its mean alone."""
    parts = interval if has_ends else verdict.ConfidenceInterval(interval.mean, np.nan, np.nan)
    return {name + "_" + part: round_number(value) for part, value in parts._asdict().items()}


def check_comparable(former: dict, fingerprint: dict, wall_count: int, *, rule: Any) -> None:
    """Checks that a match can be compared with a former result.

    fingerprint: of the match, by compute_fingerprint. wall_count: of the match. rule: a rule of stopping.py, or None.
    Raises ProtocolError: other walls, seats, opponents or rules, a match that a rule ends, or no wins by wall.
    """
    if rule or former["rule"]:
        raise ProtocolError("expected matches of a fixed number of walls to compare, got one that a rule ends")
    # The first results have a key "walls", None.
    own, other = ({key: value[1:] if key == "players" else value for key, value in match.items()
                   if key not in ("sources", "walls")} for match in (fingerprint, former["match"]))
    if own != other or wall_count != former["walls"]:
        own, other = dict(own, walls=wall_count), dict(other, walls=former["walls"])
        differ = [key for key in own if own[key] != other.get(key)]
        raise ProtocolError("expected a result with %s, got one with %s" % tuple(
            ", ".join("%s = %r" % (key, side.get(key)) for key in differ) for side in (own, other)))
    if "wall_won" not in former:
        raise ProtocolError("expected a result that has the wins at each wall, got one without; play that match anew")


def compare_seat(result: dict, former: dict) -> dict:
    """Returns {"name", "wins", "score"}: the former first player, and the gain of this one at the same walls."""
    figures = {"name": former["players"][0]["name"]}
    for name, key, most in (("wins", "wall_won", 1), ("score", "wall_scores", np.inf)):
        own, other = (np.array(data[key], float)[:, 0] / data["seats_a_wall"][0] for data in (result, former))
        figures[name] = describe(mean_interval(own - other, -most, most))
    return figures


def read_result(path: str) -> dict:
    """Returns the result in a file, a dict. Raises ProtocolError: no such file, or no result of this version."""
    with expect_readable("a result of the arena, got %r" % path):
        data = read_json(path)
    for key, expected in _HEADER.items():
        if not isinstance(data, dict) or data.get(key) != expected:
            raise ProtocolError("expected a file with the %s %r, got %.80r in %s" % (key, expected, data, path))
    return data


def check_result(path: str, fingerprint: dict) -> None:
    """Checks that a result may be written to `path`.

    Raises ProtocolError: `path` exists and is no result of this match. A result of other sources may be replaced.
    """
    if os.path.exists(path):
        check_settings(dict(read_result(path)["match"], sources=None), dict(fingerprint, sources=None), path)


def format_tables(result: dict, explains: bool = False) -> str:
    """Returns the result as text: strength, style, who is better, and the verdict of the rule that ended the match.

    explains: whether the text says what the columns mean.
    """
    players = result["players"]
    names = {player["name"]: shorten(player["name"]) for player in players}
    width = max(len("player"), max(map(len, names.values())))
    lines = ["%-*s  %-24s  %-19s  %s" % (width, "player", "score a game", "points a wall", "Elo")]
    lines += ["%-*s  %-24s  %-19s  %s" % (
        width, names[player["name"]], format_interval(player, "score_"), format_interval(player, "points_", ".2f"),
        format_interval(player, "elo_", "+.1f")) for player in players]
    lines += ["", "%-*s  %s" % (width, "player", " ".join(column.head for column in _SHOWN))]
    lines += ["%-*s  %s" % (width, names[player["name"]], " ".join(
        format_number(player[column.key], column.spec).rjust(len(column.head)) for column in _SHOWN))
        for player in players]
    lines += ["", LEGEND, ""] if explains else [""]
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
        measured["seconds"], measured["games_a_second"]))
    return "\n".join(lines)


def _say_who_is_better(difference, names, walls):
    first, second = names[difference["first"]], names[difference["second"]]
    mean, low, high = (difference["score_" + part] for part in ("mean", "low", "high"))
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
