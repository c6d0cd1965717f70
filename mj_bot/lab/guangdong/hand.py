"""Wins, steps and useful tiles of hands with wild tiles, read from tables by suit.

Keys, rows and packed lacks are those of mahjong/suit_tables.py, whose own tables allow four of a kind: here a wild tile
may be the fifth. Wild tiles are in no key: they are counted apart.
Steps are shanten with wild tiles: fewest tiles to exchange until one tile completes the hand; -1 complete, 0 ready.
hand: uint8[34], the concealed tiles by kind, wild ones too. wild: bit t set where tile t is wild. sets: that are still
to come, 4 less the melds; a hand is 3 sets + 1 or + 2 tiles.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from ...jit import jit, jit_part, jit_with_memory
from ...mahjong.shanten_tables import KEYS, compute_keys, solve_regular, make_scratch
from ...mahjong.suit_tables import MAX_TILES, PARTS, POWERS, fill_missing, number_rows, row
from ...mahjong.tile import COPIES, TILE_COUNT
from . import rules
from .rules import FULL_SETS, Settings

for _part in (rules.lack_pairs, rules.lack_orphans, rules.is_all_pungs):
    register_jitable(_part)  # of the two below, which call it
lack_otherwise, list_times = map(jit_part, (rules.lack_otherwise, rules.list_times))


class Suits(NamedTuple):
    """The tables."""

    place: np.ndarray  # this and the next as of mahjong.suit_tables.MissingTable
    missing: np.ndarray
    # uint8[rows]: fewest sets that take in all tiles of the suit, with wild tiles where they lack some; low nibble
    # without the pair, high nibble beside it; 5 for none
    tight: np.ndarray


@lru_cache(maxsize=None)
def load_suits():
    """The Suits of this process."""
    place, rows, totals = number_rows()
    suits = Suits(place, np.zeros((rows, 3), np.uint64), np.zeros(rows, np.uint8))
    for suit, ranks in ((0, 9), (3, 7)):
        groups = [count * POWERS[rank] for count in (2, 3) for rank in range(ranks)]
        groups += [POWERS[rank] + POWERS[rank + 1] + POWERS[rank + 2] for rank in range(7) if ranks == 9]
        lack = _count_missing(np.array(groups), ranks, totals)
        fill_missing(suits, suit, ranks, totals, lack)
        _fill_tight(suits, suit, totals, lack)
    return suits


@jit_with_memory
def _count_missing(groups, ranks, totals):
    """uint8[keys, 10]: tiles that each key is short of part // 2 sets and part % 2 pairs.

    groups: keys of all pairs, first, and of all sets.
    """
    lack = np.full((5 ** ranks, PARTS), 99, np.uint8)
    rests, missing = np.zeros(len(groups), np.int64), np.zeros(len(groups), np.int64)
    for key in range(len(lack)):
        if totals[key] > MAX_TILES:
            continue
        # A group takes in all it can: what is left to another one would be missing here.
        for number, group in enumerate(groups):
            rests[number], missing[number] = key, 0
            for rank in range(ranks):
                wanted = group // POWERS[rank] % 5
                held = min(wanted, key // POWERS[rank] % 5)
                rests[number] -= held * POWERS[rank]
                missing[number] += wanted - held
        lack[key, 0] = 0
        for part in range(1, PARTS):
            for number in range(0 if part & 1 else ranks, len(groups)):
                former = part - (1 if number < ranks else 2)
                if former >= 0:
                    lack[key, part] = min(lack[key, part], lack[rests[number], former] + missing[number])
    return lack


@jit
def _fill_tight(suits, suit, totals, lack):
    for key in range(len(lack)):
        if totals[key] <= MAX_TILES:
            for pairs in range(2):
                fewest = FULL_SETS + 1
                for sets in range(FULL_SETS, -1, -1):
                    if lack[key, 2 * sets + pairs] == 3 * sets + 2 * pairs - totals[key]:
                        fewest = sets
                suits.tight[row(suits, suit, key)] |= fewest << 4 * pairs


@jit_part
def is_complete(suits, keys, sets):
    """Whether a hand of 3 sets + 2 tiles is sets and the pair. keys: int32[4], of the suits without wild tiles."""
    total, saved = 0, 0
    for suit in range(4):
        tight = suits.tight[row(suits, suit, keys[suit])]
        total += tight & 15
        saved = max(saved, np.int64(tight & 15) - np.int64(tight >> 4))
    return total - saved <= sets


class Tools(NamedTuple):
    """What find_steps needs besides a hand; for one thread."""

    suits: Suits
    settings: Settings
    scratch: np.ndarray  # of mahjong.shanten_tables.make_scratch


def make_tools(settings):
    """New Tools."""
    return Tools(load_suits(), settings, make_scratch())


@jit
def find_steps(tools, hand, wild, sets):
    """(steps of a hand, int64 with bit t set where tile t brings it nearer)."""
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
    lack = lack_otherwise(settings, hand, wild, sets)
    if lack - 1 <= steps:
        if lack - 1 < steps:
            steps, useful = max(-1, lack - 1), np.int64(0)
        for tile in range(TILE_COUNT):
            hand[tile] += 1
            useful |= np.int64(lack_otherwise(settings, hand, wild, sets) < lack) << tile
            hand[tile] -= 1
    for tile in range(TILE_COUNT):
        if hand[tile] == COPIES or steps < 0:
            useful &= ~(np.int64(1) << tile)
    return steps, useful
