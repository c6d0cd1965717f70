"""The parts that targets are made of: sets, pairs, and the search that fills a target up with them."""

from ...mahjong.tile import FIRST_HONOUR, TILE_COUNT

SETS_IN_HAND = 4
# How far above the cheapest target of a pattern, or of the same nine tiles, others still matter.
WINDOW = 350
CHOWS = {tile: (tile - 1, tile, tile + 1) for tile in range(FIRST_HONOUR) if 0 < tile % 9 < 8}  # by middle tile
PUNGS = [(tile, tile, tile) for tile in range(TILE_COUNT)]
HONOURS = tuple(range(FIRST_HONOUR, TILE_COUNT))
ALL_PAIRS = [(tile, tile) for tile in range(TILE_COUNT)]


def list_sets(tiles):
    """The chows and pungs that lie within some tiles."""
    chows = [CHOWS[tile] for tile in tiles if tile in CHOWS and tile - 1 in tiles and tile + 1 in tiles]
    return chows + [PUNGS[tile] for tile in tiles]


ALL_SETS = list_sets(range(TILE_COUNT))


def count_need(tiles):
    """Need (list of 34 ints) of some tiles."""
    need = [0] * TILE_COUNT
    for tile in tiles:
        need[tile] += 1
    return need


def fill_up(step, need, sets, set_count, pairs, limit, surcharge=None):
    """The ways to add set_count sets and a pair to a target, found by depth-first search within a budget.

    step: Holding.step. need: list of 34 ints, what the target has so far; left as it was.
    sets, pairs: lists of (cost, tiles) to choose from, a set as often as wanted, as Holding.rank gives them. A part
        costs no less beside others than alone, so the search ends where that is too much.
    limit: the most that the addition may cost.
    surcharge: function of a whole target (tuple of 34 ints) to what it costs beyond its tiles; None for nothing.
    Returns list of (cost, need), the cheapest first and those within WINDOW of it; empty where all are beyond limit.
    """
    if not pairs:
        return []
    found = {}
    cheapest_pair = pairs[0][0]
    budget = limit

    def add_pair(cost):
        nonlocal budget
        for bound, (tile, _) in pairs:
            if cost + bound > budget:
                break
            held = need[tile]
            total = cost + step[tile][held] + step[tile][held + 1]
            if total > budget:
                continue
            need[tile] = held + 2
            target = tuple(need)
            need[tile] = held
            if target in found:
                continue
            if surcharge:
                total += surcharge(target)
            found[target] = total
            budget = min(budget, total + WINDOW)

    def add_sets(first, missing, cost):
        if not missing:
            add_pair(cost)
            return
        for place in range(first, len(sets)):
            bound, tiles = sets[place]
            if cost + missing * bound + cheapest_pair > budget:
                break
            total = cost
            for tile in tiles:
                total += step[tile][need[tile]]
                need[tile] += 1
            if total + (missing - 1) * bound + cheapest_pair <= budget:
                add_sets(place, missing - 1, total)
            for tile in tiles:
                need[tile] -= 1

    add_sets(0, set_count, 0)
    return sorted((cost, target) for target, cost in found.items() if cost <= budget)
