"""The value of a state: how far each pattern is, less how often it is won with; the lowest is the best.

Source: the rule-based player of rl-final, as its report describes it. Where the report is silent:

- The set and the pair beside the nine tiles of a chow pattern cost what the nine do. So do all tiles of the patterns
  that are searched for.
- Rewards and punishments go to what a target leaves over: in chow patterns everything beside the nine tiles, elsewhere
  everything beside the whole target. A neighbour is worth less than a pair.
- A pattern of 6 fan needs 2 more. A concealed hand has them; in an open one a target that MahjongGB counts below 8 fan
  costs more, see Holding.surcharge.
- What a concealed pung of the three lacks must be drawn and costs half as much again.
- The melded hand is looked at from two melds on, see irregular.py.
- The targets that break ties are those of the chow patterns' tables; every other pattern has one.
- Patterns that the list of frequencies does not name have none.
"""

import functools

from .chow import (
    KNITTED_STRAIGHT, MIXED_STEPS, MIXED_STRAIGHT, MIXED_TRIPLE_CHOW, PURE_STEPS, PURE_STRAIGHT, PURE_TRIPLE_CHOW,
    find_chow_targets,
)
from .group import (
    ALL_PUNGS, ALL_TYPES, FULL_FLUSH, HALF_FLUSH, LOWER_FOUR, THREE_CONCEALED_PUNGS, UPPER_FOUR, find_group_targets,
)
from .holding import RULED_OUT
from .irregular import HONOURS_AND_KNITTED, MELDED_HAND, SEVEN_PAIRS, THIRTEEN_ORPHANS, find_irregular_targets

# Share of all wins by their main fan, in thousandths, in a large sample of human play.
FREQUENCY = {
    MIXED_STEPS: 236, ALL_TYPES: 107, MIXED_TRIPLE_CHOW: 106, MIXED_STRAIGHT: 105, HALF_FLUSH: 81, PURE_STRAIGHT: 80,
    ALL_PUNGS: 60, PURE_STEPS: 41, SEVEN_PAIRS: 36, KNITTED_STRAIGHT: 17, FULL_FLUSH: 16, HONOURS_AND_KNITTED: 14,
    UPPER_FOUR: 14, LOWER_FOUR: 13, MELDED_HAND: 11, THREE_CONCEALED_PUNGS: 7, PURE_TRIPLE_CHOW: 0,
    THIRTEEN_ORPHANS: 0,
}
# Patterns further above the nearest one are not looked at.
MOST_BEYOND = 2500
# Ties: so much for each nine tiles of the pattern whose target is within a tile of its best.
NEAR_TARGET = 10
NEAR = 1000
# Beyond this, two tiles, the second and third pattern count too, by a hundredth and a two-hundredth.
DISTANT = 2000
RUNNER_UP_DIVISORS = (100, 200)
# Of the tiles that a target leaves over: rewards by copies and for neighbours one and two ranks up, and the
# punishments of lone tiles.
PAIR, PUNG = 30, 50
ADJACENT, GAPPED = 20, 10
LONE_BY_RANK = (12, 11, 10, 10, 10, 10, 10, 11, 12)
LONE_HONOUR = 13


def combine(values):
    """One number (float, thousandths) for a state from its list of (value, pattern); nothing in reach is RULED_OUT."""
    if not values:
        return float(RULED_OUT)
    total = float(values[0][0])
    if total > DISTANT:
        for (value, _), divisor in zip(values[1:], RUNNER_UP_DIVISORS):
            total += value / divisor
    return total


class PatternValues(object):
    """The targets near a hand, and what they are worth as it is or after a discard.

    patterns: list of (pattern, targets), targets a list of (cost, need, core or None).
    """

    def __init__(self, holding):
        self._holding = holding
        chow_patterns = find_chow_targets(holding, RULED_OUT - 1)
        limit = min([RULED_OUT - 1] + [_cheapest(targets) + MOST_BEYOND for _, targets in chow_patterns])
        self.patterns = chow_patterns + find_group_targets(holding, limit) + find_irregular_targets(holding, limit)

    def list_values(self, discard=None):
        """List of (value, pattern), the best first, of the hand without the tile `discard` (0..33).

        Values are thousandths of a missing tile, as the module describes them.
        """
        counts = list(self._holding.counts)
        if discard is not None:
            counts[discard] -= 1
        values = []
        for pattern, targets in self.patterns:
            cheapest = {}
            for cost, need, core in targets:
                if discard is not None and need[discard] > counts[discard]:
                    cost += self._holding.step[discard][need[discard]]
                if core not in cheapest or cost < cheapest[core][0]:
                    cheapest[core] = (cost, core or need)
            adjusted = [cost - _tidiness(counts, used) for cost, used in cheapest.values()]
            best = min(adjusted)
            near = sum(cost <= best + NEAR for cost in adjusted)
            values.append((best - FREQUENCY[pattern] - NEAR_TARGET * near, pattern))
        values.sort()
        return values


def _cheapest(targets):
    return min(cost for cost, _, _ in targets)


def _tidiness(counts, used):
    """Reward of the tiles that a target leaves over."""
    left = tuple([held - taken if held > taken else 0 for held, taken in zip(counts, used)])
    return (_suit_tidiness(left[:9]) + _suit_tidiness(left[9:18]) + _suit_tidiness(left[18:27])
            + _honour_tidiness(left[27:]))


@functools.lru_cache(maxsize=4096)
def _suit_tidiness(left):
    total = 0
    padded = (0, 0) + left + (0, 0)
    for rank, held in enumerate(left):
        if not held:
            continue
        below, above = padded[rank:rank + 2], padded[rank + 3:rank + 5]
        total += ADJACENT * (above[0] > 0) + GAPPED * (above[1] > 0)
        if held > 1:
            total += PAIR if held == 2 else PUNG
        elif not any(below + above):
            total -= LONE_BY_RANK[rank]
    return total


@functools.lru_cache(maxsize=4096)
def _honour_tidiness(left):
    return sum((0, -LONE_HONOUR, PAIR, PUNG, PUNG)[held] for held in left)
