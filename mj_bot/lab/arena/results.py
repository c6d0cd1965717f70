"""Reads several results of the arena: makes their table, and pools their wins for a rating."""

import glob
import os

import numpy as np

from ...mahjong.errors import ProtocolError
from ..run.files import expect_readable, read_json
from .columns import RESULT_COLUMNS, format_interval, format_number
from .result import RESULT_FORMAT

# {head in the table: columns that it joins}
_HEADS = {column.readme: [other for other in RESULT_COLUMNS if other.readme == column.readme]
          for column in RESULT_COLUMNS if column.readme}


def read_results(folder: str) -> list[tuple[str, dict]]:
    """Returns the arena results of a folder, a sorted list of (file name, dict).

    Raises ProtocolError: a file is no JSON.
    """
    results = []
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with expect_readable("JSON in %s", path):
            result = read_json(path)
        if isinstance(result, dict) and result.get("format") == RESULT_FORMAT:
            results.append((os.path.basename(path), result))
    return results


def format_markdown_table(results: list[tuple[str, dict]]) -> str:
    """Returns the table of results as Markdown, and below it the command of each match.

    Each row is a player, with its number of seats and the 95% interval of its score. results: of read_results.
    """
    rows, commands = [], []
    for name, result in results:
        seating = result["config"]["seatings"][0]
        names = ["%d %s" % (seating.count(index), player["name"]) for index, player in enumerate(result["players"])]
        for index, player in enumerate(result["players"]):
            others = names[:index] + names[index + 1:]
            rows.append([
                "**%s** against %s" % (names[index], ", ".join(others)), format_interval(player, "score_"),
                *(" / ".join(format_number(player[column.key], column.readme_spec or column.spec) for column in columns)
                  for columns in _HEADS.values()),
                format(result["games"], ",")])
        commands.append("    %s    # %s" % (result["config"]["command"], name))
    return format_result_rows(["players", "points a game", *_HEADS, "games"], rows) + "\n" + "\n".join(commands) + "\n"


def format_result_rows(heads: list[str], rows: list[list[str]]) -> str:
    """Returns a table as Markdown."""
    lines = ["| %s |" % " | ".join(heads), "|%s|" % "|".join(["---"] * len(heads))]
    return "\n".join(lines + ["| %s |" % " | ".join(row) for row in rows]) + "\n"


def pool_wins(results: list[dict]) -> tuple[list[str], np.ndarray]:
    """Returns (names of all players, wins float[W, P, P]) of several results.

    wins[w, i, j]: how often player i scored more than player j in the same game at wall w; ties count half.
    Raises ProtocolError: a result has no wins by wall, the matches have different rules, or no chain of matches links
        all players.
    """
    try:
        rules = [result["match"].get("settings") for result in results]
        names = list(dict.fromkeys(player["name"] for result in results for player in result["players"]))
        walls = {}
        for result in results:
            players = [names.index(player["name"]) for player in result["players"]]
            for index, wins in enumerate(result["wall_wins"]):
                wall = result["seeds"]["first_wall"], index
                walls.setdefault(wall, np.zeros((len(names), len(names))))[np.ix_(players, players)] += wins
        wins = np.array(list(walls.values()))
    except (KeyError, TypeError, ValueError) as error:
        raise ProtocolError("expected results with players and their wins a wall, got %r", error) from None
    if len(set(rules)) > 1:
        raise ProtocolError("expected matches by the same rules, got settings %r and %r, where None is of botzone",
                            rules[0], next(other for other in rules if other != rules[0]))
    games = wins.sum(axis=0)
    linked = np.linalg.matrix_power((games + games.T + np.eye(len(names))) > 0, len(names))[0]
    if not linked.all():
        sides = [", ".join(np.array(names)[side]) for side in (linked, ~linked)]
        raise ProtocolError("expected matches that link all players, got none between %s and %s", *sides)
    return names, wins
