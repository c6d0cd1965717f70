"""Patterns by the tiles that their sets are made of."""

from ...jit import jit_part
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from ...observation.layout import CONCEALED_KONG
from .fans import FANS_SHORT
from .scratch import ALL, FAR, POOL, TYPES, choose_parts, insert
from .tables import (
    ALL_PUNGS, ALL_TYPES, CHEAPEST_TILE, HALF_FLUSH, PAIR, PART_TILES, POOL_COUNT, POOL_PARTS, POOL_PATTERN, SET,
    THREE_CONCEALED_PUNGS, TYPE_COUNT, TYPE_OF_SET, TYPE_PARTS)
from .targets import WINDOW, change, clear, clear_need, fill_up, offer_next
from .value import value_offers


@jit_part
def value_group_patterns(scratch, parts, memo, limit):
    """Writes the values of these patterns; limit: the most that a target may cost."""
    scratch.added = scratch.floor = 0
    for pool in range(POOL_COUNT):
        scratch.pattern = POOL_PATTERN[pool]
        if pool == 0 or POOL_PATTERN[pool - 1] != POOL_PATTERN[pool]:
            clear(scratch)
        _search_pool(scratch, parts, memo, pool, limit)
        value_offers(scratch)
    scratch.needs_honour = 0
    scratch.pattern = ALL_TYPES
    scratch.is_charged = scratch.is_open
    scratch.limit = limit
    clear(scratch)
    _list_all_types(scratch, parts, memo, limit)
    value_offers(scratch)
    scratch.pattern = THREE_CONCEALED_PUNGS
    scratch.is_charged = 0
    clear(scratch)
    _search_three_concealed_pungs(scratch, parts, memo, limit)
    value_offers(scratch)


@jit_part
def _search_pool(scratch, parts, memo, pool, limit):
    pattern = scratch.pattern
    has_honour = False
    for place in range(scratch.meld_count):
        melded = scratch.meld_sets[place]
        if not POOL_PARTS[pool][SET] >> melded & 1:
            return
        has_honour = has_honour or PART_TILES[SET][melded][0] >= FIRST_HONOUR
    missing = 3 * scratch.sets_missing + 2
    for tile in range(TILE_COUNT):
        if POOL_PARTS[pool][PAIR] >> tile & 1:
            missing -= scratch.counts[tile]
    if missing * CHEAPEST_TILE > limit:
        return
    scratch.is_charged = scratch.is_open and (pattern == HALF_FLUSH or pattern == ALL_PUNGS)
    # Without an honour a half flush is a full flush.
    scratch.needs_honour = pattern == HALF_FLUSH and not has_honour
    choose_parts(parts[ALL], POOL_PARTS[pool], limit, parts[POOL])
    clear_need(scratch)
    fill_up(scratch, parts[POOL], memo, scratch.sets_missing, limit)


@jit_part
def _list_all_types(scratch, parts, memo, limit):
    """Offers hands with one part in each type that is not melded, one of them the pair."""
    melded = count = 0
    for place in range(scratch.meld_count):
        melded |= 1 << TYPE_OF_SET[scratch.meld_sets[place]]
    for number in range(TYPE_COUNT):
        if not melded >> number & 1:
            choices = parts[TYPES + count]
            choose_parts(parts[ALL], TYPE_PARTS[number], FAR, choices)
            if not choices.counts[SET] or not choices.counts[PAIR]:
                return
            count += 1
    if count != scratch.sets_missing + 1:
        return  # two melds are of one type
    least = FAR
    for pair_place in range(count):
        least = min(least, _cheapest_layout(parts, count, pair_place))
    budget = min(limit, least + (FANS_SHORT if scratch.is_open else WINDOW))
    for pair_place in range(count):
        _list_layout(scratch, parts, memo, count, pair_place, budget)


@jit_part
def _cheapest_layout(parts, count, pair_place):
    """Cost of the cheapest parts if the free type at pair_place has the pair."""
    cost = 0
    for place in range(count):
        cost += parts[TYPES + place].bounds[PAIR if place == pair_place else SET][0]
    return cost


@jit_part
def _list_layout(scratch, parts, memo, count, pair_place, budget):
    """Offers the hands within a budget whose pair is of the free type at pair_place."""
    places, costs = scratch.places, scratch.costs
    depth = places[0] = 0
    costs[0] = _cheapest_layout(parts, count, pair_place)
    while depth >= 0:
        place, choices, kind = places[depth], parts[TYPES + min(depth, count - 1)], int(depth == pair_place)
        if depth == count:
            offer_next(scratch, memo, costs[depth])
        elif place < choices.counts[kind]:
            cost = costs[depth] + choices.bounds[kind][place] - choices.bounds[kind][0]
            if cost <= budget:
                change(scratch, kind, choices.items[kind][place], 1)
                depth += 1
                places[depth] = 0
                costs[depth] = cost
                continue
        depth -= 1
        if depth >= 0:
            kind = int(depth == pair_place)
            change(scratch, kind, parts[TYPES + depth].items[kind][places[depth]], -1)
            places[depth] += 1


@jit_part
def _search_three_concealed_pungs(scratch, parts, memo, limit):
    """Three pungs from the own hand, concealed kongs among them, with any set and pair."""
    concealed = 0
    for place in range(scratch.meld_count):
        concealed += scratch.melds[place][0] == CONCEALED_KONG
    if scratch.meld_count - concealed > 1:
        return
    count = 0
    for tile in range(TILE_COUNT):
        step = scratch.step[tile]
        cost = step[0] + step[1] + step[2]
        if scratch.counts[tile] >= 2 and cost <= limit:
            insert(scratch.ranked_costs, scratch.ranked_tiles, count, cost, tile)
            count += 1
    wanted, chosen = max(3 - concealed, 0), scratch.chosen
    if wanted > count:
        return
    for place in range(wanted):
        chosen[place] = place
    at = 0
    while at >= 0:
        limit = _search_pungs(scratch, parts, memo, wanted, limit)
        # The next combination, in the order of itertools.combinations.
        at = wanted - 1
        while at >= 0 and chosen[at] == count - wanted + at:
            at -= 1
        if at >= 0:
            chosen[at] += 1
            for place in range(at + 1, wanted):
                chosen[place] = chosen[place - 1] + 1


@jit_part
def _search_pungs(scratch, parts, memo, wanted, limit):
    """Completes the chosen pungs with sets and a pair; returns the limit for later pungs."""
    cost = 0
    clear_need(scratch)
    for place in range(wanted):
        cost += scratch.ranked_costs[scratch.chosen[place]]
        scratch.need[scratch.ranked_tiles[scratch.chosen[place]]] = 3
    # A claimed pung is open, so missing tiles must be drawn and cost 1.5 times as much.
    scratch.added = cost * 3 // 2
    if scratch.added > limit:
        return limit
    found = fill_up(scratch, parts[ALL], memo, scratch.sets_missing - wanted, limit - scratch.added)
    return min(limit, scratch.added + found + WINDOW)
