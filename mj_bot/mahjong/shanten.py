"""Counts the shanten and lists the useful tiles of one hand, for each winning shape.

A hand of 14 - 3 x melds concealed tiles wins in one of five shapes:

    regular              four sets and a pair, the melds among the sets
    knitted_straight     the 9 tiles of a knitted straight, a set (it may be the one meld) and a pair
    seven_pairs          seven pairs, no meld; four of a kind are two pairs
    thirteen_orphans     every terminal and honour, one of them twice, no meld
    honours_and_knitted  14 different tiles out of the 7 honours and the 9 of a knitted straight, no meld

A knitted straight is 147 of one suit, 258 of another and 369 of the third.

Missing tiles: distance to the nearest winning hand with at most 4 copies of each tile among the concealed ones; shanten
is one less. Of melds only the number counts, not their tiles. A useful tile lowers the shanten when it is drawn, and is
no fifth copy.

MahjongGB lets regular hands and knitted straights wait for fifth copies: W1111 T234 B567 F111 is ready there and has
shanten 1 here. Only hands with four of a kind differ: they may have lower shanten or more tiles there.
"""

import numpy as np

from .errors import InvalidHandError, MahjongError
from .shanten_tables import SHAPES, discard_batch, least_batch, shanten_batch, unpack_tiles
from .tile import COPIES, TILE_COUNT


def shanten(counts, meld_count=0, shape=None):
    """Returns the fewest tile exchanges to a ready hand, an int.

    -1 is a complete hand, 0 a ready hand; n is n useful tiles short of ready, UNREACHABLE a shape ruled out by melds.
    counts: 34 ints, concealed tiles by kind, 13 or 14 less 3 for each meld.
    meld_count: 0..4.
    shape: one of SHAPES, or None for the nearest of all of them.
    Raises InvalidHandError: wrong total, a fifth copy of a tile, wrong number of melds. MahjongError: an unknown shape.
    Source: the definition above; compared with MahjongGB and with every winning hand one by one in the tests.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> shanten(parse_counts("W123456789 F11 J22")), shanten(parse_counts("W123456789 F11 J222"))
    (0, -1)
    >>> shanten(parse_counts("W1111 T2222 B3333 F1"), 0, "seven_pairs"), shanten(parse_counts("W1"), 4, "seven_pairs")
    (0, 99)
    """
    return _solve(_read_hand(counts, meld_count, (13, 14)), meld_count, shape)[0]


def useful_tiles(counts, meld_count=0, shape=None):
    """Returns (shanten, useful tiles) of a hand that is to draw; the tiles are a list of 0..33 in order.

    The list is empty where the shape is UNREACHABLE; else it has one tile or more.
    counts: 34 ints, 13 - 3 x meld_count in all.
    shape: one of SHAPES, or None for the nearest of all of them.
    Raises InvalidHandError: wrong total, a fifth copy of a tile, wrong number of melds. MahjongError: an unknown shape.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> useful_tiles(parse_counts("W23456 F11"), 2)
    (0, [0, 3, 6])
    """
    return _solve(_read_hand(counts, meld_count, (13,)), meld_count, shape)


def discard_table(counts, meld_count=0):
    """Returns {tile: (shanten, useful tiles)} after each discard, in order of the tiles, for the nearest of all shapes.

    The discarded tile may be among the useful ones.
    counts: 34 ints, 14 - 3 x meld_count in all.
    Raises InvalidHandError: wrong total, a fifth copy of a tile, wrong number of melds.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> discard_table(parse_counts("W12 F11 J1"), 3)[31]
    (0, [2])
    """
    hand = _read_hand(counts, meld_count, (14,))
    shanten, useful = discard_batch(hand[None], [meld_count])
    return {tile: (int(shanten[0, tile]), _list_tiles(useful[0, tile])) for tile in np.flatnonzero(hand).tolist()}


def _read_hand(counts, meld_count, full_sizes):
    """Returns the counts as int64[34]. full_sizes: the totals that a hand without melds may have."""
    if meld_count not in (0, 1, 2, 3, 4):
        raise InvalidHandError("expected 0..4 melds, got %r" % (meld_count,))
    if len(counts) != TILE_COUNT or not all(0 <= count <= COPIES for count in counts):
        raise InvalidHandError("expected 0..4 copies of 34 kinds, got %r" % (counts,))
    sizes = [size - 3 * meld_count for size in full_sizes]
    if sum(counts) not in sizes:
        raise InvalidHandError("expected %s tiles, got %d with %d melds" % (
            " or ".join(map(str, sizes)), sum(counts), meld_count))
    return np.array(list(counts), np.int64)


def _solve(hand, meld_count, shape):
    """Returns (shanten, list of useful tiles) of a hand, for one shape or for the nearest."""
    if shape is None:
        least, tiles = least_batch(hand[None], [meld_count])
    elif shape in SHAPES:
        least, tiles = (by_shape[:, SHAPES.index(shape)] for by_shape in shanten_batch(hand[None], [meld_count]))
    else:
        raise MahjongError("expected a shape, one of %s, got %r" % (", ".join(SHAPES), shape))
    return int(least[0]), _list_tiles(tiles[0])


def _list_tiles(tiles):
    return np.flatnonzero(unpack_tiles(tiles)).tolist()
