"""One seat's tiles and melds with the costs that follow from them, as tactic/pattern/holding.py has them."""

from collections import namedtuple

import numpy as np

from ...mahjong.tile import TILE_COUNT
from ...network.view import CHOW, CONCEALED_KONG
from ...tactic.pattern.holding import RULED_OUT
from ...tactic.pattern.parts import SETS_IN_HAND
from ..engine.compile import jit_part
from .tables import CHOW_SET, COSTS, PUNG_SET, SET_COUNT, SET_TILES

# Columns of Holding.facts.
SETS_MISSING, IS_OPEN, MELD_COUNT, SLOT_COUNT, SEAT_WIND, PREVALENT_WIND = range(6)
# A hand of fourteen tiles has so many discards.
MOST_SLOTS = 14

# Parts to choose from, the cheapest first. counts: int64[2], sets and pairs of them. sets: int64[S], numbers of sets;
# set_bounds: what each costs alone. pairs, pair_bounds: the same of pairs, by tile.
Parts = namedtuple("Parts", "counts sets set_bounds pairs pair_bounds")

# counts: int64[34], concealed tiles. step: int64[34, 14], step[tile, n] is what copy n + 1 costs. facts: the numbers
# named above. melds: int64[4, 2], kind and tile as a view has them; meld_sets: int64[4], their sets. slots: int64[14],
# the discards that the hand is valued after, or -1 alone for the hand as it is. parts: Parts, all of them.
Holding = namedtuple("Holding", "counts step facts melds meld_sets slots parts")


def make_parts():
    """Room for parts."""
    return Parts(np.zeros(2, np.int64), np.zeros(SET_COUNT, np.int64), np.zeros(SET_COUNT, np.int64),
                 np.zeros(TILE_COUNT, np.int64), np.zeros(TILE_COUNT, np.int64))


def make_holding():
    """Room for one holding after another."""
    return Holding(np.zeros(TILE_COUNT, np.int64), np.zeros((TILE_COUNT, COSTS.shape[2]), np.int64),
                   np.zeros(6, np.int64), np.zeros((SETS_IN_HAND, 2), np.int64), np.zeros(SETS_IN_HAND, np.int64),
                   np.zeros(MOST_SLOTS, np.int64), make_parts())


@jit_part
def set_holding(holding, counts, unseen, melds, meld_count, discards):
    """Fills a Holding, winds apart; discards: bit t for a discard of tile t, 0 where nothing is discarded."""
    facts = holding.facts
    slots = 0
    for tile in range(TILE_COUNT):
        holding.counts[tile] = counts[tile]
        costs = COSTS[counts[tile], unseen[tile]]
        for copy in range(len(costs)):
            holding.step[tile, copy] = costs[copy]
        if discards >> tile & 1:
            holding.slots[slots] = tile
            slots += 1
    if slots == 0:
        holding.slots[0] = -1
        slots = 1
    facts[SLOT_COUNT] = slots
    facts[SETS_MISSING] = SETS_IN_HAND - meld_count
    facts[MELD_COUNT] = meld_count
    facts[IS_OPEN] = 0
    for place in range(meld_count):
        kind, tile = melds[place, 0], melds[place, 1]
        holding.melds[place, 0] = kind
        holding.melds[place, 1] = tile
        holding.meld_sets[place] = CHOW_SET[tile] if kind == CHOW else PUNG_SET[tile]
        if kind != CONCEALED_KONG:
            facts[IS_OPEN] = 1
    _rank_parts(holding.step, holding.parts)


@jit_part
def _rank_parts(step, parts):
    """All sets and pairs that are not ruled out, by cost and tiles."""
    count = 0
    for part in range(SET_COUNT):
        first, last = SET_TILES[part, 0], SET_TILES[part, 2]
        if first == last:
            cost = step[first, 0] + step[first, 1] + step[first, 2]
        else:
            cost = step[first, 0] + step[first + 1, 0] + step[last, 0]
        if cost < RULED_OUT:
            insert(parts.set_bounds, parts.sets, count, cost, part)
            count += 1
    parts.counts[0] = count
    count = 0
    for tile in range(TILE_COUNT):
        cost = step[tile, 0] + step[tile, 1]
        if cost < RULED_OUT:
            insert(parts.pair_bounds, parts.pairs, count, cost, tile)
            count += 1
    parts.counts[1] = count


@jit_part
def insert(costs, items, count, cost, item):
    """Puts an item into `count` ones that are sorted by cost, behind those of its own cost."""
    at = count
    while at and costs[at - 1] > cost:
        costs[at] = costs[at - 1]
        items[at] = items[at - 1]
        at -= 1
    costs[at] = cost
    items[at] = item


@jit_part
def choose_parts(all_parts, sets, tiles, limit, parts):
    """Fills parts with those of some sets (bits of their numbers) and pairs (bits of tiles) that cost up to limit."""
    count = 0
    for place in range(all_parts.counts[0]):
        if all_parts.set_bounds[place] > limit:
            break
        if sets >> all_parts.sets[place] & 1:
            parts.sets[count] = all_parts.sets[place]
            parts.set_bounds[count] = all_parts.set_bounds[place]
            count += 1
    parts.counts[0] = count
    count = 0
    for place in range(all_parts.counts[1]):
        if all_parts.pair_bounds[place] > limit:
            break
        if tiles >> all_parts.pairs[place] & 1:
            parts.pairs[count] = all_parts.pairs[place]
            parts.pair_bounds[count] = all_parts.pair_bounds[place]
            count += 1
    parts.counts[1] = count
