"""Recognises complete hands from tables, and makes the keys under which fan_memo.py keeps their fans.

a, b, c and h are always the shape bits of the three suits and of the honours: entries of SuitTables.shape, which
mahjong/suit_tables.py describes. meld_count is the number of melds 0..4, `game` a GAME row.
"""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.compiled import is_fourth_tile, is_last_tile
from ...mahjong.suit_tables import (
    KNITTED, ORPHANS, ORPHANS_PAIR, PAIRS, POWERS, SETS, SETS_PAIR, STRAIGHT, STRAIGHT_PAIR, find_row,
    load_tables)
from ...observation.fan_memo import (
    ABOUT_KONG_FLAG, FLAG_SHIFT, FOURTH_TILE_FLAG, LAST_TILE_FLAG, SELF_DRAWN_FLAG, TILE_SHIFT, meld_bits, read_key,
    table_bits)
from ...observation.layout import ROB, TURN



class Shapes(NamedTuple):
    """Keeps the two arrays of SuitTables that recognise complete hands. A third one takes a twelfth of a step."""

    row_index: np.ndarray
    shape: np.ndarray


def load_shapes() -> Shapes:
    """Returns the Shapes of load_tables()."""
    tables = load_tables()
    return Shapes(tables.row_index, tables.shape)


_STRAIGHT_ANY = STRAIGHT * 7 | STRAIGHT_PAIR * 7
_ORPHANS_ANY = ORPHANS | ORPHANS_PAIR


@jit
def is_complete(a: int, b: int, c: int, h: int, meld_count: int) -> bool:
    """Checks whether a hand of 14 tiles, melds included, has a winning shape."""
    sets = (a & SETS) + (b & SETS) + (c & SETS) + (h & SETS)
    pairs = (a & SETS_PAIR) + (b & SETS_PAIR) + (c & SETS_PAIR) + (h & SETS_PAIR)
    if sets == 3 * SETS and pairs == SETS_PAIR:
        return True
    if meld_count > 1:
        return False
    if is_knitted_straight(a, b, c, h):
        return True
    if meld_count == 1:
        return False
    all_bits = a & b & c & h
    if all_bits & PAIRS:
        return True
    if a & _ORPHANS_ANY and b & _ORPHANS_ANY and c & _ORPHANS_ANY and h & _ORPHANS_ANY:
        return True
    return bool(h & KNITTED) and _has_permutation(a // KNITTED & 7, b // KNITTED & 7, c // KNITTED & 7)


@jit_part
def is_knitted_straight(a: int, b: int, c: int, h: int) -> bool:
    """Checks whether the suits contain a knitted straight, and the other tiles are sets and one pair."""
    if not (a & _STRAIGHT_ANY and b & _STRAIGHT_ANY and c & _STRAIGHT_ANY):
        return False
    a0, b0, c0 = a // STRAIGHT & 7, b // STRAIGHT & 7, c // STRAIGHT & 7
    if h & SETS_PAIR:
        return _has_permutation(a0, b0, c0)
    if not h & SETS:
        return False
    a1, b1, c1 = a // STRAIGHT_PAIR & 7, b // STRAIGHT_PAIR & 7, c // STRAIGHT_PAIR & 7
    return _has_permutation(a1, b0, c0) or _has_permutation(a0, b1, c0) or _has_permutation(a0, b0, c1)


@jit_part
def _has_permutation(a, b, c):
    """Checks whether three subsets of {0, 1, 2}, as bits, have a different member each."""
    for x in range(3):
        if a >> x & 1:
            for y in range(3):
                if y != x and b >> y & 1 and c >> (3 - x - y) & 1:
                    return True
    return False


@jit_part
def suits_that_may_complete(a: int, b: int, c: int, h: int, meld_count: int) -> int:
    """Returns the suits of which a tile may complete the hand, as bits 0..3: perhaps too many, never too few."""
    # Each shape is a lane of 16 bits in one number.
    lanes = np.uint64(a) | np.uint64(b) << np.uint64(16) | np.uint64(c) << np.uint64(32) | np.uint64(h) << np.uint64(48)
    lane_bits = _lanes_to_change(lanes, SETS | SETS_PAIR)
    if meld_count <= 1:
        lane_bits |= _lanes_to_change(lanes, _STRAIGHT_ANY)
        if meld_count == 0:
            lane_bits |= _lanes_to_change(lanes, PAIRS)
            lane_bits |= _lanes_to_change(lanes, KNITTED * 7)
            lane_bits |= _lanes_to_change(lanes, _ORPHANS_ANY)
    # The lowest bits of the four lanes, which are bits 0, 16, 32 and 48, become bits 0..3.
    lane_bits |= lane_bits >> np.uint64(30)
    return (lane_bits | lane_bits >> np.uint64(15)) & np.uint64(15)


@jit_part
def _lanes_to_change(lanes, bits):
    """Returns the lanes, by lowest bits, where one change can give each of four 16-bit lanes one of `bits`."""
    ones = np.uint64(0x0001000100010001)
    some = (lanes & np.uint64(bits) * ones) + np.uint64(0x7FFF) * ones
    without = ~(some >> np.uint64(15)) & ones
    if without == 0:
        return ones
    return without if without & (without - np.uint64(1)) == 0 else np.uint64(0)


@jit_part
def wins_with(game: np.void, shapes: Shapes, seat: int, tile: int, copies: int) -> bool:
    """Checks whether a seat's hand is complete with a tile.

    copies: 1 if the tile is another seat's and must be added, 0 if the seat has just drawn it.
    """
    suit = tile // 9
    shape = shapes.shape[find_row(shapes, suit, game.key[seat, suit] + copies * POWERS[tile])]
    return is_complete(
        shape if suit == 0 else game.shape[seat, 0], shape if suit == 1 else game.shape[seat, 1],
        shape if suit == 2 else game.shape[seat, 2], shape if suit == 3 else game.shape[seat, 3],
        game.meld_count[seat])


@jit
def fan_key(game: np.void, seat: int) -> tuple[np.uint64, np.uint64]:
    """Returns the key of the hand with which a seat wins now: two uint64, which fan_memo.py describes."""
    tile = np.int64(game.last_tile)
    first = second = np.int64(0)
    for suit in range(4):
        key = np.int64(game.key[seat, suit])
        if game.phase == TURN and tile // 9 == suit:
            key -= POWERS[tile]
        if suit < 3:
            first |= key << 21 * suit
        else:
            second |= key
    count = np.int64(game.meld_count[seat])
    for slot in range(count):
        second |= meld_bits(slot, game.meld[seat, slot, 0], np.int64(game.meld[seat, slot, 1]))
    flags = (game.phase == TURN) * SELF_DRAWN_FLAG
    flags |= is_fourth_tile(game.shown, game.last_tile) * FOURTH_TILE_FLAG
    flags |= (game.phase == ROB or (game.phase == TURN and game.after_kong != 0)) * ABOUT_KONG_FLAG
    flags |= is_last_tile(game.walls_left, game.turn) * LAST_TILE_FLAG
    second |= tile << TILE_SHIFT | np.int64(flags) << FLAG_SHIFT | table_bits(seat, game.wind, count)
    return np.uint64(first), np.uint64(second)


def fan_arguments(game: np.void, seat: int) -> tuple:
    """Returns the arguments of mahjong.fan.count_fan for a win of a seat now. game: one GAME row."""
    return read_key(*fan_key(game, seat))
