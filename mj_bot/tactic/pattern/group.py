"""Patterns by the tiles that their sets are made of, found by depth-first search over sets and pairs."""

import functools
from itertools import combinations

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT
from .holding import (
    ALL_PAIRS, CHEAPEST_TILE, CHOWS, FANS_SHORT, HONOURS, PUNGS, RULED_OUT, WINDOW, count_need, fill_up, list_sets,
)

ALL_TYPES = "all types"
HALF_FLUSH = "half flush"
FULL_FLUSH = "full flush"
UPPER_FOUR = "upper four"
LOWER_FOUR = "lower four"
ALL_PUNGS = "all pungs"
THREE_CONCEALED_PUNGS = "three concealed pungs"

_SUITS = [tuple(range(suit, suit + 9)) for suit in (0, 9, 18)]
_UPPER = [tile for suit in _SUITS for tile in suit[5:]]
_LOWER = [tile for suit in _SUITS for tile in suit[:4]]


class _Pool(object):
    """What a pattern may be made of: tiles, sets and pairs; is_short: it alone counts fewer than 8 fan."""

    def __init__(self, pattern, tiles, sets, is_short):
        self.pattern = pattern
        self.tiles = tiles
        self.sets = sets
        self.pairs = [ALL_PAIRS[tile] for tile in tiles]
        self.is_short = is_short


POOLS = [
    _Pool(pattern, tiles, list_sets(tiles), is_short)
    for pattern, tiles, is_short in
    [(HALF_FLUSH, suit + HONOURS, True) for suit in _SUITS]
    + [(FULL_FLUSH, suit, False) for suit in _SUITS]
    + [(UPPER_FOUR, _UPPER, False), (LOWER_FOUR, _LOWER, False)]
]
POOLS.append(_Pool(ALL_PUNGS, range(TILE_COUNT), PUNGS, True))
# All types has one part in each of these, one of the five its pair.
TYPES = [(list_sets(tiles), [ALL_PAIRS[tile] for tile in tiles]) for tiles in _SUITS + [HONOURS[:4], HONOURS[4:]]]


def find_group_targets(holding, limit):
    """The cheapest targets of each pattern of this room.

    limit: the most that a target may cost.
    Returns list of (pattern, targets), patterns without a target left out; targets is a list of (cost, need, None).
    """
    melded = [CHOWS[meld.tile] if meld.type == "CHI" else PUNGS[meld.tile] for meld in holding.melds]
    found = {}
    for pool in POOLS:
        found.setdefault(pool.pattern, []).extend(_list_pool(holding, pool, melded, limit))
    found[ALL_TYPES] = _list_all_types(holding, melded, limit)
    found[THREE_CONCEALED_PUNGS] = _list_three_concealed_pungs(holding, limit)
    return [(pattern, targets) for pattern, targets in found.items() if targets]


def _list_pool(holding, pool, melded, limit):
    if any(part not in pool.sets for part in melded):
        return []
    tiles_missing = 3 * holding.sets_missing + 2 - sum(holding.counts[tile] for tile in pool.tiles)
    if tiles_missing * CHEAPEST_TILE > limit:
        return []
    surcharge = holding.surcharge if pool.is_short else None
    if pool.pattern == HALF_FLUSH and not any(part[0] >= FIRST_HONOUR for part in melded):
        surcharge = functools.partial(_charge_half_flush, holding)
    targets = fill_up(holding.step, [0] * TILE_COUNT, holding.rank(pool.sets, limit), holding.sets_missing,
                      holding.rank(pool.pairs, limit), limit, surcharge)
    return [(cost, need, None) for cost, need in targets]


def _charge_half_flush(holding, need):
    # Without an honour it is a full flush.
    return holding.surcharge(need) if any(need[FIRST_HONOUR:]) else RULED_OUT


def _list_all_types(holding, melded, limit):
    free = [(sets, pairs) for sets, pairs in TYPES if not any(part in sets for part in melded)]
    if len(free) != holding.sets_missing + 1:
        return []  # two melds are of one type
    ranked = [(holding.rank(sets), holding.rank(pairs)) for sets, pairs in free]
    if not all(sets and pairs for sets, pairs in ranked):
        return []
    layouts = [[pairs if place == pair_place else sets for place, (sets, pairs) in enumerate(ranked)]
               for pair_place in range(len(ranked))]
    cheapest = [sum(choice[0][0] for choice in layout) for layout in layouts]
    budget = min(limit, min(cheapest) + (FANS_SHORT if holding.is_open else WINDOW))
    targets = []
    for layout, floor in zip(layouts, cheapest):
        partial = [(floor, ())]
        for choice in layout:
            least = choice[0][0]
            partial = [(cost + more - least, tiles + part) for cost, tiles in partial for more, part in choice
                       if cost + more - least <= budget]
        targets += [(cost, tuple(count_need(tiles))) for cost, tiles in partial]
    targets = [(cost + holding.surcharge(need), need, None) for cost, need in targets]
    return [target for target in targets if target[0] <= limit]


def _list_three_concealed_pungs(holding, limit):
    """Three pungs from the own hand, concealed kongs among them, with any set and pair."""
    concealed = sum(meld.is_concealed for meld in holding.melds)
    if len(holding.melds) - concealed > 1:
        return []
    pungs = holding.rank([PUNGS[tile] for tile in range(TILE_COUNT) if holding.counts[tile] >= 2], limit)
    targets = []
    for group in combinations(pungs, max(3 - concealed, 0)):
        # A claim would lay a pung open: what these lack must be drawn, and counts half as much again.
        core_cost = sum(cost for cost, _ in group) * 3 // 2
        if core_cost > limit:
            continue
        need = count_need(tile for _, tiles in group for tile in tiles)
        for cost, whole in fill_up(holding.step, need, holding.sets, holding.sets_missing - len(group), holding.pairs,
                                   limit - core_cost):
            targets.append((core_cost + cost, whole, None))
            limit = min(limit, core_cost + cost + WINDOW)
    return targets
