"""Shanten and useful tiles, for every winning shape.

A hand of 14 - 3 x melds concealed tiles wins in one of five shapes:

    regular              four sets and a pair, the melds among the sets
    knitted_straight     the 9 tiles of a knitted straight, a set (it may be the one meld) and a pair
    seven_pairs          seven pairs, no meld; four of a kind are two pairs
    thirteen_orphans     every terminal and honour, one of them twice, no meld
    honours_and_knitted  14 different tiles out of the 7 honours and the 9 of a knitted straight, no meld

A knitted straight is 147 of one suit, 258 of another and 369 of the third.

The missing tiles of a hand are the fewest that it lacks of any winning hand with at most 4 copies of each tile among
the concealed ones; shanten is one less. Of melds only the number counts: that tiles lie in them or on the table, and
cannot come again, is not seen here. A useful tile is one that lowers the shanten when it is drawn, never a fifth copy.

MahjongGB lets regular hands and knitted straights wait for fifth copies: W1111 T234 B567 F111 is ready to it and has
shanten 1 here. It matters only to hands that hold four of a kind: it may give those a lower shanten or more tiles.

Here a `hand` is bytes, the 34 counts, and a collection of tile kinds an int, kind t its bit 8 t, so that both line up.
"""

from .errors import InvalidHandError, MahjongError
from .sets import MAX_SETS, count_missing, find_missing
from .tile import FIRST_HONOUR, KNITTED_STRAIGHTS, TILE_COUNT, TILE_INDEX, check_counts

# Shanten where the melds rule a shape out; the farthest hand of all has 13.
UNREACHABLE = 99


def shanten(counts, meld_count=0, shape=None):
    """Fewest tile exchanges to a ready hand.

    counts: 34 ints, concealed tiles by kind, 13 or 14 less 3 a meld.
    meld_count: 0..4.
    shape: one of SHAPES, or None for the nearest of all of them.
    Returns int: -1 complete, 0 ready, n = n useful tiles short of ready; UNREACHABLE where melds rule the shape out.
    Raises InvalidHandError: wrong total, a fifth copy of a tile, wrong number of melds. Raises MahjongError: an unknown
        shape.
    Source: the definition above; compared with MahjongGB and with every winning hand one by one in the tests.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> shanten(parse_counts("W123456789 F11 J22")), shanten(parse_counts("W123456789 F11 J222"))
    (0, -1)
    >>> shanten(parse_counts("W1111 T2222 B3333 F1"), 0, "seven_pairs"), shanten(parse_counts("W1"), 4, "seven_pairs")
    (0, 99)
    """
    hand, melds = _parse_hand(counts, meld_count, (13, 14))
    return _least_missing(hand, melds, _parse_shape(shape)) - 1


def useful_tiles(counts, meld_count=0, shape=None):
    """(shanten, useful tiles) of a hand that is to draw.

    counts: 34 ints, 13 - 3 x meld_count in all.
    shape: one of SHAPES, or None for the nearest of all of them.
    Returns (int, list of tile 0..33 in order): none where the shape is UNREACHABLE, else one or more.
    Raises InvalidHandError: as shanten(). Raises MahjongError: an unknown shape.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> useful_tiles(parse_counts("W23456 F11"), 2)
    (0, [0, 3, 6])
    """
    hand, melds = _parse_hand(counts, meld_count, (13,))
    return _useful_tiles(hand, melds, _parse_shape(shape))


def discard_table(counts, meld_count=0, shape=None):
    """What each discard leaves: {tile: (shanten, useful tiles)}, in order of the tiles.

    counts: 34 ints, 14 - 3 x meld_count in all.
    shape: one of SHAPES, or None for the nearest of all of them.
    The tile discarded may be among the useful ones.
    Raises InvalidHandError: as shanten(). Raises MahjongError: an unknown shape.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> discard_table(parse_counts("W12 F11 J1"), 3)[31]
    (0, [2])
    """
    hand, melds = _parse_hand(counts, meld_count, (14,))
    shapes = _parse_shape(shape)
    return {
        tile: _useful_tiles(hand[:tile] + bytes((count - 1,)) + hand[tile + 1:], melds, shapes)
        for tile, count in enumerate(hand)
        if count
    }


def _parse_hand(counts, meld_count, full_sizes):
    """(counts as bytes, meld_count as int), once they are found right; full_sizes: totals where there is no meld."""
    if meld_count not in (0, 1, 2, 3, 4):
        raise InvalidHandError("expected 0..4 melds, got %r" % (meld_count,))
    check_counts(counts, [size - 3 * meld_count for size in full_sizes], " with %d melds" % meld_count)
    return bytes(list(counts)), int(meld_count)


def _parse_shape(name):
    if name is None:
        return SHAPES
    if name not in SHAPES:
        raise MahjongError("expected a shape, one of %s, got %r" % (", ".join(SHAPES), name))
    return (name,)


def _least_missing(hand, meld_count, shapes):
    least = UNREACHABLE + 1
    for shape in shapes:
        most_melds, limit_missing, _ = _SHAPE_RULES[shape]
        if meld_count <= most_melds:
            least = limit_missing(hand, meld_count, least)
    return least


def _useful_tiles(hand, meld_count, shapes):
    missing = _least_missing(hand, meld_count, shapes)
    kinds = 0
    for shape in shapes:
        most_melds, _, find_kinds = _SHAPE_RULES[shape]
        if meld_count <= most_melds:
            kinds |= find_kinds(hand, meld_count, missing)
    return missing - 1, [tile for tile, is_useful in enumerate(_as_hand(kinds)) if is_useful]


def _as_number(hand):
    return int.from_bytes(hand, "little")


def _as_hand(number):
    return number.to_bytes(TILE_COUNT, "little")


# For bytes.translate: 1 for one tile or more, 1 for two or more, the number of pairs.
_IS_HELD = bytes(min(count, 1) for count in range(256))
_IS_PAIR = bytes(min(count // 2, 1) for count in range(256))
_PAIR_COUNT = bytes(count // 2 for count in range(256))


def _held_kinds(hand):
    return _as_number(hand.translate(_IS_HELD))


def _odd_kinds(hand):
    return _as_number(hand) & _ALL_KINDS


def _join_kinds(tiles):
    return sum(1 << 8 * tile for tile in tiles)


def _count_kinds(kinds):
    return bin(kinds).count("1")


_ALL_KINDS = _join_kinds(range(TILE_COUNT))
_HONOURS = _join_kinds(range(FIRST_HONOUR, TILE_COUNT))
_ORPHANS = _HONOURS | _join_kinds(TILE_INDEX[name] for name in ("W1", "W9", "T1", "T9", "B1", "B9"))
_KNITTED_STRAIGHTS = tuple(_join_kinds(straight) for straight in KNITTED_STRAIGHTS)
_HONOURS_AND_KNITTED = tuple(straight | _HONOURS for straight in _KNITTED_STRAIGHTS)


# Two functions a shape: _x_missing(hand, meld_count, limit) is the number of tiles it lacks, or limit if that is less;
# _x_useful(hand, meld_count, missing) the useful kinds if it lacks `missing` tiles, none if it lacks more.

def _regular_missing(hand, meld_count, limit):
    return min(limit, count_missing(hand, MAX_SETS - meld_count))


def _regular_useful(hand, meld_count, missing):
    return find_missing(hand, MAX_SETS - meld_count, missing)


def _remove_straights(hand, limit):
    """(absent, rest, missing kinds) of each knitted straight that lacks at most limit tiles.

    The rest can be seen on its own, as no copy limit ties it to the straight: a set and a pair take 0, 1, 2, 3 or 5
    of a kind, so what keeps to 4 copies keeps to 3.
    """
    number, held = _as_number(hand), _held_kinds(hand)
    for straight in _KNITTED_STRAIGHTS:
        found = straight & held
        absent = 9 - _count_kinds(found)
        if absent <= limit:
            yield absent, _as_hand(number - found), straight - found


def _knitted_straight_missing(hand, meld_count, limit):
    # The nearest first: its result spares the others.
    for absent, rest, _ in sorted(_remove_straights(hand, limit - 1)):
        if absent < limit:
            limit = min(limit, absent + count_missing(rest, 1 - meld_count))
    return limit


def _knitted_straight_useful(hand, meld_count, missing):
    useful = 0
    for absent, rest, kinds in _remove_straights(hand, missing):
        if absent + count_missing(rest, 1 - meld_count) == missing:
            useful |= kinds | find_missing(rest, 1 - meld_count, missing - absent)
    return useful


def _seven_pairs_missing(hand, meld_count, limit):
    return min(limit, 7 - sum(hand.translate(_PAIR_COUNT)))


def _seven_pairs_useful(hand, meld_count, missing):
    return _odd_kinds(hand) if _seven_pairs_missing(hand, meld_count, UNREACHABLE) == missing else 0


def _thirteen_orphans_missing(hand, meld_count, limit):
    has_pair = _as_number(hand.translate(_IS_PAIR)) & _ORPHANS != 0
    return min(limit, 14 - _count_kinds(_held_kinds(hand) & _ORPHANS) - has_pair)


def _thirteen_orphans_useful(hand, meld_count, missing):
    absent = _ORPHANS & ~_held_kinds(hand)
    if _thirteen_orphans_missing(hand, meld_count, UNREACHABLE) != missing:
        return 0
    return absent if _count_kinds(absent) == missing else _ORPHANS


def _honours_and_knitted_missing(hand, meld_count, limit):
    held = _held_kinds(hand)
    return min(limit, 14 - max(_count_kinds(held & kinds) for kinds in _HONOURS_AND_KNITTED))


def _honours_and_knitted_useful(hand, meld_count, missing):
    held = _held_kinds(hand)
    useful = 0
    for kinds in _HONOURS_AND_KNITTED:
        if 14 - _count_kinds(held & kinds) == missing:
            useful |= kinds & ~held
    return useful


# Name: most melds, and the two functions. The regular shape first: its limit spares most knitted straights.
_SHAPE_RULES = {
    "regular": (4, _regular_missing, _regular_useful),
    "seven_pairs": (0, _seven_pairs_missing, _seven_pairs_useful),
    "thirteen_orphans": (0, _thirteen_orphans_missing, _thirteen_orphans_useful),
    "honours_and_knitted": (0, _honours_and_knitted_missing, _honours_and_knitted_useful),
    "knitted_straight": (1, _knitted_straight_missing, _knitted_straight_useful),
}
SHAPES = tuple(_SHAPE_RULES)
