"""What a seat holds, and what it costs to make more of it."""

from ...mahjong.fan import MIN_FAN, count_fan
from ...mahjong.tile import COPIES, TILE_COUNT, TILE_NAMES
from .parts import ALL_PAIRS, ALL_SETS, SETS_IN_HAND

# Of a missing tile, by the copies of it left unseen; a dead tile rules its target out.
MISSING_COST = (10000, 1100, 1000, 900, 800)
CHEAPEST_TILE = 800
RULED_OUT = 10000
# Beyond its tiles, of a target that counts 7 fan, which a self-draw makes 8, and of one that counts fewer.
ONE_FAN_SHORT = 500
FANS_SHORT = 1500

# A target that is searched may for a moment have any number of copies: four chows and a pair of one tile.
_MOST_COPIES = 3 * SETS_IN_HAND + 2


def _copy_costs(held, unseen):
    missing = [MISSING_COST[max(unseen - copy, 0)] for copy in range(_MOST_COPIES - held)]
    return tuple([0] * held + missing)


COPY_COSTS = [[_copy_costs(held, unseen) for unseen in range(COPIES + 1)] for held in range(COPIES + 1)]


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
        self.sets_missing = SETS_IN_HAND - len(melds)
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
