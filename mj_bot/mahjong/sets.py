"""Sets and a pair: how many tiles a hand lacks of them, and which.

A `hand` is bytes, its 34 counts; a collection of tile kinds is an int, kind t its bit 8 t, so that both line up. A hand
lacks what it lacks of the nearest tiles that make the sets and the pair with at most 4 copies of each.

A hand falls into four groups that share no set: three suits and the honours. What tiles can become is a collection of
(pairs 0..1, sets 0..4, missing tiles) triples, kept as one int: triple (p, s, m) is its bit 160 p + 16 s + m. So a
shift adds a pair, sets and missing tiles to all triples at once, and an or joins two collections. The ranks of a suit
are joined one after the other, and so are the groups of a hand. Neighbours do not mix: a triple that counts lacks 14
tiles at most, all that 4 sets and a pair have.
"""

import functools
import itertools

from .tile import COPIES

MAX_SETS = 4

_SET = 16
_PAIR = 10 * _SET
_MISSING_FIELD = (1 << _SET) - 1
# The bits of 0..4 sets with and without a pair; more of either is shifted out of them.
_VALID = ((1 << _SET * (MAX_SETS + 1)) - 1) * (1 + (1 << _PAIR))


def count_missing(hand, set_count):
    """Missing tiles, 0..14, of set_count (0..4) sets and a pair.

    >>> from mj_bot.mahjong.tile import parse_counts
    >>> count_missing(bytes(parse_counts("W12345 F11")), 2)
    1
    """
    reached = 1
    for table in _list_tables(hand):
        reached = _join(reached, table)
    return _lowest_missing(reached, _PAIR + _SET * set_count)


def find_missing(hand, set_count, missing):
    """The kinds that any way to set_count sets and a pair lacks if it lacks `missing` tiles.

    missing: the result of count_missing; if it is less, no kind comes back.

    >>> from mj_bot.mahjong.tile import TILE_NAMES, parse_counts
    >>> kinds = find_missing(bytes(parse_counts("W12345 F11")), 2, 1)
    >>> [name for tile, name in enumerate(TILE_NAMES) if kinds >> 8 * tile & 1]
    ['W3', 'W6']
    """
    goal = _PAIR + _SET * set_count + missing
    tables = _list_tables(hand)
    kinds = 0
    for index, group in enumerate(_split_groups(hand)):
        others = 1
        for table in tables[:index] + tables[index + 1:]:
            others = _join(others, table)
        wanted = 0
        for bit in tables[index]:
            if bit <= goal and others >> goal - bit & 1:
                wanted |= 1 << bit
        if wanted:
            kinds |= _find_missing_in_group(group, index < 3, wanted) << 8 * 9 * index
    return kinds


def _split_groups(hand):
    return hand[:9], hand[9:18], hand[18:27], hand[27:]


def _list_tables(hand):
    return [_tabulate(group, index < 3) for index, group in enumerate(_split_groups(hand))]


def _join(reached, table):
    """Every sum of a triple of the collection and a triple of the table."""
    joined = 0
    for bit in table:
        joined |= reached << bit
    return joined & _VALID


def _lowest_missing(reached, base):
    field = reached >> base & _MISSING_FIELD
    return (field & -field).bit_length() - 1


@functools.lru_cache(maxsize=1 << 16)
def _tabulate(group, has_chows):
    """The triples of a group with the fewest missing tiles, as bit numbers: 0..4 sets, then 0..4 sets and a pair."""
    reached = _reach(group, has_chows)[0]
    bases = [_PAIR * pairs + _SET * sets for pairs in range(2) for sets in range(MAX_SETS + 1)]
    return tuple([base + _lowest_missing(reached, base) for base in bases])


@functools.lru_cache(maxsize=1 << 14)
def _find_missing_in_group(group, has_chows, wanted):
    """The kinds that any way to one of the wanted triples lacks; the group's first kind is bit 0."""
    kinds = 0
    after = [wanted] + [0] * 8
    for rank in reversed(range(len(group))):
        before = _reach(group[:rank], has_chows)
        on_way = [0] * 9
        for source, moves in enumerate(_list_moves(group[:rank + 1], has_chows)):
            for target, shift in moves:
                triples = after[target] >> shift & before[source]
                if triples:
                    on_way[source] |= triples
                    if shift % _SET:
                        kinds |= 1 << 8 * rank
        after = on_way
    return kinds


@functools.lru_cache(maxsize=1 << 12)
def _reach(ranks, has_chows):
    """What the first ranks of a group can become: a collection for each state of its unfinished chows.

    State 3 x (chows begun at the last rank) + (chows begun at the rank before). Two chows of a kind are enough: three
    are three pungs. A tile of a chow is counted at its own rank, the chow where it begins; state 0 is finished.
    """
    if not ranks:
        return (1,) + (0,) * 8
    after = [0] * 9
    for triples, moves in zip(_reach(ranks[:-1], has_chows), _list_moves(ranks, has_chows)):
        if triples:
            for target, shift in moves:
                after[target] |= triples << shift
    return tuple([triples & _VALID for triples in after])


def _list_moves(ranks, has_chows):
    """For each state before the last of the ranks the moves over it: (state after it, shift of the triples)."""
    return _MOVES[has_chows and len(ranks) <= 7][ranks[-1]]


def _tabulate_moves(held, most_new):
    moves = [[] for _ in range(9)]
    for last, before, new in itertools.product(range(3), range(3), range(most_new + 1)):
        for pairs, pungs in ((0, 0), (1, 0), (0, 1)):
            used = last + before + new + 2 * pairs + 3 * pungs
            if used <= COPIES:
                shift = _PAIR * pairs + _SET * (new + pungs) + max(0, used - held)
                moves[3 * last + before].append((3 * new + last, shift))
    return moves


# By whether a chow can begin at the rank, and by the tiles held of it.
_MOVES = [[_tabulate_moves(held, most_new) for held in range(COPIES + 1)] for most_new in (0, 2)]
