"""The command `ready`: how many hands get to a wait that may be declared, in duplicate matches, two seats against two.

A hand is counted as ready once it stands, after a discard, one tile short of a winning shape, and as ready for eight
fan once such a tile counts eight fan or more, by a discard or by self-draw alone; a tile of which no copy is left in
walls and other hands is no wait. What the win's circumstances add (last tile, kongs) is not counted before it comes.
Hands that win were ready for eight fan in any case.
"""

import argparse
import json
import os
import shlex
import sys

import numpy as np
from tqdm import tqdm

from ..mahjong.errors import MahjongError
from ..mahjong.fan import MIN_FAN, count_fan
from ..mahjong.rules import SEATS
from ..mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES
from ..network.view import CHOW, CLAIM, CONCEALED_KONG, PUNG
from .arena.provenance import digest_sources, find_commit
from .arena.schedule import make_match
from .arena.verdict import mean_interval
from .arena.workers import run_tasks

FORMAT = "mj_bot ready hands"
VERSION = 1
# Stages of a hand, each of which holds the ones after it.
STAGES = ("ready", "ready for eight fan", "ready for eight fan by a discard", "won")
_READY, _BY_SELF_DRAW, _BY_DISCARD, _WON = range(1, len(STAGES) + 1)
_PIECE_WALLS = 32


class Watch(object):
    """How far each hand of some games got; called with the engine after the deal and after every step.

    stages: int8[G, 4], by game and seat, the greatest number of STAGES (from 1) that the hand reached, 0 for none.
    """

    def __init__(self, game_count):
        self.stages = np.zeros((game_count, SEATS), np.int8)
        self._discards = np.zeros((game_count, SEATS), np.uint8)

    def __call__(self, engine):
        from .engine.shanten import least_batch  # numba takes a second to import
        finished = engine.finished[engine.finished["winner"] >= 0]
        self.stages[finished["game_id"], finished["winner"]] = _WON
        playing = np.unique(engine.owed["game"])
        games = engine.games[playing]
        numbers = games["game_id"]
        rows, seats = np.nonzero((games["river_count"] > self._discards[numbers]) &
                                 (self.stages[numbers] < _BY_DISCARD))
        self._discards[numbers] = games["river_count"]
        shanten, _ = least_batch(games["hand"][rows, seats], games["meld_count"][rows, seats])
        for row, seat in zip(rows[shanten == 0].tolist(), seats[shanten == 0].tolist()):
            number = numbers[row]
            self.stages[number, seat] = max(self.stages[number, seat], find_stage(games[row], seat))


def find_stage(game, seat):
    """How far a ready hand that stands is: _READY, _BY_SELF_DRAW or _BY_DISCARD. game: one GAME of games.py."""
    from .engine.shanten import least_batch, unpack_tiles
    from .engine.winning import fan_arguments
    counts = game["hand"][seat]
    _, useful = least_batch(counts[None], game["meld_count"][seat:seat + 1])
    # The hand as it would stand if a discard could be won on, so that no tile of it is the one drawn.
    asked = game.copy()
    asked["phase"] = CLAIM
    pack, hand, _, _, _, _, _, _, _, wind = fan_arguments(asked, seat)
    shown = game["shown"]
    stage = _READY
    for tile in np.flatnonzero(unpack_tiles(useful)[0] & (count_left(game, seat) > 0)).tolist():
        for is_self_drawn in (False, True):
            fan = count_fan(pack, hand, TILE_NAMES[tile], 0, is_self_drawn, bool(shown[tile] == COPIES - 1), False,
                            False, seat, wind)
            if fan >= MIN_FAN:
                stage = max(stage, _BY_SELF_DRAW if is_self_drawn else _BY_DISCARD)
    return stage


def count_left(game, seat):
    """Copies by kind in the walls and in the other hands, int[34]. game: one GAME of games.py."""
    left = COPIES - game["hand"][seat].astype(int)
    lying = game["river_tile"][(game["river_claimer"] == 0) & (game["river_tile"] < TILE_COUNT)]
    np.subtract.at(left, lying, 1)
    for owner in range(SEATS):
        for kind, tile, _, _, _ in game["meld"][owner, :game["meld_count"][owner]].tolist():
            if kind == CHOW:
                left[tile - 1:tile + 2] -= 1
            else:
                left[tile] -= 3 if kind == PUNG else COPIES
    return left
