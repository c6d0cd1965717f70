"""Patterns that are not four sets and a pair, and the hand that is melded whole, as tactic/pattern/irregular.py has."""

from ...mahjong.tile import TILE_COUNT
from ...network.view import CONCEALED_KONG
from ...tactic.pattern.holding import CHEAPEST_TILE
from ...tactic.pattern.parts import WINDOW
from ..engine.compile import jit_part
from .desk import ADDED, FAR, FLOOR, IS_CHARGED, NEEDS_HONOUR
from .fill import fill_up
from .holding import MELD_COUNT, SETS_MISSING, insert
from .offer import clear, keep_cheaper, offer, pack
from .tables import (
    HONOURS_AND_KNITTED_NUMBER, KNITTED_AND_HONOUR_TILES, MELDED_HAND_NUMBER, ORPHAN_TILES, SEVEN_PAIRS_NUMBER,
    THIRTEEN_ORPHANS_NUMBER, UNMELDED_COSTS,
)
from .value import value_kept


@jit_part
def value_irregular_patterns(desk, limit):
    """Writes the values of these patterns; limit: the most that a target may cost."""
    goal = desk.goal
    goal[ADDED] = goal[FLOOR] = goal[IS_CHARGED] = goal[NEEDS_HONOUR] = 0
    for pattern in (SEVEN_PAIRS_NUMBER, THIRTEEN_ORPHANS_NUMBER, HONOURS_AND_KNITTED_NUMBER, MELDED_HAND_NUMBER):
        clear(desk.offers)
        if desk.holding.facts[MELD_COUNT]:
            if pattern == MELDED_HAND_NUMBER:
                _search_melded_hand(desk, limit)
        elif pattern == SEVEN_PAIRS_NUMBER:
            _list_seven_pairs(desk, limit)
        elif pattern == THIRTEEN_ORPHANS_NUMBER:
            _list_thirteen_orphans(desk, limit)
        elif pattern == HONOURS_AND_KNITTED_NUMBER:
            _list_honours_and_knitted(desk, limit)
        clear(desk.kept)
        keep_cheaper(desk.offers, desk.kept)
        value_kept(desk, pattern)


@jit_part
def _offer_need(desk, cost, number):
    high, low = pack(desk.need)
    offer(desk, cost, number, high, low)


@jit_part
def _list_seven_pairs(desk, limit):
    step, need = desk.holding.step, desk.need
    costs, tiles = desk.pair_costs, desk.pair_tiles
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
        _offer_need(desk, total, 0)
    # With one pair given up for the next cheapest.
    need[tiles[7]] += 2
    for place in range(7):
        more = costs[7] - costs[place]
        if costs[place] and more <= WINDOW and total + more <= limit:
            need[tiles[place]] -= 2
            _offer_need(desk, total + more, place + 1)
            need[tiles[place]] += 2


@jit_part
def _list_thirteen_orphans(desk, limit):
    step, need = desk.holding.step, desk.need
    need[:] = 0
    singles = 0
    least = FAR
    for tile in ORPHAN_TILES:
        singles += step[tile, 0]
        least = min(least, step[tile, 1])
        need[tile] = 1
    limit = min(limit, singles + least + WINDOW)
    for number in range(len(ORPHAN_TILES)):
        tile = ORPHAN_TILES[number]
        if singles + step[tile, 1] <= limit:
            need[tile] = 2
            _offer_need(desk, singles + step[tile, 1], number)
            need[tile] = 1


@jit_part
def _list_honours_and_knitted(desk, limit):
    step, need = desk.holding.step, desk.need
    number = 0
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
                    _offer_need(desk, cost, number)
                    need[tiles[first]] = need[tiles[second]] = 1
                    number += 1
                    limit = min(limit, cost + WINDOW)


@jit_part
def _search_melded_hand(desk, limit):
    """Four claimed sets, then the pair on a discard: whatever is in hand, so many tiles must still be claimed."""
    holding, goal = desk.holding, desk.goal
    missing = holding.facts[SETS_MISSING]
    if missing >= len(UNMELDED_COSTS):
        return
    for place in range(holding.facts[MELD_COUNT]):
        if holding.melds[place, 0] == CONCEALED_KONG:
            return
    goal[ADDED] = UNMELDED_COSTS[missing]
    goal[FLOOR] = (missing + 1) * CHEAPEST_TILE if missing else 0
    goal[IS_CHARGED] = missing == 0
    if goal[FLOOR] + goal[ADDED] <= limit:
        desk.need[:] = 0
        fill_up(desk, holding.parts, missing, limit - goal[ADDED])
