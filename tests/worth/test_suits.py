"""The sums over a suit's rows, against the rows written out with the melds of the suit."""

import random

import numpy as np
import pytest

from mj_bot.jit import jit
from mj_bot.observation.layout import CHOW, PUNG as PUNG_MELD
from mj_bot.observation.openings import UNCHANGED
from mj_bot.worth import rows as suits
from mj_bot.worth.chance import PAIR, PUNG, WANTS
from mj_bot.worth.hand import make_hand, read_melds
from mj_bot.worth.parameters import PARAMETERS
from mj_bot.worth.suits import sum_suit
from mj_bot.worth.tables import load_tables, make_likely_rows, make_settings, prepare_chances
from tests.worth.targets import CHOWS, PUNGS, PURE_STARTS, list_suit_rows

ROWS = list_suit_rows()


def wants_of_row(sets, pair, need):
    return [PUNG + need[rank] - 3 if (rank,) * 3 in sets else PAIR if rank == pair and need[rank] == 2 else need[rank]
            for rank in range(9)]


# Chows by their lowest rank 0..6 and pungs by rank, as melded.
MELDS = [
    ([], []), ([2], []), ([], [4]), ([0, 3], []), ([1, 1], []), ([3, 3], [7]), ([5, 5, 5], []), ([], [2, 3]),
    ([0, 3, 6], []), ([2, 4], [0]), ([1, 1], [6, 7]),
]


def draw_chances(rng):
    """float64[9, WANTS] of a random hand."""
    return np.cumprod([[1.0] + [rng.choice((0.0, 0.1, 0.4, 0.7, 1.0)) for _ in range(WANTS - 1)]
                       for _ in range(9)], axis=1)


@jit
def run_sum_suit(tables, settings, likely, hands, melds, meld_count, chances, sums):
    hand = hands[0]
    hand.draws, hand.unseen_total, hand.changed_suit = 21, 123, UNCHANGED
    read_melds(hand, melds, meld_count)
    for rank in range(9):
        hand.counts[rank] = 4  # so that no row is ruled out before its chance is asked for
        for want in range(WANTS):
            hand.by_need[rank, want] = chances[rank, want]
    sum_suit(tables, settings, likely, hand, 0, 0)
    for group in range(sums.shape[0]):
        for slot in range(sums.shape[1]):
            sums[group, slot] = hand.sums[0, group, slot]


def sum_rows(chances, melds, least):
    """float64[GROUPS, 5, 2]. melds: list of (kind, tile)."""
    settings = make_settings(PARAMETERS._replace(least_chance=least))
    prepare_chances(settings, np.array([21]), np.array([123]))
    sums = np.zeros((suits.GROUPS, suits.SLOTS))
    laid = np.array(melds + [(0, 0)] * (4 - len(melds)))
    run_sum_suit(load_tables(), settings, make_likely_rows(), make_hand(), laid,
                 len(melds), chances, sums)
    return sums.reshape(-1, 5, 2)


def groups_of(sets, melded):
    """The numbers of the sums that a row with these melds belongs to, by their description."""
    whole = list(sets) + melded
    starts = [one[0] for one in whole if one[0] < one[1]]
    pungs = [one[0] for one in whole if one[0] == one[1]]
    groups = [suits.ALL] + [suits.NO_CHOW] * (not starts)
    if len(sets) == 4:
        return groups
    if any(set(three) <= set(starts) for three in PURE_STARTS):
        groups.append(suits.PURE)
    if any(starts.count(k) >= 3 for k in range(7)) or any({k, k + 1, k + 2} <= set(pungs) for k in range(7)):
        groups.append(suits.PURE_TRIPLE)
    for start in set(starts):
        groups += [suits.CHOW + start] + [suits.CHOW_ALONE + start] * (not pungs)
    return groups


@pytest.mark.parametrize("chows, pungs", MELDS, ids=str)
def test_sums(chows, pungs):
    melded = [CHOWS[chow] for chow in chows] + [PUNGS[rank] for rank in pungs]
    chances = draw_chances(random.Random(str((chows, pungs))))
    expected = np.zeros((suits.GROUPS, 5, 2))
    for sets, pair, need in ROWS:
        if len(sets) <= 4 - len(melded):
            groups = groups_of(sets, melded)
            if len(sets) < 4:
                ranks = {rank for rank in range(9) if need[rank]}
                groups += [suits.UPPER] * (ranks <= {5, 6, 7, 8}) + [suits.LOWER] * (ranks <= {0, 1, 2, 3})
            chance = chances[range(9), wants_of_row(sets, pair, need)].prod()
            expected[groups, len(sets), int(pair is not None)] += chance
    melds = [(CHOW, chow + 1) for chow in chows] + [(PUNG_MELD, rank) for rank in pungs]
    np.testing.assert_allclose(sum_rows(chances, melds, 1e-300), expected, rtol=1e-9)
