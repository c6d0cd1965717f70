"""Targets: searched for, charged for want of fans, and offered to every discard at once.

A target is charged by fans that are easily seen, else by MahjongGB's answers. Every target that is charged has a
pattern of 6 fan, won on a discard with no more than the tile itself to count. Each discard keeps its cheapest target,
of equals the first as the tactic lists them.
"""

import numpy as np

from ....jit import jit_part
from ....mahjong.fan import MIN_FAN
from ....mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT
from ....observation.fan_memo import TILE_SHIFT, find_fan, hand_key
from ....observation.layout import CHOW, CONCEALED_KONG
from ....tactic.pattern.holding import FANS_SHORT, ONE_FAN_SHORT, WINDOW
from .scratch import COST, FAR, HIGH, LOW, ORDER
from .tables import SET_HIGH, SET_LOW, SET_TILES, TILE_HIGH, TILE_LOW

_WINDS = 4
# What the pattern lacks.
_WANTED = MIN_FAN - 6
# For scratch.order: the first of equal targets is the one of the lowest cost, then tiles; else the first offered.
BY_COST = -1


@jit_part
def fill_up(scratch, parts, memo, set_count, limit):
    """Offers the cheapest target that adds set_count sets and a pair to scratch.need, and those within WINDOW of it.

    parts: to choose from. limit: the most that the addition may cost, for want of fans too.
    Returns the cost of the cheapest addition, FAR where all are beyond limit.
    """
    scratch.order = BY_COST
    scratch.is_offering = False
    least = _walk(scratch, parts, memo, set_count, limit)
    if least != FAR:
        scratch.is_offering = True
        scratch.limit = min(limit, least + WINDOW)
        _walk(scratch, parts, memo, set_count, scratch.limit)
    return least


@jit_part
def _walk(scratch, parts, memo, set_count, limit):
    """Offers all targets within limit, or returns the cost of the cheapest, FAR for none; see scratch.is_offering."""
    if not parts.pair_count:
        return FAR
    need, places, costs = scratch.need, scratch.places, scratch.costs
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
                cost += _add(scratch, part)
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
            found = _add_pairs(scratch, parts, memo, costs[depth], limit, high, low)
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
def _add(scratch, part):
    """Adds a set to the target; returns what it costs."""
    cost = 0
    for place in range(3):
        tile = SET_TILES[part, place]
        cost += scratch.step[tile, scratch.need[tile]]
        scratch.need[tile] += 1
    return cost


@jit_part
def _add_pairs(scratch, parts, memo, cost, limit, high, low):
    """Completes scratch.need by every pair within limit, offers these, or returns the least cost, FAR for none."""
    need, step = scratch.need, scratch.step
    least = FAR
    for place in range(parts.pair_count):
        if cost + parts.pair_bounds[place] > limit:
            break
        tile = parts.pairs[place]
        total = cost + step[tile, need[tile]] + step[tile, need[tile] + 1]
        if total > limit:
            continue
        need[tile] += 2
        if not scratch.needs_honour or _has_honour(need):
            if scratch.is_offering:
                offer(scratch, memo, total, high + 2 * TILE_HIGH[tile], low + 2 * TILE_LOW[tile])
            else:
                if scratch.is_charged:
                    total += _surcharge(scratch, memo)
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


@jit_part
def clear(offers):
    """No target yet."""
    for slot in range(len(offers)):
        offers[slot, COST] = FAR


@jit_part
def offer(scratch, memo, base, high, low):
    """Offers the target in scratch.need.

    base: what its tiles cost. high, low: the target packed.
    """
    cost = max(base, scratch.floor) + scratch.added
    order = base if scratch.order == BY_COST else scratch.order
    if scratch.order != BY_COST:
        scratch.order += 1
    is_charged = scratch.is_charged
    for slot in range(scratch.slot_count):
        best = scratch.offers[slot]
        more = _cost_of_discard(scratch, scratch.slots[slot])
        if cost + more > best[COST] or not _is_better(best, cost + more, order, high, low):
            continue
        if is_charged:
            # Asked for only where it matters: what is charged makes a target no better.
            charge = _surcharge(scratch, memo)
            is_charged = 0
            if base + charge > scratch.limit:
                return
            cost += charge
            if scratch.order == BY_COST:
                order += charge
            if not _is_better(best, cost + more, order, high, low):
                continue
        best[COST] = cost + more
        best[ORDER] = order
        best[HIGH] = high
        best[LOW] = low


@jit_part
def _cost_of_discard(scratch, discard):
    """What the discard makes the target cost more."""
    if discard < 0 or scratch.need[discard] < scratch.counts[discard]:
        return 0
    return scratch.step[discard, scratch.need[discard]]


@jit_part
def _is_better(best, cost, order, high, low):
    if cost != best[COST]:
        return cost < best[COST]
    if order != best[ORDER]:
        return order < best[ORDER]
    return high < best[HIGH] or (high == best[HIGH] and low < best[LOW])


@jit_part
def keep_cheaper(scratch):
    """Keeps of the offers what is cheaper than all that was kept before."""
    for slot in range(scratch.slot_count):
        if scratch.offers[slot, COST] < scratch.kept[slot, COST]:
            for column in range(4):
                scratch.kept[slot, column] = scratch.offers[slot, column]


@jit_part
def pack(need):
    """A target packed, (high, low)."""
    high = low = 0
    for tile in range(TILE_COUNT):
        high += need[tile] * TILE_HIGH[tile]
        low += need[tile] * TILE_LOW[tile]
    return high, low


@jit_part
def _surcharge(scratch, memo):
    """Surcharge of the target in scratch.need; where MahjongGB must be asked first, none, and the scratch says so."""
    if not scratch.is_open:
        return 0
    need = scratch.need
    tile = _find_win_tile(scratch.counts, need)
    if count_sure(scratch, tile) >= _WANTED:
        return 0
    need[tile] -= 1
    first, second = hand_key(need, scratch.melds, scratch.meld_count, scratch.seat_wind, scratch.prevalent_wind)
    need[tile] += 1
    fan = find_fan(memo, first, second | np.uint64(tile << TILE_SHIFT))
    if fan < 0:
        scratch.is_uncounted = 1
        return 0
    if fan >= MIN_FAN:
        return 0
    return ONE_FAN_SHORT if fan == MIN_FAN - 1 else FANS_SHORT


@jit_part
def _find_win_tile(counts, need):
    """The first tile that a target lacks; the last of its tiles where it lacks none."""
    for tile in range(TILE_COUNT):
        if need[tile] > counts[tile]:
            return tile
    tile = TILE_COUNT - 1
    while not need[tile]:
        tile -= 1
    return tile


@jit_part
def count_sure(scratch, win_tile):
    """Fans that the target in scratch.need has beside its pattern for sure; there may be more.

    The tiles alone show these: pungs of honours, concealed kongs, tile hogs, all simples or all chows or no
    honours; and what goes with four pungs: two concealed, two of a rank, those of terminals.
    """
    held = scratch.held
    fan = 0
    melded = 0  # pungs and kongs
    for tile in range(TILE_COUNT):
        held[tile] = scratch.need[tile]
    for place in range(scratch.meld_count):
        kind, tile = scratch.melds[place, 0], scratch.melds[place, 1]
        if kind == CHOW:
            for part in range(tile - 1, tile + 2):
                held[part] += 1
        else:
            held[tile] += 3
            melded |= 1 << tile
            fan += 2 * (kind == CONCEALED_KONG)
    thrice = concealed = pairs = honours = terminals = terminal_pungs = 0
    for tile in range(TILE_COUNT):
        count = held[tile]
        is_terminal = tile < FIRST_HONOUR and (tile % 9 == 0 or tile % 9 == 8)
        pairs += count == 2
        honours += tile >= FIRST_HONOUR and count > 0
        terminals += is_terminal and count > 0
        if count >= 3:
            thrice += 1
            concealed += tile != win_tile and not melded >> tile & 1
            terminal_pungs += is_terminal
            fan += 2 * (count == COPIES)
            if tile >= FIRST_HONOUR:
                fan += 2 if _is_valued(scratch, tile) else 1
    if not honours:
        fan += 2 if not terminals or not thrice else 1
    if thrice == 4 and pairs == 1:
        fan += terminal_pungs + 2 * (concealed >= 2) + 2 * _has_double_pung(held)
    return fan


@jit_part
def _is_valued(scratch, tile):
    wind = tile - FIRST_HONOUR
    return wind >= _WINDS or wind == scratch.seat_wind or wind == scratch.prevalent_wind


@jit_part
def _has_double_pung(held):
    """Whether four pungs have one rank in two suits."""
    for rank in range(9):
        if (held[rank] >= 3) + (held[9 + rank] >= 3) + (held[18 + rank] >= 3) >= 2:
            return True
    return False
