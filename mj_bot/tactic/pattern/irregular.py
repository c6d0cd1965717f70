"""Patterns that are not four sets and a pair, and the melded hand."""

from ...jit import jit_part
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import CONCEALED_KONG
from .scratch import ALL, FAR, insert
from .tables import (
    CHEAPEST_TILE, HONOURS_AND_KNITTED, KNITTED_AND_HONOURS, MELDED_HAND, ORPHANS, SEVEN_PAIRS, THIRTEEN_ORPHANS,
    UNMELDED_COST)
from .targets import WINDOW, clear, clear_need, fill_up, offer_next
from .value import value_offers


@jit_part
def value_irregular_patterns(scratch, parts, memo, limit):
    """Writes the values of these patterns; limit: the most that a target may cost."""
    scratch.added = scratch.floor = scratch.is_charged = scratch.needs_honour = 0
    for pattern in range(SEVEN_PAIRS, MELDED_HAND + 1):
        scratch.pattern = pattern
        clear(scratch)
        if scratch.meld_count:
            if pattern == MELDED_HAND:
                _search_melded_hand(scratch, parts, memo, limit)
        elif pattern == SEVEN_PAIRS:
            _list_seven_pairs(scratch, memo, limit)
        elif pattern == THIRTEEN_ORPHANS:
            _list_thirteen_orphans(scratch, memo, limit)
        elif pattern == HONOURS_AND_KNITTED:
            _list_honours_and_knitted(scratch, memo, limit)
        value_offers(scratch)


@jit_part
def _list_seven_pairs(scratch, memo, limit):
    """The seven cheapest pairs, where four of a kind are two, and those with one pair replaced by the next."""
    step, need = scratch.step, scratch.need
    costs, tiles = scratch.ranked_costs, scratch.ranked_tiles
    count = total = 0
    for tile in range(TILE_COUNT):
        for copy in (0, 2):
            insert(costs, tiles, count, step[tile][copy] + step[tile][copy + 1], tile)
            count += 1
    for place in range(7):
        total += costs[place]
        need[tiles[place]] += 2
    if total <= limit:
        offer_next(scratch, memo, total)
    need[tiles[7]] += 2
    for place in range(7):
        more = costs[7] - costs[place]
        if costs[place] and more <= WINDOW and total + more <= limit:
            need[tiles[place]] -= 2
            offer_next(scratch, memo, total + more)
            need[tiles[place]] += 2


@jit_part
def _list_thirteen_orphans(scratch, memo, limit):
    step, need = scratch.step, scratch.need
    singles = 0
    least = FAR
    for tile in ORPHANS:
        singles += step[tile][0]
        least = min(least, step[tile][1])
        need[tile] = 1
    limit = min(limit, singles + least + WINDOW)
    for tile in ORPHANS:
        if singles + step[tile][1] <= limit:
            need[tile] = 2
            offer_next(scratch, memo, singles + step[tile][1])
            need[tile] = 1


@jit_part
def _list_honours_and_knitted(scratch, memo, limit):
    """Fourteen of the sixteen tiles, in every way to leave two out."""
    step, need = scratch.step, scratch.need
    for straight in range(len(KNITTED_AND_HONOURS)):
        tiles = KNITTED_AND_HONOURS[straight]
        total = 0
        clear_need(scratch)
        for place in range(len(tiles)):
            total += step[tiles[place]][0]
            need[tiles[place]] = 1
        for first in range(len(tiles)):
            for second in range(first + 1, len(tiles)):
                cost = total - step[tiles[first]][0] - step[tiles[second]][0]
                if cost <= limit:
                    need[tiles[first]] = need[tiles[second]] = 0
                    offer_next(scratch, memo, cost)
                    need[tiles[first]] = need[tiles[second]] = 1
                    limit = min(limit, cost + WINDOW)


@jit_part
def _search_melded_hand(scratch, parts, memo, limit):
    """Four claimed sets, then the pair on a discard. Sets in hand do not count: each must be claimed."""
    missing = scratch.sets_missing
    if missing >= len(UNMELDED_COST):
        return
    for place in range(scratch.meld_count):
        if scratch.melds[place][0] == CONCEALED_KONG:
            return
    scratch.added = UNMELDED_COST[missing]
    scratch.floor = (missing + 1) * CHEAPEST_TILE if missing else 0
    scratch.is_charged = missing == 0
    if scratch.floor + scratch.added <= limit:
        fill_up(scratch, parts[ALL], memo, missing, limit - scratch.added)
