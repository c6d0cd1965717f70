"""What targets are worth by slot, as tactic/pattern/value.py has it."""

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...tactic.pattern.holding import RULED_OUT
from ...tactic.pattern.value import (
    ADJACENT, DISTANT, GAPPED, LONE_BY_RANK, LONE_HONOUR, NEAR, NEAR_TARGET, PAIR, PUNG, RUNNER_UP_DIVISORS,
)
from ..engine.compile import jit_part
from .desk import COST, FAR, HIGH, LOW
from .holding import SLOT_COUNT
from .offer import count_packed
from .tables import FREQUENCIES, PATTERN_COUNT


@jit_part
def value_cores(desk, pattern, count):
    """Writes the values of a pattern by slot; count: its cores with targets, see chow.py."""
    values = desk.values[pattern]
    for slot in range(desk.holding.facts[SLOT_COUNT]):
        values[slot] = FAR
        if not count:
            continue
        best = FAR
        for core in range(count):
            cost = desk.core_costs[core, slot] - _tidiness(
                desk, desk.holding.slots[slot], desk.core_needs[core, 0], desk.core_needs[core, 1])
            desk.adjusted[core] = cost
            best = min(best, cost)
        near = 0
        for core in range(count):
            near += desk.adjusted[core] <= best + NEAR
        values[slot] = best - FREQUENCIES[pattern] - NEAR_TARGET * near


@jit_part
def value_kept(desk, pattern):
    """Writes the values of a pattern by slot from the targets kept of its searches."""
    for slot in range(desk.holding.facts[SLOT_COUNT]):
        kept = desk.kept[slot]
        desk.values[pattern, slot] = FAR
        if kept[COST] < FAR:
            cost = kept[COST] - _tidiness(desk, desk.holding.slots[slot], kept[HIGH], kept[LOW])
            desk.values[pattern, slot] = cost - FREQUENCIES[pattern] - NEAR_TARGET


@jit_part
def combine(values, slot):
    """One number (float, thousandths) for the values of a slot, as tactic.pattern.value.combine makes it."""
    first = second = third = FAR
    for pattern in range(PATTERN_COUNT):
        value = values[pattern, slot]
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


@jit_part
def _tidiness(desk, discard, high, low):
    """Reward of the tiles that a packed target leaves over of the hand without the discard."""
    left = desk.left
    for tile in range(TILE_COUNT):
        left[tile] = max(0, desk.holding.counts[tile] - (tile == discard) - count_packed(high, low, tile))
    total = 0
    for tile in range(FIRST_HONOUR):
        if not left[tile]:
            continue
        rank = tile % 9
        total += ADJACENT * (rank < 8 and left[tile + 1] > 0) + GAPPED * (rank < 7 and left[tile + 2] > 0)
        if left[tile] > 1:
            total += PAIR if left[tile] == 2 else PUNG
        elif not ((rank > 0 and left[tile - 1]) or (rank > 1 and left[tile - 2])
                  or (rank < 8 and left[tile + 1]) or (rank < 7 and left[tile + 2])):
            total -= LONE_BY_RANK[rank]
    for tile in range(FIRST_HONOUR, TILE_COUNT):
        if left[tile] == 1:
            total -= LONE_HONOUR
        elif left[tile] > 1:
            total += PAIR if left[tile] == 2 else PUNG
    return total
