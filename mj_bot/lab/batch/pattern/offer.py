"""Targets offered to every discard at once: each keeps the cheapest, the first of equals as the tactic lists them."""

from ....mahjong.tile import TILE_COUNT
from ...engine.compile import jit_part
from .desk import COST, FAR, HIGH, LOW, ORDER
from .fans import surcharge
from .tables import TILE_HIGH, TILE_LOW

# For desk.order: the first of equal targets is the one of the lowest cost, then tiles; else the first offered.
BY_COST = -1


@jit_part
def clear(offers):
    """No target yet."""
    for slot in range(len(offers)):
        offers[slot, COST] = FAR


@jit_part
def offer(desk, memo, base, high, low):
    """Offers the target in desk.need.

    base: what its tiles cost. high, low: the target packed.
    """
    cost = max(base, desk.floor) + desk.added
    order = base if desk.order == BY_COST else desk.order
    if desk.order != BY_COST:
        desk.order += 1
    is_charged = desk.is_charged
    for slot in range(desk.slot_count):
        best = desk.offers[slot]
        more = _cost_of_discard(desk, desk.slots[slot])
        if cost + more > best[COST] or not _is_better(best, cost + more, order, high, low):
            continue
        if is_charged:
            # Asked for only where it matters: what is charged makes a target no better.
            charge = surcharge(desk, memo)
            is_charged = 0
            if base + charge > desk.limit:
                return
            cost += charge
            if desk.order == BY_COST:
                order += charge
            if not _is_better(best, cost + more, order, high, low):
                continue
        best[COST] = cost + more
        best[ORDER] = order
        best[HIGH] = high
        best[LOW] = low


@jit_part
def _cost_of_discard(desk, discard):
    """What the discard makes the target cost more."""
    if discard < 0 or desk.need[discard] < desk.counts[discard]:
        return 0
    return desk.step[discard, desk.need[discard]]


@jit_part
def _is_better(best, cost, order, high, low):
    if cost != best[COST]:
        return cost < best[COST]
    if order != best[ORDER]:
        return order < best[ORDER]
    return high < best[HIGH] or (high == best[HIGH] and low < best[LOW])


@jit_part
def keep_cheaper(desk):
    """Keeps of the offers what is cheaper than all that was kept before."""
    for slot in range(desk.slot_count):
        if desk.offers[slot, COST] < desk.kept[slot, COST]:
            for column in range(4):
                desk.kept[slot, column] = desk.offers[slot, column]


@jit_part
def pack(need):
    """A target packed, (high, low)."""
    high = low = 0
    for tile in range(TILE_COUNT):
        high += need[tile] * TILE_HIGH[tile]
        low += need[tile] * TILE_LOW[tile]
    return high, low
