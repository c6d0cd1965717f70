"""Lists the families of winning hands, and the patterns by which the worth of a hand counts them.

A family is named after the fan that makes most of its hands worth eight fan. A pattern is one family, or several that
the worth sums up together.
"""

from typing import NamedTuple

import numpy as np

from .parameters import Parameters

# Each pattern has the fan that its hands usually count, small fans included.
PATTERN_FANS = {
    "mixed triple chow": 8, "mixed straight": 8, "mixed shifted chows": 8, "pure straight or shifted chows": 17,
    "pure triple chow or shifted pungs": 25, "half flush": 9, "full flush": 26, "all pungs": 10,
    "upper or lower four": 13, "all types": 9, "seven pairs": 25, "honours and knitted": 12, "knitted straight": 13,
}
PATTERNS = tuple(PATTERN_FANS)
(MIXED_TRIPLE, MIXED_STRAIGHT, MIXED_STEPS, PURE_CHOWS_OF_SUIT, PURE_TRIPLES, HALF_FLUSH, FULL_FLUSH, ALL_PUNGS,
 UPPER_OR_LOWER, ALL_TYPES, SEVEN_PAIRS, HONOURS_AND_KNITTED, KNITTED_STRAIGHT) = range(len(PATTERNS))
# The patterns of four sets and a pair come first.
REGULAR_PATTERNS = ALL_TYPES + 1
# In addition to the fan, a win gets 8 points from each other player.
BASE_PAY = 24
HONOUR_COUNT = 7
WIND_COUNT = 4


def weigh_patterns(parameters: Parameters) -> np.ndarray:
    """Returns the factor of each pattern, float64[13]: what its targets pay, to the power of sharpness."""
    fans = np.array(list(PATTERN_FANS.values()), dtype=float)
    return (BASE_PAY + fans) ** parameters.sharpness


class Family(NamedTuple):
    """Describes a family of winning hands."""

    name: str  # English name of its fan, in lower case
    fan: str  # the judge's name of its fan
    frequency: int  # the number of wins, out of 1000 of human players, in which it is the main fan
    pattern: str  # the pattern that contains it; "" where the worth does not count the family


FAMILIES = (
    Family("mixed shifted chows", "三色三步高", 236, "mixed shifted chows"),
    Family("mixed triple chow", "三色三同顺", 106, "mixed triple chow"),
    Family("mixed straight", "花龙", 105, "mixed straight"),
    Family("pure straight", "清龙", 80, "pure straight or shifted chows"),
    Family("pure shifted chows", "一色三步高", 41, "pure straight or shifted chows"),
    Family("pure triple chow", "一色三同顺", 0, "pure triple chow or shifted pungs"),
    Family("knitted straight", "组合龙", 17, "knitted straight"),
    Family("half flush", "混一色", 81, "half flush"),
    Family("full flush", "清一色", 16, "full flush"),
    Family("upper four", "大于五", 14, "upper or lower four"),
    Family("lower four", "小于五", 13, "upper or lower four"),
    Family("all pungs", "碰碰和", 60, "all pungs"),
    Family("all types", "五门齐", 107, "all types"),
    Family("seven pairs", "七对", 36, "seven pairs"),
    Family("thirteen orphans", "十三幺", 0, ""),
    Family("lesser honours and knitted tiles", "全不靠", 14, "honours and knitted"),
)
