"""Plays the games of a match on the batch engine, for tactics that have `choose`.

The time of a decision is its share of the time of a call.
"""

import time
from collections.abc import Callable

import numpy as np

from ...mahjong.action import WIN_INDEX
from ...mahjong.fan import list_fans
from ..engine import Engine, seed_source
from ..engine.winning import fan_arguments
from ..table.choosers import load_chooser
from .schedule import Match
from .tally import Tally, count_game, read_row

_WIDTH = 512  # games that are played at the same time


def play_walls_by_engine(match: Match, first: int, stop: int) -> list[list[Tally]]:
    """Plays walls first .. stop - 1 of a match in all seatings, and returns a Tally per player for each wall.

    Game i of a call is wall first + i // S in seating i % S, for S seatings.
    """
    seatings = np.array(match.seatings)
    game_count = (stop - first) * len(seatings)
    tables = [[Tally() for _ in match.names] for _ in range(first, stop)]
    choosers = [load_chooser(spec, match.time_limit) for spec in match.specs]
    engine = Engine(min(_WIDTH, game_count), seed_source(match.first_wall_seed + first, game_count, len(seatings)))
    engine.reset()
    is_timed = False  # The first calls compile code, so their times do not count.
    while len(engine.pending):
        games, seats = engine.games["game_id"][engine.pending["game"]], engine.pending["seat"]
        walls, seating_rows = np.divmod(games, len(seatings))
        actions, calls = choose(engine, choosers, seatings[seating_rows, seats])
        for player, rows, seconds in calls if is_timed else ():
            # A call serves many walls, and all its decisions are counted with the first of them.
            tables[walls[rows[0]]][player].add_time(1000 * seconds / len(rows), len(rows))
        is_timed = True
        fans = {(game, seat): list_fans(*fan_arguments(engine.games[game], seat))
                for game, seat in engine.pending[["game", "seat"]][actions == WIN_INDEX].tolist()}
        engine.step(actions)
        for result in engine.finished:
            wall, seating = divmod(int(result["game_id"]), len(seatings))
            count_game(tables[wall], seatings[seating].tolist(), read_row(result, fans))
    return tables


def choose(engine: Engine, choosers: list[Callable], players: np.ndarray) -> tuple[np.ndarray, list]:
    """Asks the players for the actions of all pending decisions.

    Returns (actions int16[M], list of (player, its rows, seconds) for each call of a chooser).
    choosers: function(observations, masks) -> actions of each player. players: int[M], the player of each decision.
    """
    observations, masks = engine.observations(), engine.mask()
    actions, calls = np.zeros(len(players), np.int16), []
    for player, chooser in enumerate(choosers):
        rows = np.flatnonzero(players == player)
        if len(rows):
            start = time.perf_counter()
            actions[rows] = chooser(observations[rows], masks[rows])
            calls.append((player, rows, time.perf_counter() - start))
    return actions, calls
