"""Numbers the patterns of winning hands, and computes what a hand of each pays."""

from itertools import permutations

import numpy as np

from .families import PATTERN_FANS
from .parameters import Parameters
from .rows import CHOWS

PATTERNS = tuple(PATTERN_FANS)
(MIXED_TRIPLE, MIXED_STRAIGHT, MIXED_STEPS, PURE_CHOWS_OF_SUIT, PURE_TRIPLES, HALF_FLUSH, FULL_FLUSH, ALL_PUNGS,
 UPPER_OR_LOWER, ALL_TYPES, SEVEN_PAIRS, HONOURS_AND_KNITTED, KNITTED_STRAIGHT) = range(len(PATTERNS))
# The patterns of four sets and a pair come first.
REGULAR_PATTERNS = ALL_TYPES + 1
# In addition to the fan, a win gets 8 points from each other player.
BASE_PAY = 24
HONOUR_COUNT = 7
WIND_COUNT = 4
# These are the positions 0..2 of each suit in the six orders of the suits.
_SUIT_ORDERS = [np.argsort(order) for order in permutations(range(3))]
# This is int64[K, 4], three chows in three suits: the pattern that they make, and the lowest rank in each suit.
THREE_CHOWS = np.array(
    [(MIXED_TRIPLE, rank, rank, rank) for rank in range(CHOWS)]
    + [(MIXED_STRAIGHT, *(3 * order_ranks)) for order_ranks in _SUIT_ORDERS]
    + [(MIXED_STEPS, *(rank + order_ranks)) for order_ranks in _SUIT_ORDERS for rank in range(CHOWS - 2)], np.int64)


def weigh_patterns(parameters: Parameters) -> np.ndarray:
    """Returns the factor of each pattern, float64[13]: what its targets pay, to the power of sharpness."""
    fans = np.array(list(PATTERN_FANS.values()), dtype=float)
    return (BASE_PAY + fans) ** parameters.sharpness
