"""Computes steps and useful tiles of hands with wild tiles, with tables by suit.

Steps are shanten with wild tiles: -1 for a complete hand, 0 for a ready one. A useful tile lowers the steps.
A key is the nine counts of one suit written in base 5, without wild tiles. Keys and table rows are those of
mahjong/suit_tables.py. The tables there allow at most four copies of a tile; here a wild tile may be the fifth.

In this file `hand` is uint8[34], the concealed tiles with wild ones; `wild` has bit t set where tile t is wild; `sets`
is 4 less the number of melds. A hand has 3 * sets + 1 or 3 * sets + 2 tiles.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part, jit_with_memory, jitable
from ...mahjong.shanten_tables import KEYS, compute_keys, make_scratch, solve_regular
from ...mahjong.suit_tables import GOAL_COUNT, MAX_TILES, POWERS, SuitTables, fill_missing, make_suit_tables
from ...mahjong.tile import COPIES, TILE_COUNT
from . import guangdong_rules
from .guangdong_rules import FULL_SETS, HouseRules

for _part in (guangdong_rules.missing_pairs, guangdong_rules.missing_orphans, guangdong_rules.is_all_pungs):
    jitable(_part)  # the functions of the next line call it
missing_otherwise, list_times = map(jit_part, (guangdong_rules.missing_otherwise, guangdong_rules.list_times))


@lru_cache(maxsize=None)
def load_missing_with_wilds() -> SuitTables:
    """Returns the table of missing tiles, where a wild tile may be the fifth copy; it is computed once per process."""
    table, totals = make_suit_tables()
    for suit, ranks in ((0, 9), (3, 7)):
        groups = [count * POWERS[rank] for count in (2, 3) for rank in range(ranks)]
        groups += [POWERS[rank] + POWERS[rank + 1] + POWERS[rank + 2] for rank in range(7) if ranks == 9]
        fill_missing(table, suit, ranks, totals, _count_missing(np.array(groups), ranks, totals))
    return table


@jit_with_memory
def _count_missing(groups, ranks, totals):
    """Returns the missing tiles of each key for goal // 2 sets and goal % 2 pairs, uint8[keys, 10]."""
    missing = np.full((5 ** ranks, GOAL_COUNT), 99, np.uint8)
    rests, added = np.zeros(len(groups), np.int64), np.zeros(len(groups), np.int64)
    for key in range(len(missing)):
        if totals[key] > MAX_TILES:
            continue
        # A group takes every tile that fits, because a tile left for another group would be missing in this one.
        for index, group in enumerate(groups):
            rests[index], added[index] = key, 0
            for rank in range(ranks):
                wanted = group // POWERS[rank] % 5
                taken = min(wanted, key // POWERS[rank] % 5)
                rests[index] -= taken * POWERS[rank]
                added[index] += wanted - taken
        missing[key, 0] = 0
        for goal in range(1, GOAL_COUNT):
            for index in range(0 if goal & 1 else ranks, len(groups)):
                former = goal - (1 if index < ranks else 2)
                if former >= 0:
                    missing[key, goal] = min(missing[key, goal], missing[rests[index], former] + added[index])
    return missing


class Tools(NamedTuple):
    """Keeps what compute_steps needs, for one thread.

    table: of the missing tiles by suit. settings: the rules. scratch: of mahjong.shanten_tables.make_scratch.
    """

    table: SuitTables
    settings: HouseRules
    scratch: np.ndarray


def make_tools(settings: HouseRules) -> Tools:
    """Returns new Tools for one thread. settings: the rules."""
    return Tools(load_missing_with_wilds(), settings, make_scratch())


@jit
def compute_steps(tools: Tools, hand: np.ndarray, wild: int, sets: int) -> tuple[int, int]:
    """Returns (steps of a hand, int64 with bit t set where tile t lowers the steps).

    hand: uint8[34] of 3 * sets + 1 or 3 * sets + 2 tiles. The call changes it and restores it before it returns.
    wild: bit t set where tile t is wild. sets: 4 less the melds.
    """
    settings, scratch = tools.settings, tools.scratch
    compute_keys(hand, scratch)
    wilds = 0
    for tile in range(TILE_COUNT):
        if wild >> tile & 1:
            scratch[KEYS, tile // 9] -= hand[tile] * POWERS[tile]
            wilds += hand[tile]
    steps, useful = solve_regular(tools.table, FULL_SETS - sets, scratch, KEYS)
    steps = max(-1, steps - wilds)
    useful = useful | wild if steps >= 0 else 0
    missing = missing_otherwise(settings, hand, wild, sets)
    if missing - 1 <= steps:
        if missing - 1 < steps:
            steps, useful = max(-1, missing - 1), np.int64(0)
        for tile in range(TILE_COUNT):
            hand[tile] += 1
            useful |= np.int64(missing_otherwise(settings, hand, wild, sets) < missing) << tile
            hand[tile] -= 1
    for tile in range(TILE_COUNT):
        if hand[tile] == COPIES or steps < 0:
            useful &= ~(np.int64(1) << tile)
    return steps, useful
