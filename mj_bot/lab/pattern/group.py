"""Patterns by the tiles that their sets are made of, as tactic/pattern/group.py has them."""

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...network.view import CONCEALED_KONG
from ...tactic.pattern.holding import CHEAPEST_TILE, FANS_SHORT
from ...tactic.pattern.parts import WINDOW
from ..engine.compile import jit_part
from .desk import ADDED, FAR, FLOOR, IS_CHARGED, LIMIT, NEEDS_HONOUR
from .fill import fill_up
from .holding import IS_OPEN, MELD_COUNT, SETS_MISSING, choose_parts, insert
from .offer import clear, keep_cheaper, offer, pack
from .tables import (
    ALL_TYPES_NUMBER, HALF_FLUSH_NUMBER, POOL_COUNT, POOL_IS_SHORT, POOL_PATTERN, POOL_SETS, POOL_TILES,
    SET_TILES, THREE_CONCEALED_PUNGS_NUMBER, TYPE_COUNT, TYPE_OF_SET, TYPE_SETS, TYPE_TILES,
)
from .value import value_kept


@jit_part
def value_group_patterns(desk, limit):
    """Writes the values of these patterns; limit: the most that a target may cost."""
    goal = desk.goal
    goal[ADDED] = goal[FLOOR] = 0
    clear(desk.kept)
    for pool in range(POOL_COUNT):
        if pool and POOL_PATTERN[pool] != POOL_PATTERN[pool - 1]:
            clear(desk.kept)
        _search_pool(desk, pool, limit)
        value_kept(desk, POOL_PATTERN[pool])
    goal[NEEDS_HONOUR] = 0
    clear(desk.offers)
    _list_all_types(desk, limit)
    clear(desk.kept)
    keep_cheaper(desk.offers, desk.kept)
    value_kept(desk, ALL_TYPES_NUMBER)
    clear(desk.kept)
    goal[IS_CHARGED] = 0
    _search_three_concealed_pungs(desk, limit)
    value_kept(desk, THREE_CONCEALED_PUNGS_NUMBER)


@jit_part
def _search_pool(desk, pool, limit):
    holding, goal = desk.holding, desk.goal
    has_honour = False
    for place in range(holding.facts[MELD_COUNT]):
        melded = holding.meld_sets[place]
        if not POOL_SETS[pool] >> melded & 1:
            return
        has_honour = has_honour or SET_TILES[melded, 0] >= FIRST_HONOUR
    missing = 3 * holding.facts[SETS_MISSING] + 2
    for tile in range(TILE_COUNT):
        if POOL_TILES[pool] >> tile & 1:
            missing -= holding.counts[tile]
    if missing * CHEAPEST_TILE > limit:
        return
    goal[IS_CHARGED] = POOL_IS_SHORT[pool] and holding.facts[IS_OPEN]
    goal[NEEDS_HONOUR] = POOL_PATTERN[pool] == HALF_FLUSH_NUMBER and not has_honour
    choose_parts(holding.parts, POOL_SETS[pool], POOL_TILES[pool], limit, desk.parts)
    desk.need[:] = 0
    clear(desk.offers)
    fill_up(desk, desk.parts, holding.facts[SETS_MISSING], limit)
    keep_cheaper(desk.offers, desk.kept)


@jit_part
def _list_all_types(desk, limit):
    """Offers hands with one part in each type, one of them the pair."""
    holding, free = desk.holding, desk.free_types
    melded = 0
    for place in range(holding.facts[MELD_COUNT]):
        melded |= 1 << TYPE_OF_SET[holding.meld_sets[place]]
    count = 0
    for number in range(TYPE_COUNT):
        if not melded >> number & 1:
            choose_parts(holding.parts, TYPE_SETS[number], TYPE_TILES[number], FAR, desk.type_parts[number])
            if not (desk.type_parts[number].counts[0] and desk.type_parts[number].counts[1]):
                return
            free[count] = number
            count += 1
    if count != holding.facts[SETS_MISSING] + 1:
        return  # two melds are of one type
    least = FAR
    for pair_place in range(count):
        least = min(least, _cheapest_layout(desk, count, pair_place))
    budget = min(limit, least + (FANS_SHORT if holding.facts[IS_OPEN] else WINDOW))
    desk.goal[IS_CHARGED] = holding.facts[IS_OPEN]
    desk.goal[LIMIT] = limit
    number = 0
    for pair_place in range(count):
        number = _list_layout(desk, count, pair_place, budget, number)


@jit_part
def _cheapest_layout(desk, count, pair_place):
    """What a layout's cheapest parts cost."""
    cost = 0
    for place in range(count):
        parts = desk.type_parts[desk.free_types[place]]
        cost += parts.pair_bounds[0] if place == pair_place else parts.set_bounds[0]
    return cost


@jit_part
def _list_layout(desk, count, pair_place, budget, number):
    """Offers the hands of a layout within a budget, numbered on from `number`; returns the next number."""
    need, places, costs = desk.need, desk.places, desk.costs
    need[:] = 0
    depth = 0
    places[0] = 0
    costs[0] = _cheapest_layout(desk, count, pair_place)
    while True:
        if depth < count:
            parts = desk.type_parts[desk.free_types[depth]]
            is_pair = depth == pair_place
            place = places[depth]
            bounds = parts.pair_bounds if is_pair else parts.set_bounds
            if place < parts.counts[1 if is_pair else 0] and costs[depth] + bounds[place] - bounds[0] <= budget:
                _change(need, parts, place, is_pair, 1)
                depth += 1
                if depth < count:
                    places[depth] = 0
                costs[depth] = costs[depth - 1] + bounds[place] - bounds[0]
                continue
            if depth == 0:
                return number
        else:
            high, low = pack(need)
            offer(desk, costs[depth], number, high, low)
            number += 1
        depth -= 1
        _change(need, desk.type_parts[desk.free_types[depth]], places[depth], depth == pair_place, -1)
        places[depth] += 1


@jit_part
def _change(need, parts, place, is_pair, sign):
    """Adds a part to a target, or takes it away."""
    if is_pair:
        need[parts.pairs[place]] += 2 * sign
    else:
        for tile in SET_TILES[parts.sets[place]]:
            need[tile] += sign


@jit_part
def _search_three_concealed_pungs(desk, limit):
    """Three pungs from the own hand, concealed kongs among them, with any set and pair."""
    holding = desk.holding
    concealed = 0
    for place in range(holding.facts[MELD_COUNT]):
        concealed += holding.melds[place, 0] == CONCEALED_KONG
    if holding.facts[MELD_COUNT] - concealed > 1:
        return
    parts = desk.parts
    count = 0
    for tile in range(TILE_COUNT):
        cost = holding.step[tile, 0] + holding.step[tile, 1] + holding.step[tile, 2]
        if holding.counts[tile] >= 2 and cost <= limit:
            insert(parts.pair_bounds, parts.pairs, count, cost, tile)
            count += 1
    wanted = max(3 - concealed, 0)
    chosen = desk.chosen
    if wanted > count:
        return
    for place in range(wanted):
        chosen[place] = place
    while True:
        limit = _search_pungs(desk, wanted, limit)
        # The next combination in order.
        at = wanted - 1
        while at >= 0 and chosen[at] == count - wanted + at:
            at -= 1
        if at < 0:
            return
        chosen[at] += 1
        for place in range(at + 1, wanted):
            chosen[place] = chosen[place - 1] + 1


@jit_part
def _search_pungs(desk, wanted, limit):
    """Searches for what goes with the chosen pungs; returns the limit for those that follow."""
    cost = 0
    desk.need[:] = 0
    for place in range(wanted):
        cost += desk.parts.pair_bounds[desk.chosen[place]]
        desk.need[desk.parts.pairs[desk.chosen[place]]] = 3
    # A claim would lay a pung open: what these lack must be drawn, and counts half as much again.
    cost = cost * 3 // 2
    if cost > limit:
        return limit
    desk.goal[ADDED] = cost
    clear(desk.offers)
    found = fill_up(desk, desk.holding.parts, desk.holding.facts[SETS_MISSING] - wanted, limit - cost)
    keep_cheaper(desk.offers, desk.kept)
    return min(limit, cost + found + WINDOW)
