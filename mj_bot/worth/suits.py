"""The rows of one suit summed up by what a pattern asks of a suit, as polynomials.

A polynomial in the number of sets (0..4) and pairs (0..1) is float64[..., 5, 2], the last axes sets and pairs.
"""

import numpy as np

from .rows import CHOWS, IS_PURE, MAX_SETS, RANKS, ROWS, SLOTS

# What a sum is over, in this order: all rows; those without a chow; with three chows that are pure (16 fan); with three
# equal chows or three pungs in a row (24 fan); of ranks 6-9 alone; of ranks 1-4 alone; with the chow from rank 1..7;
# with that chow and no pung. The melds of the suit are part of every row.
ALL, NO_CHOW, PURE, PURE_TRIPLE, UPPER, LOWER, CHOW, CHOW_ALONE = 0, 1, 2, 3, 4, 5, 6, 6 + CHOWS
GROUPS = CHOW_ALONE + CHOWS
# Terms are numbered 2 * sets + pairs. [i, k]: the term that gives term k with term i; SLOTS where there is none.
_COFACTORS = np.array([
    [k - i if k >= i and k % 2 >= i % 2 else SLOTS for k in range(SLOTS)] for i in range(SLOTS)
])


class SuitMelds(object):
    """The melds of one suit: chows and pungs as bits, count[7] how often each chow."""

    def __init__(self):
        self.chows = self.pungs = 0
        self.count = [0] * CHOWS

    def add_chow(self, chow):
        """Adds the chow from rank chow + 1."""
        self.chows |= 1 << chow
        self.count[chow] += 1

    def add_pung(self, rank):
        """Adds the pung or kong of rank index 0..8."""
        self.pungs |= 1 << rank


def sum_suit(chances, melds, sets, least):
    """Sums of the rows of a suit, for each variant of a hand.

    chances: float64[V, 9, WANTS], by rank and what it is wanted for. melds: SuitMelds. sets: most that rows may have.
    least: rows of a smaller chance in the first variant are left out.
    Returns float64[V, GROUPS, 5, 2], polynomials.
    """
    triples = [_outer(chances[:, first:first + 3]) for first in range(0, RANKS, 3)]
    full = triples[0][0, ROWS.codes[0]] * triples[1][0, ROWS.codes[1]] * triples[2][0, ROWS.codes[2]]
    kept = np.nonzero((full >= least) & (ROWS.sets <= sets))[0]
    codes = ROWS.codes[:, kept]
    weights = triples[0][:, codes[0]] * triples[1][:, codes[1]] * triples[2][:, codes[2]]
    members = _list_members(kept, melds)
    slots = np.zeros((len(kept), SLOTS))
    slots[np.arange(len(kept)), ROWS.slots[kept]] = 1.0
    sums = [members @ (variant[:, None] * slots) for variant in weights]
    return np.stack(sums).reshape(len(chances), GROUPS, MAX_SETS + 1, 2)


def _outer(chances):
    """float64[V, CODES]: products of three ranks' chances, by what they are wanted for."""
    first, second, third = (chances[:, rank] for rank in range(3))
    return (first[:, :, None, None] * second[:, None, :, None] * third[:, None, None, :]).reshape(len(chances), -1)


def _list_members(kept, melds):
    """float64[GROUPS, K]: which rows each sum is over."""
    chows, pungs = ROWS.chows[kept] | melds.chows, ROWS.pungs[kept] | melds.pungs
    members = np.zeros((GROUPS, len(kept)))
    members[ALL] = 1.0
    members[NO_CHOW] = chows == 0
    # Four sets in one suit make a flush, which has sums of its own.
    mixed = ROWS.sets[kept] < MAX_SETS
    members[PURE] = IS_PURE[chows] & mixed
    members[PURE_TRIPLE] = ((pungs & pungs >> 1 & pungs >> 2 > 0) | _has_triple_chow(kept, melds)) & mixed
    members[UPPER] = ROWS.is_upper[kept] & mixed
    members[LOWER] = ROWS.is_lower[kept] & mixed
    has_chow = (chows >> np.arange(CHOWS)[:, None] & 1) * mixed
    members[CHOW:CHOW + CHOWS] = has_chow
    members[CHOW_ALONE:] = has_chow * (pungs == 0)
    return members


def _has_triple_chow(kept, melds):
    """bool[K]: whether a chow is there three times, with the melds."""
    found = ROWS.thrice[kept] > 0
    for chow, count in enumerate(melds.count):
        if count:
            enough = (None, ROWS.twice, ROWS.chows)[count][kept] >> chow & 1 if count < 3 else np.ones(len(kept), int)
            found = found | (enough > 0)
    return found


def multiply(one, other, sets):
    """The product as far as `sets` sets and one pair; leading axes are broadcast."""
    terms = 2 * (sets + 1)
    padded = np.zeros(other.shape[:-2] + (SLOTS + 1,))
    padded[..., :SLOTS] = other.reshape(other.shape[:-2] + (SLOTS,))
    product = one.reshape(one.shape[:-2] + (1, SLOTS))[..., :terms] @ padded[..., _COFACTORS[:terms]]
    product[..., terms:] = 0.0
    return product.reshape(product.shape[:-2] + (MAX_SETS + 1, 2))


def join(one, other, sets):
    """The product's coefficient of `sets` sets and one pair alone, float64[...]."""
    total = 0.0
    for done in range(sets + 1):
        total = total + one[..., done, 0] * other[..., sets - done, 1] + one[..., done, 1] * other[..., sets - done, 0]
    return total
