"""The 34 kinds of tile and the 8 flowers: names "W1".."J3", indices 0..33, suits.

A `tile` is an index 0..33, a `tile_name` its Botzone name, `counts` a list of 34 numbers, copies by kind.
Order: characters W1-9 (0..8), bamboos T1-9 (9..17), dots B1-9 (18..26), winds F1-4 (27..30, east south west
north), dragons J1-3 (31..33, red green white). Flowers H1-8 have names only.
"""

from itertools import permutations

from .errors import InvalidTileError

SUITS = "WTB"
TILE_NAMES = tuple([suit + rank for suit in SUITS for rank in "123456789"] + "F1 F2 F3 F4 J1 J2 J3".split())
TILE_COUNT = len(TILE_NAMES)
TILE_INDEX = {name: tile for tile, name in enumerate(TILE_NAMES)}
FLOWER_NAMES = tuple("H%d" % rank for rank in range(1, 9))
FIRST_HONOUR = 27
FIRST_DRAGON = 31
COPIES = 4
# The six knitted straights, nine tiles each: 1 4 7 of one suit, 2 5 8 of another, 3 6 9 of the third.
KNITTED_STRAIGHTS = tuple(
    tuple(9 * suit + first + step for first, suit in enumerate(suits) for step in (0, 3, 6))
    for suits in permutations(range(3))
)


def parse_tile(tile_name, where=""):
    """Returns the index 0..33 of a tile name.

    where: text that an error ends with, the place the name came from.
    Raises InvalidTileError: any other text, also a flower.

    >>> parse_tile("W1"), parse_tile("J3")
    (0, 33)
    """
    try:
        return TILE_INDEX[tile_name]
    except (KeyError, TypeError):
        raise InvalidTileError("expected a tile, W1-W9 T1-T9 B1-B9 F1-F4 J1-J3, got %.40r%s"
                               % (tile_name, where)) from None


def count_tiles(tile_names):
    """Returns the counts, a list of 34 ints, of some tile names.

    Raises InvalidTileError: an unknown name, or a fifth copy of one.
    """
    counts = [0] * TILE_COUNT
    for name in tile_names:
        tile = parse_tile(name)
        counts[tile] += 1
        if counts[tile] > COPIES:
            raise InvalidTileError("expected at most 4 copies of a tile, got a fifth %s" % name)
    return counts


def parse_counts(text):
    """Returns the counts, a list of 34 ints, of a hand written by suit, ranks after the letter.

    Raises InvalidTileError: an unknown letter or rank, or a fifth copy.

    >>> sum(parse_counts("W123456789 F11 J22"))
    13
    """
    return count_tiles(group[0] + rank for group in text.split() for rank in group[1:])


def list_tiles(counts):
    """Returns the tile names of counts, in index order, one for each copy.

    >>> list_tiles(parse_counts("T11 W9"))
    ['W9', 'T1', 'T1']
    """
    return [name for name, count in zip(TILE_NAMES, counts) if count for _ in range(count)]
