"""The arrays that one decision after another is worked out in."""

from collections import namedtuple

import numpy as np

from ...mahjong.tile import TILE_COUNT
from ..engine.winning import make_memo
from ..reach.openings import make_openings
from ..reach.waits import make_notes
from .holding import MOST_SLOTS, make_holding, make_parts
from .tables import MOST_CORES, PATTERN_COUNT, TYPE_COUNT

# Columns of Desk.goal: the most that a target of the search may cost; what is added to its cost, and what it costs
# before that at least; whether want of fans is charged for, and whether it must have an honour; whether fans were asked
# for that are not known yet.
LIMIT, ADDED, FLOOR, IS_CHARGED, NEEDS_HONOUR, IS_UNCOUNTED = range(6)
# Columns of Desk.offers.
COST, ORDER, HIGH, LOW = range(4)
# The cost of no target.
FAR = 1 << 40

# openings: reach.openings.Openings. holding: Holding. parts: holding.Parts of a pool, type_parts: of each type.
# need: int64[34], the target that is being made; goal: what is searched for, columns as above. places, costs: int64[6],
# where the search stands. offers: int64[14, 4], the cheapest target so far by slot, see offer.py; kept: the same of all
# searches of a pattern. core_tiles: int64[C, 9], see chow.py; core_keys, core_order: int64[C], cores ranked;
# core_needs: int64[C, 2], packed cores with targets, core_costs: int64[C, 14], their cheapest by slot. free_types,
# chosen, pair_costs, pair_tiles, left, adjusted: scratch. values: int64[P, 14], of the patterns by slot, FAR for none.
# memo, notes, note_count: see reach.waits. actions, totals: of one decision.
Desk = namedtuple("Desk", "openings holding parts type_parts need goal places costs offers kept core_tiles core_keys "
                          "core_order core_needs core_costs free_types chosen pair_costs pair_tiles left adjusted "
                          "values memo notes note_count")


def make_desk(memo_size):
    """A Desk; memo_size: as of engine.winning.make_memo."""
    def zeros(*shape):
        return np.zeros(shape, np.int64)

    return Desk(
        make_openings(), make_holding(), make_parts(), tuple(make_parts() for _ in range(TYPE_COUNT)),
        zeros(TILE_COUNT), zeros(6), zeros(TYPE_COUNT + 1), zeros(TYPE_COUNT + 1), zeros(MOST_SLOTS, 4),
        zeros(MOST_SLOTS, 4), zeros(MOST_CORES, 9), zeros(MOST_CORES), zeros(MOST_CORES), zeros(MOST_CORES, 2),
        zeros(MOST_CORES, MOST_SLOTS), zeros(TYPE_COUNT), zeros(3), zeros(2 * TILE_COUNT), zeros(2 * TILE_COUNT),
        zeros(TILE_COUNT), zeros(MOST_CORES), zeros(PATTERN_COUNT, MOST_SLOTS), make_memo(memo_size), make_notes(),
        zeros(1))
