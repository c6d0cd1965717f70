"""The memory that one decision after another is worked out in, and how a hand with its costs gets there.

It is made of records, which compiled calls pass as a pointer: a tuple of as many arrays costs more to pass than most of
these functions do.
"""

import numpy as np

from ....jit import jit_part
from ....mahjong.sets import MAX_SETS
from ....mahjong.tile import TILE_COUNT
from ....observation.layout import CHOW, CONCEALED_KONG
from ....tactic.pattern.holding import RULED_OUT
from .tables import CHOW_SET, COSTS, MOST_CORES, PATTERN_COUNT, PUNG_SET, SET_COUNT, SET_TILES, TYPE_COUNT

# A hand of fourteen tiles has so many discards.
MOST_SLOTS = 14
# Columns of offers: what the target costs, where it stands among equals, and itself, packed.
COST, ORDER, HIGH, LOW = range(4)
# The cost of no target.
FAR = 1 << 40

_FIELDS = (
    # name, shape, what it holds; int64 all
    ("counts", (TILE_COUNT,), "concealed tiles"),
    ("step", (TILE_COUNT, COSTS.shape[2]), "step[tile, n] is what copy n + 1 of a tile costs in a target"),
    ("melds", (MAX_SETS, 2), "kind and tile as an observation has them"),
    ("meld_sets", (MAX_SETS,), "their numbers as sets"),
    ("meld_count", (), ""),
    ("sets_missing", (), "sets not melded yet"),
    ("is_open", (), "whether any meld was claimed"),
    ("seat_wind", (), ""),
    ("prevalent_wind", (), ""),
    ("slot_count", (), ""),
    ("slots", (MOST_SLOTS,), "the discards that the hand is valued after, or -1 alone for the hand as it is"),
    ("slot_layers", (MOST_SLOTS, 4), "by slot the tiles with 1, 2, 3 and 4 copies left after it, see value.py"),
    ("need", (TILE_COUNT,), "the target that is being made"),
    ("held", (TILE_COUNT,), "it with the melds, a kong as a pung"),
    ("limit", (), "the most that a target of this search may cost, for want of fans too"),
    ("added", (), "what its targets cost beyond their tiles"),
    ("floor", (), "what their tiles cost at least"),
    ("is_charged", (), "whether they cost more for want of fans"),
    ("needs_honour", (), "whether they must have an honour"),
    ("is_uncounted", (), "whether a target of this decision must be counted by MahjongGB first"),
    ("places", (TYPE_COUNT + 1,), "where a search stands, by depth"),
    ("costs", (TYPE_COUNT + 1,), "what it has cost so far, by depth"),
    ("is_offering", (), "whether a search offers its targets, or looks for the cost of the cheapest"),
    ("order", (), "number of the next target offered, or BY_COST, see targets.py"),
    ("offers", (MOST_SLOTS, 4), "the cheapest target of a search by slot, see targets.py"),
    ("kept", (MOST_SLOTS, 4), "the cheapest of all searches of a pattern"),
    ("core_keys", (MOST_CORES,), "cores in order, see chow.py"),
    ("core_layers", (MOST_CORES, 4), "tiles of which a core has 1, 2, 3 and 4 copies, of cores with targets"),
    ("core_costs", (MOST_CORES, MOST_SLOTS), "the cheapest target of each by slot; then less its tidiness"),
    ("free_types", (TYPE_COUNT,), "types of tiles that no meld has"),
    ("chosen", (3,), "the combination of concealed pungs"),
    ("ranked_tiles", (2 * TILE_COUNT,), "tiles of pairs or of concealed pungs, the cheapest first"),
    ("ranked_costs", (2 * TILE_COUNT,), "what these cost"),
    ("values", (PATTERN_COUNT, MOST_SLOTS), "the value of each pattern by slot, FAR for none"),
)
# Parts to choose from, the cheapest first: sets by number and pairs by tile, with what each costs alone.
_PARTS = np.dtype([(name, np.int64, shape) for name, shape in (
    ("set_count", ()), ("pair_count", ()), ("sets", (SET_COUNT,)), ("set_bounds", (SET_COUNT,)),
    ("pairs", (TILE_COUNT,)), ("pair_bounds", (TILE_COUNT,)),
)], align=True)
# Places of the parts: all, those of a pool, those of each type.
ALL_PARTS, POOL_PARTS, TYPE_PARTS = 0, 1, 2


def make_scratch():
    """Structured array of one: a decision's hand, its search, and the values that come of it."""
    return np.zeros(1, np.dtype([(name, np.int64, shape) for name, shape, _ in _FIELDS], align=True))


def make_parts():
    """Room for the parts of a decision, structured array."""
    return np.zeros(TYPE_PARTS + TYPE_COUNT, _PARTS)


@jit_part
def set_layers(counts, discard, layers):
    """Writes the layers of some counts without the tile `discard`, -1 for none."""
    layers[:] = 0
    for tile in range(TILE_COUNT):
        for layer in range(counts[tile] - (tile == discard)):
            layers[layer] |= 1 << tile


@jit_part
def set_holding(scratch, parts, openings, number):
    """Puts what opening `number` leaves onto the scratch, and fills parts with all parts that are not ruled out."""
    counts, discards = openings.counts[number], openings.discards[number]
    slots = 0
    for tile in range(TILE_COUNT):
        scratch.counts[tile] = counts[tile]
        costs = COSTS[counts[tile], openings.unseen[tile]]
        for copy in range(len(costs)):
            scratch.step[tile, copy] = costs[copy]
        if discards >> tile & 1:
            scratch.slots[slots] = tile
            slots += 1
    if slots == 0:
        scratch.slots[0] = -1
        slots = 1
    scratch.slot_count = slots
    for slot in range(slots):
        set_layers(scratch.counts, scratch.slots[slot], scratch.slot_layers[slot])
    _read_melds(scratch, openings.melds[number], openings.meld_count[number])
    _rank_parts(scratch.step, parts)


@jit_part
def _read_melds(scratch, melds, meld_count):
    scratch.meld_count = meld_count
    scratch.sets_missing = MAX_SETS - meld_count
    scratch.is_open = 0
    for place in range(meld_count):
        kind, tile = melds[place, 0], melds[place, 1]
        scratch.melds[place, 0] = kind
        scratch.melds[place, 1] = tile
        scratch.meld_sets[place] = CHOW_SET[tile] if kind == CHOW else PUNG_SET[tile]
        if kind != CONCEALED_KONG:
            scratch.is_open = 1


@jit_part
def _rank_parts(step, parts):
    """All sets and pairs that are not ruled out, by cost, then tiles."""
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
    parts.set_count = count
    count = 0
    for tile in range(TILE_COUNT):
        cost = step[tile, 0] + step[tile, 1]
        if cost < RULED_OUT:
            insert(parts.pair_bounds, parts.pairs, count, cost, tile)
            count += 1
    parts.pair_count = count


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
    for place in range(all_parts.set_count):
        if all_parts.set_bounds[place] > limit:
            break
        if sets >> all_parts.sets[place] & 1:
            parts.sets[count] = all_parts.sets[place]
            parts.set_bounds[count] = all_parts.set_bounds[place]
            count += 1
    parts.set_count = count
    count = 0
    for place in range(all_parts.pair_count):
        if all_parts.pair_bounds[place] > limit:
            break
        if tiles >> all_parts.pairs[place] & 1:
            parts.pairs[count] = all_parts.pairs[place]
            parts.pair_bounds[count] = all_parts.pair_bounds[place]
            count += 1
    parts.pair_count = count
