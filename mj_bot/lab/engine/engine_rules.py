"""The judge's rules for one game of the engine: legal actions, and their effects.

Source: Botzone's judge, as recorded in the golden games. The conditions are those of mahjong/rules.py; tests compare
the rest with the plain referee.
"""

import numpy as np

from ...jit import jit_part
from ...mahjong.action import (
    ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from ...mahjong.compiled import (
    can_chow, can_claim, can_declare_kong, can_open_kong, can_pung, chow_index, split_chow_index, win_score)
from ...mahjong.fan import MIN_FAN
from ...mahjong.rules import HAND_TILES, WALL_DRAWS
from ...mahjong.suit_tables import POWERS, row
from ...mahjong.tile import TILE_COUNT
from ...observation.fan_memo import UNKNOWN
from ...observation.layout import ADDED_KONG, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, NONE, OPEN_KONG, PUNG, ROB, TURN
from ..table.walls import SLICE_SIZE
from .decision_rows import allow
from .game_rows import (
    ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, GAME_OVER, OPEN_KONG_MADE, PLAYED, PUNG_MADE, TILE_DRAWN,
    WALL_EMPTY, WON)
from .winning import suits_that_may_complete, wins_with


@jit_part
def _open_decision(decision, g, seat):
    decision.game, decision.seat = g, seat
    decision.mask[:] = 0


@jit_part
def add_turn_decision(game, decision, g):
    """Writes the decision of the seat whose turn it is, after a draw or after a claim."""
    seat = np.int64(game.turn)
    _open_decision(decision, g, seat)
    decision.mask[0] = np.uint64(game.kinds[seat] << DISCARD_BASE)
    if game.phase == FOLLOW:
        return
    if game.fan[seat] >= MIN_FAN:
        allow(decision.mask, WIN_INDEX)
    if not can_declare_kong(game.wall_left, seat):
        return
    if game.quads[seat]:
        for tile in range(TILE_COUNT):
            if game.quads[seat] >> tile & 1:
                allow(decision.mask, CONCEALED_KONG_BASE + tile)
    for place in range(game.meld_count[seat]):
        if game.meld[seat, place, 0] == PUNG:
            tile = np.int64(game.meld[seat, place, 1])
            if game.hand[seat, tile]:
                allow(decision.mask, ADDED_KONG_BASE + tile)


@jit_part
def add_claim_decision(game, decision, g, seat):
    """Writes the decision of `seat` on the last discard or added kong; false where it may only pass."""
    giver = np.int64(game.turn)
    tile = np.int64(game.last_tile)
    hand = game.hand[seat]
    _open_decision(decision, g, seat)
    if game.fan[seat] >= MIN_FAN:
        allow(decision.mask, WIN_INDEX)
    if game.phase == CLAIM and can_claim(game.wall_left, giver):
        if can_pung(hand, tile):
            allow(decision.mask, PUNG_BASE + tile)
        if can_open_kong(hand, tile):
            allow(decision.mask, OPEN_KONG_BASE + tile)
        if seat == (giver + 1) % 4:
            for middle in range(tile - 1, tile + 2):
                if can_chow(hand, tile, middle):
                    allow(decision.mask, chow_index(middle, tile))
    if not (decision.mask[0] | decision.mask[1] | decision.mask[2] | decision.mask[3]):
        return False
    allow(decision.mask, PASS_INDEX)
    return True


@jit_part
def log_event(game, kind, seat, tile):
    at = game.log_count
    game.log[at, 0], game.log[at, 1] = 4 * kind + seat, tile
    game.log_count = at + 1


@jit_part
def add_tile(game, seat, tile):
    count = game.hand[seat, tile] + 1
    game.hand[seat, tile] = count
    game.key[seat, tile // 9] += POWERS[tile]
    game.kinds[seat] |= 1 << tile
    game.quads[seat] |= (count >> 2) << tile


@jit_part
def take_tiles(game, seat, tile, copies):
    count = game.hand[seat, tile] - copies
    game.hand[seat, tile] = count
    game.key[seat, tile // 9] -= copies * POWERS[tile]
    game.quads[seat] &= ~(1 << tile)
    if count == 0:
        game.kinds[seat] &= ~(1 << tile)


@jit_part
def refresh_shapes(game, shapes, seat, tile, other_tile):
    """Updates the shapes of two tiles' suits, and the suits that may complete the hand."""
    suit = tile // 9
    game.shape[seat, suit] = shapes.shape[row(shapes, suit, game.key[seat, suit])]
    if other_tile // 9 != suit:
        suit = other_tile // 9
        game.shape[seat, suit] = shapes.shape[row(shapes, suit, game.key[seat, suit])]
    shape = game.shape[seat]
    game.may_complete[seat] = suits_that_may_complete(shape[0], shape[1], shape[2], shape[3], game.meld_count[seat])


@jit_part
def forget_wins(game):
    game.fan[:] = 0
    game.uncounted = 0


@jit_part
def note_win(game, shapes, seat, tile, copies):
    """Marks the fan of `seat` as UNKNOWN where its hand is complete with the tile (see wins_with)."""
    if game.may_complete[seat] >> (tile // 9) & 1 and wins_with(game, shapes, seat, tile, copies):
        game.fan[seat] = UNKNOWN
        game.uncounted += 1


@jit_part
def note_other_wins(game, shapes, turn, tile):
    forget_wins(game)
    for offset in range(1, 4):
        note_win(game, shapes, (turn + offset) & 3, tile, 1)


@jit_part
def deal(game, shapes):
    """Starts a game with its wall and wind; seat 0 draws."""
    game.hand[:] = 0
    game.key[:] = 0
    game.shown[:] = 0
    game.meld_count[:] = 0
    game.river_count[:] = 0
    game.river_tile[:] = NONE
    game.river_claimer[:] = 0
    game.river_time[:] = 0
    game.kinds[:] = 0
    game.quads[:] = 0
    game.score[:] = 0
    game.discard_count = game.log_count = 0
    game.winner = game.giver = -1
    for seat in range(4):
        top = SLICE_SIZE * (seat + 1) - 1
        for place in range(HAND_TILES):
            add_tile(game, seat, np.int64(game.wall[top - place]))
        refresh_shapes(game, shapes, seat, 0, 9)
        refresh_shapes(game, shapes, seat, 18, 27)
        game.wall_left[seat] = WALL_DRAWS
    draw(game, shapes, 0, 0)


@jit_part
def finish(game, winner, giver):
    """Ends a game: winner -1 for a draw, giver the winner's own seat for a self-draw."""
    game.phase, game.winner, game.giver = GAME_OVER, winner, giver
    if winner < 0:
        log_event(game, WALL_EMPTY, 0, NONE)
        return
    for seat in range(4):
        game.score[seat] = win_score(seat, winner, game.fan[winner], giver)
    log_event(game, WON, winner, game.last_tile)


@jit_part
def draw(game, shapes, seat, after_kong):
    forget_wins(game)
    left = np.int64(game.wall_left[seat])
    if left == 0:
        finish(game, -1, -1)
        return
    tile = np.int64(game.wall[SLICE_SIZE * seat + left - 1])
    game.wall_left[seat] = left - 1
    add_tile(game, seat, tile)
    game.phase, game.turn, game.last_tile, game.after_kong = TURN, seat, tile, after_kong
    log_event(game, TILE_DRAWN, seat, tile)
    note_win(game, shapes, seat, tile, 0)


@jit_part
def discard(game, shapes, seat, tile):
    """Discards a tile after a draw or a claim."""
    take_tiles(game, seat, tile, 1)
    refresh_shapes(game, shapes, seat, tile, np.int64(game.last_tile))
    place = np.int64(game.river_count[seat])
    game.river_tile[seat, place] = tile
    game.river_time[seat, place] = game.discard_count
    game.river_count[seat] = place + 1
    game.discard_count += 1
    game.phase, game.turn, game.last_tile, game.after_kong = CLAIM, seat, tile, 0
    log_event(game, PLAYED, seat, tile)
    note_other_wins(game, shapes, seat, tile)


@jit_part
def lay(game, seat, kind, tile, claimed, giver):
    """Adds a meld; a claimed tile is marked in its river."""
    place = np.int64(game.meld_count[seat])
    meld = game.meld[seat, place]
    meld[0], meld[1], meld[2], meld[3], meld[4] = kind, tile, claimed, giver, game.discard_count
    game.meld_count[seat] = place + 1
    if claimed != NONE:
        game.river_claimer[giver, game.river_count[giver] - 1] = seat + 1


@jit_part
def claim(game, shapes, seat, action):
    """A pung, chow or open kong of the last discard; the seat then discards or draws."""
    giver = np.int64(game.turn)
    tile = np.int64(game.last_tile)
    if action >= CHOW_BASE:
        middle, _ = split_chow_index(action)
        for used in range(middle - 1, middle + 2):
            game.shown[used] += 1
            if used != tile:
                take_tiles(game, seat, used, 1)
        lay(game, seat, CHOW, middle, tile, giver)
        log_event(game, CHOW_MADE, seat, middle)
    else:
        is_pung = action >= PUNG_BASE
        take_tiles(game, seat, tile, 2 if is_pung else 3)
        game.shown[tile] += 3 if is_pung else 4
        lay(game, seat, PUNG if is_pung else OPEN_KONG, tile, tile, giver)
        log_event(game, PUNG_MADE if is_pung else OPEN_KONG_MADE, seat, tile)
    forget_wins(game)
    refresh_shapes(game, shapes, seat, tile, tile)
    game.turn, game.phase = seat, FOLLOW
    if action < PUNG_BASE:
        draw(game, shapes, seat, 1)


@jit_part
def own_action(game, shapes, action):
    """Win, discard or kong of the seat whose turn it is."""
    seat = np.int64(game.turn)
    if action == WIN_INDEX:
        finish(game, seat, seat)
    elif action < OPEN_KONG_BASE:
        discard(game, shapes, seat, action - DISCARD_BASE)
    elif action < ADDED_KONG_BASE:
        tile = action - CONCEALED_KONG_BASE
        take_tiles(game, seat, tile, 4)
        lay(game, seat, CONCEALED_KONG, tile, NONE, seat)
        refresh_shapes(game, shapes, seat, tile, np.int64(game.last_tile))
        log_event(game, CONCEALED_KONG_MADE, seat, tile)
        draw(game, shapes, seat, 1)
    else:
        tile = action - ADDED_KONG_BASE
        take_tiles(game, seat, tile, 1)
        refresh_shapes(game, shapes, seat, tile, np.int64(game.last_tile))
        for place in range(game.meld_count[seat]):
            if game.meld[seat, place, 0] == PUNG and game.meld[seat, place, 1] == tile:
                game.meld[seat, place, 0] = ADDED_KONG
        game.shown[tile] = 4
        game.phase, game.last_tile = ROB, tile
        log_event(game, ADDED_KONG_MADE, seat, tile)
        note_other_wins(game, shapes, seat, tile)


@jit_part
def settle(game, shapes):
    """Nobody claimed the discard or robbed the kong: a seat draws."""
    turn = np.int64(game.turn)
    if game.phase == ROB:
        draw(game, shapes, turn, 1)
    else:
        game.shown[game.last_tile] += 1
        draw(game, shapes, (turn + 1) % 4, 0)
