"""One seat's tiles and melds with the costs that follow from them, as tactic/pattern/holding.py has them."""

from ....mahjong.tile import TILE_COUNT
from ....observation.layout import CHOW, CONCEALED_KONG
from ....tactic.pattern.holding import RULED_OUT
from ....tactic.pattern.parts import SETS_IN_HAND
from ...engine.compile import jit_part
from .tables import CHOW_SET, COSTS, PUNG_SET, SET_COUNT, SET_TILES
from .value import set_layers


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
    scratch.sets_missing = SETS_IN_HAND - meld_count
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
