"""Complete targets of every pattern, against the fans that MahjongGB counts."""

import random

import pytest

from mj_bot.mahjong.fan import WinFacts, list_fans
from mj_bot.mahjong.tile import TILE_NAMES
from mj_bot.worth.parameters import PARAMETERS
from mj_bot.worth.patterns import PATTERNS
from mj_bot.worth.valuer import Hand
from tests.winning_hands import HONOURS, KNITTED_STRAIGHTS, draw_parts
from tests.worth.targets import CHOWS, PUNGS, Target, weigh
from tests.worth.values import meld_of, value_whole

# Each pattern's fans in MahjongGB's list; then the dearer ones that count instead, where a hand has them too.
FANS = {
    "mixed triple chow": ("三色三同顺", ""),
    "mixed straight": ("花龙", ""),
    "mixed shifted chows": ("三色三步高", ""),
    "pure straight or shifted chows": ("清龙 一色三步高", "一色四步高 一色三同顺"),
    "pure triple chow or shifted pungs": ("一色三同顺 一色三节高", "一色四同顺 一色四节高"),
    "half flush": ("混一色", "字一色 绿一色"),
    "full flush": ("清一色", "九莲宝灯 一色双龙会"),
    "all pungs": ("碰碰和", "四暗刻 一色四节高 大四喜 混幺九 清幺九 字一色 全双刻"),
    "upper or lower four": ("大于五 小于五", "全大 全小"),
    "all types": ("五门齐", ""),
    "seven pairs": ("七对", "连七对"),
    "honours and knitted": ("全不靠", "七星不靠"),
    "knitted straight": ("组合龙", ""),
}
# Of the patterns that are two or more, each.
DRAWN_AS = {
    "pure straight or shifted chows": ["pure straight", "pure shifted chows"],
    "pure triple chow or shifted pungs": ["pure triple chow", "pure shifted pungs"],
    "upper or lower four": ["upper four", "lower four"],
}
SEAT, PREVALENT = 1, 2
VALUED = {SEAT, PREVALENT, 4, 5, 6}
# Nothing for a target that may have too few fan.
STRICT = PARAMETERS._replace(
    short_concealed=0.0, short_open=0.0, half_concealed=0.0, half_open=0.0, pungs_short=0.0, types_guest_wind=0.0,
    types_honour_pair=0.0, least_chance=1e-30)
GENEROUS = STRICT._replace(
    short_concealed=1.0, short_open=1.0, half_concealed=1.0, half_open=1.0, pungs_short=1.0, types_guest_wind=1.0,
    types_honour_pair=1.0)


def draw_target(rng, pattern, meld_count):
    """A random Target of a regular pattern, of which the first sets are melds."""
    while True:
        sets, pair = draw_parts(rng, rng.choice(DRAWN_AS.get(pattern, [pattern])))
        sets = [tuple(one) for one in sets]
        rng.shuffle(sets)
        tiles = [tile for one in sets for tile in one] + pair
        target = Target(tuple(sets), pair[0], [tiles.count(tile) for tile in range(34)])
        if max(target.need) <= 4 and pattern in weigh(target, meld_count, not meld_count, VALUED, GENEROUS):
            return target


def list_both(melds, tiles, rng):
    """The fans of a win on a discard and of a self-draw, by any tile of those concealed."""
    tiles = list(tiles)
    pack = tuple(("CHI" if one[0] < one[1] else "PENG", TILE_NAMES[one[1]], 1) for one in melds)
    win = tiles.pop(rng.randrange(len(tiles)))
    hand = tuple(TILE_NAMES[tile] for tile in tiles)
    return [list_fans(pack, hand, TILE_NAMES[win], WinFacts(
        is_self_drawn=is_self_drawn, seat_wind=SEAT, prevalent_wind=PREVALENT)) for is_self_drawn in (False, True)]


def worth_of(tiles, melds):
    """Worth by pattern of a hand that can get no other tile."""
    counts = [tiles.count(tile) for tile in range(34)]
    return value_whole(Hand(counts, list(map(meld_of, melds)), [0] * 34, 9, VALUED), GENEROUS)


REGULAR = [pattern for pattern in PATTERNS if pattern not in ("seven pairs", "honours and knitted", "knitted straight")]


@pytest.mark.parametrize("pattern", REGULAR)
def test_regular_targets(pattern):
    """They win with the pattern's fan, and with eight fan where the pattern claims so."""
    rng = random.Random(pattern)
    certain = 0
    for meld_count in list(range(4)) * 20:
        target = draw_target(rng, pattern, meld_count)
        melds, concealed = target.sets[:meld_count], target.sets[meld_count:]
        tiles = [tile for one in concealed for tile in one] + [target.pair] * 2
        worth = worth_of(tiles, melds)
        assert worth[pattern] > 0, target
        is_certain = pattern in weigh(target, meld_count, not meld_count, VALUED, STRICT)
        # Four concealed sets of one suit are left to the flushes.
        is_flush = not meld_count and len({one[0] // 9 for one in target.sets}) == 1
        for fans in list_both(melds, tiles, rng):
            check_fans(pattern, fans, target, is_certain or not meld_count)
            names = {name for _, _, name in fans}
            counted = {other for other in REGULAR if names & set(FANS[other][0].split())}
            assert is_flush or all(worth[other] > 0 for other in counted), (target, names)
        certain += is_certain
    assert certain


def check_fans(pattern, fans, where, is_certain):
    own, dearer = FANS[pattern]
    names = {name for _, _, name in fans}
    assert names & set((own + " " + dearer).split()), where
    assert not is_certain or sum(points * copies for points, copies, _ in fans) >= 8, where


def irregular_hands():
    """Yields (pattern, tiles concealed, melds as sets)."""
    rng = random.Random(8)
    for _ in range(20):
        yield "seven pairs", 2 * rng.sample(range(34), 7), []
        yield "seven pairs", 2 * rng.sample(range(34), 5) + 4 * rng.sample(range(34), 1), []
        straight = list(rng.choice(KNITTED_STRAIGHTS))
        yield "honours and knitted", rng.sample(straight + HONOURS, 14), []
        one, pair = rng.choice(PUNGS + 2 * CHOWS), rng.randrange(34)
        yield "knitted straight", straight + list(one) + [pair] * 2, []
        yield "knitted straight", straight + [pair] * 2, [one]


def test_irregular_targets():
    rng = random.Random(9)
    for pattern, tiles, melds in irregular_hands():
        if max(tiles.count(tile) + sum(one.count(tile) for one in melds) for tile in range(34)) > 4:
            continue
        assert worth_of(tiles, melds)[pattern] > 0, tiles
        for fans in list_both(melds, tiles, rng):
            check_fans(pattern, fans, tiles, True)
