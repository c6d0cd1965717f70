"""Points of the unit cube for the parameters that may be tuned."""

import math

from ...mahjong.errors import MahjongError
from ...worth.parameters import PARAMETERS, RANGES

# Tactic: (its present parameters, a namedtuple; the Range of each that may be tuned).
TUNABLE = {"search": (PARAMETERS, RANGES)}
_DIGITS = 4


class Space(object):
    """Points of the unit cube and the values of parameters that they stand for.

    tactic: its name. present: the namedtuple of its present parameters. names: of the parameters tuned, in order.
    ranges: the Range of each.
    """

    def __init__(self, tactic, names=()):
        """A tactic's space of the named parameters, or of all that may be tuned.

        Raises MahjongError: a tactic or a parameter that cannot be tuned, or a present value beyond the bounds.
        """
        if tactic not in TUNABLE:
            raise MahjongError("expected a tactic that can be tuned, one of %s, got %r" % (
                ", ".join(sorted(TUNABLE)), tactic))
        self.tactic = tactic
        self.present, ranges = TUNABLE[tactic]
        self.names = tuple(names) or tuple(ranges)
        for name in self.names:
            if name not in ranges:
                raise MahjongError("expected a parameter that can be tuned, one of %s, got %r" % (
                    " ".join(ranges), name))
        self.ranges = tuple(ranges[name] for name in self.names)
        for name, (low, high, _) in zip(self.names, self.ranges):
            if not low <= getattr(self.present, name) <= high:
                raise MahjongError("expected a present %s within %g .. %g, got %r" % (
                    name, low, high, getattr(self.present, name)))

    def start(self):
        """The point of the present values, list of floats 0..1."""
        return [_place(getattr(self.present, name), bounds) for name, bounds in zip(self.names, self.ranges)]

    def values(self, point):
        """{name: value} at a point, of four digits each, as they stand in a spec."""
        return {name: float("%.*g" % (_DIGITS, _value(place, bounds)))
                for name, bounds, place in zip(self.names, self.ranges, point)}

    def spec(self, values):
        """The player with these values and the present ones beside; its text is the same for the same values."""
        return "%s:%s" % (self.tactic, ",".join("%s=%g" % (name, values[name]) for name in self.names))


def _place(value, bounds):
    low, high, is_log = bounds
    if is_log:
        low, high, value = math.log(low), math.log(high), math.log(value)
    return (value - low) / (high - low)


def _value(place, bounds):
    low, high, is_log = bounds
    place = min(1.0, max(0.0, place))
    return low * (high / low) ** place if is_log else low + (high - low) * place
