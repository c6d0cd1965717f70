"""Distances to the families of winning hands, against MahjongGB and against every winning hand one by one."""

import itertools
import random

import numpy as np
import pytest

from mj_bot.lab.hand.notation import parse_hand
from mj_bot.lab.table.fan_names import ENGLISH_FANS
from mj_bot.mahjong.fan import WinFacts, list_fans
from mj_bot.mahjong.meld import make_chow, make_concealed_kong, make_kong, make_pung
from mj_bot.mahjong.tile import TILE_INDEX, list_tiles, parse_counts
from mj_bot.observation.openings import fill_opening, make_openings
from mj_bot.tactic.winning_families import (
    COSTS, FAMILY_COUNT, MOST, OUT_OF_REACH, cost_families, make_hand, set_hand)
from mj_bot.worth.patterns import FAMILIES, PATTERN_FANS
from tests.tactic.positions import positions
from tests.winning_hands import (
    CHOWS, ORPHANS, PAIRS, POOLS, PUNGS, TYPES, combine, cores_of, draw_parts, list_honours_and_knitted,
    list_seven_pairs, list_sets_and_pair, list_thirteen_orphans, stack)

# Each family's name in MahjongGB's list, and the fan that it alone counts.
FANS = {
    "mixed shifted chows": ("三色三步高", 6), "mixed triple chow": ("三色三同顺", 8), "mixed straight": ("花龙", 8),
    "pure straight": ("清龙", 16), "pure shifted chows": ("一色三步高", 16), "pure triple chow": ("一色三同顺", 24),
    "knitted straight": ("组合龙", 12), "half flush": ("混一色", 6), "full flush": ("清一色", 24),
    "upper four": ("大于五", 12), "lower four": ("小于五", 12), "all pungs": ("碰碰和", 6), "all types": ("五门齐", 6),
    "seven pairs": ("七对", 24), "thirteen orphans": ("十三幺", 88), "lesser honours and knitted tiles": ("全不靠", 12),
}
# Costs without those of missing fan.
FREE = COSTS[:5] + (0, 0)
# Less than the cost of two missing tiles.
READY = 1200


def list_costs(counts, melds, unseen, costs=COSTS):
    """{family: cost} of a hand, without those out of reach."""
    hand, openings, found = make_hand(costs), make_openings(), np.zeros(FAMILY_COUNT)
    fill_opening(openings, counts, melds, unseen=unseen)
    cost_families(hand, set_hand(hand, openings, 0), found, MOST)
    return {family.name: int(cost) for family, cost in zip(FAMILIES, found) if cost < OUT_OF_REACH}


def costs_of(text, dead=""):
    """{family: cost} of a hand; dead: tiles of which no copy is left."""
    hand = parse_hand(text, is_whole=False)
    unseen = [4 - held for held in hand.counts]
    for tile in itertools.chain(*(meld.tiles for meld in hand.melds)):
        unseen[tile] -= 1
    for tile, is_dead in enumerate(parse_counts(dead)):
        unseen[tile] *= not is_dead
    return list_costs(hand.counts, list(hand.melds), unseen)


def test_families_have_the_names_of_their_fans():
    """Results and pages show these names."""
    assert [(family.name, family.fan) for family in FAMILIES] == [(name, fan) for name, (fan, _) in FANS.items()]
    assert [ENGLISH_FANS[family.fan].lower() for family in FAMILIES] == [family.name for family in FAMILIES]
    assert {family.pattern for family in FAMILIES} == {*PATTERN_FANS, ""}


@pytest.mark.parametrize("hand, family, waits", [
    ("W147 T258 B36 F111 J22", "knitted straight", "B9"), ("[W222,1][W555,1]B777 F33 J11", "all pungs", "F3 J1"),
    ("W1155 T2288 B3399 J1", "seven pairs", "J1"), ("W19 T19 B19 F1234 J122", "thirteen orphans", "J3"),
    ("W147 T258 B36 F1234 J1", "lesser honours and knitted tiles", "B9 J23"),
])
def test_a_family_one_tile_away_is_ruled_out_without_its_tiles(hand, family, waits):
    assert 0 < costs_of(hand)[family] < READY
    assert costs_of(hand, dead=waits).get(family, OUT_OF_REACH) > READY


def test_fewer_copies_left_cost_more():
    counts = parse_counts("W234 T345 B46888 F11")
    unseen = [4 - held for held in counts]
    for unseen[TILE_INDEX["B5"]] in range(5):
        cost = list_costs(counts, [], unseen)["mixed shifted chows"]
        assert cost == COSTS[unseen[TILE_INDEX["B5"]]] or not unseen[TILE_INDEX["B5"]] and cost > READY


ALLOWED, RULED = True, False
# Why, hand, family, whether it is within reach.
MELDS = [
    ("two melds next to the three chows", "[B888,1][W999,1]T345 B46 F11", "mixed shifted chows", RULED),
    ("the same chow twice, one of them the set", "[W123,1][W123,1]W9 T13 B123 F1", "mixed triple chow", ALLOWED),
    ("a chow three times", "[W234,1][W234,1][W234,1]T12 F1 J1", "pure shifted chows", RULED),
    ("all three melded", "[W234,1][W234,1][W234,1]T12 F1 J1", "pure triple chow", ALLOWED),
    ("two chows next to what can be of the three", "[T456,1][T123,1][B789,1]W12 B12", "mixed triple chow", RULED),
    ("two melds next to a knitted straight", "[F111,1][J222,1]W147 T25 B36", "knitted straight", RULED),
    ("another suit in a half flush", "[T111,1]W2346789 J11", "half flush", RULED),
    ("honours in a full flush", "[F111,1]W2346789 W111", "full flush", RULED),
    ("only honours melded make it a half flush", "[F111,1]W2346788", "half flush", ALLOWED),
    ("a chow of 5 6 7 in upper four", "[W567,1]W99 T777 B66788", "upper four", RULED),
    ("a chow of 3 4 5 in lower four", "[W345,1]W44 T222 B11233", "lower four", RULED),
    ("a kong among all pungs", "[W2222,1][T555,1]B777 F33 J11", "all pungs", ALLOWED),
    ("a chow among all pungs", "[W234,1][T555,1]B777 F33 J11", "all pungs", RULED),
    ("two melds of one type", "[W123,1][W567,1]B99 F111 J22", "all types", RULED),
    ("a concealed kong is no pair", "[F1111]W1155 T2288 B3", "seven pairs", RULED),
    ("a pung is no orphan", "[J111,1]W19 T19 B19 F1234", "thirteen orphans", RULED),
    ("a pung is not knitted", "[J111,1]W147 T258 B36 F34", "lesser honours and knitted tiles", RULED),
]


@pytest.mark.parametrize("hand, family, is_allowed", [case[1:] for case in MELDS], ids=[case[0] for case in MELDS])
def test_melds(hand, family, is_allowed):
    assert (family in costs_of(hand)) == is_allowed


@pytest.mark.parametrize("hand, family, cost", [
    ("[W234,1]T345 B456 W67 T99", "mixed shifted chows", 0), ("[W234,1]T345 B456 W67 F33", "mixed shifted chows", 1500),
    ("W234 T345 B456 W67 F33", "mixed shifted chows", 0), ("[W234,1]T345 B46 F111 J22", "all types", 500),
    ("[W234,1]T345 B46 F11 J222", "all types", 0), ("W234 T345 B46 F111 J22", "all types", 0),
], ids=["all chows", "pair of honours", "concealed", "pair of dragons", "pung of dragons", "concealed types"])
def test_open_hands_pay_for_missing_fan(hand, family, cost):
    assert cost < costs_of(hand)[family] < cost + READY


# Fans that hands of another shape count too, without the sets and the pair: honours and knitted tiles with all nine
# knitted ones, pairs of all five types.
LOOSE = {"knitted straight": "lesser honours and knitted tiles", "all types": "seven pairs"}
IRREGULAR = {"seven pairs", "thirteen orphans", "lesser honours and knitted tiles"}


def list_wins():
    """Yields (concealed counts, melds) of random winning hands of every family, some of them partly melded."""
    rng = random.Random(5)
    for family in sorted(set(FANS) - IRREGULAR) * 40:
        sets, pair = draw_parts(rng, family)
        melded = rng.choice((0, 0, 1, 2, 3))
        concealed = sets[:4 - melded] + [pair]
        if any(tuple(part) not in map(tuple, PUNGS + CHOWS) for part in sets[4 - melded:]):
            continue  # a part of a knitted straight is no meld
        melds = [make_chow(part[1], part[0], 3) if part[0] < part[1] else
                 rng.choice((make_pung, make_pung, make_kong))(part[0], 1) if rng.random() < 0.9 else
                 make_concealed_kong(0, part[0]) for part in sets[4 - melded:]]
        if max(count_all(concealed + [meld.tiles for meld in melds])) <= 4:
            yield count_all(concealed), melds
    for table in (list_seven_pairs(range(0, 34, 3)), list_thirteen_orphans(), list_honours_and_knitted()):
        for _ in range(5):
            yield table[rng.randrange(len(table))].tolist(), []


def count_all(parts):
    counts = [0] * 34
    for tile in itertools.chain(*parts):
        counts[tile] += 1
    return counts


def test_complete_hands_against_mahjonggb():
    """A family is complete where MahjongGB counts it; where it does not, it reads the hand as something dearer."""
    seen = set()
    for counts, melds in list_wins():
        unseen = [4 - held - gone for held, gone in zip(counts, count_all(meld.tiles for meld in melds))]
        complete = {family for family, cost in list_costs(counts, melds, unseen, FREE).items() if cost == 0}
        names = list_tiles(counts)
        win_name = names.pop()
        fans = list_fans(tuple(meld.as_pack(0) for meld in melds), tuple(names), win_name, WinFacts())
        total = sum(points * copies for points, copies, _ in fans)
        for family, (fan_name, points) in FANS.items():
            assert family not in complete or total >= points, (family, names, melds)
            if fan_name in [name for _, _, name in fans]:
                assert family in complete or LOOSE.get(family) in complete, (family, names, melds)
                seen.add(family)
    assert seen == set(FANS)


def test_hands_won_in_golden_games():
    """A win of eight fan is complete in each family whose fan it counts."""
    by_fan, checked = {fan: family for family, (fan, _) in FANS.items()}, 0
    for state in positions(every=1):
        if any(action[0] == "HU" for action in state.action_space()):
            counts = list(state.hand_counts)
            if not state.is_my_turn:
                counts[TILE_INDEX[state.last_tile]] += 1
            costs = list_costs(counts, state.players[state.my_pid].melds, state.unseen, FREE)
            for _, _, name in state.win_fans():
                family = by_fan.get(name)
                assert family is None or 0 in (costs.get(family), costs.get(LOOSE.get(family))), (counts, costs)
                checked += family is not None
    assert checked > 30


def cheapest_of(targets, counts, unseen):
    """Least cost over winning hands (int8[n, 34]), each missing copy by what is left."""
    cost = np.zeros(len(targets), int)
    for tile in range(34):
        missing = np.maximum(targets[:, tile] - counts[tile], 0)
        steps = [COSTS[max(unseen[tile] - copy, 0)] for copy in range(14)]
        cost += np.concatenate([[0], np.cumsum(steps)])[missing]
    return cost.min()


def draw_position(rng):
    """(counts, unseen) of a random concealed hand of few kinds in the middle of a game."""
    suit = 9 * rng.randrange(3)
    kinds = list(range(34)) + rng.choice((
        [], 4 * list(range(suit, suit + 9)), 4 * [0, 1, 5, 9, 10, 14, 18, 19, 23], 4 * ORPHANS))
    counts, unseen = [0] * 34, [4] * 34
    while sum(counts) < 13:
        tile = rng.choice(kinds)
        if unseen[tile]:
            counts[tile] += 1
            unseen[tile] -= 1
    return counts, [rng.randint(left // 2, left) for left in unseen]


@pytest.mark.slow
def test_the_cheapest_hand_of_every_family():
    """No winning hand that is written out costs less than the distance, and one costs as much."""
    sets_and_pairs = list_sets_and_pair(1)
    targets = {family: (stack(cores_of(family))[:, None] + sets_and_pairs[None]).reshape(-1, 34)
               for family in FANS if "chow" in family or "straight" in family}
    targets.update((family, np.concatenate([list_sets_and_pair(4, pool) for pool in pools]))
                   for family, pools in POOLS.items())
    targets["all types"] = np.concatenate([list_all_types(pair_type) for pair_type in range(5)])
    targets["thirteen orphans"], targets[FAMILIES[-1].name] = list_thirteen_orphans(), list_honours_and_knitted()
    rng, compared = random.Random(11), set()
    for _ in range(12):
        counts, unseen = draw_position(rng)
        costs = list_costs(counts, [], unseen)
        for family, table in targets.items():
            cheapest = cheapest_of(table, counts, unseen)
            if family in costs:
                assert costs[family] == cheapest, family
                compared.add(family)
            else:
                assert cheapest >= min(COSTS[0], min(costs.values())), family
    assert compared >= set(targets) - {"pure triple chow", "full flush"}


def list_all_types(pair_type):
    """Every hand of all types whose pair is of type pair_type 0..4."""
    hands = stack([[]])
    for number, tiles in enumerate(TYPES):
        parts = PAIRS if number == pair_type else PUNGS + CHOWS
        hands = combine(hands, stack([part for part in parts if set(part) <= set(tiles)]))
    return hands
