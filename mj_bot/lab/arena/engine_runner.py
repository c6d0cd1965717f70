"""Games on the batch engine, for players that all have a batch form."""

import time

import numpy as np

from ...mahjong.action import WIN_INDEX
from ...mahjong.fan import list_fans
from ...mahjong.tile import TILE_NAMES, list_tiles
from ...network.view import CHOW, PUNG
from ..engine.batch import Engine
from ..engine.games import CHOW_MADE, OPEN_KONG_MADE, PUNG_MADE
from ..engine.sources import seed_source, wall_source
from ..engine.winning import win_flags
from .batched import load_batch
from .tally import Outcome, Tally, count_game

# Games side by side.
_WIDTH = 512
_PACK_TYPES = {CHOW: "CHI", PUNG: "PENG"}


def play_walls(match, first, stop):
    """Plays walls first .. stop - 1 of a match in all their seatings; a list of Tally (one a player) for each.

    Game i of a call is wall first + i // S in seating i % S of S.
    """
    seatings = np.array(match.seatings)
    game_count = (stop - first) * len(seatings)
    tables = [[Tally() for _ in match.names] for _ in range(first, stop)]
    choosers = [load_batch(spec) for spec in match.specs]
    engine = Engine(min(_WIDTH, game_count), _make_source(match, first, stop))
    engine.reset()
    while len(engine.owed):
        actions = _choose(engine, choosers, seatings, tables)
        fans = {(game, seat): _list_fans(engine.games[game], seat)
                for game, seat in engine.owed[["game", "seat"]][actions == WIN_INDEX].tolist()}
        engine.step(actions)
        for result in engine.finished:
            wall, seating = divmod(int(result["game_id"]), len(seatings))
            count_game(tables[wall], seatings[seating].tolist(), _read_outcome(result, fans))
    return tables


def _make_source(match, first, stop):
    repeats = len(match.seatings)
    if not match.walls:
        return seed_source(match.first_wall_seed + first, (stop - first) * repeats, repeats)
    walls, winds = zip(*(match.wall(number) for number in range(first, stop)))
    return wall_source(walls, winds, repeats)


def _choose(engine, choosers, seatings, tables):
    """The actions of all owed decisions, int16[M]; counts the time of each player's decisions."""
    games, seats = engine.games["game_id"][engine.owed["game"]], engine.owed["seat"].astype(np.int64)
    views, masks = engine.views(), engine.mask()
    walls, places = np.divmod(games, len(seatings))
    players = seatings[places, seats]
    actions = np.zeros(len(games), np.int16)
    for player, chooser in enumerate(choosers):
        rows = np.flatnonzero(players == player)
        if len(rows):
            start = time.perf_counter()
            actions[rows] = chooser(views[rows], masks[rows], games[rows], seats[rows])
            milliseconds = 1000 * (time.perf_counter() - start) / len(rows)
            # A call serves many walls; its decisions are counted with the first.
            tables[walls[rows[0]]][player].add_time(milliseconds, len(rows))
    return actions


def _read_outcome(result, fans):
    winner, giver = int(result["winner"]), int(result["giver"])
    kinds, seats = np.divmod(result["log"][:result["log_count"], 0], 4)
    claims = np.bincount(seats[np.isin(kinds, (CHOW_MADE, PUNG_MADE, OPEN_KONG_MADE))], minlength=4).tolist()
    scores = result["score"].tolist()
    if winner < 0:
        return Outcome(scores, claims, "HUANG", None, None, None, [])
    return Outcome(scores, claims, "HU", winner, None if giver == winner else giver, None,
                   fans[int(result["game"]), winner])


def _list_fans(game, seat):
    """The fans of a win of `seat` here; game: one GAME of a structured array."""
    is_self_drawn, is_fourth_tile, is_about_kong, is_last_tile = (bool(win_flags(game) & bit) for bit in (1, 2, 4, 8))
    win_tile = int(game["last_tile"])
    counts = game["hand"][seat].tolist()
    counts[win_tile] -= is_self_drawn
    pack = tuple(
        (_PACK_TYPES.get(kind, "GANG"), TILE_NAMES[tile], claimed - tile + 2 if kind == CHOW else (giver - seat) % 4)
        for kind, tile, claimed, giver, _ in game["meld"][seat, :game["meld_count"][seat]].tolist())
    return list_fans(pack, tuple(list_tiles(counts)), TILE_NAMES[win_tile], 0, is_self_drawn, is_fourth_tile,
                     is_about_kong, is_last_tile, seat, int(game["wind"]))
