"""Points of the unit cube for the parameters of `search` that may be tuned."""

import math

from ...mahjong.errors import MahjongError
from ...worth.parameters import PARAMETERS, RANGES

_DIGITS = 4


class Space(object):
    """Points of the unit cube and their values of parameters.

    names: of the parameters tuned, in order. ranges: the Range of each. present: {name: present value}.
    """

    def __init__(self, names=()):
        """The space of the named parameters, or of all that may be tuned. Raises MahjongError: an unknown one."""
        for name in names:
            if name not in RANGES:
                raise MahjongError("expected a parameter that can be tuned, one of %s, got %r" % (
                    " ".join(RANGES), name))
        self.names = tuple(names) or tuple(RANGES)
        self.ranges = tuple(RANGES[name] for name in self.names)
        self.present = {name: getattr(PARAMETERS, name) for name in self.names}

    def start(self):
        """The point of the present values, list of floats 0..1."""
        return [_place(self.present[name], *bounds) for name, bounds in zip(self.names, self.ranges)]

    def values(self, point):
        """{name: value} at a point, of four digits each, as in a spec."""
        return {name: float("%.*g" % (_DIGITS, _value(place, *bounds)))
                for name, bounds, place in zip(self.names, self.ranges, point)}

    def spec(self, values):
        """The player with these values; its text is the same for the same values."""
        return "search:" + ",".join("%s=%g" % (name, values[name]) for name in self.names)


def _place(value, low, high, is_log):
    if is_log:
        low, high, value = math.log(low), math.log(high), math.log(value)
    return (value - low) / (high - low)


def _value(place, low, high, is_log):
    place = min(1.0, max(0.0, place))
    return low * (high / low) ** place if is_log else low + (high - low) * place
