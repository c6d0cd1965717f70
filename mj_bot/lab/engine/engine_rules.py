"""Applies the judge's rules to one game of the engine: legal actions, and what they change.

In this file `game` is always one GAME row, the record of a game that game_rows.GAME_FIELDS describes, and `shapes` is
the table of winning.load_shapes() for complete hands. Tiles are 0..33, seats 0..3.

Source: Botzone's judge, as recorded in the golden games. Conditions of legal actions are those of mahjong/rules.py.
Tests compare everything else with the referee in mj_bot/lab/table/game_referee.py.
"""

import numpy as np

from ...jit import jit_part
from ...mahjong.action import (
    ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX)
from ...mahjong.compiled import (
    can_chow, can_claim, can_declare_kong, can_open_kong, can_pung, chow_index, split_chow_index, win_score)
from ...mahjong.fan import MIN_FAN
from ...mahjong.rules import HAND_TILES, WALL_DRAWS
from ...mahjong.suit_tables import POWERS, find_row
from ...mahjong.tile import TILE_COUNT
from ...observation.fan_memo import UNKNOWN
from ...observation.layout import ADDED_KONG, CHOW, CLAIM, CONCEALED_KONG, FOLLOW, NONE, OPEN_KONG, PUNG, ROB, TURN
from ..table.walls import SLICE_SIZE
from .decision_rows import allow
from .game_rows import (
    ADDED_KONG_MADE, CHOW_MADE, CONCEALED_KONG_MADE, GAME_OVER, OPEN_KONG_MADE, PLAYED, PUNG_MADE, TILE_DRAWN,
    WALL_EMPTY, WON)
from .winning import Shapes, suits_that_may_complete, wins_with


@jit_part
def _open_decision(decision, game_index, seat):
    """Starts a DECISION row: its game, its seat, and no legal action yet."""
    decision.game, decision.seat = game_index, seat
    decision.mask[:] = 0


@jit_part
def add_turn_decision(game: np.void, decision: np.void, game_index: int) -> None:
    """Writes the decision of the seat whose turn it is, after a draw or after a claim, to a DECISION row."""
    seat = np.int64(game.turn)
    _open_decision(decision, game_index, seat)
    decision.mask[0] = np.uint64(game.kinds[seat] << DISCARD_BASE)
    if game.phase == FOLLOW:
        return
    if game.fan[seat] >= MIN_FAN:
        allow(decision.mask, WIN_INDEX)
    if not can_declare_kong(game.walls_left, seat):
        return
    if game.quads[seat]:
        for tile in range(TILE_COUNT):
            if game.quads[seat] >> tile & 1:
                allow(decision.mask, CONCEALED_KONG_BASE + tile)
    for slot in range(game.meld_count[seat]):
        if game.meld[seat, slot, 0] == PUNG:
            tile = np.int64(game.meld[seat, slot, 1])
            if game.hand[seat, tile]:
                allow(decision.mask, ADDED_KONG_BASE + tile)


@jit_part
def add_claim_decision(game: np.void, decision: np.void, game_index: int, seat: int) -> bool:
    """Writes the decision of a seat about the last discard or added kong to a DECISION row.

    Returns False if the seat may only pass: it then has no decision, and the row may be written again.
    """
    giver = np.int64(game.turn)
    tile = np.int64(game.last_tile)
    hand = game.hand[seat]
    _open_decision(decision, game_index, seat)
    if game.fan[seat] >= MIN_FAN:
        allow(decision.mask, WIN_INDEX)
    if game.phase == CLAIM and can_claim(game.walls_left, giver):
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
def log_event(game: np.void, event: int, seat: int, tile: int) -> None:
    """Adds TILE_DRAWN .. WALL_EMPTY to the log. tile: 0..33, the middle tile of a chow, or NONE."""
    index = game.log_count
    game.log[index, 0], game.log[index, 1] = 4 * event + seat, tile
    game.log_count = index + 1


@jit_part
def add_tile(game: np.void, seat: int, tile: int) -> None:
    """Adds one tile to the concealed tiles of a seat."""
    count = game.hand[seat, tile] + 1
    game.hand[seat, tile] = count
    game.key[seat, tile // 9] += POWERS[tile]
    game.kinds[seat] |= 1 << tile
    game.quads[seat] |= (count >> 2) << tile


@jit_part
def take_tiles(game: np.void, seat: int, tile: int, copies: int) -> None:
    """Removes copies of one tile from the concealed tiles of a seat. copies: 1..4."""
    count = game.hand[seat, tile] - copies
    game.hand[seat, tile] = count
    game.key[seat, tile // 9] -= copies * POWERS[tile]
    game.quads[seat] &= ~(1 << tile)
    if count == 0:
        game.kinds[seat] &= ~(1 << tile)


@jit_part
def refresh_shapes(game: np.void, shapes: Shapes, seat: int, tile: int, other_tile: int) -> None:
    """Updates the shapes of the suits of two tiles, and which suits may complete the hand of a seat."""
    suit = tile // 9
    game.shape[seat, suit] = shapes.shape[find_row(shapes, suit, game.key[seat, suit])]
    if other_tile // 9 != suit:
        suit = other_tile // 9
        game.shape[seat, suit] = shapes.shape[find_row(shapes, suit, game.key[seat, suit])]
    shape = game.shape[seat]
    game.may_complete[seat] = suits_that_may_complete(shape[0], shape[1], shape[2], shape[3], game.meld_count[seat])


@jit_part
def forget_wins(game: np.void) -> None:
    """Notes that no seat can win at this moment."""
    game.fan[:] = 0
    game.uncounted = 0


@jit_part
def note_win(game: np.void, shapes: Shapes, seat: int, tile: int, copies: int) -> None:
    """Marks a seat's fan as UNKNOWN if `tile` completes its hand. copies: 1 if the tile is not in the hand, else 0."""
    if game.may_complete[seat] >> (tile // 9) & 1 and wins_with(game, shapes, seat, tile, copies):
        game.fan[seat] = UNKNOWN
        game.uncounted += 1


@jit_part
def note_other_wins(game: np.void, shapes: Shapes, turn: int, tile: int) -> None:
    """Notes the wins of the three other seats with a tile that the seat `turn` has discarded or added to a pung."""
    forget_wins(game)
    for offset in range(1, 4):
        note_win(game, shapes, (turn + offset) & 3, tile, 1)


@jit_part
def deal(game: np.void, shapes: Shapes) -> None:
    """Deals the hands from the game's wall; seat 0 draws. The fields `wall` and `wind` must be set already."""
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
        for index in range(HAND_TILES):
            add_tile(game, seat, np.int64(game.wall[top - index]))
        refresh_shapes(game, shapes, seat, 0, 9)
        refresh_shapes(game, shapes, seat, 18, 27)
        game.walls_left[seat] = WALL_DRAWS
    draw(game, shapes, 0, 0)


@jit_part
def finish(game: np.void, winner: int, giver: int) -> None:
    """Ends a game and writes its scores.

    winner: the winning seat, -1 for a drawn game. giver: the seat that gave the winning tile, the winner itself for a
    self-draw, -1 for a drawn game.
    """
    game.phase, game.winner, game.giver = GAME_OVER, winner, giver
    if winner < 0:
        log_event(game, WALL_EMPTY, 0, NONE)
        return
    for seat in range(4):
        game.score[seat] = win_score(seat, winner, game.fan[winner], giver)
    log_event(game, WON, winner, game.last_tile)


@jit_part
def draw(game: np.void, shapes: Shapes, seat: int, after_kong: int) -> None:
    """Draws the next tile of a seat's wall, also after a kong (1, else 0); the game ends if that wall is empty."""
    forget_wins(game)
    left = np.int64(game.walls_left[seat])
    if left == 0:
        finish(game, -1, -1)
        return
    tile = np.int64(game.wall[SLICE_SIZE * seat + left - 1])
    game.walls_left[seat] = left - 1
    add_tile(game, seat, tile)
    game.phase, game.turn, game.last_tile, game.after_kong = TURN, seat, tile, after_kong
    log_event(game, TILE_DRAWN, seat, tile)
    note_win(game, shapes, seat, tile, 0)


@jit_part
def discard(game: np.void, shapes: Shapes, seat: int, tile: int) -> None:
    """Discards a tile of the seat `seat`, after its draw or its claim."""
    take_tiles(game, seat, tile, 1)
    refresh_shapes(game, shapes, seat, tile, np.int64(game.last_tile))
    slot = np.int64(game.river_count[seat])
    game.river_tile[seat, slot] = tile
    game.river_time[seat, slot] = game.discard_count
    game.river_count[seat] = slot + 1
    game.discard_count += 1
    game.phase, game.turn, game.last_tile, game.after_kong = CLAIM, seat, tile, 0
    log_event(game, PLAYED, seat, tile)
    note_other_wins(game, shapes, seat, tile)


@jit_part
def lay(game: np.void, seat: int, meld_type: int, tile: int, claimed: int, giver: int) -> None:
    """Adds a meld to a seat, and marks a claimed tile in the river of the seat that discarded it.

    meld_type: CHOW, PUNG, OPEN_KONG or CONCEALED_KONG. tile: the tile of the meld, the middle one of a chow.
    claimed: the claimed tile, NONE for a concealed kong. giver: the seat that discarded it, `seat` for a concealed
    kong.
    """
    slot = np.int64(game.meld_count[seat])
    meld = game.meld[seat, slot]
    meld[0], meld[1], meld[2], meld[3], meld[4] = meld_type, tile, claimed, giver, game.discard_count
    game.meld_count[seat] = slot + 1
    if claimed != NONE:
        game.river_claimer[giver, game.river_count[giver] - 1] = seat + 1


@jit_part
def claim(game: np.void, shapes: Shapes, seat: int, action: int) -> None:
    """Lays a chow, pung or open kong with the last discard. After it the seat has to discard; after a kong it draws."""
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
def own_action(game: np.void, shapes: Shapes, action: int) -> None:
    """Applies the action of the seat whose turn it is: a win, a discard or a kong."""
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
        for slot in range(game.meld_count[seat]):
            if game.meld[seat, slot, 0] == PUNG and game.meld[seat, slot, 1] == tile:
                game.meld[seat, slot, 0] = ADDED_KONG
        game.shown[tile] = 4
        game.phase, game.last_tile = ROB, tile
        log_event(game, ADDED_KONG_MADE, seat, tile)
        note_other_wins(game, shapes, seat, tile)


@jit_part
def settle(game: np.void, shapes: Shapes) -> None:
    """Draws a tile after a discard that nobody claimed, or after an added kong that nobody robbed."""
    turn = np.int64(game.turn)
    if game.phase == ROB:
        draw(game, shapes, turn, 1)
    else:
        game.shown[game.last_tile] += 1
        draw(game, shapes, (turn + 1) % 4, 0)
