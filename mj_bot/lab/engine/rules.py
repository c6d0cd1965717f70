"""The judge's rules on games side by side: from answers to the next decisions.

Source: botzone's judge, as recorded in the golden games; mahjong/rules.py and mahjong/legal.py are the same rules in plain Python,
and the tests hold the two together.
"""

import numpy as np

from ...mahjong.action import ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE
from ...mahjong.action import PUNG_BASE, WIN_INDEX
from ...mahjong.rules import MIN_PAYMENT
from ...network.view import ADDED_KONG, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, NONE, OPEN_KONG, PUNG, ROB, TURN
from ..walls import DEAL_SIZE, SLICE_SIZE
from .compile import jit
from .games import (
    ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, DRAWN, OPEN_KONG_MADE, OVER, PLAYED, PUNG_MADE, WALL_EMPTY, WON,
)
from .tables import row


@jit
def log_event(game, kind, seat, tile):
    at = game.log_count
    game.log[at, 0] = 4 * kind + seat
    game.log[at, 1] = tile
    game.log_count = at + 1


@jit
def change_hand(game, seat, tile, change):
    """Adds or takes copies of a tile; the suit's shape is out of date until refresh_shape."""
    game.hand[seat, tile] += change
    game.key[seat, tile // 9] += change * 5 ** (tile % 9)


@jit
def refresh_shape(game, tables, seat, suit):
    game.shape[seat, suit] = tables.shape[row(tables, suit, game.key[seat, suit])]


# -- a game's beginning and end


@jit
def deal(game, tables):
    """Starts a game with the wall and wind that it holds; seat 0 draws."""
    game.hand[:] = 0
    game.key[:] = 0
    game.shown[:] = 0
    game.meld_count[:] = 0
    game.river_count[:] = 0
    game.fan[:] = 0
    game.score[:] = 0
    game.discard_count = 0
    game.log_count = 0
    game.winner = -1
    game.giver = -1
    for seat in range(4):
        top = SLICE_SIZE * (seat + 1) - 1
        for place in range(DEAL_SIZE):
            change_hand(game, seat, np.int64(game.wall[top - place]), 1)
        for suit in range(4):
            refresh_shape(game, tables, seat, suit)
        game.wall_left[seat] = SLICE_SIZE - DEAL_SIZE
    draw(game, tables, 0, 0)


@jit
def finish(game, winner, giver):
    """Ends a game: winner -1 for a draw, giver the winner's own seat for a self-draw."""
    game.phase = OVER
    game.winner = winner
    game.giver = giver
    if winner < 0:
        log_event(game, WALL_EMPTY, 0, NONE)
        return
    fan = game.fan[winner]
    for seat in range(4):
        if winner == giver:
            game.score[seat] = -MIN_PAYMENT - fan
        else:
            game.score[seat] = -MIN_PAYMENT - (seat == giver) * fan
    game.score[winner] = 3 * (MIN_PAYMENT + fan) if winner == giver else 3 * MIN_PAYMENT + fan
    log_event(game, WON, winner, game.last_tile)


# -- what happens


@jit
def draw(game, tables, seat, after_kong):
    left = game.wall_left[seat]
    if left == 0:
        finish(game, -1, -1)
        return
    tile = np.int64(game.wall[SLICE_SIZE * seat + left - 1])
    game.wall_left[seat] = left - 1
    change_hand(game, seat, tile, 1)
    refresh_shape(game, tables, seat, tile // 9)
    game.phase = TURN
    game.turn = seat
    game.last_tile = tile
    game.after_kong = after_kong
    log_event(game, DRAWN, seat, tile)


@jit
def discard(game, tables, seat, tile):
    change_hand(game, seat, tile, -1)
    refresh_shape(game, tables, seat, tile // 9)
    place = game.river_count[seat]
    game.river[seat, place, 0] = tile
    game.river[seat, place, 1] = 0
    game.river[seat, place, 2] = game.discard_count
    game.river_count[seat] = place + 1
    game.discard_count += 1
    game.phase = CLAIM
    game.turn = seat
    game.last_tile = tile
    game.after_kong = 0
    log_event(game, PLAYED, seat, tile)


@jit
def lay(game, seat, kind, tile, claimed, giver):
    """Puts a meld down; a claimed tile is marked in its river."""
    place = game.meld_count[seat]
    game.meld[seat, place, 0] = kind
    game.meld[seat, place, 1] = tile
    game.meld[seat, place, 2] = claimed
    game.meld[seat, place, 3] = giver
    game.meld[seat, place, 4] = game.discard_count
    game.meld_count[seat] = place + 1
    if claimed != NONE:
        game.river[giver, game.river_count[giver] - 1, 1] = seat + 1


@jit
def claim(game, tables, seat, action):
    """A pung, chow or open kong of the last discard; the seat then owes a discard or draws."""
    giver = game.turn
    tile = np.int64(game.last_tile)
    if action >= CHOW_BASE:
        place = action - CHOW_BASE
        middle = place // 21 * 9 + place % 21 // 3 + 1
        for used in range(middle - 1, middle + 2):
            game.shown[used] += 1
            if used != tile:
                change_hand(game, seat, used, -1)
        lay(game, seat, CHOW, middle, tile, giver)
        log_event(game, CHOW_MADE, seat, middle)
    elif action >= PUNG_BASE:
        change_hand(game, seat, tile, -2)
        game.shown[tile] += 3
        lay(game, seat, PUNG, tile, tile, giver)
        log_event(game, PUNG_MADE, seat, tile)
    else:
        change_hand(game, seat, tile, -3)
        game.shown[tile] = 4
        lay(game, seat, OPEN_KONG, tile, tile, giver)
        log_event(game, OPEN_KONG_MADE, seat, tile)
    refresh_shape(game, tables, seat, tile // 9)
    game.turn = seat
    game.phase = FOLLOW
    if action < PUNG_BASE:
        draw(game, tables, seat, 1)


@jit
def own_action(game, tables, action):
    """Win, discard or kong of the seat whose turn it is."""
    seat = game.turn
    if action == WIN_INDEX:
        finish(game, seat, seat)
    elif action < OPEN_KONG_BASE:
        discard(game, tables, seat, action - DISCARD_BASE)
    elif action < ADDED_KONG_BASE:
        tile = action - CONCEALED_KONG_BASE
        change_hand(game, seat, tile, -4)
        refresh_shape(game, tables, seat, tile // 9)
        lay(game, seat, CONCEALED_KONG, tile, NONE, seat)
        log_event(game, CONCEALED_KONG_MADE, seat, tile)
        draw(game, tables, seat, 1)
    else:
        tile = action - ADDED_KONG_BASE
        change_hand(game, seat, tile, -1)
        refresh_shape(game, tables, seat, tile // 9)
        for place in range(game.meld_count[seat]):
            if game.meld[seat, place, 0] == PUNG and game.meld[seat, place, 1] == tile:
                game.meld[seat, place, 0] = ADDED_KONG
        game.shown[tile] = 4
        game.phase = ROB
        game.last_tile = tile
        log_event(game, ADDED_KONG_MADE, seat, tile)


@jit
def settle(game, tables):
    """Nobody claims the discard, or robs the kong: the game goes on with a draw."""
    turn = game.turn
    if game.phase == ROB:
        draw(game, tables, turn, 1)
    else:
        game.shown[game.last_tile] += 1
        draw(game, tables, (turn + 1) % 4, 0)
