"""Games on the batch engine, for tactics with `choose`; the time of a decision is its share of a call."""

import time

import numpy as np

from ...mahjong.action import WIN_INDEX
from ...mahjong.fan import list_fans
from ..engine import Engine, seed_source
from ..engine.winning import fan_arguments
from ..table.choosers import load_chooser
from .tally import Tally, count_game, read_row

# Games side by side.
_WIDTH = 512


def play_walls(match, first, stop):
    """Plays walls first .. stop - 1 of a match in all their seatings; a list of Tally (one a player) for each.

    Game i of a call is wall first + i // S in seating i % S of S.
    """
    seatings = np.array(match.seatings)
    game_count = (stop - first) * len(seatings)
    tables = [[Tally() for _ in match.names] for _ in range(first, stop)]
    choosers = [load_chooser(spec, match.time_limit) for spec in match.specs]
    engine = Engine(min(_WIDTH, game_count), seed_source(match.first_wall_seed + first, game_count, len(seatings)))
    engine.reset()
    timed = None  # not the first step: its calls compile
    while len(engine.pending):
        actions = _choose(engine, choosers, seatings, tables=timed)
        timed = tables
        fans = {(game, seat): list_fans(*fan_arguments(engine.games[game], seat))
                for game, seat in engine.pending[["game", "seat"]][actions == WIN_INDEX].tolist()}
        engine.step(actions)
        for result in engine.finished:
            wall, seating = divmod(int(result["game_id"]), len(seatings))
            count_game(tables[wall], seatings[seating].tolist(), read_row(result, fans))
    return tables


def _choose(engine, choosers, seatings, *, tables):
    """The actions of all pending decisions, int16[M]; adds each player's decision times to tables, if given."""
    games, seats = engine.games["game_id"][engine.pending["game"]], engine.pending["seat"].astype(np.int64)
    observations, masks = engine.observations(), engine.mask()
    walls, places = np.divmod(games, len(seatings))
    players = seatings[places, seats]
    actions = np.zeros(len(games), np.int16)
    for player, chooser in enumerate(choosers):
        rows = np.flatnonzero(players == player)
        if len(rows):
            start = time.perf_counter()
            actions[rows] = chooser(observations[rows], masks[rows])
            milliseconds = 1000 * (time.perf_counter() - start) / len(rows)
            if tables is not None:
                # A call serves many walls; its decisions are counted with the first.
                tables[walls[rows[0]]][player].add_time(milliseconds, len(rows))
    return actions
