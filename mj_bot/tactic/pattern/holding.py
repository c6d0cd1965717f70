"""What a seat holds, and the parts of targets with what they cost: sets, pairs, and the search that adds them."""

from ...mahjong.fan import MIN_FAN, count_fan
from ...mahjong.sets import MAX_SETS
from ...mahjong.tile import COPIES, FIRST_HONOUR, TILE_COUNT, TILE_NAMES

# How far above the cheapest target of a pattern, or of the same nine tiles, others still matter.
WINDOW = 350
CHOWS = {tile: (tile - 1, tile, tile + 1) for tile in range(FIRST_HONOUR) if 0 < tile % 9 < 8}  # by middle tile
PUNGS = [(tile, tile, tile) for tile in range(TILE_COUNT)]
HONOURS = tuple(range(FIRST_HONOUR, TILE_COUNT))
ALL_PAIRS = [(tile, tile) for tile in range(TILE_COUNT)]
# Of a missing tile, by the copies of it left unseen; a dead tile rules its target out.
MISSING_COST = (10000, 1100, 1000, 900, 800)
CHEAPEST_TILE = 800
RULED_OUT = 10000
# Beyond its tiles, of a target that counts 7 fan, which a self-draw makes 8, and of one that counts fewer.
ONE_FAN_SHORT = 500
FANS_SHORT = 1500

# A target that is searched may for a moment have any number of copies: four chows and a pair of one tile.
_MOST_COPIES = 3 * MAX_SETS + 2


def _copy_costs(held, unseen):
    missing = [MISSING_COST[max(unseen - copy, 0)] for copy in range(_MOST_COPIES - held)]
    return tuple([0] * held + missing)


COPY_COSTS = [[_copy_costs(held, unseen) for unseen in range(COPIES + 1)] for held in range(COPIES + 1)]


def list_sets(tiles):
    """The chows and pungs that lie within some tiles."""
    chows = [CHOWS[tile] for tile in tiles if tile in CHOWS and tile - 1 in tiles and tile + 1 in tiles]
    return chows + [PUNGS[tile] for tile in tiles]


ALL_SETS = list_sets(range(TILE_COUNT))


class Holding(object):
    """One seat's concealed tiles and melds, and the costs that follow from them.

    counts: sequence of 34 ints, concealed tiles by kind, with or without the one to discard.
    melds: list of Meld.
    unseen: sequence of 34 ints, copies of each kind that may still come.
    step: step[tile][n] is what copy n + 1 of a tile costs in a target: nothing while held, then by the copies left.
    sets_missing: 0..4, sets not melded yet. is_open: whether any meld was claimed.
    sets, pairs: list of (cost, tiles) of every set and pair alone, cheapest first.
    """

    __slots__ = ("counts", "melds", "step", "sets_missing", "is_open", "sets", "pairs", "_pack", "_winds",
                 "_surcharges")

    def __init__(self, counts, melds, unseen, seat_wind=0, prevalent_wind=0):
        self.counts = counts
        self.melds = melds
        self.step = [COPY_COSTS[held][left] for held, left in zip(counts, unseen)]
        self.sets_missing = MAX_SETS - len(melds)
        self.is_open = any(not meld.is_concealed for meld in melds)
        self.sets = self.rank(ALL_SETS)
        self.pairs = self.rank(ALL_PAIRS)
        self._pack = tuple(meld.as_pack(seat_wind) for meld in melds)
        self._winds = (seat_wind, prevalent_wind)
        self._surcharges = {}

    def rank(self, parts, limit=RULED_OUT - 1):
        """(cost, tiles) of each part of a target alone, cheapest first, without those beyond limit."""
        step = self.step
        need = [0] * TILE_COUNT
        ranked = []
        for tiles in parts:
            cost = 0
            for tile in tiles:
                cost += step[tile][need[tile]]
                need[tile] += 1
            for tile in tiles:
                need[tile] = 0
            if cost <= limit:
                ranked.append((cost, tiles))
        ranked.sort()
        return ranked

    def surcharge(self, need):
        """What a target costs beyond its tiles for want of fans when it is won on a discard of the first missing one.

        A concealed hand needs no look: it has 2 fan for being one, enough for every pattern of 6.
        """
        if not self.is_open:
            return 0
        if need not in self._surcharges:
            fan = self._count_fan(need)
            self._surcharges[need] = 0 if fan >= MIN_FAN else ONE_FAN_SHORT if fan == MIN_FAN - 1 else FANS_SHORT
        return self._surcharges[need]

    def _count_fan(self, need):
        names = []
        win_name = None
        for tile in range(TILE_COUNT):
            if need[tile]:
                names.extend([TILE_NAMES[tile]] * need[tile])
                if win_name is None and need[tile] > self.counts[tile]:
                    win_name = names.pop()
        if win_name is None:
            win_name = names.pop()
        return count_fan(self._pack, tuple(names), win_name, 0, False, False, False, False, *self._winds)


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
