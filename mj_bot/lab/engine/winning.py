"""Whether a hand is complete, from tables, and how many fan it counts, from MahjongGB's answers kept in fan_memo.py."""

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.compiled import is_fourth_tile, is_last_tile
from ...mahjong.suit_tables import (
    KNITTED, ORPHANS, ORPHANS_PAIR, PAIRS, POWERS, SETS, SETS_PAIR, STRAIGHT, STRAIGHT_PAIR, row,
)
from ...observation.fan_memo import (
    ABOUT_KONG, FLAG_SHIFT, FOURTH_TILE, LAST_TILE, SELF_DRAWN, TILE_SHIFT, find_fan, meld_bits, place_bits, read_key,
)
from ...observation.layout import ROB, TURN

_KNITTED_ANY = KNITTED * 7
_STRAIGHT_ANY = STRAIGHT * 7
_STRAIGHT_PAIR_ANY = STRAIGHT_PAIR * 7
_ORPHANS_ANY = ORPHANS | ORPHANS_PAIR


@jit
def is_complete(a, b, c, h, meld_count):
    """Whether a hand with these shape bits (three suits, honours) and its melds is a winning shape of 14 tiles."""
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
def is_knitted_straight(a, b, c, h):
    """Whether the suits hold a knitted straight and what remains are sets and one pair."""
    any_part = STRAIGHT * 7 | STRAIGHT_PAIR * 7
    if not (a & any_part and b & any_part and c & any_part):
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
    """Whether three sets of classes (3 bits each) have three different members."""
    for x in range(3):
        if a >> x & 1:
            for y in range(3):
                if y != x and b >> y & 1 and c >> (3 - x - y) & 1:
                    return True
    return False


@jit_part
def find_hope(a, b, c, h, meld_count):
    """Bits 0..3: the suits of which one tile might complete a hand with these shape bits; never wrongly unset."""
    # The four shapes side by side, 16 bits each.
    lanes = np.uint64(a) | np.uint64(b) << np.uint64(16) | np.uint64(c) << np.uint64(32) | np.uint64(h) << np.uint64(48)
    hope = _lanes_to_change(lanes, SETS | SETS_PAIR)
    if meld_count <= 1:
        hope |= _lanes_to_change(lanes, _STRAIGHT_ANY | _STRAIGHT_PAIR_ANY)
        if meld_count == 0:
            hope |= _lanes_to_change(lanes, PAIRS)
            hope |= _lanes_to_change(lanes, _KNITTED_ANY)
            hope |= _lanes_to_change(lanes, _ORPHANS_ANY)
    hope |= hope >> np.uint64(30)
    return (hope | hope >> np.uint64(15)) & np.uint64(15)


@jit_part
def _lanes_to_change(lanes, bits):
    """The lowest bit of all lanes where every one has some of the bits, of the one that has none where it is alone."""
    ones = np.uint64(0x0001000100010001)
    some = (lanes & np.uint64(bits) * ones) + np.uint64(0x7FFF) * ones
    lacking = ~(some >> np.uint64(15)) & ones
    if lacking == 0:
        return ones
    return lacking if lacking & (lacking - np.uint64(1)) == 0 else np.uint64(0)


@jit_part
def wins_with(game, shapes, seat, tile, copies):
    """Whether the hand of `seat`, with `copies` more of the tile than it has, is a winning shape.

    copies: 1 for another seat's tile, 0 for the tile just drawn.
    """
    suit = tile // 9
    shape = shapes.shape[row(shapes, suit, game.key[seat, suit] + copies * POWERS[tile])]
    return is_complete(
        shape if suit == 0 else game.shape[seat, 0], shape if suit == 1 else game.shape[seat, 1],
        shape if suit == 2 else game.shape[seat, 2], shape if suit == 3 else game.shape[seat, 3],
        game.meld_count[seat],
    )


@jit
def win_flags(game):
    """The flags of a win here, see fan_memo.py."""
    phase = game.phase
    flags = (phase == TURN) * SELF_DRAWN
    flags |= is_fourth_tile(game.shown, game.last_tile) * FOURTH_TILE
    flags |= (phase == ROB or (phase == TURN and game.after_kong != 0)) * ABOUT_KONG
    flags |= is_last_tile(game.wall_left, game.turn) * LAST_TILE
    return flags


@jit
def fan_key(game, seat):
    """The key, see fan_memo.py, of the hand with which `seat` wins here."""
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
    for place in range(count):
        second |= meld_bits(place, game.meld[seat, place, 0], np.int64(game.meld[seat, place, 1]))
    second |= tile << TILE_SHIFT | np.int64(win_flags(game)) << FLAG_SHIFT | place_bits(seat, game.wind, count)
    return np.uint64(first), np.uint64(second)


@jit_part
def known_fan(memo, game, seat):
    """Fans that `seat` counts if it wins here with its complete hand; UNKNOWN where no answer is kept, and noted."""
    first, second = fan_key(game, seat)
    return find_fan(memo, first, second)


def fan_arguments(game, seat):
    """Arguments of mahjong.fan.count_fan for a win of `seat` here; game: one GAME of a structured array."""
    return read_key(*fan_key(game, seat))
