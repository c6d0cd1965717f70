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

The functions take list[34], the copies of each concealed tile, and the number of melds. They raise InvalidHandError
where the number of tiles or melds is wrong or a tile has a fifth copy.

>>> from mj_bot.mahjong.tile import parse_counts
>>> shanten(parse_counts("W123456789 F11 J22")), shanten(parse_counts("W123456789 F11 J222"))
(0, -1)
>>> useful_tiles(parse_counts("W23456 F11"), 2), discard_table(parse_counts("W12 F11 J1"), 3)[31]
((0, [0, 3, 6]), (0, [2]))
"""

from typing import Dict, List, Sequence, Tuple

import numpy as np

from .shanten_tables import discard_batch, least_batch, unpack_tiles


def shanten(counts: Sequence[int], meld_count: int = 0) -> int:
    """Returns how many tiles a hand of 13 or 14 less 3 a meld must exchange to become ready; -1 for a complete hand."""
    return int(least_batch([counts], [meld_count])[0][0])


def useful_tiles(counts: Sequence[int], meld_count: int = 0) -> Tuple[int, List[int]]:
    """Returns (shanten, useful tiles 0..33 in order) of a hand that is to draw, 13 tiles less 3 a meld."""
    least, tiles = least_batch([counts], [meld_count])
    return int(least[0]), _list_tiles(tiles[0])


def discard_table(counts: Sequence[int], meld_count: int = 0) -> Dict[int, Tuple[int, List[int]]]:
    """Returns {discard: (shanten, useful tiles)} of a hand of 14 tiles less 3 a meld, in order of the tiles."""
    least, useful = discard_batch([counts], [meld_count])
    return {tile: (int(least[0, tile]), _list_tiles(useful[0, tile])) for tile, count in enumerate(counts) if count}


def _list_tiles(tiles):
    """Returns the tiles 0..33 of a set in which bit t stands for tile t."""
    return np.flatnonzero(unpack_tiles(tiles)).tolist()
