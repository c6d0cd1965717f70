"""The table of a suit's rows, against all of them written out."""

from collections import Counter

import numpy as np

from mj_bot.worth.chance import PAIR, PUNG, PUNG_AND_ONE
from mj_bot.worth.rows import IS_PURE, PURE_CHOWS, ROWS
from tests.worth.targets import PURE_STARTS, list_suit_rows


def bits_of(numbers):
    return sum(1 << number for number in set(numbers))


def decode(code):
    return [code // 64, code // 8 % 8, code % 8]


def want(rank, sets, pair, need):
    """What a rank is wanted for, as mj_bot/worth/chance.py numbers it."""
    if (rank,) * 3 in sets:
        return {3: PUNG, 4: PUNG_AND_ONE}[need]
    return PAIR if rank == pair and need == 2 else need


def test_rows_are_those_written_out():
    expected = Counter()
    for sets, pair, need in list_suit_rows():
        chows = [one[0] for one in sets if one[0] < one[1]]
        repeated = Counter(chows)
        tiles = [rank for rank in range(9) if need[rank]]
        expected[(
            tuple(want(rank, sets, pair, need[rank]) for rank in range(9)), len(sets),
            2 * len(sets) + (pair is not None), bits_of(chows),
            bits_of(one[0] for one in sets if one[0] == one[1]),
            bits_of(k for k in repeated if repeated[k] >= 2), bits_of(k for k in repeated if repeated[k] >= 3),
            all(rank >= 5 for rank in tiles), all(rank <= 3 for rank in tiles),
        )] += 1
    got = Counter(zip(
        (tuple(sum(map(decode, codes), [])) for codes in ROWS.codes.T.tolist()), ROWS.sets.tolist(),
        ROWS.slots.tolist(), ROWS.chows.tolist(), ROWS.pungs.tolist(), ROWS.twice.tolist(), ROWS.thrice.tolist(),
        ROWS.is_upper.tolist(), ROWS.is_lower.tolist()))
    assert got == expected
    assert sum(got.values()) == 23533


def test_full_flushes():
    """Of the 118,800 hands of 14 tiles in a suit 13,259 fall into four sets and a pair."""
    needs = {PAIR: 2, PUNG: 3, PUNG_AND_ONE: 4}
    flushes = ROWS.codes[:, ROWS.slots == 9].T.tolist()
    assert len({tuple(needs.get(wanted, wanted) for code in codes for wanted in decode(code))
                for codes in flushes}) == 13259


def test_rows_are_ordered():
    keys = np.vstack([ROWS.codes, ROWS.slots]).T.tolist()
    assert keys == sorted(keys)


def test_pure_chows():
    assert sorted(PURE_CHOWS) == sorted(PURE_STARTS)
    for mask in range(128):
        held = {k for k in range(7) if mask >> k & 1}
        assert IS_PURE[mask] == any(held.issuperset(three) for three in PURE_STARTS)
