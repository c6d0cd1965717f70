"""Estimates the points of a game from the worth of a hand and the risk of a discard."""

from math import log

from ..jit import jitable
from ..observation.layout import WALL_DRAWS
from .fitted import FITTED

# Points a game by worth x and part w of the walls that is left: a + b L + c w + d L w, where L = ln(x + offset);
# offset, a, b, c, d.
POINTS_BY_WORTH = (FITTED["calibrate"]["points"]["offset"], *FITTED["calibrate"]["points"]["weights"])
# Cost of dealing in: 8 points and the fans of a usual hand.
LOSS = 20.0
# Rounding tolerance: equal worths may be sums of the same numbers in another order.
POINTS_ROUNDING = 1e-8
_ALL_DRAWS = 4.0 * WALL_DRAWS


@jitable
def expect_points(worth, walls_left):
    """Returns the points that a game brings on average to a hand of some worth, whatever is dealt in later.

    worth: of a hand after its discard, >= 0. walls_left: tiles left in all four walls.

    >>> expect_points(20.0, 40) > 0 > expect_points(1.0, 40)
    True
    """
    offset, base, by_worth, by_walls, by_both = POINTS_BY_WORTH
    level = log(worth + offset)
    walls = walls_left / _ALL_DRAWS
    return base + by_worth * level + by_walls * walls + by_both * level * walls


@jitable
def weigh_risk(points, risk):
    """Returns the points of a discard that is won on with the chance `risk`, 0..1, and else brings `points`."""
    return (1.0 - risk) * points - risk * LOSS
