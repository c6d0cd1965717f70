"""Searches for targets, charges for too few fans, and offers each target to every discard at once.

A search adds sets and a pair depth first, the cheapest first. It stops at a part that alone costs too much: other parts
never make it cheaper. Targets are not stored. A search runs twice: for the cost of its cheapest target, then for all
within WINDOW of that. Each of these is offered to every discard, and each discard keeps its cheapest. Equals are
ordered by search, then by cost before the discard, then by counts from tile 0 on, the lowest first.
"""

from ...jit import jit_part
from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from .fans import compute_charge
from .scratch import COST, FAR, HIGH, LOW, ORDER
from .tables import PAIR, PART_SIZE, PART_TILES, SET, TILE_HIGH, TILE_LOW

# Targets up to this far above the cheapest of a search count.
WINDOW = 350
# ORDER of an offer: the number of its search above these bits, its cost in them.
_ORDER_BITS = 20


@jit_part
def fill_up(scratch, parts, memo, set_count, limit):
    """Offers the cheapest target that adds set_count sets and a pair to scratch.need, and those within WINDOW of it.

    parts: to choose from. limit: the highest cost of the addition, with missing fans.
    Returns the cost of the cheapest addition, FAR where all are beyond limit.
    """
    scratch.search += 1
    scratch.least = FAR
    if parts.counts[PAIR]:
        scratch.is_offering = 0
        scratch.limit = limit
        _walk(scratch, parts, memo, set_count)
        if scratch.least != FAR:
            scratch.is_offering = 1
            scratch.limit = min(limit, scratch.least + WINDOW)
            _walk(scratch, parts, memo, set_count)
    return scratch.least


@jit_part
def _walk(scratch, parts, memo, set_count):
    """Adds set_count sets and a pair to the target in every way within the limit, depth first."""
    places, costs, sets, bounds = scratch.places, scratch.costs, parts.items[SET], parts.bounds[SET]
    cheapest_pair = parts.bounds[PAIR][0]
    depth = places[0] = costs[0] = 0
    while depth >= 0:
        place, cost, missing = places[depth], costs[depth], set_count - depth
        if missing == 0:
            _add_pairs(scratch, parts, memo, cost)
        elif place < parts.counts[SET] and cost + missing * bounds[place] + cheapest_pair <= scratch.limit:
            cost += change(scratch, SET, sets[place], 1)
            depth += 1
            places[depth] = place
            costs[depth] = cost
            if cost + (missing - 1) * bounds[place] + cheapest_pair <= scratch.limit:
                continue
        # Backtrack: replace the last set by the next one.
        depth -= 1
        if depth >= 0:
            change(scratch, SET, sets[places[depth]], -1)
            places[depth] += 1


@jit_part
def change(scratch, kind, part, sign):
    """Adds a part to the target or removes it, by sign; returns its cost when added."""
    need, tiles = scratch.need, PART_TILES[kind][part]
    cost = 0
    for at in range(PART_SIZE[kind]):
        cost += scratch.step[tiles[at]][need[tiles[at]]]
        need[tiles[at]] += sign
    return cost


@jit_part
def _add_pairs(scratch, parts, memo, cost):
    """Completes the target by every pair within the limit: offers these, or makes the cheapest the limit."""
    need, step = scratch.need, scratch.step
    for place in range(parts.counts[PAIR]):
        if cost + parts.bounds[PAIR][place] > scratch.limit:
            return
        tile = parts.items[PAIR][place]
        total = cost + step[tile][need[tile]] + step[tile][need[tile] + 1]
        if total > scratch.limit:
            continue
        need[tile] += 2
        if not scratch.needs_honour or _has_honour(need):
            if scratch.is_offering:
                offer(scratch, memo, total)
            else:
                if scratch.is_charged:
                    total += compute_charge(scratch, memo)
                if total <= scratch.limit:
                    scratch.least = total
                    scratch.limit = total - 1
        need[tile] -= 2


@jit_part
def _has_honour(need):
    for tile in range(FIRST_HONOUR, TILE_COUNT):
        if need[tile]:
            return True
    return False


@jit_part
def clear(scratch):
    """Clears all offers and the target."""
    for discard in range(scratch.discard_count):
        scratch.offers[discard][COST] = FAR
    clear_need(scratch)


@jit_part
def clear_need(scratch):
    """An empty target."""
    for tile in range(TILE_COUNT):
        scratch.need[tile] = 0


@jit_part
def offer_next(scratch, memo, cost):
    """Offers the target in scratch.need, whose tiles cost `cost`, after all that were offered before."""
    scratch.search += 1
    offer(scratch, memo, cost)


@jit_part
def offer(scratch, memo, cost):
    """Offers the target in scratch.need, whose tiles cost `cost`, to all discards."""
    need, counts, step, limit = scratch.need, scratch.counts, scratch.step, scratch.limit
    order = (scratch.search << _ORDER_BITS) + cost
    total = max(cost, scratch.floor) + scratch.added
    high = low = -1
    is_charged = scratch.is_charged
    if scratch.is_noting:
        _note(scratch, memo, cost, total)
    for discard in range(scratch.discard_count):
        best = scratch.offers[discard]
        tile = scratch.discards[discard]
        more = step[tile][need[tile]] if tile >= 0 and need[tile] >= counts[tile] else 0
        if total + more > best[COST] or (total + more == best[COST] and order > best[ORDER]):
            continue
        if high < 0:
            high, low = pack(need)
        if not _is_better(best, total + more, order, high, low):
            continue
        if is_charged:
            # Counted only where needed: a charge never makes a target better.
            charge = compute_charge(scratch, memo)
            is_charged = 0
            if cost + charge > limit:
                return
            total += charge
            order += charge
            if not _is_better(best, total + more, order, high, low):
                continue
        best[COST] = total + more
        best[ORDER] = order
        best[HIGH] = high
        best[LOW] = low


@jit_part
def _note(scratch, memo, cost, total):
    """Notes what the target in scratch.need costs, and which tiles are missing if it counts 8 fan on a discard."""
    pattern = scratch.pattern
    missing = tiles = 0
    for tile in range(TILE_COUNT):
        more = scratch.need[tile] - scratch.counts[tile]
        if more > 0:
            missing += more
            tiles |= 1 << tile
    charge = compute_charge(scratch, memo)
    if scratch.is_charged:
        if cost + charge > scratch.limit:
            return
        total += charge
    scratch.cheapest[pattern] = min(scratch.cheapest[pattern], total)
    if charge == 0 and missing <= scratch.nearest[pattern]:
        if missing < scratch.nearest[pattern]:
            scratch.nearest[pattern] = missing
            scratch.nearest_tiles[pattern] = 0
        scratch.nearest_tiles[pattern] |= tiles


@jit_part
def _is_better(best, cost, order, high, low):
    if cost != best[COST]:
        return cost < best[COST]
    if order != best[ORDER]:
        return order < best[ORDER]
    return high < best[HIGH] or (high == best[HIGH] and low < best[LOW])


@jit_part
def pack(need):
    """A target packed, (high, low), see tables.py."""
    high = low = 0
    for tile in range(TILE_COUNT):
        high += need[tile] * TILE_HIGH[tile]
        low += need[tile] * TILE_LOW[tile]
    return high, low
