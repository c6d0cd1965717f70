"""Inputs of the valuation: rows of a suit in the order of a walk, chances by draws, parameters."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..mahjong.tile import COPIES, TILE_COUNT
from ..observation.layout import WALL_DRAWS
from .chance import CLASSES, ENTRIES, NOTHING, base_share, tabulate_chances
from .constants import DANGER_WEIGHTS
from .parameters import Parameters
from .patterns import weigh_patterns
from .rows import CODES, MAX_SETS, ROW_BITS, ROW_CODES, ROW_SETS

CODE_BITS = 9
assert CODES == 1 << CODE_BITS
# Factor between two steps of the share of unseen tiles that are drawn, see LikelyRows.
_SHARE_STEP = 1.25
_MOST_KEPT, _ROWS_KEPT = 1 << 16, 1 << 23
# With the eight flowers each wall has two tiles more.
_MOST_DRAWS = WALL_DRAWS + 2


class RowIndex(NamedTuple):
    """The rows of rows.py by their first code, then their second.

    Those of up to n sets: nodes bounds[n] .. bounds[n + 1] - 1 of the first level have the code first[i] and the nodes
    first_begin[i] .. first_begin[i + 1] - 1 below them; these have the code second[j] and the rows second_begin[j] ..
    second_begin[j + 1] - 1.
    """

    bounds: np.ndarray
    first: np.ndarray
    first_begin: np.ndarray
    second: np.ndarray
    second_begin: np.ndarray
    codes: np.ndarray  # int64[R], what the ranks are wanted for, three bits each: the three codes, 9 bits each
    bits: np.ndarray  # int64[R], see rows.py


class Settings(NamedTuple):
    values: Parameters  # floats, pattern_weights as float64[13]
    pay: np.ndarray  # float64[13], what the targets' chances are multiplied with
    chances: np.ndarray  # float64[draws, unseen, class, unseen copies, held, ENTRIES], see prepare_chances
    shares: np.ndarray  # int64[draws, unseen]: the step of the share of the unseen tiles that are drawn
    largest: np.ndarray  # int64[steps, 2]: draws and unseen of the largest share of a step
    danger_weights: np.ndarray  # float64[F], of danger.FEATURES


class LikelyRows(NamedTuple):
    """Cached rows that are likely enough for the tiles of a suit, if no copy of the missing tiles is seen.

    Most combinations of tiles in a suit occurred before, in this hand or another.

    The tiles, the sets that are missing and the step of the share make a key.
    """

    keys: np.ndarray  # int64[2 ** n], an open hash table; -1 for none
    places: np.ndarray  # int64[2 ** n, 2], where the rows of a key begin and end
    rows: np.ndarray  # int16[.]
    used: np.ndarray  # int64[2]: keys, rows


def make_likely_rows():
    """Room for the rows of one thread and one Settings."""
    keys = np.full(2 * _MOST_KEPT, -1, np.int64)
    return LikelyRows(keys, np.zeros((len(keys), 2), np.int64), np.zeros(_ROWS_KEPT, np.int16), np.zeros(2, np.int64))


@lru_cache(maxsize=None)
def load_rows():
    """The RowIndex of this process."""
    walks = [np.flatnonzero(ROW_SETS <= sets) for sets in range(MAX_SETS + 1)]
    order = np.concatenate(walks)
    codes = ROW_CODES[order]
    assert len(codes) < 1 << 15  # LikelyRows keeps their numbers in 16 bits
    nodes = np.column_stack([np.repeat(np.arange(len(walks)), list(map(len, walks))), codes[:, :2]])
    is_new = np.vstack([np.ones((1, 3), bool), nodes[1:] != nodes[:-1]])
    second_begin = np.flatnonzero(is_new.any(axis=1))
    first_begin = np.flatnonzero(is_new[second_begin, :2].any(axis=1))
    firsts, seconds = nodes[second_begin[first_begin]], nodes[second_begin]
    return RowIndex(
        np.searchsorted(firsts[:, 0], np.arange(len(walks) + 1)), firsts[:, 1].astype(np.int16),
        np.append(first_begin, len(seconds)), seconds[:, 2].astype(np.int16), np.append(second_begin, len(codes)),
        (codes << CODE_BITS * np.arange(3)).sum(axis=1), ROW_BITS[order])


def make_settings(parameters):
    """The Settings of parameters.Parameters."""
    weights = np.array(parameters.pattern_weights, float)
    values = Parameters(*(float(value) for value in parameters[:-1]), pattern_weights=weights)
    chances = np.zeros((_MOST_DRAWS + 1, COPIES * TILE_COUNT + 1, CLASSES, COPIES + 1, COPIES + 1, ENTRIES))
    return Settings(values, weigh_patterns(parameters), chances, *_step_shares(), np.array(DANGER_WEIGHTS))


def prepare_chances(settings, draws, unseen_totals):
    """Fills in the chances of some positions, int[M] each: all take half a second on Botzone, and few are ever used."""
    largest = settings.largest[settings.shares[draws, unseen_totals]].T
    draws, unseen_totals = np.append(draws, largest[0]), np.append(unseen_totals, largest[1])
    is_needed = np.zeros(settings.shares.shape, bool)
    is_needed[draws, unseen_totals] = settings.chances[draws, unseen_totals, 0, 0, 0, NOTHING] == 0
    if is_needed.any():
        draws, unseen_totals = np.nonzero(is_needed)
        values = settings.values
        settings.chances[draws, unseen_totals] = tabulate_chances(
            base_share(draws, unseen_totals, values.horizon), values)


@lru_cache(maxsize=None)
def _step_shares():
    draws, unseen = np.arange(_MOST_DRAWS + 1)[:, None], np.arange(COPIES * TILE_COUNT + 1)
    shares = base_share(draws, unseen, 1.0)
    steps = np.floor(np.log(shares / shares.min()) / np.log(_SHARE_STEP)).astype(np.int64)
    largest = np.zeros((steps.max() + 1, 2), np.int64)
    for step in range(len(largest)):
        of_step = np.where(steps == step, shares, 0)
        largest[step] = np.unravel_index(of_step.argmax(), shares.shape)
    return steps, largest
