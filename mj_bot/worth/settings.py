"""Collects what the valuation needs to know: parameters, what patterns pay, and tables of chances."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..mahjong.tile import COPIES, TILE_COUNT
from ..observation.layout import WALL_DRAWS
from .chance import CLASSES, ENTRIES, FOR_NOTHING, base_share, tabulate_chances
from .danger import DANGER_WEIGHTS
from .parameters import Parameters
from .patterns import weigh_patterns

# The share of the unseen tiles that a hand draws is sorted into steps, each _SHARE_STEP times the one before. The cache
# of suits.LikelyRows tells apart only the steps.
_SHARE_STEP = 1.25
# In a game with flowers each wall has two tiles more.
_MOST_DRAWS = WALL_DRAWS + 2


class ValueSettings(NamedTuple):
    """Keeps what the valuation needs to know, in a form that compiled code reads."""
    values: Parameters  # the parameters, all as floats
    pay: np.ndarray  # float64[13], the factor of each pattern's targets
    chances: np.ndarray  # float64[draws, unseen, class, unseen copies, held, ENTRIES]; prepare_chances fills it in
    shares: np.ndarray  # int64[draws, unseen], the step of the share of the unseen tiles that are drawn
    largest: np.ndarray  # int64[steps, 2], draws and unseen tiles of the largest share of each step
    danger_weights: np.ndarray  # float64[F], a weight for each of danger.DANGER_FEATURES


def make_settings(parameters: Parameters) -> ValueSettings:
    """Returns the settings for some parameters."""
    values = Parameters(*map(float, parameters))
    chances = np.zeros((_MOST_DRAWS + 1, COPIES * TILE_COUNT + 1, CLASSES, COPIES + 1, COPIES + 1, ENTRIES))
    return ValueSettings(values, weigh_patterns(parameters), chances, *_step_shares(), np.array(DANGER_WEIGHTS))


def prepare_chances(settings: ValueSettings, draws: np.ndarray, unseen_totals: np.ndarray) -> None:
    """Computes the entries of settings.chances that some positions need.

    To compute all entries at once would take too long on Botzone, and few are ever used.
    draws: int[M], tiles left in the own wall. unseen_totals: int[M], number of unseen tiles.
    """
    largest = settings.largest[settings.shares[draws, unseen_totals]].T
    draws, unseen_totals = np.append(draws, largest[0]), np.append(unseen_totals, largest[1])
    is_needed = np.zeros(settings.shares.shape, bool)
    is_needed[draws, unseen_totals] = settings.chances[draws, unseen_totals, 0, 0, 0, FOR_NOTHING] == 0
    if is_needed.any():
        draws, unseen_totals = np.nonzero(is_needed)
        values = settings.values
        settings.chances[draws, unseen_totals] = tabulate_chances(
            base_share(draws, unseen_totals, values.horizon), values)


@lru_cache(maxsize=None)
def _step_shares():
    """Returns the fields `shares` and `largest` of ValueSettings."""
    draws, unseen = np.arange(_MOST_DRAWS + 1)[:, None], np.arange(COPIES * TILE_COUNT + 1)
    shares = base_share(draws, unseen, 1.0)
    steps = np.floor(np.log(shares / shares.min()) / np.log(_SHARE_STEP)).astype(np.int64)
    largest = np.zeros((steps.max() + 1, 2), np.int64)
    for step in range(len(largest)):
        of_step = np.where(steps == step, shares, 0)
        largest[step] = np.unravel_index(of_step.argmax(), shares.shape)
    return steps, largest
