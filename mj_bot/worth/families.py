"""Lists the families of winning hands, and the patterns by which the worth of a hand counts them.

A family is named after the fan that makes most of its hands worth eight fan. A pattern is one family, or several that
the worth sums up together.
"""

from typing import NamedTuple

# Each pattern has the fan that its hands usually count, small fans included.
PATTERN_FANS = {
    "mixed triple chow": 8, "mixed straight": 8, "mixed shifted chows": 8, "pure straight or shifted chows": 17,
    "pure triple chow or shifted pungs": 25, "half flush": 9, "full flush": 26, "all pungs": 10,
    "upper or lower four": 13, "all types": 9, "seven pairs": 25, "honours and knitted": 12, "knitted straight": 13,
}


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
