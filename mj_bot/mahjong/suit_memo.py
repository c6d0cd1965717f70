"""Computes the missing tiles of one suit for sets and a pair, and caches them; for interpreted code.

What tiles can become is a collection of (pairs 0..1, sets 0..4, missing tiles) triples, stored as one int: triple
(p, s, m) is its bit 160 p + 16 s + m. So a shift adds a pair, sets and missing tiles to all triples at once, and an or
joins two collections. The ranks of a suit are joined one after the other. Neighbouring triples do not mix: 14 tiles at
most are missing for 4 sets and a pair.

A suit is its key, see suit_tables.py, or ~key for the honours.
"""

import itertools
from functools import lru_cache

from .rules import MAX_SETS
from .tile import COPIES

_SET = 16
_PAIR = 10 * _SET
# The bits of 0..4 sets with and without a pair; more of either is shifted out of them.
_VALID = ((1 << _SET * (MAX_SETS + 1)) - 1) * (1 + (1 << _PAIR))


@lru_cache(maxsize=1 << 16)
def count_missing(suit):
    """Returns the fewest tiles missing for m sets and p pairs, a tuple of 10 by 2 m + p.

    No tile is used more than four times.

    >>> count_missing(1 + 5 + 25)
    (0, 1, 0, 2, 3, 5, 6, 8, 9, 11)
    """
    reached = _reach(*_read_suit(suit))[0]
    fields = [reached >> _base(part) & (1 << _SET) - 1 for part in range(2 * MAX_SETS + 2)]
    return tuple([(field & -field).bit_length() - 1 for field in fields])


@lru_cache(maxsize=1 << 16)
def list_useful(suit, part):
    """Returns the ranks of the tiles that lower count_missing(suit)[part], bit r for rank r.

    >>> list_useful(1 + 5, 2)
    4
    """
    ranks, has_chows = _read_suit(suit)
    useful = 0
    after = [1 << _base(part) + count_missing(suit)[part]] + [0] * 8
    for rank in reversed(range(len(ranks))):
        before = _reach(ranks[:rank], has_chows)
        on_way = [0] * 9
        for source, moves in enumerate(_list_moves(ranks[:rank + 1], has_chows)):
            for target, shift in moves:
                triples = after[target] >> shift & before[source]
                if triples:
                    on_way[source] |= triples
                    if shift % _SET:
                        useful |= 1 << rank
        after = on_way
    return useful


def _read_suit(suit):
    """Returns (counts by rank, whether the suit has chows)."""
    key, size = (suit, 9) if suit >= 0 else (~suit, 7)
    return tuple([key // 5 ** rank % 5 for rank in range(size)]), size == 9


def _base(part):
    """Returns the bit of a part where no tile is missing."""
    return _PAIR * (part % 2) + _SET * (part // 2)


@lru_cache(maxsize=1 << 12)
def _reach(ranks, has_chows):
    """Returns what the first ranks of a suit can become: a collection for each state of its unfinished chows.

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
    """Returns the moves over the last rank from each state before it, a list of (state after it, shift)."""
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


# Indices: whether a chow can begin at the rank, and the copies of its tile.
_MOVES = [[_tabulate_moves(held, most_new) for held in range(COPIES + 1)] for most_new in (0, 2)]
