"""Duplicate matches with the arena's schedule, journal and statistics: every wall is played in four seatings."""

import time
from functools import partial
from pathlib import Path

import numpy as np

from ...mahjong.errors import ProtocolError
from ..arena.columns import describe_interval, format_interval
from ..arena.conduct import PlayedWalls, play_match
from ..arena.identity import identify, list_named_files
from ..arena.result import build_result, check_result, read_result
from ..arena.results import format_rows, format_score
from ..arena.schedule import make_match
from ..arena.tally import Outcome, Tally, count_game
from ..run.command import format_command
from ..run.files import write_dict
from ..run.progress import Progress
from ..run.provenance import find_commit
from ..run.sources import digest_sources, list_sources
from .engine import Table
from .players import load_player
from .rules import CONCEALED_KONG
from .settings import format_settings

# Walls that are played side by side.
_WALLS = 32


def play(specs, wall_count, seed, settings, workers=1, path=None, beside=None):
    """The result of a match, as arena.result has it, with more keys; written to `path`, and gone on from there.

    specs: of two players or four, as the arena takes them. Every wall is played in 4 seatings.
    beside: path of the result of a match on the same walls with another first player.
    More keys: settings; wins: {player: interval of the share of games won}; wall_won: games won at each wall by each
    player; beside: {"name", "wins", "score"}: intervals of what the first player has more than that one.
    Raises MahjongError: as the arena does; ProtocolError: `beside` is a match on other walls.
    """
    match = make_match(specs, seed=seed, rotations=4)
    sources = list_sources(*map(Path(__file__).with_name, ("match.py", "fox.py"))) + sorted(list_named_files(specs))
    identity = dict(identify(match), settings=format_settings(settings), sources=digest_sources(sources))
    if path:
        check_result(path, identity)
    former = read_result(beside) if beside else None
    words = [*specs, "--walls", wall_count, "--seed", seed]
    words += ["--settings", format_settings(settings)] if format_settings(settings) else []
    words += ["--beside", beside] if beside else []
    start = time.monotonic()
    with Progress(wall_count * 4) as bar, PlayedWalls(
            match, identity, path and path + ".journal", workers, choose=partial(_choose_runner, settings)) as played:
        bar.update(4 * len(played.done[match.specs]))
        board = play_match(played, wall_count, show=lambda board, count: bar.update(4 * count))
    seconds = time.monotonic() - start
    measured = {"seconds": round(seconds, 1), "games_played": played.games_played,
                "games_a_second": round(played.games_played / seconds, 2), "workers": workers}
    result = build_result(match, board, None, format_command("guangdong", "match", *words), identity, find_commit(),
                          measured, [0] * len(match.names))
    won = np.array([[tally.wins for tally in wall] for wall in board.walls])
    shares = won / match.seats_a_wall
    result["wins"] = {name: describe_interval(shares[:, place]) for place, name in enumerate(match.names)}
    result["wall_won"] = won.tolist()
    if former:
        result["beside"] = _compare(result, former)
    if path:
        write_dict(path, result)
    return result


def _compare(result, former):
    keys = "seed", "rotations", "settings"
    if any(result["match"][key] != former["match"].get(key) for key in keys) or result["walls"] != former["walls"]:
        raise ProtocolError("expected a result of %d walls with %s, got one of %d with %r" % (
            result["walls"], {key: result["match"][key] for key in keys}, former["walls"], former["match"]))
    figures = {}
    for name, key in (("wins", "wall_won"), ("score", "wall_scores")):
        own, other = (np.array(data[key], float)[:, 0] / data["seats_a_wall"][0] for data in (result, former))
        figures[name] = describe_interval(own - other)
    return {"name": former["players"][0]["name"], **figures}


def format_match(result):
    """The result as text: a line a player, with 95% intervals over the walls."""
    width = max(len(player["name"]) for player in result["players"])
    lines = ["%-*s  %6s  %-26s  %s" % (width, "player", "games", "wins", "points a game")]
    for player in result["players"]:
        score = {part: player["score_" + part] for part in ("mean", "low", "high")}
        lines.append("%-*s  %6d  %-26s  %s" % (
            width, player["name"], player["games"], _percent(result["wins"][player["name"]]), format_interval(score)))
    if "beside" in result:
        lines.append("%s less %s in the same seat at the same walls: %s wins, %s points a game" % (
            result["players"][0]["name"], result["beside"]["name"], _percent(result["beside"]["wins"], "+"),
            format_interval(result["beside"]["score"])))
    lines.append("%d walls, %d games, %.0f games a second" % (
        result["walls"], result["games"], result["measured"]["games_a_second"]))
    return "\n".join(lines)


def format_results(results):
    """A table of results as Markdown, a row for the first player of each, and below it the command of each.

    results: {file name: result}.
    """
    heads = ("player", "at a table with", "wins (95%)", "points a game (95%)", "more wins in the same seat", "games")
    rows = []
    for result in results.values():
        first, *others = result["players"]
        places = result["config"]["seatings"][0]
        beside = result.get("beside")
        rows.append([first["name"], ", ".join("%d %s" % (places.count(place), other["name"])
                                              for place, other in enumerate(others, 1)),
                     _percent(result["wins"][first["name"]]), format_score(first),
                     "%s than %s" % (_percent(beside["wins"], "+"), beside["name"]) if beside else "",
                     format(result["games"], ",")])
    commands = ["    %s    # %s\n" % (result["config"]["command"], name) for name, result in results.items()]
    return format_rows(heads, rows) + "\n" + "".join(commands)


def _percent(interval, sign=""):
    text = "%%%s.1f%%%%" % sign
    if interval["low"] is None:
        return text % (100 * interval["mean"])
    return (text + " (" + text + " .. " + text + ")") % tuple(100 * interval[key] for key in ("mean", "low", "high"))


def _choose_runner(settings, specs):
    return partial(_play_walls, settings), _WALLS


def _play_walls(settings, match, first, stop):
    """As arena.engine_runner.play_walls. Game i is wall first + i // 4 in seating i % 4."""
    seatings = np.array(match.seatings)
    numbers = np.repeat(np.arange(first, stop), len(seatings))
    table = Table(match.first_wall_seed + numbers, settings)
    players = [load_player(spec) for spec in match.specs]
    tallies = [[Tally() for _ in match.names] for _ in range(first, stop)]
    places = np.tile(seatings, (stop - first, 1))
    while len(table.rows):
        owners = places[table.rows, table.games["seat"][table.rows]]
        actions = np.zeros(len(table.rows), np.int16)
        for number, player in enumerate(players):
            chosen = np.flatnonzero(owners == number)
            if len(chosen):
                actions[chosen] = player(table, table.rows[chosen])
        table.step(actions)
    for place, game in enumerate(table.games):
        count_game(tallies[place // len(seatings)], places[place].tolist(), _read_outcome(game))
    return tallies


def _read_outcome(game):
    winner, giver = int(game["winner"]), int(game["giver"])
    claims = [int((game["meld_kind"][seat, :game["meld_count"][seat]] != CONCEALED_KONG).sum()) for seat in range(4)]
    scores = game["score"].tolist()
    if winner < 0:
        return Outcome(scores, claims, "HUANG", None, None, None, [])
    is_own = winner == giver
    # Counted by one name, whether the tile was discarded or added to a pung.
    return Outcome(scores, claims, "HU", winner, None if is_own else giver, None,
                   [(1, 1, "自摸" if is_own else "抢杠和")])
