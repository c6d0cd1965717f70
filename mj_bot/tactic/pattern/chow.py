"""Patterns of three chows, and the knitted straight: a table of their nine tiles, filled up with a set and a pair."""

from itertools import permutations

from ...mahjong.tile import KNITTED_STRAIGHTS
from .holding import CHOWS, count_need, fill_up

MIXED_STEPS = "mixed shifted chows"
MIXED_TRIPLE_CHOW = "mixed triple chow"
MIXED_STRAIGHT = "mixed straight"
PURE_STRAIGHT = "pure straight"
PURE_STEPS = "pure shifted chows"
PURE_TRIPLE_CHOW = "pure triple chow"
KNITTED_STRAIGHT = "knitted straight"

# First tiles of the suits, and every order of them.
_SUITS = (0, 9, 18)
_ORDERS = list(permutations(_SUITS))
# The three chows of each pattern, by their middle tiles, at every suit and rank that they can have.
CHOW_TABLE = [
    (MIXED_STEPS, [(a + rank, b + rank + 1, c + rank + 2) for a, b, c in _ORDERS for rank in range(1, 6)]),
    (MIXED_TRIPLE_CHOW, [tuple(suit + rank for suit in _SUITS) for rank in range(1, 8)]),
    (MIXED_STRAIGHT, [(a + 1, b + 4, c + 7) for a, b, c in _ORDERS]),
    (PURE_STRAIGHT, [(suit + 1, suit + 4, suit + 7) for suit in _SUITS]),
    (PURE_STEPS, [(suit + rank, suit + rank + step, suit + rank + 2 * step)
                  for suit in _SUITS for step in (1, 2) for rank in range(1, 8 - 2 * step)]),
    (PURE_TRIPLE_CHOW, [(suit + rank,) * 3 for suit in _SUITS for rank in range(1, 8)]),
]
# How far above the pattern's cheapest target those of other nine tiles may lie: all that a tie-break counts.
CORE_WINDOW = 1000


def find_chow_targets(holding, limit):
    """The targets of each pattern of this room: the cheapest, and those of all nine tiles within a tile of it.

    limit: the most that a target may cost.
    Returns list of (pattern, targets), patterns without a target left out; targets is a list of (cost, need, core),
    core the need of those of the nine tiles that are not melded.
    """
    found = []
    melded = [meld.tile for meld in holding.melds if meld.type == "CHI"]
    for pattern, table in CHOW_TABLE:
        cores = [tuple(tile for middle in _without(melded, chows) for tile in CHOWS[middle]) for chows in table]
        surcharge = holding.surcharge if pattern == MIXED_STEPS else None
        found.append((pattern, _list_targets(holding, cores, limit, surcharge)))
    found.append((KNITTED_STRAIGHT, _list_targets(holding, KNITTED_STRAIGHTS, limit)))
    return [(pattern, targets) for pattern, targets in found if targets]


def _without(melded, chows):
    melded = list(melded)
    missing = []
    for middle in chows:
        if middle in melded:
            melded.remove(middle)
        else:
            missing.append(middle)
    return missing


def _list_targets(holding, cores, limit, surcharge=None):
    targets = []
    for core_cost, tiles in holding.rank(cores, limit):
        if core_cost > limit:
            break
        set_count = holding.sets_missing - len(tiles) // 3
        if set_count < 0:
            continue  # melds stand where the pattern needs its chows
        need = count_need(tiles)
        core = tuple(need)
        for cost, whole in fill_up(holding.step, need, holding.sets, set_count, holding.pairs, limit - core_cost,
                                   surcharge):
            targets.append((core_cost + cost, whole, core))
            limit = min(limit, core_cost + cost + CORE_WINDOW)
    return targets
