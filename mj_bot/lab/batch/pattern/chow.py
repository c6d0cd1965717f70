"""Patterns of three chows, and the knitted straight, as tactic/pattern/chow.py has them.

A core is the nine tiles of a pattern, or those of them that are not melded. It is named by its middle tiles of six bits
each, the first highest; a knitted straight by its number. So cores of one cost are in the tactic's order by name.
"""

from ....jit import jit_part
from ....observation.layout import CHOW
from ....tactic.pattern.chow import CORE_WINDOW
from ....tactic.pattern.holding import RULED_OUT
from .scratch import ALL_PARTS, COST, FAR, set_layers
from .tables import CORE_BEGIN, CORES, KNITTED_STRAIGHT_NUMBER, KNITTED_TILES, MIXED_STEPS_NUMBER
from .targets import clear, fill_up
from .value import value_cores

_MIDDLE_BITS = 6
_NAME_BITS = 3 * _MIDDLE_BITS
_NAME = (1 << _NAME_BITS) - 1
_KNITTED_SETS = 3


@jit_part
def value_chow_patterns(scratch, parts, memo):
    """Writes the values of these patterns; returns the cost of the cheapest target of all, FAR for none."""
    scratch.floor = scratch.needs_honour = 0
    scratch.need[:] = 0
    least = FAR
    for pattern in range(KNITTED_STRAIGHT_NUMBER + 1):
        scratch.is_charged = pattern == MIXED_STEPS_NUMBER and scratch.is_open
        ranked = _rank_cores(scratch, pattern)
        count, cheapest = _find_targets(scratch, parts, memo, pattern, ranked)
        value_cores(scratch, pattern, count)
        least = min(least, cheapest)
    return least


@jit_part
def _rank_cores(scratch, pattern):
    """Fills scratch.core_keys, cost and name of the cores of a pattern in order; returns how many are not ruled out."""
    keys = scratch.core_keys
    is_knitted = pattern == KNITTED_STRAIGHT_NUMBER
    count = 0
    for number in range(len(KNITTED_TILES) if is_knitted else CORE_BEGIN[pattern + 1] - CORE_BEGIN[pattern]):
        name = number if is_knitted else _name_core(scratch, CORE_BEGIN[pattern] + number)
        key = _change_core(scratch, is_knitted, name, 1) << _NAME_BITS | name
        _change_core(scratch, is_knitted, name, -1)
        if key >> _NAME_BITS < RULED_OUT:
            at = count
            while at and keys[at - 1] > key:
                keys[at] = keys[at - 1]
                at -= 1
            keys[at] = key
            count += 1
    return count


@jit_part
def _name_core(scratch, row):
    """The name of a core by its row of CORES, what is melded left out."""
    name = 0
    shift = _NAME_BITS
    used = 0
    for chow in range(3):
        middle = CORES[row, chow]
        melded = -1
        for place in range(scratch.meld_count):
            if scratch.melds[place, 1] == middle and scratch.melds[place, 0] == CHOW and not used >> place & 1:
                melded = place
        if melded >= 0:
            used |= 1 << melded
        else:
            shift -= _MIDDLE_BITS
            name |= middle << shift
    return name


@jit_part
def _change_core(scratch, is_knitted, name, sign):
    """Adds a core to scratch.need, or takes it away; returns what it costs where it is added."""
    need, step = scratch.need, scratch.step
    cost = 0
    if is_knitted:
        for place in range(KNITTED_TILES.shape[1]):
            tile = KNITTED_TILES[name, place]
            cost += step[tile, 0]
            need[tile] += sign
        return cost
    while name:
        middle = name >> (_NAME_BITS - _MIDDLE_BITS)
        name = name << _MIDDLE_BITS & _NAME
        for tile in range(middle - 1, middle + 2):
            cost += step[tile, need[tile]]
            need[tile] += sign
    return cost


@jit_part
def _find_targets(scratch, parts, memo, pattern, ranked):
    """The cheapest targets of the cores in order, see tactic.pattern.chow.

    Returns (cores with targets, cost of the cheapest target or FAR). Their costs by slot are in scratch.core_costs.
    """
    is_knitted = pattern == KNITTED_STRAIGHT_NUMBER
    limit = RULED_OUT - 1
    least = FAR
    count = 0
    for place in range(ranked):
        key = scratch.core_keys[place]
        core_cost, name = key >> _NAME_BITS, key & _NAME
        if core_cost > limit:
            break
        set_count = scratch.sets_missing - (_KNITTED_SETS if is_knitted else _count_chows(name))
        if set_count < 0:
            continue  # melds stand where the pattern needs its chows
        if place and key == scratch.core_keys[place - 1]:
            continue  # other chows are melded, the same ones are left
        _change_core(scratch, is_knitted, name, 1)
        set_layers(scratch.need, -1, scratch.core_layers[count])
        scratch.added = core_cost
        clear(scratch.offers)
        cost = core_cost + fill_up(scratch, parts[ALL_PARTS], memo, set_count, limit - core_cost)
        _change_core(scratch, is_knitted, name, -1)
        if cost <= limit:
            limit = min(limit, cost + CORE_WINDOW)
            least = min(least, cost)
            for slot in range(scratch.slot_count):
                scratch.core_costs[count, slot] = scratch.offers[slot, COST]
            count += 1
    return count, least


@jit_part
def _count_chows(name):
    count = 0
    while name:
        name = name << _MIDDLE_BITS & _NAME
        count += 1
    return count
