"""Advice for many decisions at once; see mj_bot/network/advice.py."""

import numpy as np

from ....mahjong.action import ACTION_COUNT
from ....network.advice import make_advice
from ....worth.parameters import PARAMETERS
from .choose import Chooser


class Advisor(object):
    """Gives advice; for one thread."""

    def __init__(self):
        self._chooser = Chooser(PARAMETERS)

    def __call__(self, observations, masks):
        """Advice ADVICE_TYPE[M, ADVICE_SIZE] for observations uint8[M, OBSERVATION_SIZE] and legal actions bool[M,
        235].

        Where a win is legal it says nothing: all actions are equal there.
        """
        points = np.zeros((len(observations), ACTION_COUNT), np.float32)
        self._chooser.choose(observations, masks, points)
        return make_advice(points, np.nan_to_num(self._chooser.worths))
