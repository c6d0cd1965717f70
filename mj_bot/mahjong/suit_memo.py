"""Computes how many tiles one suit misses for sets and a pair, for interpreted code, and caches the results.

A suit of characters, bamboos or dots is given by the key that suit_tables.py describes, honours by their key +
_HONOURS. Goals are those of suit_tables.py, too.

What the tiles of a suit can become is a collection of triples (pairs, sets, missing tiles). The collection is one int:
triple (p, s, m) is its bit 160 p + 16 s + m. So a shift adds a pair, sets and missing tiles to all triples at once, and
an or joins two collections. At most 14 tiles are missing for four sets and a pair, so m always fits into its 16 bits.
The collections of a suit are computed from its ranks, one rank after another.

make_suit_key, write_missing and list_useful do what find_row, unpack_missing and read_useful of suit_tables.py do with
a table.
"""

import itertools
from functools import lru_cache
from typing import List, Tuple

from .rules import MAX_SETS
from .tile import COPIES

# No key of nine digits is as large.
_HONOURS = 5 ** 9
_SET = 16
_PAIR = 10 * _SET
# These are the bits of 0..4 sets with and without a pair. Triples with more sets or pairs are shifted out of them.
_VALID = ((1 << _SET * (MAX_SETS + 1)) - 1) * (1 + (1 << _PAIR))


def make_suit_key(table: None, suit: int, key: int) -> int:
    """Returns what the other functions take for a suit: its key, for honours + _HONOURS. suit: 0..3, 3 for honours."""
    return key + suit // 3 * _HONOURS


def write_missing(table: None, suit_key: int, missing: List[int]) -> None:
    """Writes how many tiles a suit misses for each goal into `missing`."""
    missing[:] = count_missing(suit_key)


@lru_cache(maxsize=1 << 16)
def count_missing(suit_key: int) -> Tuple[int, ...]:
    """Returns the fewest missing tiles of a suit for each of the 10 goals."""
    reached = _reach(*_read_suit(suit_key))[0]
    fields = [reached >> _SET * sets + _PAIR * pairs & (1 << _SET) - 1
              for sets in range(MAX_SETS + 1) for pairs in range(2)]
    return tuple([(field & -field).bit_length() - 1 for field in fields])


@lru_cache(maxsize=1 << 16)
def list_useful(table: None, suit_key: int, goal: int) -> int:
    """Returns the ranks of a suit whose tile lowers the missing tiles for a goal; bit r stands for rank r + 1."""
    missing = count_missing(suit_key)[goal]
    return sum([1 << rank for rank, count in enumerate(_read_suit(suit_key)[0])
                if count < COPIES and count_missing(suit_key + 5 ** rank)[goal] < missing])


def _read_suit(suit_key):
    """Returns (counts of the ranks, whether the suit has chows)."""
    has_chows = suit_key < _HONOURS
    return tuple([suit_key // 5 ** rank % 5 for rank in range(9 if has_chows else 7)]), has_chows


@lru_cache(maxsize=1 << 12)
def _reach(ranks, has_chows):
    """Returns what the first ranks of a suit can become, a tuple of 9 collections by the state of unfinished chows."""
    # A chow that needs tiles of later ranks is unfinished. The state is 3 x (chows begun at the last rank) + (chows
    # begun at the rank before), each at most 2: three equal chows are also three pungs. State 0 has no unfinished chow.
    # A chow counts as a set from the rank where it begins; each of its tiles counts at the tile's own rank.
    if not ranks:
        return (1,) + (0,) * 8
    after = [0] * 9
    for triples, moves in zip(_reach(ranks[:-1], has_chows), _MOVES[has_chows and len(ranks) <= 7][ranks[-1]]):
        if triples:
            for target, shift in moves:
                after[target] |= triples << shift
    return tuple([triples & _VALID for triples in after])


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
