"""Depth-first search for targets, see tactic/pattern/parts.py."""

from ....mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ....tactic.pattern.parts import WINDOW
from ...engine.compile import jit_part
from .desk import FAR
from .fans import surcharge
from .offer import BY_COST, offer, pack
from .tables import SET_HIGH, SET_LOW, SET_TILES, TILE_HIGH, TILE_LOW


@jit_part
def fill_up(desk, parts, memo, set_count, limit):
    """Offers the cheapest target that adds set_count sets and a pair to desk.need, and those within WINDOW of it.

    parts: to choose from. limit: the most that the addition may cost, for want of fans too.
    Returns the cost of the cheapest addition, FAR where all are beyond limit.
    """
    desk.order = BY_COST
    desk.is_offering = False
    least = _walk(desk, parts, memo, set_count, limit)
    if least != FAR:
        desk.is_offering = True
        desk.limit = min(limit, least + WINDOW)
        _walk(desk, parts, memo, set_count, desk.limit)
    return least


@jit_part
def _walk(desk, parts, memo, set_count, limit):
    """Offers all targets within limit, or returns the cost of the cheapest, FAR for none; see desk.is_offering."""
    if not parts.pair_count:
        return FAR
    need, places, costs = desk.need, desk.places, desk.costs
    cheapest_pair = parts.pair_bounds[0]
    least = FAR
    high, low = pack(need)
    depth = 0
    places[0] = 0
    costs[0] = 0
    while True:
        if depth < set_count:
            place, cost, missing = places[depth], costs[depth], set_count - depth
            if place < parts.set_count and cost + missing * parts.set_bounds[place] + cheapest_pair <= limit:
                part = parts.sets[place]
                cost += _add(desk, part)
                high += SET_HIGH[part]
                low += SET_LOW[part]
                depth += 1
                if cost + (missing - 1) * parts.set_bounds[place] + cheapest_pair <= limit:
                    places[depth] = place
                    costs[depth] = cost
                    continue
            elif depth == 0:
                return least
        else:
            found = _add_pairs(desk, parts, memo, costs[depth], limit, high, low)
            if found != FAR:
                least = found
                limit = found - 1
            if depth == 0:
                return least
        # Back to the set before, and on to the one after it.
        depth -= 1
        part = parts.sets[places[depth]]
        need[SET_TILES[part, 0]] -= 1
        need[SET_TILES[part, 1]] -= 1
        need[SET_TILES[part, 2]] -= 1
        high -= SET_HIGH[part]
        low -= SET_LOW[part]
        places[depth] += 1


@jit_part
def _add(desk, part):
    """Adds a set to the target; returns what it costs."""
    cost = 0
    for place in range(3):
        tile = SET_TILES[part, place]
        cost += desk.step[tile, desk.need[tile]]
        desk.need[tile] += 1
    return cost


@jit_part
def _add_pairs(desk, parts, memo, cost, limit, high, low):
    """Completes desk.need by every pair within limit, offers these, or returns the least cost, FAR for none."""
    need, step = desk.need, desk.step
    least = FAR
    for place in range(parts.pair_count):
        if cost + parts.pair_bounds[place] > limit:
            break
        tile = parts.pairs[place]
        total = cost + step[tile, need[tile]] + step[tile, need[tile] + 1]
        if total > limit:
            continue
        need[tile] += 2
        if not desk.needs_honour or _has_honour(need):
            if desk.is_offering:
                offer(desk, memo, total, high + 2 * TILE_HIGH[tile], low + 2 * TILE_LOW[tile])
            else:
                if desk.is_charged:
                    total += surcharge(desk, memo)
                if total <= limit:
                    least = total
                    limit = total - 1
        need[tile] -= 2
    return least


@jit_part
def _has_honour(need):
    for tile in range(FIRST_HONOUR, TILE_COUNT):
        if need[tile]:
            return True
    return False
