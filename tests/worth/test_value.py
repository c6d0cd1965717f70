"""The worth of hands by pattern, against all their targets written out."""

import itertools
import random
from functools import partial

import numpy as np
import pytest

from mj_bot.mahjong.tile import parse_counts
from mj_bot.observation.layout import CHOW, CONCEALED_KONG, PUNG
from mj_bot.worth.parameters import PARAMETERS as TUNED
from mj_bot.worth.patterns import BASE_PAY, PATTERN_FANS, PATTERNS
from mj_bot.worth.valuer import Hand
from tests.winning_hands import HONOURS, KNITTED_STRAIGHTS
from tests.worth.targets import CHOWS, PUNGS, chance_of, compute_chance, list_targets, wants_of, weigh
from tests.worth.values import change_hand, make_valuer, meld_of, value_whole

# No two alike, and no row left out that is possible.
PARAMETERS = TUNED._replace(
    horizon=0.5, chow_claims=0.4, pair_claims=0.15, pung_claims=0.7, concealed_claims=0.1, sharpness=1.5,
    least_chance=1e-30, short_concealed=0.45,
    short_open=0.15, half_concealed=0.65, half_open=0.35, pungs_short=0.55, types_guest_wind=0.25,
    types_honour_pair=0.85, knitted_rest=0.75,
)
IRREGULAR = ("seven pairs", "honours and knitted", "knitted straight")
REGULAR = tuple(pattern for pattern in PATTERNS if pattern not in IRREGULAR)
VALUED = {0, 2, 4, 5, 6}

# Which tiles there are at all, by what they let hands become; where there are more melds, more tiles.
POOLS = {
    "three suits, close": ("W2345 T2345 B2345 F2", 0),
    "three suits, apart": ("W123 T456 B789 W78 T12 J1", 0),
    "three suits and a meld": ("W12345 T23456 B34567 F12 J1", 1),
    "a suit and more": ("W123456789 T3 B3 F1", 0),
    "a suit, honours and a meld": ("W123456789 F1234 J123", 1),
    "a suit and two melds": ("W123456789 T1234 B1 F12 J12", 2),
    "a suit and a meld in it": ("W12345678 F1", 1),
    "a suit and three melds in it": ("W123456789 F1", 3),
    "high tiles": ("W6789 T6789 B6789 W1", 0),
    "low tiles and two melds": ("W1234 T1234 B1234 F1 T9", 2),
    "all types": ("W123 T456 B99 F1234 J123", 0),
    "all types and a meld": ("W1234 T456 B899 F1234 J123", 1),
    "everything and two melds": ("W123456789 T123456789 B123456789 F1234 J123", 2),
    "everything and three melds": ("W123456789 T123456789 B123456789 F1234 J123", 3),
    "honours": ("F1234 J123 W12 B9", 0),
}


def draw_hand(rng, pool):
    """A Hand to discard from, of tiles that are in the pool alone, held, melded and unseen."""
    text, meld_count = POOLS[pool]
    supply = [4 * min(1, count) for count in parse_counts(text)]
    melds = []
    while len(melds) < meld_count:
        one = rng.choice(PUNGS + 2 * CHOWS)
        if all(supply[tile] >= one.count(tile) for tile in one):
            melds.append(one)
            for tile in one:
                supply[tile] -= 1
    counts = [0] * 34
    while sum(counts) < 14 - 3 * meld_count:
        tile = rng.choice([tile for tile in range(34) if supply[tile]])
        counts[tile] += 1
        supply[tile] -= 1
    unseen = [min(left, rng.choice((0, 1, 1, 1, 2, 3))) for left in supply]
    pung = CONCEALED_KONG if melds and rng.random() < 0.5 and all(one in PUNGS for one in melds) else PUNG
    return Hand(counts, [meld_of(one, pung) for one in melds], unseen, rng.randint(3, 12), VALUED)


def points_of(pattern):
    return (BASE_PAY + PATTERN_FANS[pattern]) ** PARAMETERS.sharpness


def chances_in(hand):
    return partial(compute_chance, PARAMETERS.horizon * hand.draws / sum(hand.unseen), PARAMETERS)


def concealed(needs):
    return [(need, "concealed") for need in needs]


def value_by_targets(hand):
    """Worth by regular pattern, target by target."""
    chances = chances_in(hand)
    melds = [(tile - 1, tile, tile + 1) if kind == CHOW else PUNGS[tile] for kind, tile in hand.melds]
    is_concealed = all(kind == CONCEALED_KONG for kind, _ in hand.melds)
    worth = dict.fromkeys(REGULAR, 0.0)
    for target in list_targets(hand.counts, melds, hand.unseen):
        chance = chance_of(wants_of(target, len(melds)), hand.counts, hand.unseen, chances)
        if chance:
            weights = weigh(target, len(melds), is_concealed, hand.valued, PARAMETERS)
            for pattern, weight in weights.items():
                worth[pattern] += chance * weight * points_of(pattern)
    return worth


def test_regular_patterns():
    reached = set()
    for pool in POOLS:
        rng = random.Random(pool)
        for _ in range(2):
            hand = draw_hand(rng, pool)
            discards = [tile for tile in range(34) if hand.counts[tile]]
            hand = change_hand(hand, rng.choice(discards), -1)
            expected, got = value_by_targets(hand), value_whole(hand, PARAMETERS)
            assert {pattern: got[pattern] for pattern in REGULAR} == pytest.approx(expected, rel=1e-9), pool
            reached.update(pattern for pattern in REGULAR if expected[pattern])
    assert reached == set(REGULAR)


@pytest.mark.parametrize("parameters", [TUNED._replace(least_chance=1e-30), PARAMETERS], ids=["tuned", "others"])
@pytest.mark.parametrize("pool", POOLS)
def test_a_tile_more_or_less(pool, parameters):
    """By the partials the same as the changed hand by itself; a drawn tile is held and no longer unseen."""
    rng = random.Random(pool)
    for _ in range(2):
        hand = draw_hand(rng, pool)
        discards = [tile for tile in range(34) if hand.counts[tile]]
        check_changes(hand, discards, -1, parameters)
        hand = change_hand(hand, discards[0], -1)
        check_changes(hand, [tile for tile in range(34) if hand.unseen[tile]], 1, parameters)


def check_changes(hand, tiles, change, parameters):
    got = make_valuer(parameters).value_hand(hand, tiles, change)[1]
    # A draw does not change the share of the unseen tiles that is still to come.
    unseen = sum(hand.unseen)
    same_share = parameters._replace(horizon=parameters.horizon * (unseen - max(0, change)) / unseen)
    expected = [sum(value_whole(change_hand(hand, tile, change), same_share).values()) for tile in tiles]
    assert np.allclose(got, expected, rtol=1e-10, atol=1e-12 * max(expected)), hand


@pytest.mark.parametrize("pool", ["three suits, close", "high tiles", "honours"])
def test_seven_pairs(pool):
    """Four of a kind are two of the pairs once three of them are held."""
    hand = draw_hand(random.Random(pool), pool)
    chances = chances_in(hand)
    pairs = [tile for tile in range(34) for _ in range(2 if hand.counts[tile] > 2 else 1)]
    pairs = [tile for tile in pairs if hand.counts[tile] + hand.unseen[tile] > 1]
    chance = sum(
        chance_of(concealed(2 * chosen.count(tile) for tile in range(34)), hand.counts, hand.unseen, chances)
        for chosen in set(itertools.combinations(pairs, 7))
    )
    assert chance
    assert value_whole(hand, PARAMETERS)["seven pairs"] == pytest.approx(chance * points_of("seven pairs"))


def test_honours_and_knitted():
    rng = random.Random(4)
    counts = parse_counts("W147 T258 B36 F12 J123")
    unseen = [min(4 - held, rng.randrange(4)) for held in counts]
    hand = Hand(counts, [], unseen, 9, VALUED)
    chances = chances_in(hand)
    chance = sum(
        chance_of(concealed(int(tile in chosen) for tile in range(34)), counts, unseen, chances)
        for straight in KNITTED_STRAIGHTS for chosen in itertools.combinations(straight + HONOURS, 14)
    )
    assert chance
    name = "honours and knitted"
    assert value_whole(hand, PARAMETERS)[name] == pytest.approx(chance * points_of(name))


@pytest.mark.parametrize("text", ["W147 T258 B36 F1 J2", "W1477 T258 B3 F112"])
def test_knitted_straight_with_a_meld(text):
    """Exact where the missing tiles of the straight make no pair."""
    counts = parse_counts(text)
    unseen = [min(4 - held, 1 if tile < 27 else 3 * (tile != 31)) for tile, held in enumerate(counts)]
    hand = Hand(counts, [(PUNG, 31)], unseen, 9, VALUED)
    chances = chances_in(hand)
    chance = sum(
        chance_of(concealed(int(tile in straight) for tile in range(34)), counts, unseen, chances)
        * chance_of([(2 * (tile == pair), "pair") for tile in range(34)],
                    [held - (tile in straight and held > 0) for tile, held in enumerate(counts)], unseen, chances)
        for straight in KNITTED_STRAIGHTS for pair in range(34)
    )
    assert value_whole(hand, PARAMETERS)["knitted straight"] == pytest.approx(chance * points_of("knitted straight"))


def test_irregular_patterns_with_melds():
    hand = Hand(parse_counts("W1144 T22588 B3"), [(PUNG, 33)], [2] * 33 + [0], 9, VALUED)
    worth = value_whole(hand, PARAMETERS)
    assert worth["seven pairs"] == worth["honours and knitted"] == 0 < worth["knitted straight"]
    hand = hand._replace(counts=parse_counts("W1144 T25 B3"), melds=[(PUNG, 33), (CHOW, 1)])
    assert value_whole(hand, PARAMETERS)["knitted straight"] == 0


def test_unlikely_rows_change_little():
    """What least_chance leaves out is worth next to nothing, a complete hand being worth some 200."""
    rng = random.Random(6)
    for pool in POOLS:
        hand = draw_hand(rng, pool)
        discards = [tile for tile in range(34) if hand.counts[tile]]
        whole, quick = (make_valuer(parameters).value_hand(hand, discards, -1)[1]
                        for parameters in (PARAMETERS, PARAMETERS._replace(least_chance=1e-6)))
        assert (quick <= whole * (1 + 1e-9)).all()
        assert (quick >= whole - 0.02).all(), pool
