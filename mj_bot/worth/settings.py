"""Makes the Settings of the valuation: parameters, what patterns pay, and the chances by draws and unseen tiles."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..mahjong.tile import COPIES, TILE_COUNT
from ..observation.layout import WALL_DRAWS
from .chance import CLASSES, ENTRIES, FOR_NOTHING, base_share, tabulate_chances
from .danger import DANGER_WEIGHTS
from .parameters import Parameters
from .patterns import weigh_patterns

# Factor between two steps of the share of unseen tiles that are drawn, see suits.LikelyRows.
_SHARE_STEP = 1.25
# With the eight flowers each wall has two tiles more.
_MOST_DRAWS = WALL_DRAWS + 2


class ValueSettings(NamedTuple):
    values: Parameters  # floats
    pay: np.ndarray  # float64[13], what the targets' chances are multiplied with
    chances: np.ndarray  # float64[draws, unseen, class, unseen copies, held, ENTRIES], see prepare_chances
    shares: np.ndarray  # int64[draws, unseen]: the step of the share of the unseen tiles that are drawn
    largest: np.ndarray  # int64[steps, 2]: draws and unseen of the largest share of a step
    danger_weights: np.ndarray  # float64[F], of danger.FEATURES


def make_settings(parameters):
    """Returns the Settings of parameters.Parameters."""
    values = Parameters(*map(float, parameters))
    chances = np.zeros((_MOST_DRAWS + 1, COPIES * TILE_COUNT + 1, CLASSES, COPIES + 1, COPIES + 1, ENTRIES))
    return ValueSettings(values, weigh_patterns(parameters), chances, *_step_shares(), np.array(DANGER_WEIGHTS))


def prepare_chances(settings, draws, unseen_totals):
    """Fills in the chances of some positions.

    All chances would take half a second on Botzone, and few are ever used.
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
    draws, unseen = np.arange(_MOST_DRAWS + 1)[:, None], np.arange(COPIES * TILE_COUNT + 1)
    shares = base_share(draws, unseen, 1.0)
    steps = np.floor(np.log(shares / shares.min()) / np.log(_SHARE_STEP)).astype(np.int64)
    largest = np.zeros((steps.max() + 1, 2), np.int64)
    for step in range(len(largest)):
        of_step = np.where(steps == step, shares, 0)
        largest[step] = np.unravel_index(of_step.argmax(), shares.shape)
    return steps, largest
