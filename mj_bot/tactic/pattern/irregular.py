"""Patterns that are not four sets and a pair, and the hand that is melded whole."""

from itertools import combinations

from ...mahjong.tile import KNITTED_STRAIGHTS, TILE_COUNT
from .holding import CHEAPEST_TILE, HONOURS, WINDOW, count_need, fill_up

SEVEN_PAIRS = "seven pairs"
THIRTEEN_ORPHANS = "thirteen orphans"
HONOURS_AND_KNITTED = "lesser honours and knitted tiles"
MELDED_HAND = "melded hand"

ORPHANS = (0, 8, 9, 17, 18, 26) + HONOURS
# The sixteen tiles of which fourteen make the greater or lesser honours and knitted tiles.
KNITTED_AND_HONOURS = [straight + HONOURS for straight in KNITTED_STRAIGHTS]
# What a melded hand costs beyond its tiles, by the sets still concealed: from afar it is no aim.
UNMELDED_COST = (0, 600, 2000)


def find_irregular_targets(holding, limit):
    """The cheapest targets of each pattern of this room.

    limit: the most that a target may cost.
    Returns list of (pattern, targets), patterns without a target left out; targets is a list of (cost, need, None).
    """
    if holding.melds:
        found = [(MELDED_HAND, _list_melded_hand(holding, limit))]
    else:
        found = [
            (SEVEN_PAIRS, _list_seven_pairs(holding.step, limit)),
            (THIRTEEN_ORPHANS, _list_thirteen_orphans(holding.step, limit)),
            (HONOURS_AND_KNITTED, _list_honours_and_knitted(holding.step, limit)),
        ]
    return [(pattern, targets) for pattern, targets in found if targets]


def _make_target(cost, tiles):
    return cost, tuple(count_need(tiles)), None


def _list_seven_pairs(step, limit):
    """The seven cheapest pairs, four of a kind being two, and those with one pair given up for the next cheapest."""
    pairs = [(step[tile][copy] + step[tile][copy + 1], tile) for tile in range(TILE_COUNT) for copy in (0, 2)]
    pairs.sort()
    chosen, spare = pairs[:7], pairs[7]
    total = sum(cost for cost, _ in chosen)
    choices = [(total, chosen)]
    for place, (cost, _) in enumerate(chosen):
        if cost and spare[0] - cost <= WINDOW:
            choices.append((total - cost + spare[0], chosen[:place] + chosen[place + 1:] + [spare]))
    return [_make_target(cost, [tile for _, tile in choice for _ in range(2)])
            for cost, choice in choices if cost <= limit]


def _list_thirteen_orphans(step, limit):
    singles = sum(step[tile][0] for tile in ORPHANS)
    limit = min(limit, singles + min(step[tile][1] for tile in ORPHANS) + WINDOW)
    return [_make_target(singles + step[tile][1], ORPHANS + (tile,)) for tile in ORPHANS
            if singles + step[tile][1] <= limit]


def _list_honours_and_knitted(step, limit):
    targets = []
    for tiles in KNITTED_AND_HONOURS:
        total = sum(step[tile][0] for tile in tiles)
        for left_out in combinations(tiles, 2):
            cost = total - step[left_out[0]][0] - step[left_out[1]][0]
            if cost <= limit:
                targets.append(_make_target(cost, [tile for tile in tiles if tile not in left_out]))
                limit = min(limit, cost + WINDOW)
    return targets


def _list_melded_hand(holding, limit):
    """Four claimed sets, then the pair on a discard: whatever is in hand, so many tiles must still be claimed."""
    missing = holding.sets_missing
    if missing >= len(UNMELDED_COST) or any(meld.is_concealed for meld in holding.melds):
        return []
    extra = UNMELDED_COST[missing]
    targets = fill_up(holding.step, [0] * TILE_COUNT, holding.sets, missing, holding.pairs, limit - extra,
                      None if missing else holding.surcharge)
    least = (missing + 1) * CHEAPEST_TILE if missing else 0
    return [(max(cost, least) + extra, need, None) for cost, need in targets if max(cost, least) + extra <= limit]
