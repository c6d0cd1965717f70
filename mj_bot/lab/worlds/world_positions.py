"""Plays the events of a History on many walls at once, which gives positions of the engine."""

import numpy as np

from ...jit import jit
from ...mahjong.action import ADDED_KONG_BASE, CONCEALED_KONG_BASE, OPEN_KONG_BASE, PUNG_BASE
from ...mahjong.compiled import chow_index
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import CLAIM, OBSERVATION_SIZE, ROB
from ..engine.batch import unpack_masks
from ..engine.game_rows import (
    ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, DECISION, GAME, OPEN_KONG_MADE, PLAYED, TILE_DRAWN)
from ..engine.observations import write_observations
from ..engine.engine_rules import add_turn_decision, claim, deal, discard, own_action, settle
from ..engine.winning import load_shapes
from .history import History


def reach_position(history: History, walls: np.ndarray, kong_tiles: np.ndarray, *,
                   count: int | None = None) -> np.ndarray:
    """Returns the games after `count` events of a history, None for all, GAME[N]. After a last kong comes its draw.

    walls: uint8[N, 136]. kong_tiles: uint8[N, K], tiles 0..33 of the hidden kongs.
    """
    games = np.zeros(len(walls), GAME)
    games["wall"], games["wind"], games["game_id"] = walls, history.wind, np.arange(len(walls))
    _follow(games, load_shapes(), history.events, kong_tiles, len(history.events) if count is None else count)
    return games


@jit
def _follow(games, shapes, events, kong_tiles, count):
    """Plays the first `count` events in each of the games."""
    for g in range(len(games)):
        game = games[g]
        deal(game, shapes)
        for index in range(1, count):  # Event 0 is the draw with which the deal ends.
            event, seat, tile = events[index]
            if event == PLAYED:
                discard(game, shapes, seat, tile)
            elif event == TILE_DRAWN:
                # The draw follows a discard or an added kong that nobody took. After other kongs the engine has drawn.
                if game.phase == CLAIM or game.phase == ROB:
                    settle(game, shapes)
            elif event == CHOW_MADE:
                claim(game, shapes, seat, chow_index(tile, np.int64(game.last_tile)))
            elif event == CONCEALED_KONG_MADE:
                if tile >= TILE_COUNT:
                    tile = np.int64(kong_tiles[g, tile - TILE_COUNT])
                own_action(game, shapes, CONCEALED_KONG_BASE + tile)
            elif event == ADDED_KONG_MADE:
                own_action(game, shapes, ADDED_KONG_BASE + tile)
            else:
                claim(game, shapes, seat, tile + (OPEN_KONG_BASE if event == OPEN_KONG_MADE else PUNG_BASE))


def observe_turn(games: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns what the acting seat of each game sees: (observations uint8[N, OBSERVATION_SIZE], masks bool[N, 235]).

    games: GAME[N] in which a seat has to act. A mask tells the legal actions without a win.
    """
    pending = np.zeros(len(games), DECISION)
    _list_turns(games, pending)
    observations = np.zeros((len(games), OBSERVATION_SIZE), np.uint8)
    write_observations(games, pending, False, observations)
    return observations, unpack_masks(pending["mask"])


@jit
def _list_turns(games, pending):
    """Writes the decision of the acting seat of each game into `pending`."""
    for g in range(len(games)):
        add_turn_decision(games[g], pending[g], g)
