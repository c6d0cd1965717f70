"""The memory that one decision after another is worked out in: records, because compiled calls pass them as a pointer.

A tuple of as many arrays costs more to pass than most of these functions do.
"""

import numpy as np

from ....mahjong.tile import TILE_COUNT
from ....tactic.pattern.parts import SETS_IN_HAND
from .tables import COSTS, MOST_CORES, PATTERN_COUNT, SET_COUNT, TYPE_COUNT

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
    ("melds", (SETS_IN_HAND, 2), "kind and tile as an observation has them"),
    ("meld_sets", (SETS_IN_HAND,), "their numbers as sets"),
    ("meld_count", (), ""),
    ("sets_missing", (), "sets not melded yet"),
    ("is_open", (), "whether any meld was claimed"),
    ("seat_wind", (), ""),
    ("prevalent_wind", (), ""),
    ("slot_count", (), ""),
    ("slots", (MOST_SLOTS,), "the discards that the hand is valued after, or -1 alone for the hand as it is"),
    ("slot_layers", (MOST_SLOTS, 4), "by slot the tiles with 1, 2, 3 and 4 copies left after it, see tidiness.py"),
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
    ("order", (), "number of the next target offered, or BY_COST, see offer.py"),
    ("offers", (MOST_SLOTS, 4), "the cheapest target of a search by slot, see offer.py"),
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
