"""Names the 34 different tiles and the 8 flowers, and converts tiles between names, indices and counts.

In the whole package a `tile` is an index 0..33, a `tile_name` is Botzone's name of it ("W1".."J3"), and `counts` is a
list of 34 ints: how many copies of each tile there are. The indices are in this order:

    0..8    W1-W9  characters
    9..17   T1-T9  bamboos
    18..26  B1-B9  dots
    27..30  F1-F4  winds: east, south, west, north
    31..33  J1-J3  dragons: red, green, white

Flowers H1-H8 have names but no index.

>>> parse_tile("J3"), list_tiles(parse_counts("T11 W9"))
(33, ['W9', 'T1', 'T1'])
"""

from itertools import permutations
from typing import Iterable, List, Sequence

from .errors import InvalidTileError

SUITS = "WTB"
TILE_NAMES = tuple([suit + rank for suit in SUITS for rank in "123456789"] + "F1 F2 F3 F4 J1 J2 J3".split())
TILE_COUNT = len(TILE_NAMES)
TILE_INDEX = {name: tile for tile, name in enumerate(TILE_NAMES)}
FLOWER_NAMES = tuple("H%d" % rank for rank in range(1, 9))
FIRST_HONOUR = 27
FIRST_DRAGON = 31
COPIES = 4
# There are six knitted straights of nine tiles: 1 4 7 of one suit, 2 5 8 of another, 3 6 9 of the third.
KNITTED_STRAIGHTS = tuple(
    tuple(9 * suit + first + step for first, suit in enumerate(suits) for step in (0, 3, 6))
    for suits in permutations(range(3))
)


def parse_tile(tile_name: str, where: object = "") -> int:
    """Returns the index 0..33 of a tile name. Raises InvalidTileError: the text is no tile name, or a flower.

    where: text or Message at the end of an error, which says where the name came from.
    """
    try:
        return TILE_INDEX[tile_name]
    except (KeyError, TypeError):
        raise InvalidTileError("expected a tile, W1-W9 T1-T9 B1-B9 F1-F4 J1-J3, got %.40r%s", tile_name,
                               where) from None


def count_tiles(tile_names: Iterable[str]) -> List[int]:
    """Returns how many copies of each of the 34 tiles some tile names contain.

    Raises InvalidTileError: a name is unknown, or occurs for the fifth time.
    """
    counts = [0] * TILE_COUNT
    for name in tile_names:
        tile = parse_tile(name)
        counts[tile] += 1
        if counts[tile] > COPIES:
            raise InvalidTileError("expected at most 4 copies of a tile, got a fifth %s", name)
    return counts


def parse_counts(text: str) -> List[int]:
    """Returns list[34] of a text such as "W123 F11". Raises InvalidTileError: a wrong letter, rank or fifth copy."""
    return count_tiles(group[0] + rank for group in text.split() for rank in group[1:])


def list_tiles(counts: Sequence[int]) -> List[str]:
    """Returns the tile names of a hand, list[34], in the order of the indices, one name for each copy."""
    return [name for name, count in zip(TILE_NAMES, counts) if count for _ in range(count)]
