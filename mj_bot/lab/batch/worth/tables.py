"""What the compiled code reads: the rows of mj_bot/worth in an order to walk, chances by draws, and the parameters."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ....mahjong.tile import COPIES, KNITTED_STRAIGHTS, TILE_COUNT
from ....observation.layout import WALL_DRAWS
from ....worth.chance import base_share, tabulate_chances
from ....worth.constants import DANGER_WEIGHTS
from ....worth.parameters import Parameters
from ....worth.rows import IS_PURE, MAX_SETS, ROWS
from ....worth.value import SAME_CHOWS, STEPS, STRAIGHTS, weigh_patterns


class RowIndex(NamedTuple):
    """The rows of worth.rows.ROWS by their first code, then their second.

    Those of up to n sets: nodes bounds[n] .. bounds[n + 1] - 1 of the first level have the code first[i] and the nodes
    first_begin[i] .. first_begin[i + 1] - 1 below them; these have the code second[j] and the rows second_begin[j] ..
    second_begin[j + 1] - 1, whose third codes are third.
    """

    bounds: np.ndarray
    first: np.ndarray
    first_begin: np.ndarray
    second: np.ndarray
    second_begin: np.ndarray
    third: np.ndarray
    codes: np.ndarray  # int16[R, 3]
    slots: np.ndarray  # this and what follows int16[R], as ROWS has it
    chows: np.ndarray
    twice: np.ndarray
    thrice: np.ndarray
    pungs: np.ndarray
    flags: np.ndarray  # 1 for is_upper, 2 for is_lower


class Tables(NamedTuple):
    rows: RowIndex
    is_pure: np.ndarray  # worth.rows.IS_PURE
    chows: np.ndarray  # int64[K, 4], three chows in three suits: which pattern, 0..2, the lowest rank in each suit
    classes: np.ndarray  # int64[6, 3], the suit of each class r (ranks r, r + 3, r + 6) in the six knitted straights


class Settings(NamedTuple):
    values: Parameters  # floats, pattern_weights as float64[13]
    pay: np.ndarray  # float64[13], what the targets' chances are multiplied with
    chances: np.ndarray  # float64[draws, unseen, class, unseen copies, held, ENTRIES], of worth.chance
    danger_weights: np.ndarray  # float64[F], of worth.danger.FEATURES


@lru_cache(maxsize=None)
def load_tables():
    """The Tables of this process."""
    parts = [_index_rows(sets) for sets in range(MAX_SETS + 1)]
    firsts, seconds, rows = (np.cumsum([0] + [len(part[level]) for part in parts]) for level in range(3))
    order = np.concatenate([part[2] for part in parts])
    first_begin = np.concatenate([part[0] + start for part, start in zip(parts, seconds)] + [seconds[-1:]])
    second_begin = np.concatenate([part[1] + start for part, start in zip(parts, rows)] + [rows[-1:]])
    codes = ROWS.codes.T[order].astype(np.int16)
    first = codes[second_begin[first_begin[:-1]], 0]
    second = codes[second_begin[:-1], 1]
    columns = [column[order].astype(np.int16) for column in
               (ROWS.slots, ROWS.chows, ROWS.twice, ROWS.thrice, ROWS.pungs, ROWS.is_upper + 2 * ROWS.is_lower)]
    classes = np.array([[tile // 9 for tile in straight[::3]] for straight in KNITTED_STRAIGHTS], np.int64)
    return Tables(RowIndex(firsts, first, first_begin, second, second_begin, codes[:, 2].copy(), codes, *columns),
                  IS_PURE, _list_chows(), classes)


def _index_rows(sets):
    """(first second-level node of each first-level node, first row of each second-level node, rows) of a walk."""
    rows = np.flatnonzero(ROWS.sets <= sets)
    first, second = ROWS.codes[0][rows], ROWS.codes[1][rows]
    is_first = np.append(True, first[1:] != first[:-1])
    second_begin = np.flatnonzero(is_first | np.append(True, second[1:] != second[:-1]))
    return np.flatnonzero(is_first[second_begin]), second_begin, rows


def _list_chows():
    found = []
    for pattern, places in enumerate((SAME_CHOWS, STRAIGHTS, STEPS)):
        for suits, chows in places:
            found.append([pattern] + [chows[suits.index(suit)] for suit in range(3)])
    return np.array(found, np.int64)


@lru_cache(maxsize=8)
def make_settings(parameters):
    """The Settings of worth.parameters.Parameters."""
    weights = np.array(parameters.pattern_weights, float)
    values = Parameters(*(float(value) for value in parameters[:-1]), pattern_weights=weights)
    return Settings(values, weigh_patterns(parameters), _tabulate_chances(values), np.array(DANGER_WEIGHTS))


def _tabulate_chances(values):
    draws = np.arange(WALL_DRAWS + 1)[:, None]
    unseen_total = np.arange(COPIES * TILE_COUNT + 1)
    return tabulate_chances(base_share(draws, unseen_total, values.horizon), values)
