"""Patterns of three chows, and the knitted straight, as tactic/pattern/chow.py has them."""

from ...network.view import CHOW
from ...tactic.pattern.chow import CORE_WINDOW
from ...tactic.pattern.holding import RULED_OUT
from ..engine.compile import jit_part
from .desk import ADDED, COST, FAR, FLOOR, IS_CHARGED, NEEDS_HONOUR
from .fill import fill_up
from .holding import IS_OPEN, MELD_COUNT, SETS_MISSING, SLOT_COUNT, insert
from .offer import clear, pack
from .tables import CORE_BEGIN, CORES, KNITTED_STRAIGHT_NUMBER, KNITTED_TILES, MIXED_STEPS_NUMBER
from .value import value_cores

# Cores are ordered by cost, then by their tiles: three middle tiles of six bits, or the number of a knitted straight.
_TILE_BITS = 18


@jit_part
def value_chow_patterns(desk):
    """Writes the values of these patterns; returns the cost of the cheapest target of all, FAR for none."""
    goal = desk.goal
    goal[FLOOR] = goal[NEEDS_HONOUR] = 0
    least = FAR
    for pattern in range(KNITTED_STRAIGHT_NUMBER + 1):
        goal[IS_CHARGED] = pattern == MIXED_STEPS_NUMBER and desk.holding.facts[IS_OPEN]
        if pattern == KNITTED_STRAIGHT_NUMBER:
            ranked = _rank_knitted(desk)
        else:
            ranked = _rank_cores(desk, pattern)
        count, cheapest = _find_targets(desk, ranked)
        value_cores(desk, pattern, count)
        least = min(least, cheapest)
    return least


@jit_part
def _rank_cores(desk, pattern):
    """Puts the cores of a pattern into order, what is melded left out; returns how many are not ruled out."""
    count = 0
    for row in range(CORE_BEGIN[pattern], CORE_BEGIN[pattern + 1]):
        number = row - CORE_BEGIN[pattern]
        middles = _set_core(desk.holding, row, desk.core_tiles[number])
        cost = _set_need(desk, number)
        if cost < RULED_OUT:
            insert(desk.core_keys, desk.core_order, count, cost << _TILE_BITS | middles, number)
            count += 1
    return count


@jit_part
def _set_core(holding, row, tiles):
    """Writes the tiles of a core that are not melded, -1 after them; returns the middle ones as bits."""
    used = 0
    size = 0
    middles = 0
    for chow in range(3):
        middle = CORES[row, chow]
        melded = -1
        for place in range(holding.facts[MELD_COUNT]):
            if holding.melds[place, 0] == CHOW and holding.melds[place, 1] == middle and not used >> place & 1:
                melded = place
        if melded >= 0:
            used |= 1 << melded
            continue
        for tile in range(middle - 1, middle + 2):
            tiles[size] = tile
            size += 1
        middles |= middle << (_TILE_BITS - 2 * size)
    for place in range(size, len(tiles)):
        tiles[place] = -1
    return middles


@jit_part
def _rank_knitted(desk):
    """As _rank_cores, with the knitted straights."""
    count = 0
    for number in range(len(KNITTED_TILES)):
        for place in range(KNITTED_TILES.shape[1]):
            desk.core_tiles[number, place] = KNITTED_TILES[number, place]
        cost = _set_need(desk, number)
        if cost < RULED_OUT:
            insert(desk.core_keys, desk.core_order, count, cost << _TILE_BITS | number, number)
            count += 1
    return count


@jit_part
def _set_need(desk, number):
    """Makes a core the target; returns what it costs."""
    need, tiles = desk.need, desk.core_tiles[number]
    need[:] = 0
    cost = 0
    for place in range(len(tiles)):
        if tiles[place] < 0:
            break
        cost += desk.holding.step[tiles[place], need[tiles[place]]]
        need[tiles[place]] += 1
    return cost


@jit_part
def _find_targets(desk, ranked):
    """The cheapest targets of the cores in order, see tactic.pattern.chow.

    Returns (cores with targets, cost of the cheapest target or FAR). Their costs by slot are in desk.core_costs, the
    cores in desk.core_needs.
    """
    limit = RULED_OUT - 1
    least = FAR
    count = 0
    for place in range(ranked):
        core_cost = desk.core_keys[place] >> _TILE_BITS
        if core_cost > limit:
            break
        number = desk.core_order[place]
        set_count = desk.holding.facts[SETS_MISSING] - _count_sets(desk.core_tiles[number])
        if set_count < 0:
            continue  # melds stand where the pattern needs its chows
        _set_need(desk, number)
        high, low = pack(desk.need)
        if _is_known(desk.core_needs, count, high, low):
            continue  # other chows are melded, the same ones are left
        desk.goal[ADDED] = core_cost
        clear(desk.offers)
        cost = core_cost + fill_up(desk, desk.holding.parts, set_count, limit - core_cost)
        if cost <= limit:
            limit = min(limit, cost + CORE_WINDOW)
            least = min(least, cost)
            desk.core_needs[count, 0] = high
            desk.core_needs[count, 1] = low
            for slot in range(desk.holding.facts[SLOT_COUNT]):
                desk.core_costs[count, slot] = desk.offers[slot, COST]
            count += 1
    return count, least


@jit_part
def _count_sets(tiles):
    sets = 0
    while sets < 3 and tiles[3 * sets] >= 0:
        sets += 1
    return sets


@jit_part
def _is_known(needs, count, high, low):
    for place in range(count):
        if needs[place, 0] == high and needs[place, 1] == low:
            return True
    return False
