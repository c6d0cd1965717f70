"""Memory for the values of one hand after another; set_hand puts a hand and its costs there."""

from types import SimpleNamespace

import numpy as np

from ...jit import IS_COMPILED, jit_part
from ...mahjong.rules import MAX_SETS
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import CHOW, CONCEALED_KONG
from .tables import (
    CHOW_SET, COSTS, MOST_CORES, PAIR, PART_SIZE, PART_TILES, PATTERN_COUNT, PUNG_SET, RULED_OUT, SET, SET_COUNT,
    TYPE_COUNT)

# Discards of a hand of fourteen tiles.
MOST_DISCARDS = 14
# The columns of offers: cost of the target, its place among equals, and the target itself, packed.
COST, ORDER, HIGH, LOW = range(4)
# The cost of no target.
FAR = 1 << 40

_FIELDS = (
    # name, shape, meaning; int64 all
    ("counts", (TILE_COUNT,), "concealed tiles"),
    ("step", (TILE_COUNT, 3 * MAX_SETS + 2), "step[tile][n] is the cost of copy n + 1 of a tile in a target"),
    ("melds", (MAX_SETS, 2), "kind and tile as an observation has them"),
    ("meld_sets", (MAX_SETS,), "their numbers as sets"),
    ("meld_count", (), ""),
    ("sets_missing", (), "sets not melded yet"),
    ("is_open", (), "whether any meld was claimed"),
    ("seat_wind", (), ""),
    ("prevalent_wind", (), ""),
    ("discard_count", (), ""),
    ("discards", (MOST_DISCARDS,), "the discards that the hand is valued after, or -1 alone for the hand as it is"),
    ("kept_layers", (MOST_DISCARDS, 4), "by discard the layers of the tiles that stay, see value.py"),
    ("need", (TILE_COUNT,), "the target that is being made"),
    ("all_tiles", (TILE_COUNT,),
     "in fans.py the target with the melds, a kong as a pung; in value.py an unpacked target"),
    ("limit", (), "the most that a target of this search may cost"),
    ("least", (), "cost of the cheapest target that this search has found"),
    ("places", (TYPE_COUNT + 1,), "by depth of the search the next part to add"),
    ("costs", (TYPE_COUNT + 1,), "by depth the cost so far"),
    ("is_offering", (), "whether the search offers its targets, or looks for the cost of the cheapest"),
    ("search", (), "number of this search: of equal targets that of the first search counts"),
    ("added", (), "what targets of this search cost beyond their tiles"),
    ("floor", (), "what their tiles cost at least"),
    ("is_charged", (), "whether they cost more for want of fans"),
    ("needs_honour", (), "whether they must have an honour"),
    ("is_uncounted", (), "whether MahjongGB must count a target first"),
    ("pattern", (), "number of the pattern that is searched for"),
    ("is_noting", (), "whether the last three fields are wanted"),
    ("offers", (MOST_DISCARDS, 4), "the cheapest target of a pattern, or of a core, by discard"),
    ("core_keys", (MOST_CORES,), "cores in order, see chow.py"),
    ("core_layers", (MOST_CORES, 4), "layers of the cores with targets"),
    ("core_costs", (MOST_CORES, MOST_DISCARDS), "the cheapest target of each by discard; then less its tidiness"),
    ("chosen", (3,), "the combination of concealed pungs"),
    ("ranked_tiles", (2 * TILE_COUNT,), "tiles of pairs or of concealed pungs, the cheapest first"),
    ("ranked_costs", (2 * TILE_COUNT,), "what these cost"),
    ("values", (PATTERN_COUNT, MOST_DISCARDS), "the value of each pattern by discard, FAR for none"),
    ("cheapest", (PATTERN_COUNT,), "cost of the cheapest target of each pattern, FAR for none"),
    ("nearest", (PATTERN_COUNT,), "fewest missing tiles of a target of each pattern that counts 8 fan, FAR for none"),
    ("nearest_tiles", (PATTERN_COUNT,), "all tiles that are missing in such targets, as bits"),
)
# Parts to choose from, the cheapest first, by kind (SET or PAIR): sets by number and pairs by tile.
_PART_FIELDS = (
    ("counts", (2,), "how many there are"),
    ("items", (2, SET_COUNT), ""),
    ("bounds", (2, SET_COUNT), "cost of each alone"),
)
# Places of the parts: all, those of the pool that is searched, those of each type.
ALL, POOL, TYPES = 0, 1, 2


def _make_records(count, fields):
    """Some records of int64 fields: a structured array, which compiled code reads as objects, or objects with lists.

    Compiled calls pass a record as a pointer; to pass as many arrays costs more than most of these functions do.
    """
    if IS_COMPILED:
        return np.zeros(count, np.dtype([(name, np.int64, shape) for name, shape, _ in fields], align=True))
    return [SimpleNamespace(**{name: np.zeros(shape, int).tolist() for name, shape, _ in fields}) for _ in range(count)]


def make_scratch():
    """A list or array of one record: the hand, its search and the resulting values."""
    return _make_records(1, _FIELDS)


def make_parts():
    """Room for the parts of a hand."""
    return _make_records(TYPES + TYPE_COUNT, _PART_FIELDS)


@jit_part
def set_layers(counts, discard, layers):
    """Writes the layers of some counts without the tile `discard`, -1 for none; see value.py."""
    for layer in range(4):
        layers[layer] = 0
    for tile in range(TILE_COUNT):
        for layer in range(counts[tile] - (tile == discard)):
            layers[layer] |= 1 << tile


@jit_part
def set_hand(scratch, parts, openings, number):
    """Puts the hand after an opening onto the scratch, and all its parts that are not ruled out into parts."""
    discards = int(openings.discards[number])
    scratch.search = discard_count = 0
    for tile in range(TILE_COUNT):
        scratch.counts[tile] = count = int(openings.counts[number, tile])
        costs = COSTS[count][openings.unseen[tile]]
        for copy in range(len(costs)):
            scratch.step[tile][copy] = costs[copy]
        if discards >> tile & 1:
            scratch.discards[discard_count] = tile
            discard_count += 1
    if discard_count == 0:
        scratch.discards[0] = -1
        discard_count = 1
    scratch.discard_count = discard_count
    for discard in range(discard_count):
        set_layers(scratch.counts, scratch.discards[discard], scratch.kept_layers[discard])
    scratch.meld_count = int(openings.meld_count[number])
    scratch.sets_missing = MAX_SETS - scratch.meld_count
    scratch.is_open = 0
    for place in range(scratch.meld_count):
        kind, tile = int(openings.melds[number, place, 0]), int(openings.melds[number, place, 1])
        scratch.melds[place][0] = kind
        scratch.melds[place][1] = tile
        scratch.meld_sets[place] = CHOW_SET[tile] if kind == CHOW else PUNG_SET[tile]
        if kind != CONCEALED_KONG:
            scratch.is_open = 1
    _rank_parts(scratch.step, parts)
    for pattern in range(PATTERN_COUNT):
        scratch.cheapest[pattern] = scratch.nearest[pattern] = FAR


@jit_part
def _rank_parts(step, parts):
    for kind in (SET, PAIR):
        count = 0
        for part in range(SET_COUNT if kind == SET else TILE_COUNT):
            tiles = PART_TILES[kind][part]
            cost = 0
            for at in range(PART_SIZE[kind]):
                cost += step[tiles[at]][at if tiles[at] == tiles[0] else 0]
            if cost < RULED_OUT:
                insert(parts.bounds[kind], parts.items[kind], count, cost, part)
                count += 1
        parts.counts[kind] = count


@jit_part
def insert(costs, items, count, cost, item):
    """Inserts an item into `count` ones that are sorted by cost, after those of its own cost."""
    at = count
    while at and costs[at - 1] > cost:
        costs[at] = costs[at - 1]
        items[at] = items[at - 1]
        at -= 1
    costs[at] = cost
    items[at] = item


@jit_part
def choose_parts(all_parts, wanted, limit, parts):
    """Fills parts with those that cost up to limit of the wanted ones, by kind the bits of their numbers."""
    for kind in (SET, PAIR):
        count = 0
        for place in range(all_parts.counts[kind]):
            part, bound = all_parts.items[kind][place], all_parts.bounds[kind][place]
            if bound > limit:
                break
            if wanted[kind] >> part & 1:
                parts.items[kind][count] = part
                parts.bounds[kind][count] = bound
                count += 1
        parts.counts[kind] = count
