"""The search for one decision at a time in compiled code: batch/search.py without correction and next draw."""

from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT
from ...observation.layout import OBSERVATION_SIZE
from ...worth.points import POINTS_ROUNDING
from ..batch.openings import MOST_ACTIONS, list_openings
from ..batch.worth.kernels import Scratch, make_scratch, value_openings, weigh_openings
from ..batch.worth.tables import Settings, Tables, load_tables, make_settings
from ..engine.compile import jit_part

FANS_KEPT = 1 << 18


class Search(NamedTuple):
    """What it needs, and what it found; of one thread."""

    tables: Tables
    settings: Settings
    scratch: Scratch
    observation: np.ndarray  # uint8[OBSERVATION_SIZE], what the seat sees
    mask: np.ndarray  # bool[235], its legal actions
    of_targets: np.ndarray  # float64[MOST_ACTIONS]
    points: np.ndarray  # float64[235], of each action; minus infinity for what is illegal
    worths: np.ndarray  # float64[235], of the hands after the actions


def make_search(parameters, memo):
    """A Search; parameters: worth.parameters.Parameters. memo: engine.fan_memo.Memo."""
    return Search(load_tables(), make_settings(parameters), make_scratch(memo), np.zeros(OBSERVATION_SIZE, np.uint8),
                  np.zeros(ACTION_COUNT, bool), np.zeros(MOST_ACTIONS), np.zeros(ACTION_COUNT), np.zeros(ACTION_COUNT))


@jit_part
def weigh_decision(search):
    """Writes the points and worths of what stands in search.observation and search.mask, where no win is legal; false
    where a hand must be counted first."""
    scratch = search.scratch
    count = list_openings(search.observation, search.mask, scratch.openings)
    value_openings(search.tables, search.settings, scratch, search.observation, count, search.of_targets)
    return weigh_openings(search.settings, scratch, search.observation, count, search.of_targets, search.points,
                          search.worths)


@jit_part
def find_best(points):
    """The action of most points, the first of equals."""
    best = -np.inf
    for action in range(ACTION_COUNT):
        best = max(best, points[action])
    action = 0
    while points[action] < best - POINTS_ROUNDING:
        action += 1
    return action
