"""Patterns that are not four sets and a pair, and the hand that is melded whole, as tactic/pattern/irregular.py has."""

from ....jit import jit_part
from ....mahjong.tile import TILE_COUNT
from ....observation.layout import CONCEALED_KONG
from ....tactic.pattern.holding import CHEAPEST_TILE, WINDOW
from .scratch import ALL_PARTS, FAR, insert
from .tables import (
    HONOURS_AND_KNITTED_NUMBER, KNITTED_AND_HONOUR_TILES, MELDED_HAND_NUMBER, ORPHAN_TILES, SEVEN_PAIRS_NUMBER,
    THIRTEEN_ORPHANS_NUMBER, UNMELDED_COSTS,
)
from .targets import clear, fill_up, keep_cheaper, offer, pack
from .value import value_kept


@jit_part
def value_irregular_patterns(scratch, parts, memo, limit):
    """Writes the values of these patterns; limit: the most that a target may cost."""
    scratch.added = scratch.floor = scratch.is_charged = scratch.needs_honour = 0
    for pattern in (SEVEN_PAIRS_NUMBER, THIRTEEN_ORPHANS_NUMBER, HONOURS_AND_KNITTED_NUMBER, MELDED_HAND_NUMBER):
        clear(scratch.offers)
        scratch.order = 0
        if scratch.meld_count:
            if pattern == MELDED_HAND_NUMBER:
                _search_melded_hand(scratch, parts, memo, limit)
        elif pattern == SEVEN_PAIRS_NUMBER:
            _list_seven_pairs(scratch, memo, limit)
        elif pattern == THIRTEEN_ORPHANS_NUMBER:
            _list_thirteen_orphans(scratch, memo, limit)
        elif pattern == HONOURS_AND_KNITTED_NUMBER:
            _list_honours_and_knitted(scratch, memo, limit)
        clear(scratch.kept)
        keep_cheaper(scratch)
        value_kept(scratch, pattern)


@jit_part
def _offer_need(scratch, memo, cost):
    high, low = pack(scratch.need)
    offer(scratch, memo, cost, high, low)


@jit_part
def _list_seven_pairs(scratch, memo, limit):
    step, need = scratch.step, scratch.need
    costs, tiles = scratch.ranked_costs, scratch.ranked_tiles
    count = 0
    for tile in range(TILE_COUNT):
        for copy in (0, 2):
            insert(costs, tiles, count, step[tile, copy] + step[tile, copy + 1], tile)
            count += 1
    need[:] = 0
    total = 0
    for place in range(7):
        total += costs[place]
        need[tiles[place]] += 2
    if total <= limit:
        _offer_need(scratch, memo, total)
    # With one pair given up for the next cheapest.
    need[tiles[7]] += 2
    for place in range(7):
        more = costs[7] - costs[place]
        if costs[place] and more <= WINDOW and total + more <= limit:
            need[tiles[place]] -= 2
            _offer_need(scratch, memo, total + more)
            need[tiles[place]] += 2


@jit_part
def _list_thirteen_orphans(scratch, memo, limit):
    step, need = scratch.step, scratch.need
    need[:] = 0
    singles = 0
    least = FAR
    for tile in ORPHAN_TILES:
        singles += step[tile, 0]
        least = min(least, step[tile, 1])
        need[tile] = 1
    limit = min(limit, singles + least + WINDOW)
    for tile in ORPHAN_TILES:
        if singles + step[tile, 1] <= limit:
            need[tile] = 2
            _offer_need(scratch, memo, singles + step[tile, 1])
            need[tile] = 1


@jit_part
def _list_honours_and_knitted(scratch, memo, limit):
    step, need = scratch.step, scratch.need
    for straight in range(len(KNITTED_AND_HONOUR_TILES)):
        tiles = KNITTED_AND_HONOUR_TILES[straight]
        total = 0
        need[:] = 0
        for tile in tiles:
            total += step[tile, 0]
            need[tile] = 1
        for first in range(len(tiles)):
            for second in range(first + 1, len(tiles)):
                cost = total - step[tiles[first], 0] - step[tiles[second], 0]
                if cost <= limit:
                    need[tiles[first]] = need[tiles[second]] = 0
                    _offer_need(scratch, memo, cost)
                    need[tiles[first]] = need[tiles[second]] = 1
                    limit = min(limit, cost + WINDOW)


@jit_part
def _search_melded_hand(scratch, parts, memo, limit):
    """Four claimed sets, then the pair on a discard: whatever is in hand, so many tiles must still be claimed."""
    missing = scratch.sets_missing
    if missing >= len(UNMELDED_COSTS):
        return
    for place in range(scratch.meld_count):
        if scratch.melds[place, 0] == CONCEALED_KONG:
            return
    scratch.added = UNMELDED_COSTS[missing]
    scratch.floor = (missing + 1) * CHEAPEST_TILE if missing else 0
    scratch.is_charged = missing == 0
    if scratch.floor + scratch.added <= limit:
        scratch.need[:] = 0
        fill_up(scratch, parts[ALL_PARTS], memo, missing, limit - scratch.added)
