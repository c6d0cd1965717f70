"""Wins, steps and useful tiles of hands with wild tiles, read from tables.py.

Steps are shanten with wild tiles: fewest tiles to exchange until one tile completes the hand; -1 complete, 0 ready.
keys: int32[4], the tiles of each suit that are not wild, in base 5. wilds: wild tiles beside them. sets: that are still
to come, 4 less the melds; keys and wilds are 3 sets + 1 or + 2 tiles.
"""

import numpy as np
from numba.extending import register_jitable

from ...mahjong.errors import InvalidHandError
from ...mahjong.tile import COPIES, TILE_COUNT
from ..engine.compile import jit, jit_part
from ..engine.tables import POWERS, row
from . import rules
from .rules import FULL_SETS, HAND_TILES
from .settings import DEFAULTS, RED_AND_WHITE, find_wild
from .tables import load_suits

is_seven_pairs = jit_part(rules.is_seven_pairs)
# Of find_times, which calls it.
register_jitable(rules.is_seven_pairs)
find_times = jit_part(rules.find_times)

_PAIRS = 7
_NIBBLE = np.uint64(15)


@jit_part
def is_complete(suits, keys, sets):
    """Whether a hand of 3 sets + 2 tiles is sets and the pair."""
    total, saved = 0, 0
    for suit in range(4):
        tight = suits.tight[row(suits, suit, keys[suit])]
        total += tight & 15
        saved = max(saved, np.int64(tight & 15) - np.int64(tight >> 4))
    return total - saved <= sets


@jit_part
def join(first, second):
    """Packed lacks of two parts of a hand together; as Suits.lack has them."""
    packed = np.uint64(0)
    for sets in range(FULL_SETS + 1):
        for pairs in range(2):
            packed |= np.uint64(find_lack(first, second, 2 * sets + pairs)) << np.uint64(4 * (2 * sets + pairs))
    return packed


@jit_part
def find_lack(first, second, part):
    """The least that two parts of a hand lack together of part // 2 sets and part % 2 pairs."""
    least = np.uint64(15)
    for own in range(part + 1):
        if own & 1 <= part & 1:
            lack = (first >> np.uint64(4 * own) & _NIBBLE) + (second >> np.uint64(4 * (part - own)) & _NIBBLE)
            least = min(least, lack)
    return np.int64(least)


@jit_part
def read_rests(suits, keys, rests):
    """Writes into rests, uint64[4], what the other three suits lack together, for each suit."""
    lacks = suits.lack
    characters, bamboos = lacks[row(suits, 0, keys[0])], lacks[row(suits, 1, keys[1])]
    dots, honours = lacks[row(suits, 2, keys[2])], lacks[row(suits, 3, keys[3])]
    low, high = join(characters, bamboos), join(dots, honours)
    rests[0], rests[1] = join(bamboos, high), join(characters, high)
    rests[2], rests[3] = join(low, honours), join(low, dots)


@jit_part
def lack_with(suits, keys, rests, tile, change, sets):
    """Tiles that the hand lacks, wild ones not counted, with `change` more tiles of a kind."""
    suit = tile // 9
    lack = suits.lack[row(suits, suit, keys[suit] + change * POWERS[tile])]
    return find_lack(lack, rests[suit], 2 * sets + 1)


@jit_part
def lack_pairs(pairs, odd):
    """Tiles that so many pairs and single tiles lack of seven pairs."""
    return 2 * _PAIRS - 2 * pairs - min(odd, _PAIRS - pairs)


@jit_part
def count_pairs(hand, wild):
    """(pairs, kinds held an odd number of times) of counts, wild tiles apart."""
    pairs, odd = 0, 0
    for tile in range(TILE_COUNT):
        if not wild >> tile & 1:
            pairs += hand[tile] >> 1
            odd += hand[tile] & 1
    return pairs, odd


@jit_part
def read_keys(hand, wild, keys):
    """Writes the keys of counts, uint8[34]; returns the number of wild tiles."""
    wilds = 0
    keys[:] = 0
    for tile in range(TILE_COUNT):
        if wild >> tile & 1:
            wilds += hand[tile]
        else:
            keys[tile // 9] += hand[tile] * POWERS[tile]
    return wilds


@jit
def read_steps(suits, has_pairs, hand, wild, sets, keys, rests, after):
    """Steps of a hand, and what each tile drawn makes of them.

    hand: uint8[34]. has_pairs: whether seven pairs win. keys, rests: int32[4], uint64[4] to work in.
    after: int8[34], written: steps with one more tile of each kind; they are lower where the tile is useful.
    """
    wilds = read_keys(hand, wild, keys)
    read_rests(suits, keys, rests)
    may_pair = has_pairs and sets == FULL_SETS
    pairs, odd = count_pairs(hand, wild)
    lack = lack_with(suits, keys, rests, 0, 0, sets)
    if may_pair:
        lack = min(lack, lack_pairs(pairs, odd))
    for tile in range(TILE_COUNT):
        after[tile] = lack - wilds - 1
        if wild >> tile & 1:
            after[tile] = max(-1, lack - wilds - 2)
        elif hand[tile] < COPIES:
            more = lack_with(suits, keys, rests, tile, 1, sets)
            if may_pair:
                is_odd = hand[tile] & 1
                more = min(more, lack_pairs(pairs + is_odd, odd + 1 - 2 * is_odd))
            after[tile] = max(-1, more - wilds - 1)
    return lack - wilds - 1


def count_steps(counts, meld_count=0, settings=DEFAULTS, wild=None):
    """(steps, list of the useful tiles) of one hand.

    counts: 34 tiles by kind, wild ones too, 13 or 14 less 3 a meld. wild: bit t set where tile t is wild; None for what
    the settings say.
    Raises InvalidHandError: a wrong total, or a fifth copy.

    >>> from ...mahjong.tile import parse_counts
    >>> count_steps(parse_counts("W12399 T123789 B45"))
    (0, [20, 23, 31, 33])
    """
    hand = np.array(counts, np.uint8)
    size = int(hand.sum()) + 3 * meld_count
    if hand.shape != (TILE_COUNT,) or hand.max() > COPIES or size not in (HAND_TILES, HAND_TILES + 1):
        raise InvalidHandError("expected counts of 13 or 14 tiles with the melds, at most 4 of a kind, got %r with %d "
                               "melds" % (list(counts), meld_count))
    if wild is None:
        assert settings.wild <= RED_AND_WHITE, "a turned wild tile has to be given"
        wild = find_wild(settings, 0)
    after = np.zeros(TILE_COUNT, np.int8)
    steps = read_steps(load_suits(), settings.seven_pairs, hand, wild, FULL_SETS - meld_count,
                       np.zeros(4, np.int32), np.zeros(4, np.uint64), after)
    return int(steps), np.flatnonzero(after < steps).tolist()
