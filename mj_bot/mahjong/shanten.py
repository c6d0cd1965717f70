"""Computes the shanten and the useful tiles of one hand.

A hand of 14 - 3 x melds concealed tiles wins in one of five shapes:

    regular              four sets and a pair, the melds among the sets
    knitted_straight     the 9 tiles of a knitted straight, a set (it may be the one meld) and a pair
    seven_pairs          seven pairs, no meld; four of a kind are two pairs
    thirteen_orphans     every terminal and honour, one of them twice, no meld
    honours_and_knitted  14 different tiles out of the 7 honours and the 9 of a knitted straight, no meld

A knitted straight is 147 of one suit, 258 of another and 369 of the third.

The missing tiles of a hand are the tiles that must be exchanged to make it the nearest winning hand. The winning hand
may have at most four concealed copies of a tile. The shanten is the number of missing tiles less one. The tiles of
melds do not matter, only how many melds there are. A tile is useful if drawing it lowers the shanten and it is no fifth
copy.

MahjongGB also computes shanten, but lets regular hands and knitted straights wait for fifth copies: it takes
W1111 T234 B567 F111 for ready, which has shanten 1 here. So for hands with four copies of a tile MahjongGB may return a
lower shanten or more useful tiles.

The functions take list[34], the copies of each concealed tile. They raise InvalidHandError where the number of tiles or
melds is wrong or a tile has a fifth copy, and MahjongError for an unknown shape. `shape` is one of the names above, or
None for the nearest of all. Melds may rule a shape out: then the shanten is 99, and no tile is useful.

>>> from mj_bot.mahjong.tile import parse_counts
>>> shanten(parse_counts("W123456789 F11 J22")), shanten(parse_counts("W123456789 F11 J222"))
(0, -1)
>>> shanten(parse_counts("W1111 T2222 B3333 F1"), 0, "seven_pairs"), shanten(parse_counts("W1"), 4, "seven_pairs")
(0, 99)
>>> useful_tiles(parse_counts("W23456 F11"), 2), discard_table(parse_counts("W12 F11 J1"), 3)[31]
((0, [0, 3, 6]), (0, [2]))
"""

from typing import Dict, List, Optional, Sequence, Tuple

import numpy as np

from .errors import InvalidHandError, MahjongError
from .shanten_tables import SHAPES, discard_batch, least_batch, shanten_batch, unpack_tiles
from .tile import COPIES, TILE_COUNT


def shanten(counts: Sequence[int], meld_count: int = 0, shape: Optional[str] = None) -> int:
    """Returns how many tiles a hand of 13 or 14 less 3 a meld must exchange to become ready; -1 for a complete hand."""
    return _solve(_read_hand(counts, meld_count, (13, 14)), meld_count, shape)[0]


def useful_tiles(counts: Sequence[int], meld_count: int = 0, shape: Optional[str] = None) -> Tuple[int, List[int]]:
    """Returns (shanten, useful tiles 0..33 in order) of a hand that is to draw, 13 tiles less 3 a meld."""
    return _solve(_read_hand(counts, meld_count, (13,)), meld_count, shape)


def discard_table(counts: Sequence[int], meld_count: int = 0) -> Dict[int, Tuple[int, List[int]]]:
    """Returns {discard: (shanten, useful tiles)} of a hand of 14 tiles less 3 a meld, in order of the tiles."""
    hand = _read_hand(counts, meld_count, (14,))
    shanten, useful = discard_batch(hand[None], [meld_count])
    return {tile: (int(shanten[0, tile]), _list_tiles(useful[0, tile])) for tile in np.flatnonzero(hand).tolist()}


def _read_hand(counts, meld_count, full_sizes):
    """Returns the counts as int64[34] after checks. full_sizes: how many tiles a hand without melds may have."""
    if meld_count not in (0, 1, 2, 3, 4):
        raise InvalidHandError("expected 0..4 melds, got %r", meld_count)
    if len(counts) != TILE_COUNT or not all(0 <= count <= COPIES for count in counts):
        raise InvalidHandError("expected 0..4 copies of 34 kinds, got %r", counts)
    sizes = [size - 3 * meld_count for size in full_sizes]
    if sum(counts) not in sizes:
        raise InvalidHandError("expected %s tiles, got %d with %d melds", " or ".join(map(str, sizes)), sum(counts),
                               meld_count)
    return np.array(list(counts), np.int64)


def _solve(hand, meld_count, shape):
    """Returns (shanten, list of useful tiles) of a hand, for one shape or for the nearest."""
    if shape is None:
        least, tiles = least_batch(hand[None], [meld_count])
    elif shape in SHAPES:
        least, tiles = (by_shape[:, SHAPES.index(shape)] for by_shape in shanten_batch(hand[None], [meld_count]))
    else:
        raise MahjongError("expected a shape, one of %s, got %r", ", ".join(SHAPES), shape)
    return int(least[0]), _list_tiles(tiles[0])


def _list_tiles(tiles):
    """Returns the tiles 0..33 of a set in which bit t stands for tile t."""
    return np.flatnonzero(unpack_tiles(tiles)).tolist()
