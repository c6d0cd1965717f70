"""Values of hands written out pattern by pattern, against MahjongGB and against every target one by one."""

import itertools
import random

import numpy as np
import pytest

from mj_bot.jit import jit
from mj_bot.lab.hand.notation import parse_hand
from mj_bot.lab.table.fan_names import ENGLISH_FANS
from mj_bot.mahjong.fan import list_fans
from mj_bot.mahjong.meld import make_chow, make_concealed_kong, make_kong, make_pung
from mj_bot.mahjong.tile import list_tiles, parse_counts, parse_tile
from mj_bot.tactic.pattern.group import value_group_patterns
from mj_bot.tactic.pattern.hand import HandValues
from mj_bot.tactic.pattern.scratch import FAR
from mj_bot.tactic.pattern.tables import FREQUENCY, MISSING_COST, PATTERN_COUNT, PATTERNS, RULED_OUT, make_table
from mj_bot.tactic.pattern.value import combine as combine_values
from tests.winning_hands import (
    CHOWS, PAIRS, POOLS, PUNGS, TYPES, combine, cores_of, draw_parts, list_honours_and_knitted, list_seven_pairs,
    list_sets_and_pair, list_thirteen_orphans, stack)

HANDS = HandValues()
# Each pattern's name in MahjongGB's list, and the fan it alone counts.
FANS = {
    "mixed shifted chows": ("三色三步高", 6), "all types": ("五门齐", 6), "mixed triple chow": ("三色三同顺", 8),
    "mixed straight": ("花龙", 8), "half flush": ("混一色", 6), "pure straight": ("清龙", 16),
    "all pungs": ("碰碰和", 6), "pure shifted chows": ("一色三步高", 16), "seven pairs": ("七对", 24),
    "knitted straight": ("组合龙", 12),
    "full flush": ("清一色", 24), "lesser honours and knitted tiles": ("全不靠", 12), "upper four": ("大于五", 12),
    "lower four": ("小于五", 12), "melded hand": ("全求人", 6), "three concealed pungs": ("三暗刻", 16),
    "pure triple chow": ("一色三同顺", 24), "thirteen orphans": ("十三幺", 88),
}
# Less than any hand with a missing tile can have; a complete one has less than nothing.
READY = 1100


def list_values(counts, melds, unseen):
    """List of (value, pattern) of a hand, the best first."""
    return HANDS.list_values(counts, melds, unseen)[0][1]


def values_of(text, dead=""):
    """Pattern to value, the best first; dead: tiles of which no copy is left."""
    hand = parse_hand(text, is_whole=False)
    unseen = [4 - held for held in hand.counts]
    for tile in itertools.chain(*(meld.tiles for meld in hand.melds)):
        unseen[tile] -= 1
    for tile, is_dead in enumerate(parse_counts(dead)):
        unseen[tile] *= not is_dead
    return {pattern: value for value, pattern in list_values(hand.counts, list(hand.melds), unseen)}


# Hand, the pattern that must come first, the tiles that it waits for: of those without cheapest targets below.
ONE_TILE_AWAY = [
    ("W147 T258 B36 F111 J22", "knitted straight", "B9"), ("[W222,1][W555,1]B777 F33 J11", "all pungs", "F3 J1"),
    ("W22246 T555 B777 F11", "three concealed pungs", "W5"), ("W1155 T2288 B3399 J1", "seven pairs", "J1"),
    ("W19 T19 B19 F1234 J122", "thirteen orphans", "J3"),
    ("W147 T258 B36 F1234 J1", "lesser honours and knitted tiles", "B9 J23"),
    ("[W234,1][T567,1][B345,1][B678,1]T2", "melded hand", "T2"),
]


@pytest.mark.parametrize("hand, pattern, waits", ONE_TILE_AWAY, ids=[case[1] for case in ONE_TILE_AWAY])
def test_a_pattern_one_tile_away_comes_first_and_is_ruled_out_without_its_tiles(hand, pattern, waits):
    values = values_of(hand)
    assert list(values)[0] == pattern and 0 < values[pattern] < READY
    assert values_of(hand, dead=waits).get(pattern, RULED_OUT) > READY


def test_patterns_have_the_names_of_their_fans():
    """The same as results and pages show."""
    assert {name: ENGLISH_FANS[FANS[name][0]].lower() for name in FREQUENCY} == {name: name for name in FREQUENCY}


ALLOWED, RULED = True, False
# Why, hand, pattern, whether it is within reach.
MELDS = [
    ("two melds next to the three chows", "[B888,1][W999,1]T345 B46 F11", "mixed shifted chows", RULED),
    ("the same chow twice, one of them the set", "[W123,1][W123,1]W9 T13 B123 F1", "mixed triple chow", ALLOWED),
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
    ("two claimed melds next to concealed pungs", "[W222,1][F222,1]T555 B777 F1", "three concealed pungs", RULED),
    ("a concealed kong is no pair", "[F1111]W1155 T2288 B3", "seven pairs", RULED),
    ("a pung is no orphan", "[J111,1]W19 T19 B19 F1234", "thirteen orphans", RULED),
    ("a pung is not knitted", "[J111,1]W147 T258 B36 F34", "lesser honours and knitted tiles", RULED),
    ("a concealed kong among four melds", "[W234,1][T567,1][B345,1][B8888]T2", "melded hand", RULED),
    ("no meld at all is no melded hand", "W234 T345 B46888 F11", "melded hand", RULED),
]


@pytest.mark.parametrize("hand, pattern, is_allowed", [case[1:] for case in MELDS], ids=[case[0] for case in MELDS])
def test_melds(hand, pattern, is_allowed):
    assert (pattern in values_of(hand)) == is_allowed


@pytest.mark.parametrize("hand, is_ready", [
    ("[W234,1]T345 B456 W67 T99", True), ("[W234,1]T345 B456 W66 F33", False), ("W234 T345 B456 W66 F33", True),
], ids=["all chows: 8 fan", "with a plain pung 6 or 7", "and 2 for a concealed hand"])
def test_mixed_steps_that_need_two_more_fan(hand, is_ready):
    assert (values_of(hand)["mixed shifted chows"] < READY) == is_ready


def test_a_full_flush_is_no_half_flush():
    values = values_of("[W111,1]W22234678999")
    assert values["full flush"] <= 0 < values["half flush"]


class TestRanking:
    def test_of_two_equal_waits_the_frequent_pattern_comes_first(self):
        """T456 makes it mixed steps with W345, T345 mixed triple chow."""
        values = values_of("W345 T45 B34567 F111")
        assert list(values)[0] == "mixed shifted chows"

    def test_fewer_copies_left_are_worth_less(self):
        hand, pattern = "W234 T345 B46888 F11", "mixed shifted chows"
        plain = values_of(hand)[pattern]
        counts = parse_counts(hand)
        unseen = [4 - held for held in counts]
        unseen[parse_tile("B5")] = 1
        assert dict(map(reversed, list_values(counts, [], unseen)))[pattern] == plain + 300

    @pytest.mark.parametrize("values, expected", [
        ([], RULED_OUT), ([900, 950], 900), ([2500, 2000], 2000), ([2100], 2100),
        ([3000, 2100, 4000, 2300], 2100 + 23 + 15),
    ], ids=["nothing in reach", "near: the best alone", "two tiles: the best alone", "one pattern", "far: three count"])
    def test_combine(self, values, expected):
        by_slot = make_table([[value] for value in values + (PATTERN_COUNT - len(values)) * [FAR]])
        assert combine_values(by_slot, 0) == expected


# Fans that hands of another shape count too, without the sets and the pair: honours and knitted tiles with all nine
# knitted ones, pairs of all five types.
LOOSE = {"knitted straight": "lesser honours and knitted tiles", "all types": "seven pairs"}
# Patterns of 6 fan, which open hands have only with two fan more.
CHARGED = ("mixed shifted chows", "half flush", "all pungs", "all types")
IRREGULAR = {"seven pairs", "thirteen orphans", "lesser honours and knitted tiles"}


def list_wins():
    """Yields (concealed counts, melds) of random winning hands of every shape, some of them partly melded."""
    rng = random.Random(5)
    for pattern in (sorted(set(FANS) - IRREGULAR) + 20 * list(CHARGED)) * 20:
        sets, pair = draw_parts(rng, pattern)
        melded = 4 if pattern == "melded hand" else rng.choice((0, 0, 1, 2, 3))
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
    """A pattern is complete where MahjongGB counts it; where it does not, it reads the hand as something dearer."""
    seen = set()
    for counts, melds in list_wins():
        unseen = [4 - held - gone for held, gone in zip(counts, count_all(meld.tiles for meld in melds))]
        complete = {pattern for value, pattern in list_values(counts, melds, unseen) if value <= 0}
        names = list_tiles(counts)
        win_name = names.pop()
        pack = tuple(meld.as_pack(0) for meld in melds)
        on_discard, self_drawn = [
            list_fans(pack, tuple(names), win_name, 0, is_self_drawn, False, False, False, 0, 0)
            for is_self_drawn in (False, True)]
        for pattern, (fan_name, points) in FANS.items():
            if pattern in complete:
                # Of three pungs that a discard completes one is not concealed; all melded takes a discard.
                assert max(total_of(on_discard), total_of(self_drawn)) >= points, (pattern, names, melds)
                is_open = not all(meld.is_concealed for meld in melds)
                assert pattern not in CHARGED or not is_open or total_of(on_discard) >= 8, (pattern, names, melds)
            if total_of(on_discard) >= 8 and fan_name in [name for _, _, name in on_discard]:
                assert pattern in complete or LOOSE.get(pattern) in complete, (pattern, names, melds)
                seen.add(pattern)
    assert seen == set(FANS)


def total_of(fans):
    return sum(points * copies for points, copies, _ in fans)


def cheapest_of(targets, counts, unseen):
    """Least cost over targets (int8[n, 34]), each missing copy by what is left."""
    cost = np.zeros(len(targets), int)
    for tile in range(34):
        missing = np.maximum(targets[:, tile] - counts[tile], 0)
        steps = [MISSING_COST[max(unseen[tile] - copy, 0)] for copy in range(14)]
        cost += np.concatenate([[0], np.cumsum(steps)])[missing]
    return cost.min()


def draw_position(rng):
    """(counts, unseen) of a random concealed hand of few kinds in the middle of a game."""
    suit = 9 * rng.randrange(3)
    kinds = list(range(34)) + rng.choice(([], 4 * list(range(suit, suit + 9)), 4 * [0, 1, 5, 9, 10, 14, 18, 19, 23]))
    counts, unseen = [0] * 34, [4] * 34
    while sum(counts) < 13:
        tile = rng.choice(kinds)
        if unseen[tile]:
            counts[tile] += 1
            unseen[tile] -= 1
    return counts, [rng.randint(left // 2, left) for left in unseen]


@jit
def search_far(scratches, parts, memo):
    """Searches for the patterns of group.py however far they are."""
    scratches[0].is_noting = 1
    value_group_patterns(scratches[0], parts, memo, RULED_OUT - 1)
    scratches[0].is_noting = 0


def list_cheapest(counts, unseen):
    """The cost of the cheapest target of each pattern of a concealed hand, FAR for none."""
    HANDS.list_nearest(counts, [], unseen)
    search_far(HANDS.scratch, HANDS.parts, HANDS.fans.memo)
    return dict(zip(PATTERNS, HANDS.scratch["cheapest"][0]))


def test_cheapest_targets():
    """The searches find the cheapest target there is, counted one by one."""
    sets_and_pairs = list_sets_and_pair(1)
    targets = {pattern: (stack(cores_of(pattern))[:, None] + sets_and_pairs[None]).reshape(-1, 34)
               for pattern in FANS if "chow" in pattern or "straight" in pattern}
    targets.update((pattern, np.concatenate([list_sets_and_pair(4, pool) for pool in pools]))
                   for pattern, pools in POOLS.items())
    targets["half flush"] = targets["half flush"][targets["half flush"][:, 27:].any(axis=1)]
    targets["all types"] = np.concatenate([list_all_types(place) for place in range(5)])
    rng = random.Random(11)
    for _ in range(6):
        counts, unseen = draw_position(rng)
        found = list_cheapest(counts, unseen)
        for pattern, table in targets.items():
            assert min(found[pattern], RULED_OUT) == min(cheapest_of(table, counts, unseen), RULED_OUT)


def list_all_types(pair_place):
    """Every hand of all types whose pair is of type pair_place 0..4."""
    hands = stack([[]])
    for place, tiles in enumerate(TYPES):
        parts = PAIRS if place == pair_place else PUNGS + CHOWS
        hands = combine(hands, stack([part for part in parts if set(part) <= set(tiles)]))
    return hands
