"""The compiled value of hands against mj_bot/worth/value.py."""

import random
from functools import lru_cache

import numpy as np
import pytest

from mj_bot.observation.openings import UNCHANGED
from mj_bot.lab.batch.worth.hand import HAND, read_melds, read_suit_melds
from mj_bot.lab.batch.worth.tables import LikelyRows, load_tables, make_likely_rows, make_settings
from mj_bot.lab.batch.worth.value import value_discards
from mj_bot.jit import jit
from mj_bot.observation.layout import CHOW, CONCEALED_KONG, PUNG
from mj_bot.worth import value
from mj_bot.worth.parameters import PARAMETERS

OTHERS = PARAMETERS._replace(
    sharpness=1.3, chow_claims=0.8, pung_claims=0.5, least_chance=1e-4, short_open=0.3, pungs_short=0.2,
    pattern_weights=tuple(0.5 + 0.1 * place for place in range(13)))


@jit
def run_value_discards(tables, settings, likely, hands, melds, meld_count, discards, worths):
    hand = hands[0]
    read_melds(hand, melds, meld_count)
    for suit in range(3):
        read_suit_melds(suit, melds, meld_count, hand.suit_melds[suit])
    return value_discards(tables, settings, likely, hand, True, discards, worths)


@lru_cache(maxsize=None)
def keep_likely_rows(parameters):
    """One for all hands of the same parameters, so that rows are met again."""
    return make_likely_rows()


def value_compiled(position, discards, parameters, likely=None):
    hands = np.zeros(1, HAND)
    for name, found in (("counts", position.counts), ("unseen", position.unseen), ("changed_suit", UNCHANGED),
                        ("draws", position.draws), ("unseen_total", sum(position.unseen)),
                        ("valued", sum(1 << honour for honour in position.valued))):
        hands[name] = found
    melds = np.zeros((4, 2), np.int64)
    for place, (kind, tile) in enumerate(position.melds):
        melds[place] = CHOW if kind == value.CHOW_MELD else CONCEALED_KONG if position.is_concealed else PUNG, tile
    worths = np.zeros(14)
    bits = 0 if discards == [None] else sum(1 << tile for tile in discards)
    count = run_value_discards(
        load_tables(), make_settings(parameters), likely or keep_likely_rows(parameters), hands, melds,
        len(position.melds), bits, worths)
    return worths[:count]


def deal_position(rng, meld_count, size):
    """A random value.Hand of few kinds or of many."""
    left = [4] * 34
    melds = []
    while len(melds) < meld_count:
        kind, tile = rng.choice([(value.CHOW_MELD, rng.randrange(27)), (value.PUNG_MELD, rng.randrange(34))])
        tiles = [tile - 1, tile, tile + 1] if kind == value.CHOW_MELD else [tile] * 3
        if kind == value.CHOW_MELD and tile % 9 in (0, 8) or any(left[t] < tiles.count(t) for t in tiles):
            continue
        for t in tiles:
            left[t] -= 1
        melds.append((kind, tile))
    kinds = rng.sample(range(34), rng.choice([8, 12, 20, 34]))
    held = rng.sample([tile for tile in kinds for _ in range(left[tile])], size - 3 * meld_count)
    counts = [held.count(tile) for tile in range(34)]
    unseen = [max(0, left[tile] - counts[tile] - rng.choice([0, 0, 1, 3])) for tile in range(34)]
    is_concealed = all(kind == value.PUNG_MELD for kind, _ in melds)
    return value.Hand(counts, melds, unseen, rng.randrange(1, 22), {rng.randrange(4), 4, 5, 6}, is_concealed)


@pytest.mark.parametrize("parameters", [PARAMETERS, OTHERS], ids=["tuned", "others"])
@pytest.mark.parametrize("meld_count", range(5))
def test_random_hands(parameters, meld_count):
    rng = random.Random(meld_count)
    for number in range(24):
        size = 14 if number % 4 else 13
        position = deal_position(rng, meld_count, size)
        discards = [tile for tile in range(34) if position.counts[tile]] if size == 14 else [None]
        expected = value.value_discards(position, discards, parameters).sum(axis=1)
        got = value_compiled(position, discards, parameters)
        assert np.allclose(got, expected, rtol=1e-11, atol=1e-12 * expected.max()), position


def test_rows_that_are_forgotten_are_found_again():
    """With room for four suits, and for little more than the rows of one, the worths are the same to the last bit."""
    rng = random.Random(8)
    whole = make_likely_rows()
    few_keys = LikelyRows(
        np.full(8, -1, np.int64), np.zeros((8, 2), np.int64), whole.rows.copy(), np.zeros(2, np.int64))
    few_rows = whole._replace(keys=whole.keys.copy(), places=whole.places.copy(), used=np.zeros(2, np.int64),
                              rows=np.zeros(len(load_tables().rows.codes) + 300, np.int16))
    for _ in range(60):
        position = deal_position(rng, rng.randrange(4), 14)
        discards = [tile for tile in range(34) if position.counts[tile]]
        expected = value_compiled(position, discards, PARAMETERS)
        for likely in (few_keys, few_rows):
            assert (value_compiled(position, discards, PARAMETERS, likely) == expected).all()
    assert few_keys.used[0] <= 4 and few_rows.used[1] <= len(few_rows.rows)
