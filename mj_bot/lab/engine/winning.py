"""Whether a hand is complete, from tables, and how many fan it counts, from MahjongGB's answers kept by position.

Compiled code cannot call MahjongGB: where the count of a complete hand is not known, it notes a request and leaves the
game waiting; the Engine answers the notes from Python, and the game goes on. A hand with everything its fans
depend on fits into 126 bits, which is the key of the kept answer: no two hands share one.
"""

import numpy as np

from ...mahjong.meld import make_pack
from ...mahjong.tile import TILE_NAMES, list_tiles
from ...observation.layout import CHOW, CONCEALED_KONG, PUNG, ROB, TURN
from .compile import jit, jit_part
from .games import UNKNOWN
from .legality import is_fourth_tile, is_last_tile
from .tables import KNITTED, ORPHANS, ORPHANS_PAIR, PAIRS, POWERS, SETS, SETS_PAIR, STRAIGHT, STRAIGHT_PAIR, row

# Answers kept, an open hash table; free places have the fan UNKNOWN.
ANSWER = np.dtype([("key", np.uint64, (2,)), ("fan", np.int16)], align=True)
_KNITTED_ANY = KNITTED * 7
_STRAIGHT_ANY = STRAIGHT * 7
_STRAIGHT_PAIR_ANY = STRAIGHT_PAIR * 7
_ORPHANS_ANY = ORPHANS | ORPHANS_PAIR
# The byte of no meld in a key.
NO_MELD = 255
_PACK_TYPES = {CHOW: "CHI", PUNG: "PENG"}


def make_memo(capacity):
    """An empty ANSWER[capacity]; capacity: a power of two, at least twice the answers it shall hold."""
    memo = np.zeros(capacity, ANSWER)
    memo["fan"] = UNKNOWN
    return memo


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
    """Bits of the fan flags of a win here: 1 self-drawn, 2 fourth tile, 4 about a kong, 8 last tile."""
    phase = game.phase
    flags = (phase == TURN) * 1
    flags |= is_fourth_tile(game.shown, game.last_tile) * 2
    flags |= (phase == ROB or (phase == TURN and game.after_kong != 0)) * 4
    flags |= is_last_tile(game.wall_left, game.turn) * 8
    return flags


@jit_part
def fan_key(game, seat):
    """The 126 bits that the fans of `seat` depend on if it wins here, as two uint64."""
    tile = game.last_tile
    first = np.uint64(0)
    for suit in range(3):
        key = game.key[seat, suit]
        if game.phase == TURN and tile // 9 == suit:
            key -= POWERS[tile]
        first |= np.uint64(key) << np.uint64(21 * suit)
    key = game.key[seat, 3]
    if game.phase == TURN and tile >= 27:
        key -= POWERS[tile]
    second = key | tile << 17 | win_flags(game) << 23 | seat << 27 | game.wind << 29
    for place in range(4):
        code = NO_MELD
        if place < game.meld_count[seat]:
            code = meld_code(game.meld[seat, place, 0], np.int64(game.meld[seat, place, 1]))
        second |= code << (31 + 8 * place)
    return first, np.uint64(second)


@jit_part
def meld_code(kind, tile):
    """The byte of a meld in a key."""
    if kind == CHOW:
        return tile
    return tile | (192 if kind == CONCEALED_KONG else 64 if kind == PUNG else 128)


@jit_part
def find_slot(memo, first, second):
    """Where a key of fan_key stands in the memo, or the free place where it belongs."""
    mask = np.uint64(len(memo) - 1)
    mixed = (first ^ (second * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
    at = (mixed >> np.uint64(29)) & mask
    while memo[at].fan != UNKNOWN and (memo[at].key[0] != first or memo[at].key[1] != second):
        at = (at + np.uint64(1)) & mask
    return at


@jit_part
def known_fan(memo, game, seat):
    """Fans that `seat` counts if it wins here with its complete hand; UNKNOWN where no answer is kept."""
    first, second = fan_key(game, seat)
    return memo[find_slot(memo, first, second)].fan


@jit_part
def keep_fan(memo, game, seat, fan):
    """Keeps MahjongGB's answer."""
    first, second = fan_key(game, seat)
    answer = memo[find_slot(memo, first, second)]
    answer.key[0] = first
    answer.key[1] = second
    answer.fan = fan


def fan_arguments(game, seat):
    """Arguments of mahjong.fan.count_fan for a win of `seat` here; game: one GAME of a structured array."""
    flags = int(win_flags(game))
    tile = int(game["last_tile"])
    counts = game["hand"][seat].tolist()
    if flags & 1:
        counts[tile] -= 1
    melds = game["meld"][seat, :game["meld_count"][seat]].tolist()
    pack = tuple([make_pack(_PACK_TYPES.get(kind, "GANG"), middle, claimed, giver, seat)
                  for kind, middle, claimed, giver, _ in melds])
    return (pack, tuple(list_tiles(counts)), TILE_NAMES[tile], 0, bool(flags & 1), bool(flags & 2), bool(flags & 4),
            bool(flags & 8), seat, int(game["wind"]))
