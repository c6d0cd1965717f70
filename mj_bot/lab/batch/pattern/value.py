"""What targets are worth by slot, and what the tiles that they leave over are, as tactic/pattern/value.py has it.

Tiles by count stand in four layers, bits of tiles: layer n has those with n + 1 copies or more.
"""

from ....jit import jit_part
from ....mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ....tactic.pattern.holding import RULED_OUT
from ....tactic.pattern.value import (
    ADJACENT, DISTANT, GAPPED, LONE_BY_RANK, LONE_HONOUR, NEAR, NEAR_TARGET, PAIR, PUNG, RUNNER_UP_DIVISORS,
)
from ...engine.decisions import bit_count
from .scratch import COST, FAR, HIGH, LOW
from .tables import FREQUENCIES, HALF, PATTERN_COUNT

# Tiles that have one of the next rank, and of the rank after it.
_HAS_NEXT = sum(1 << tile for tile in range(FIRST_HONOUR) if tile % 9 < 8)
_HAS_SECOND = sum(1 << tile for tile in range(FIRST_HONOUR) if tile % 9 < 7)
# Punishments of lone tiles, by what they come to: (punishment, tiles).
_LONE = tuple(
    (cost, sum(1 << tile for tile in range(TILE_COUNT)
               if (LONE_BY_RANK[tile % 9] if tile < FIRST_HONOUR else LONE_HONOUR) == cost))
    for cost in sorted(set(LONE_BY_RANK) | {LONE_HONOUR})
)


@jit_part
def _set_packed_layers(high, low, layers):
    """Writes the layers of a packed target."""
    layers[:] = 0
    for tile in range(TILE_COUNT):
        count = high >> 3 * (HALF - 1 - tile) & 7 if tile < HALF else low >> 3 * (TILE_COUNT - 1 - tile) & 7
        for layer in range(count):
            layers[layer] |= 1 << tile


@jit_part
def _tidiness(held, used):
    """Reward of what a target leaves over, by the layers of the hand and of the target."""
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
def value_cores(scratch, pattern, count):
    """Writes the values of a pattern by slot; count: its cores with targets, see chow.py."""
    for slot in range(scratch.slot_count):
        best = FAR
        for core in range(count):
            scratch.core_costs[core, slot] -= _tidiness(scratch.slot_layers[slot], scratch.core_layers[core])
            best = min(best, scratch.core_costs[core, slot])
        near = 0
        for core in range(count):
            near += scratch.core_costs[core, slot] <= best + NEAR
        scratch.values[pattern, slot] = best - FREQUENCIES[pattern] - NEAR_TARGET * near if count else FAR


@jit_part
def value_kept(scratch, pattern):
    """Writes the values of a pattern by slot from the targets kept of its searches."""
    layers = scratch.core_layers[0]
    is_new = True
    for slot in range(scratch.slot_count):
        kept = scratch.kept[slot]
        if kept[COST] == FAR:
            scratch.values[pattern, slot] = FAR
            continue
        # Most discards have the same target.
        if is_new or kept[HIGH] != scratch.kept[slot - 1, HIGH] or kept[LOW] != scratch.kept[slot - 1, LOW]:
            _set_packed_layers(kept[HIGH], kept[LOW], layers)
            is_new = False
        scratch.values[pattern, slot] = (
            kept[COST] - _tidiness(scratch.slot_layers[slot], layers) - FREQUENCIES[pattern] - NEAR_TARGET)


@jit_part
def combine(scratch, slot):
    """One number (float, thousandths) for the values of a slot, as tactic.pattern.value.combine makes it."""
    first = second = third = FAR
    for pattern in range(PATTERN_COUNT):
        value = scratch.values[pattern, slot]
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
