"""Targets offered to every discard at once: each keeps the cheapest, the first of equals as the tactic lists them."""

from ...mahjong.tile import TILE_COUNT
from ..engine.compile import jit_part
from .desk import ADDED, COST, FAR, FLOOR, HIGH, IS_CHARGED, LIMIT, LOW, ORDER
from .fans import surcharge
from .holding import SLOT_COUNT
from .tables import HALF, TILE_HIGH, TILE_LOW

# Instead of an offer's number: the first of equal targets is the one of the lowest cost, then tiles.
BY_COST = -1


@jit_part
def clear(offers):
    """No target yet."""
    offers[:, COST] = FAR


@jit_part
def offer(desk, base, number, high, low):
    """Offers the target in desk.need.

    base: what its tiles cost. number: rises from offer to offer, or BY_COST. high, low: the target packed.
    """
    holding, goal = desk.holding, desk.goal
    cost = max(base, goal[FLOOR]) + goal[ADDED]
    order = base if number == BY_COST else number
    is_charged = goal[IS_CHARGED]
    for slot in range(holding.facts[SLOT_COUNT]):
        best = desk.offers[slot]
        more = cost_of_discard(holding, desk.need, holding.slots[slot])
        if not _is_better(best, cost + more, order, high, low):
            continue
        if is_charged:
            # Asked for only where it matters: what is charged makes a target no better.
            charge = surcharge(desk)
            is_charged = 0
            if base + charge > goal[LIMIT]:
                return
            cost += charge
            if number == BY_COST:
                order += charge
            if not _is_better(best, cost + more, order, high, low):
                continue
        best[COST] = cost + more
        best[ORDER] = order
        best[HIGH] = high
        best[LOW] = low


@jit_part
def cost_of_discard(holding, need, discard):
    """What the discard makes a target cost more."""
    if discard < 0 or need[discard] < holding.counts[discard]:
        return 0
    return holding.step[discard, need[discard]]


@jit_part
def _is_better(best, cost, order, high, low):
    if cost != best[COST]:
        return cost < best[COST]
    if order != best[ORDER]:
        return order < best[ORDER]
    return high < best[HIGH] or (high == best[HIGH] and low < best[LOW])


@jit_part
def keep_cheaper(offers, kept):
    """Keeps what is cheaper than all that was kept before."""
    for slot in range(len(offers)):
        if offers[slot, COST] < kept[slot, COST]:
            for column in range(4):
                kept[slot, column] = offers[slot, column]


@jit_part
def pack(need):
    """A target packed, (high, low)."""
    high = low = 0
    for tile in range(TILE_COUNT):
        high += need[tile] * TILE_HIGH[tile]
        low += need[tile] * TILE_LOW[tile]
    return high, low


@jit_part
def count_packed(high, low, tile):
    """Copies of a tile in a packed target."""
    return high >> 3 * (HALF - 1 - tile) & 7 if tile < HALF else low >> 3 * (TILE_COUNT - 1 - tile) & 7
