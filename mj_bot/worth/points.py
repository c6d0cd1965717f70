"""Estimates the points of a game from the worth of a hand and from the risk of a discard."""

from math import log

from ..jit import jitable
from ..observation.layout import WALL_DRAWS
from .parameters import FITTED

# These are the numbers (offset, a, b, c, d) of a formula for the points of a game: a + b L + c w + d L w. L is
# ln(worth + offset), and w is the share of all walls that is left.
POINTS_BY_WORTH = (FITTED["calibrate"]["points"]["offset"], *FITTED["calibrate"]["points"]["weights"])
# Dealing in costs this many points: 8 and the fan of a usual hand.
LOSS = 20.0
# Points that differ by less are equal: they may be sums of the same numbers in another order.
POINTS_ROUNDING = 1e-8
_ALL_DRAWS = 4.0 * WALL_DRAWS


@jitable
def expect_points(worth: float, walls_left: int) -> float:
    """Returns the points that a game brings on average to a hand, without what it deals in later.

    worth: worth of the hand after its discard, at least 0. walls_left: tiles left in all four walls.

    >>> expect_points(20.0, 40) > 0 > expect_points(1.0, 40)
    True
    """
    offset, base, by_worth, by_walls, by_both = POINTS_BY_WORTH
    level = log(worth + offset)
    walls = walls_left / _ALL_DRAWS
    return base + by_worth * level + by_walls * walls + by_both * level * walls


@jitable
def weigh_risk(points: float, risk: float) -> float:
    """Returns the points of a discard that deals in with the chance `risk`, and brings `points` if it does not."""
    return (1.0 - risk) * points - risk * LOSS
