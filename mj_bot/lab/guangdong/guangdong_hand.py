"""Counts wins, steps and useful tiles of hands with wild tiles, from tables by suit.

Keys and rows are those of mahjong/suit_tables.py, whose own tables allow four of a kind; here a wild tile may be the
fifth. Keys leave wild tiles out. Steps are shanten with wild tiles: -1 complete, 0 ready.
hand: uint8[34], the concealed tiles by kind, wild ones included. wild: bit t set where tile t is wild. sets: 4 less the
melds; a hand is 3 sets + 1 or + 2 tiles.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part, jit_with_memory, jitable
from ...mahjong.shanten_tables import KEYS, compute_keys, make_scratch, solve_regular
from ...mahjong.suit_tables import GOAL_COUNT, MAX_TILES, POWERS, fill_missing, number_rows, row
from ...mahjong.tile import COPIES, TILE_COUNT
from . import guangdong_rules
from .guangdong_rules import FULL_SETS, HouseRules

for _part in (guangdong_rules.missing_pairs, guangdong_rules.missing_orphans, guangdong_rules.is_all_pungs):
    jitable(_part)  # the two below call it
missing_otherwise, list_times = map(jit_part, (guangdong_rules.missing_otherwise, guangdong_rules.list_times))


class Suits(NamedTuple):
    """Keeps the tables by suit.

    row_index, missing: arrays as mahjong.suit_tables.MissingTable describes them.
    tight: uint8[rows], fewest sets that use every tile of the suit, wild tiles added; low nibble without a pair, high
        nibble with one; 5 where there are none.
    """

    row_index: np.ndarray
    missing: np.ndarray
    tight: np.ndarray


@lru_cache(maxsize=None)
def load_suits() -> Suits:
    row_index, rows, totals = number_rows()
    suits = Suits(row_index, np.zeros((rows, 3), np.int64), np.zeros(rows, np.uint8))
    for suit, ranks in ((0, 9), (3, 7)):
        groups = [count * POWERS[rank] for count in (2, 3) for rank in range(ranks)]
        groups += [POWERS[rank] + POWERS[rank + 1] + POWERS[rank + 2] for rank in range(7) if ranks == 9]
        missing = _count_missing(np.array(groups), ranks, totals)
        fill_missing(suits, suit, ranks, totals, missing)
        _fill_tight(suits, suit, totals, missing)
    return suits


@jit_with_memory
def _count_missing(groups, ranks, totals):
    """Returns the missing tiles of each key for part // 2 sets and part % 2 pairs, uint8[keys, 10].

    groups: keys of all pairs, then of all sets.
    """
    missing = np.full((5 ** ranks, GOAL_COUNT), 99, np.uint8)
    rests, added = np.zeros(len(groups), np.int64), np.zeros(len(groups), np.int64)
    for key in range(len(missing)):
        if totals[key] > MAX_TILES:
            continue
        # A group takes every tile that fits: a tile left for another group would be missing in this one.
        for number, group in enumerate(groups):
            rests[number], added[number] = key, 0
            for rank in range(ranks):
                wanted = group // POWERS[rank] % 5
                taken = min(wanted, key // POWERS[rank] % 5)
                rests[number] -= taken * POWERS[rank]
                added[number] += wanted - taken
        missing[key, 0] = 0
        for part in range(1, GOAL_COUNT):
            for number in range(0 if part & 1 else ranks, len(groups)):
                former = part - (1 if number < ranks else 2)
                if former >= 0:
                    missing[key, part] = min(missing[key, part], missing[rests[number], former] + added[number])
    return missing


@jit
def _fill_tight(suits, suit, totals, missing):
    for key in range(len(missing)):
        if totals[key] <= MAX_TILES:
            for pairs in range(2):
                fewest = FULL_SETS + 1
                for sets in range(FULL_SETS, -1, -1):
                    if missing[key, 2 * sets + pairs] == 3 * sets + 2 * pairs - totals[key]:
                        fewest = sets
                suits.tight[row(suits, suit, key)] |= fewest << 4 * pairs


@jit_part
def is_complete(suits: Suits, keys: np.ndarray, sets: int) -> bool:
    """Checks whether a hand of 3 sets + 2 tiles is sets and a pair. keys: int32[4], of the suits without wild tiles."""
    total, saved = 0, 0
    for suit in range(4):
        tight = suits.tight[row(suits, suit, keys[suit])]
        total += tight & 15
        saved = max(saved, np.int64(tight & 15) - np.int64(tight >> 4))
    return total - saved <= sets


class Tools(NamedTuple):
    """Keeps the tables, rules and working memory of compute_steps, for one thread."""

    suits: Suits
    settings: HouseRules
    scratch: np.ndarray  # of mahjong.shanten_tables.make_scratch


def make_tools(settings: HouseRules) -> Tools:
    return Tools(load_suits(), settings, make_scratch())


@jit
def compute_steps(tools: Tools, hand: np.ndarray, wild: int, sets: int) -> tuple[int, int]:
    """Returns (steps of a hand, int64 with bit t set where tile t lowers them)."""
    settings, scratch = tools.settings, tools.scratch
    compute_keys(hand, scratch)
    wilds = 0
    for tile in range(TILE_COUNT):
        if wild >> tile & 1:
            scratch[KEYS, tile // 9] -= hand[tile] * POWERS[tile]
            wilds += hand[tile]
    steps, useful = solve_regular(tools.suits, FULL_SETS - sets, scratch)
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
