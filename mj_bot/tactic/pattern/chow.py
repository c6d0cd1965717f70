"""Patterns of three chows, and the knitted straight: their nine tiles, filled up with a set and a pair.

A core is the nine tiles of a pattern without the melded ones. Its name is the middle tiles of its chows, six bits each,
the first highest; for a knitted straight its number. Cores of equal cost are tried in the order of their names.
"""

from ...jit import jit_part
from ...observation.layout import CHOW
from .scratch import ALL, COST, FAR, set_layers
from .tables import CORE_BEGIN, CORES, KNITTED_STRAIGHT, KNITTED_TILES, MIXED_STEPS, RULED_OUT
from .targets import clear, clear_need, fill_up
from .value import value_cores

# Targets of other cores up to this far above the pattern's cheapest target count for ties.
CORE_WINDOW = 1000
_MIDDLE_BITS = 6
_NAME_BITS = 3 * _MIDDLE_BITS
_NAME, _BUT_FIRST, _LAST = ((1 << chows * _MIDDLE_BITS) - 1 for chows in (3, 2, 1))


@jit_part
def value_chow_patterns(scratch, parts, memo):
    """Writes the values of these patterns; returns the cost of the cheapest target of all, FAR for none."""
    scratch.floor = scratch.needs_honour = 0
    least = FAR
    for pattern in range(KNITTED_STRAIGHT + 1):
        scratch.pattern = pattern
        scratch.is_charged = pattern == MIXED_STEPS and scratch.is_open
        clear_need(scratch)
        least = min(least, _search_cores(scratch, parts, memo, _rank_cores(scratch)))
    return least


@jit_part
def _rank_cores(scratch):
    """Fills scratch.core_keys, cost and name of the pattern's cores in order; returns how many are not ruled out."""
    keys, pattern = scratch.core_keys, scratch.pattern
    is_knitted = pattern == KNITTED_STRAIGHT
    count = 0
    for number in range(len(KNITTED_TILES) if is_knitted else CORE_BEGIN[pattern + 1] - CORE_BEGIN[pattern]):
        name = number if is_knitted else _name_core(scratch, CORES[CORE_BEGIN[pattern] + number])
        key = _change_core(scratch, name, 1) << _NAME_BITS | name
        _change_core(scratch, name, -1)
        if key >> _NAME_BITS < RULED_OUT:
            at = count
            while at and keys[at - 1] > key:
                keys[at] = keys[at - 1]
                at -= 1
            keys[at] = key
            count += 1
    return count


@jit_part
def _name_core(scratch, middles):
    """The name of a core by its middle tiles, without those of melded chows."""
    name = used = 0
    shift = _NAME_BITS
    for chow in range(3):
        melded = -1
        for place in range(scratch.meld_count):
            kind, tile = scratch.melds[place][0], scratch.melds[place][1]
            if tile == middles[chow] and kind == CHOW and not used >> place & 1:
                melded = place
        if melded >= 0:
            used |= 1 << melded
        else:
            shift -= _MIDDLE_BITS
            name |= middles[chow] << shift
    return name


@jit_part
def _change_core(scratch, name, sign):
    """Adds a core to scratch.need or removes it, by sign; returns its cost when added."""
    need, step = scratch.need, scratch.step
    cost = 0
    if scratch.pattern == KNITTED_STRAIGHT:
        tiles = KNITTED_TILES[name]
        for place in range(len(tiles)):
            cost += step[tiles[place]][0]
            need[tiles[place]] += sign
        return cost
    while name:
        middle = name >> (_NAME_BITS - _MIDDLE_BITS)
        name = name << _MIDDLE_BITS & _NAME
        for tile in range(middle - 1, middle + 2):
            cost += step[tile][need[tile]]
            need[tile] += sign
    return cost


@jit_part
def _search_cores(scratch, parts, memo, ranked):
    """Writes the values of the pattern by the targets of its cores in order, within CORE_WINDOW of the cheapest.

    ranked: how many cores are in scratch.core_keys. Returns the cost of the cheapest target, FAR for none.
    """
    limit = RULED_OUT - 1
    least = FAR
    count = 0
    for place in range(ranked):
        key = scratch.core_keys[place]
        core_cost, name = key >> _NAME_BITS, key & _NAME
        if core_cost > limit:
            break
        # The chows in the name fill its highest places.
        chows = (name > 0) + (name & _BUT_FIRST > 0) + (name & _LAST > 0)
        set_count = scratch.sets_missing - (3 if scratch.pattern == KNITTED_STRAIGHT else chows)
        if set_count < 0:
            continue  # the melds are not the chows of the pattern
        if place and key == scratch.core_keys[place - 1]:
            continue  # a repeated core, with other chows melded
        clear(scratch)
        _change_core(scratch, name, 1)
        set_layers(scratch.need, -1, scratch.core_layers[count])
        scratch.added = core_cost
        cost = core_cost + fill_up(scratch, parts[ALL], memo, set_count, limit - core_cost)
        if cost <= limit:
            limit = min(limit, cost + CORE_WINDOW)
            least = min(least, cost)
            for discard in range(scratch.discard_count):
                scratch.core_costs[count][discard] = scratch.offers[discard][COST]
            count += 1
    value_cores(scratch, count)
    return least
