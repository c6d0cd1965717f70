"""The value of a state: the distance to each pattern less its frequency; the lowest value is the best.

    value of a pattern = cost of its cheapest target - tidiness of the tiles that the target leaves over
                         - frequency of the pattern - NEAR_TARGET for each nine tiles whose target is nearly as cheap
    value of a state   = the lowest of these; beyond DISTANT, a hundredth of the second and a two-hundredth of the
                         third are added

Source: the rule-based player of rl-final, as its report describes it. Where the report is silent:

- The set and the pair of a chow pattern cost as much a tile as its nine tiles. So do all tiles of the patterns that
  are searched for.
- Rewards and punishments go to unused tiles: in chow patterns all but the nine tiles, elsewhere all but the target.
  A neighbour is worth less than a pair.
- A pattern of 6 fan needs 2 more. A concealed hand has them; in an open one a target that MahjongGB counts below 8 fan
  costs more, see fans.py.
- Missing tiles of the three concealed pungs must be drawn and cost half as much again.
- The melded hand counts from two melds on, see irregular.py.
- Ties count a target for each core of a chow pattern, and one target of every other pattern.
- Patterns that the list of frequencies does not name have none.

Tiles by count are four layers, bits of tiles: layer n has those with n + 1 copies or more.
"""

from ...jit import jit, jit_part
from ...mahjong.compiled import bit_count
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from .scratch import COST, FAR, HIGH, LOW, set_layers
from .tables import FREQUENCIES, HALF, PATTERN_COUNT, RULED_OUT

# Tie-break: the bonus of each core whose target is within a tile of the pattern's best.
NEAR_TARGET = 10
NEAR = 1000
# Above this value (two tiles) the second and third pattern count too, divided by 100 and 200.
DISTANT = 2000
RUNNER_UP_DIVISORS = (100, 200)
# For tiles that a target does not use: rewards for copies and for neighbours one and two ranks up, and
# punishments of lone tiles.
PAIR, PUNG = 30, 50
ADJACENT, GAPPED = 20, 10
LONE_BY_RANK = (12, 11, 10, 10, 10, 10, 10, 11, 12)
LONE_HONOUR = 13

# Tiles that have one of the next rank, and of the rank after it.
_HAS_NEXT = sum(1 << tile for tile in range(FIRST_HONOUR) if tile % 9 < 8)
_HAS_SECOND = sum(1 << tile for tile in range(FIRST_HONOUR) if tile % 9 < 7)
# Punishments of lone tiles: (punishment, tiles as bits).
_LONE = tuple([
    (cost, sum(1 << tile for tile in range(TILE_COUNT)
               if (LONE_BY_RANK[tile % 9] if tile < FIRST_HONOUR else LONE_HONOUR) == cost))
    for cost in sorted(set(LONE_BY_RANK) | {LONE_HONOUR})
])


@jit_part
def _tidiness(held, used):
    """Reward of the unused tiles, by the layers of the hand and of the target."""
    left = (held[0] & ~used[0]) | (held[1] & ~used[1]) | (held[2] & ~used[2]) | (held[3] & ~used[3])
    twice = (held[1] & ~used[0]) | (held[2] & ~used[1]) | (held[3] & ~used[2])
    thrice = (held[2] & ~used[0]) | (held[3] & ~used[1])
    above = left >> 1 & _HAS_NEXT
    second = left >> 2 & _HAS_SECOND
    total = ADJACENT * bit_count(left & above) + GAPPED * bit_count(left & second)
    total += PAIR * bit_count(twice & ~thrice) + PUNG * bit_count(thrice)
    lone = left & ~(twice | above | second | (left & _HAS_NEXT) << 1 | (left & _HAS_SECOND) << 2)
    for cost, tiles in _LONE:
        total -= cost * bit_count(lone & tiles)
    return total


@jit_part
def value_cores(scratch, count):
    """Writes the values of the chow pattern by discard; count: its cores with targets, see chow.py."""
    pattern = scratch.pattern
    for discard in range(scratch.discard_count):
        best = FAR
        for core in range(count):
            scratch.core_costs[core][discard] -= _tidiness(scratch.kept_layers[discard], scratch.core_layers[core])
            best = min(best, scratch.core_costs[core][discard])
        near = 0
        for core in range(count):
            near += scratch.core_costs[core][discard] <= best + NEAR
        scratch.values[pattern][discard] = best - FREQUENCIES[pattern] - NEAR_TARGET * near if count else FAR


@jit_part
def value_offers(scratch):
    """Writes the values of the pattern by discard from the cheapest targets offered."""
    pattern = scratch.pattern
    layers = scratch.core_layers[0]
    high = low = -1
    for discard in range(scratch.discard_count):
        best = scratch.offers[discard]
        if best[COST] == FAR:
            scratch.values[pattern][discard] = FAR
            continue
        # Most discards have the same target.
        if best[HIGH] != high or best[LOW] != low:
            high, low = best[HIGH], best[LOW]
            _unpack(high, low, scratch.all_tiles)
            set_layers(scratch.all_tiles, -1, layers)
        scratch.values[pattern][discard] = (
            best[COST] - _tidiness(scratch.kept_layers[discard], layers) - FREQUENCIES[pattern] - NEAR_TARGET)


@jit_part
def _unpack(high, low, counts):
    """Writes the counts of a packed target."""
    for tile in range(TILE_COUNT):
        counts[tile] = high >> 3 * (HALF - 1 - tile) & 7 if tile < HALF else low >> 3 * (TILE_COUNT - 1 - tile) & 7


@jit
def combine(values, discard):
    """The value of a state (float, thousandths of a tile) from those of its patterns; RULED_OUT for none in reach."""
    first = second = third = FAR
    for pattern in range(PATTERN_COUNT):
        value = values[pattern][discard]
        if value < first:
            first, second, third = value, first, second
        elif value < second:
            second, third = value, second
        elif value < third:
            third = value
    if first == FAR:
        return float(RULED_OUT)
    total = float(first)
    if total > DISTANT:
        if second != FAR:
            total += second / RUNNER_UP_DIVISORS[0]
        if third != FAR:
            total += third / RUNNER_UP_DIVISORS[1]
    return total
