"""Computes how many tiles one suit misses for sets and a pair, for interpreted code, and caches the results.

A suit of characters, bamboos or dots is given by its key: its nine counts as digits in base 5, the count of rank 1
lowest. Honours have seven digits and are given by ~key.

A goal is a number of sets 0..4 and of pairs 0..1 that a suit is to become. Its index is 2 x sets + pairs.

What the tiles of a suit can become is a collection of triples (pairs, sets, missing tiles). The collection is one int:
triple (p, s, m) is its bit 160 p + 16 s + m. So a shift adds a pair, sets and missing tiles to all triples at once, and
an or joins two collections. At most 14 tiles are missing for four sets and a pair, so m always fits into its 16 bits.
The collections of a suit are computed from its ranks, one rank after another.

make_suit_key, compute_all_missing, compute_missing and find_useful do what find_row, unpack_missing, read_missing
and read_useful of suit_tables.py do with a table.
"""

import itertools
from functools import lru_cache
from typing import List, Tuple

from .rules import MAX_SETS
from .tile import COPIES

_SET = 16
_PAIR = 10 * _SET
# These are the bits of 0..4 sets with and without a pair. Triples with more sets or pairs are shifted out of them.
_VALID = ((1 << _SET * (MAX_SETS + 1)) - 1) * (1 + (1 << _PAIR))


@lru_cache(maxsize=1 << 16)
def count_missing(suit: int) -> Tuple[int, ...]:
    """Returns the fewest missing tiles of a suit for each of the 10 goals. suit: key of the suit, ~key for honours."""
    reached = _reach(*_read_suit(suit))[0]
    fields = [reached >> _base(goal) & (1 << _SET) - 1 for goal in range(2 * MAX_SETS + 2)]
    return tuple([(field & -field).bit_length() - 1 for field in fields])


@lru_cache(maxsize=1 << 16)
def list_useful(suit: int, goal: int) -> int:
    """Returns the ranks of the tiles that lower what a suit misses for a goal; bit r stands for rank r + 1.

    suit: key of the suit, ~key for honours.
    goal: 2 x sets + pairs.

    >>> list_useful(1 + 5, 2)
    4
    """
    ranks, has_chows = _read_suit(suit)
    useful = 0
    after = [1 << _base(goal) + count_missing(suit)[goal]] + [0] * 8
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


def make_suit_key(table: None, suit: int, key: int) -> int:
    """Returns what the functions below take for a suit: its key, ~key for honours. suit: 0..3, 3 for honours."""
    return key if suit < 3 else ~key


def compute_all_missing(table: None, row: int, missing: List[int]) -> None:
    """Writes how many tiles a suit misses for each goal into `missing`."""
    missing[:] = count_missing(row)


def compute_missing(table: None, row: int, goal: int) -> int:
    """Returns how many tiles a suit misses for a goal."""
    return count_missing(row)[goal]


def find_useful(table: None, row: int, goal: int) -> int:
    """Returns the ranks of a suit whose tile lowers the missing tiles for a goal; bit r stands for rank r + 1."""
    return list_useful(row, goal)


def _read_suit(suit):
    """Returns (counts of the ranks, whether the suit has chows) of a key, or of ~key for honours."""
    key, size = (suit, 9) if suit >= 0 else (~suit, 7)
    return tuple([key // 5 ** rank % 5 for rank in range(size)]), size == 9


def _base(goal):
    """Returns the bit of the triple with the sets and pairs of a goal and no missing tile."""
    return _PAIR * (goal % 2) + _SET * (goal // 2)


@lru_cache(maxsize=1 << 12)
def _reach(ranks, has_chows):
    """Returns what the first ranks of a suit can become, a tuple of 9 collections by the state of unfinished chows."""
    # A chow that needs tiles of later ranks is unfinished. The state is 3 x (chows begun at the last rank) + (chows
    # begun at the rank before), each at most 2: three equal chows are also three pungs. State 0 has no unfinished chow.
    # A chow counts as a set from the rank where it begins; each of its tiles counts at the tile's own rank.
    if not ranks:
        return (1,) + (0,) * 8
    after = [0] * 9
    for triples, moves in zip(_reach(ranks[:-1], has_chows), _list_moves(ranks, has_chows)):
        if triples:
            for target, shift in moves:
                after[target] |= triples << shift
    return tuple([triples & _VALID for triples in after])


def _list_moves(ranks, has_chows):
    """Returns [(state after, shift)] for each state before the last of some ranks; a shift adds to all triples."""
    return _MOVES[has_chows and len(ranks) <= 7][ranks[-1]]


def _tabulate_moves(held, most_new):
    """Returns the moves over a rank: for each of the 9 states before it a list of (state after it, shift)."""
    moves = [[] for _ in range(9)]
    for last, before, new in itertools.product(range(3), range(3), range(most_new + 1)):
        for pairs, pungs in ((0, 0), (1, 0), (0, 1)):
            used = last + before + new + 2 * pairs + 3 * pungs
            if used <= COPIES:
                shift = _PAIR * pairs + _SET * (new + pungs) + max(0, used - held)
                moves[3 * last + before].append((3 * new + last, shift))
    return moves


# The two indices are: whether a chow can begin at the rank, and the copies of the rank's tile in hand.
_MOVES = [[_tabulate_moves(held, most_new) for held in range(COPIES + 1)] for most_new in (0, 2)]
