"""Patterns by the tiles that their sets are made of, as tactic/pattern/group.py has them."""

from ....jit import jit_part
from ....mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ....observation.layout import CONCEALED_KONG
from ....tactic.pattern.holding import CHEAPEST_TILE, FANS_SHORT, WINDOW
from .scratch import ALL_PARTS, FAR, POOL_PARTS, TYPE_PARTS, choose_parts, insert
from .tables import (
    ALL_TYPES_NUMBER, HALF_FLUSH_NUMBER, POOL_COUNT, POOL_IS_SHORT, POOL_PATTERN, POOL_SETS, POOL_TILES, SET_TILES,
    THREE_CONCEALED_PUNGS_NUMBER, TYPE_COUNT, TYPE_OF_SET, TYPE_SETS, TYPE_TILES,
)
from .targets import clear, fill_up, keep_cheaper, offer, pack
from .value import value_kept


@jit_part
def value_group_patterns(scratch, parts, memo, limit):
    """Writes the values of these patterns; limit: the most that a target may cost."""
    scratch.added = scratch.floor = 0
    for pool in range(POOL_COUNT):
        if pool == 0 or POOL_PATTERN[pool] != POOL_PATTERN[pool - 1]:
            clear(scratch.kept)
        _search_pool(scratch, parts, memo, pool, limit)
        if pool == POOL_COUNT - 1 or POOL_PATTERN[pool] != POOL_PATTERN[pool + 1]:
            value_kept(scratch, POOL_PATTERN[pool])
    scratch.needs_honour = 0
    clear(scratch.kept)
    _list_all_types(scratch, parts, memo, limit)
    value_kept(scratch, ALL_TYPES_NUMBER)
    scratch.is_charged = 0
    clear(scratch.kept)
    _search_three_concealed_pungs(scratch, parts, memo, limit)
    value_kept(scratch, THREE_CONCEALED_PUNGS_NUMBER)


@jit_part
def _search_pool(scratch, parts, memo, pool, limit):
    has_honour = False
    for place in range(scratch.meld_count):
        melded = scratch.meld_sets[place]
        if not POOL_SETS[pool] >> melded & 1:
            return
        has_honour = has_honour or SET_TILES[melded, 0] >= FIRST_HONOUR
    missing = 3 * scratch.sets_missing + 2
    for tile in range(TILE_COUNT):
        if POOL_TILES[pool] >> tile & 1:
            missing -= scratch.counts[tile]
    if missing * CHEAPEST_TILE > limit:
        return
    scratch.is_charged = POOL_IS_SHORT[pool] and scratch.is_open
    # Without an honour a half flush is a full flush.
    scratch.needs_honour = POOL_PATTERN[pool] == HALF_FLUSH_NUMBER and not has_honour
    choose_parts(parts[ALL_PARTS], POOL_SETS[pool], POOL_TILES[pool], limit, parts[POOL_PARTS])
    scratch.need[:] = 0
    clear(scratch.offers)
    fill_up(scratch, parts[POOL_PARTS], memo, scratch.sets_missing, limit)
    keep_cheaper(scratch)


@jit_part
def _list_all_types(scratch, parts, memo, limit):
    """Offers hands with one part in each type that is not melded, one of them the pair."""
    free = scratch.free_types
    melded = 0
    for place in range(scratch.meld_count):
        melded |= 1 << TYPE_OF_SET[scratch.meld_sets[place]]
    count = 0
    for number in range(TYPE_COUNT):
        if not melded >> number & 1:
            choices = parts[TYPE_PARTS + number]
            choose_parts(parts[ALL_PARTS], TYPE_SETS[number], TYPE_TILES[number], FAR, choices)
            if not choices.set_count or not choices.pair_count:
                return
            free[count] = number
            count += 1
    if count != scratch.sets_missing + 1:
        return  # two melds are of one type
    least = FAR
    for pair_place in range(count):
        least = min(least, _cheapest_layout(scratch, parts, count, pair_place))
    if least > limit:
        return
    scratch.is_charged = scratch.is_open
    scratch.limit = limit
    scratch.need[:] = 0
    clear(scratch.offers)
    budget = min(limit, least + (FANS_SHORT if scratch.is_open else WINDOW))
    scratch.order = 0
    for pair_place in range(count):
        _list_layout(scratch, parts, memo, count, pair_place, budget)
    keep_cheaper(scratch)


@jit_part
def _cheapest_layout(scratch, parts, count, pair_place):
    """What a layout's cheapest parts cost."""
    cost = 0
    for place in range(count):
        choices = parts[TYPE_PARTS + scratch.free_types[place]]
        cost += choices.pair_bounds[0] if place == pair_place else choices.set_bounds[0]
    return cost


@jit_part
def _list_layout(scratch, parts, memo, count, pair_place, budget):
    """Offers the hands of a layout within a budget."""
    places, costs = scratch.places, scratch.costs
    depth = 0
    places[0] = 0
    costs[0] = _cheapest_layout(scratch, parts, count, pair_place)
    while True:
        if depth < count:
            choices = parts[TYPE_PARTS + scratch.free_types[depth]]
            more = _cost_beyond(choices, places[depth], depth == pair_place)
            if costs[depth] + more <= budget:
                _change(scratch.need, choices, places[depth], depth == pair_place, 1)
                costs[depth + 1] = costs[depth] + more
                places[depth + 1] = 0
                depth += 1
                continue
            if depth == 0:
                return
        else:
            high, low = pack(scratch.need)
            offer(scratch, memo, costs[depth], high, low)
        depth -= 1
        _change(scratch.need, parts[TYPE_PARTS + scratch.free_types[depth]], places[depth], depth == pair_place, -1)
        places[depth] += 1


@jit_part
def _cost_beyond(choices, place, is_pair):
    """What a choice costs more than the cheapest; FAR where there is none."""
    if is_pair:
        return choices.pair_bounds[place] - choices.pair_bounds[0] if place < choices.pair_count else FAR
    return choices.set_bounds[place] - choices.set_bounds[0] if place < choices.set_count else FAR


@jit_part
def _change(need, choices, place, is_pair, sign):
    """Adds a part to a target, or takes it away."""
    if is_pair:
        need[choices.pairs[place]] += 2 * sign
        return
    for at in range(3):
        need[SET_TILES[choices.sets[place], at]] += sign


@jit_part
def _search_three_concealed_pungs(scratch, parts, memo, limit):
    """Three pungs from the own hand, concealed kongs among them, with any set and pair."""
    concealed = 0
    for place in range(scratch.meld_count):
        concealed += scratch.melds[place, 0] == CONCEALED_KONG
    if scratch.meld_count - concealed > 1:
        return
    count = 0
    for tile in range(TILE_COUNT):
        cost = scratch.step[tile, 0] + scratch.step[tile, 1] + scratch.step[tile, 2]
        if scratch.counts[tile] >= 2 and cost <= limit:
            insert(scratch.ranked_costs, scratch.ranked_tiles, count, cost, tile)
            count += 1
    wanted = max(3 - concealed, 0)
    if wanted > count:
        return
    chosen = scratch.chosen
    for place in range(wanted):
        chosen[place] = place
    while True:
        limit = _search_pungs(scratch, parts, memo, wanted, limit)
        # The next combination, in the order of itertools.combinations.
        at = wanted - 1
        while at >= 0 and chosen[at] == count - wanted + at:
            at -= 1
        if at < 0:
            return
        chosen[at] += 1
        for place in range(at + 1, wanted):
            chosen[place] = chosen[place - 1] + 1


@jit_part
def _search_pungs(scratch, parts, memo, wanted, limit):
    """Searches for what goes with the chosen pungs; returns the limit for those that follow."""
    cost = 0
    scratch.need[:] = 0
    for place in range(wanted):
        cost += scratch.ranked_costs[scratch.chosen[place]]
        scratch.need[scratch.ranked_tiles[scratch.chosen[place]]] = 3
    # A claim would lay a pung open: what these lack must be drawn, and counts half as much again.
    cost = cost * 3 // 2
    if cost > limit:
        return limit
    scratch.added = cost
    clear(scratch.offers)
    found = fill_up(scratch, parts[ALL_PARTS], memo, scratch.sets_missing - wanted, limit - cost)
    keep_cheaper(scratch)
    return min(limit, cost + found + WINDOW)
