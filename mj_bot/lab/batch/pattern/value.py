"""What targets are worth by slot, as tactic/pattern/value.py has it."""

from ....tactic.pattern.holding import RULED_OUT
from ....tactic.pattern.value import DISTANT, NEAR, NEAR_TARGET, RUNNER_UP_DIVISORS
from ...engine.compile import jit_part
from .desk import COST, FAR, HIGH, LOW
from .tables import FREQUENCIES, PATTERN_COUNT
from .tidiness import set_packed_layers, tidiness


@jit_part
def value_cores(desk, pattern, count):
    """Writes the values of a pattern by slot; count: its cores with targets, see chow.py."""
    for slot in range(desk.slot_count):
        best = FAR
        for core in range(count):
            desk.core_costs[core, slot] -= tidiness(desk.slot_layers[slot], desk.core_layers[core])
            best = min(best, desk.core_costs[core, slot])
        near = 0
        for core in range(count):
            near += desk.core_costs[core, slot] <= best + NEAR
        desk.values[pattern, slot] = best - FREQUENCIES[pattern] - NEAR_TARGET * near if count else FAR


@jit_part
def value_kept(desk, pattern):
    """Writes the values of a pattern by slot from the targets kept of its searches."""
    layers = desk.core_layers[0]
    is_new = True
    for slot in range(desk.slot_count):
        kept = desk.kept[slot]
        if kept[COST] == FAR:
            desk.values[pattern, slot] = FAR
            continue
        # Most discards have the same target.
        if is_new or kept[HIGH] != desk.kept[slot - 1, HIGH] or kept[LOW] != desk.kept[slot - 1, LOW]:
            set_packed_layers(kept[HIGH], kept[LOW], layers)
            is_new = False
        desk.values[pattern, slot] = (
            kept[COST] - tidiness(desk.slot_layers[slot], layers) - FREQUENCIES[pattern] - NEAR_TARGET)


@jit_part
def combine(desk, slot):
    """One number (float, thousandths) for the values of a slot, as tactic.pattern.value.combine makes it."""
    first = second = third = FAR
    for pattern in range(PATTERN_COUNT):
        value = desk.values[pattern, slot]
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
