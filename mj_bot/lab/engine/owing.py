"""Which seats owe a decision, and what they may do."""

import numpy as np

from ...mahjong.action import (
    ADDED_KONG_BASE, CHOW_BASE, CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX,
)
from ...mahjong.fan import MIN_FAN
from ...observation.layout import CLAIM, FOLLOW, PUNG
from .compile import jit


@jit
def _add_bit(decision, action):
    decision.mask[action >> 6] |= np.uint64(1) << np.uint64(action & 63)


@jit
def _open_decision(decision, g, seat):
    decision.game = g
    decision.seat = seat
    for word in range(4):
        decision.mask[word] = 0


@jit
def owe_turn(game, decision, g):
    """Writes the decision of the seat whose turn it is, after a draw or after a claim."""
    seat = np.int64(game.turn)
    _open_decision(decision, g, seat)
    decision.mask[0] = np.uint64(game.held[seat] << DISCARD_BASE)
    if game.phase == FOLLOW:
        return
    if game.fan[seat] >= MIN_FAN:
        _add_bit(decision, WIN_INDEX)
    if game.wall_left[seat] == 0 or game.wall_left[(seat + 1) % 4] == 0:
        return
    if game.quads[seat]:
        for tile in range(34):
            if game.quads[seat] >> tile & 1:
                _add_bit(decision, CONCEALED_KONG_BASE + tile)
    for place in range(game.meld_count[seat]):
        if game.meld[seat, place, 0] == PUNG:
            tile = np.int64(game.meld[seat, place, 1])
            if game.hand[seat, tile]:
                _add_bit(decision, ADDED_KONG_BASE + tile)


@jit
def owe_claim(game, decision, g, seat):
    """Writes the decision of `seat` on the discard or added kong of the moment; false where it may only pass."""
    giver = np.int64(game.turn)
    tile = np.int64(game.last_tile)
    low = inside = high = False
    copies = 0
    if game.phase == CLAIM and game.wall_left[(giver + 1) % 4] > 0:
        copies = np.int64(game.hand[seat, tile])
        if tile < 27 and seat == (giver + 1) % 4:
            rank = tile % 9
            below = rank > 0 and game.hand[seat, tile - 1] > 0
            above = rank < 8 and game.hand[seat, tile + 1] > 0
            inside = below and above
            high = below and rank > 1 and game.hand[seat, tile - 2] > 0
            low = above and rank < 7 and game.hand[seat, tile + 2] > 0
    can_win = game.fan[seat] >= MIN_FAN
    if not (can_win or copies >= 2 or low or inside or high):
        return False
    _open_decision(decision, g, seat)
    decision.mask[0] = np.uint64(1 << PASS_INDEX | np.int64(can_win) << WIN_INDEX)
    if copies >= 2:
        _add_bit(decision, PUNG_BASE + tile)
    if copies >= 3:
        _add_bit(decision, OPEN_KONG_BASE + tile)
    # The claimed tile's three places in a chow are three indices apart by middle and place: see action.chow_index.
    suit_base = CHOW_BASE + tile // 9 * 21
    if high:
        _add_bit(decision, suit_base + (tile % 9 - 2) * 3 + 2)
    if inside:
        _add_bit(decision, suit_base + (tile % 9 - 1) * 3 + 1)
    if low:
        _add_bit(decision, suit_base + tile % 9 * 3)
    return True
