"""Plays the events of a History on many walls at once: positions of the engine."""

import numpy as np

from ...jit import jit
from ...mahjong.action import ADDED_KONG_BASE, CONCEALED_KONG_BASE, OPEN_KONG_BASE, PUNG_BASE
from ...mahjong.compiled import chow_index
from ...mahjong.suit_tables import load_tables
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import CLAIM, OBSERVATION_SIZE, ROB
from ..engine.batch import unpack_masks
from ..engine.games import (ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, DECISION, DRAWN, GAME, OPEN_KONG_MADE,
                            PLAYED)
from ..engine.observations import write_observations
from ..engine.rules import add_turn_decision, claim, deal, discard, own_action, settle


def reach_position(history, walls, kong_tiles, count=None):
    """Returns GAME[N], the games after the first `count` events of a History, or after all of them.

    walls: uint8[N, 136]. kong_tiles: uint8[N, K]. The draw after a kong is made, though no event tells it yet.
    """
    games = np.zeros(len(walls), GAME)
    games["wall"], games["wind"], games["game_id"] = walls, history.wind, np.arange(len(walls))
    _follow(games, load_tables().shapes, history.events, kong_tiles, len(history.events) if count is None else count)
    return games


@jit
def _follow(games, shapes, events, kong_tiles, count):
    for g in range(len(games)):
        game = games[g]
        deal(game, shapes)
        for at in range(1, count):  # the first event is the draw with which the deal ends
            kind, seat, tile = events[at]
            if kind == PLAYED:
                discard(game, shapes, seat, tile)
            elif kind == DRAWN:
                if game.phase == CLAIM or game.phase == ROB:  # the draw after another kong is part of the kong
                    settle(game, shapes)
            elif kind == CHOW_MADE:
                claim(game, shapes, seat, chow_index(tile, np.int64(game.last_tile)))
            elif kind == CONCEALED_KONG_MADE:
                if tile >= TILE_COUNT:
                    tile = np.int64(kong_tiles[g, tile - TILE_COUNT])
                own_action(game, shapes, CONCEALED_KONG_BASE + tile)
            elif kind == ADDED_KONG_MADE:
                own_action(game, shapes, ADDED_KONG_BASE + tile)
            else:
                claim(game, shapes, seat, tile + (OPEN_KONG_BASE if kind == OPEN_KONG_MADE else PUNG_BASE))


def observe_turn(games):
    """Returns (observations uint8[N, OBSERVATION_SIZE], masks bool[N, 235] without a win) of the seats in turn."""
    pending = np.zeros(len(games), DECISION)
    _list_turns(games, pending)
    observations = np.zeros((len(games), OBSERVATION_SIZE), np.uint8)
    write_observations(games, pending, False, observations)
    return observations, unpack_masks(pending["mask"])


@jit
def _list_turns(games, pending):
    for g in range(len(games)):
        add_turn_decision(games[g], pending[g], g)
