"""A player that wins when it can, else takes a random legal action: the baseline of comparisons."""

import operator

import numpy as np

from ..mahjong.action import WIN_INDEX
from ..mahjong.splitmix import MASK, STEP, mix
from ..observation.layout import AT
from .base import Tactic

# For each byte before the melds. These bytes distinguish positions: seat, clock, walls, hand and unseen tiles.
_FACTORS = np.array([mix(STEP * place & MASK) for place in range(AT.meld_kind)], np.uint64)


class RandomTactic(Tactic):
    """Any legal action and discard after a claim, equally likely; wins when it can.

    The same seed and position give the same action.
    seed: int.
    Raises TypeError: a seed that is no int.
    """

    def __init__(self, seed=0):
        self._seed = np.uint64(mix(operator.index(seed)))

    def choose(self, observations, masks):
        """Actions int64[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235]."""
        numbers = mix(observations[:, :AT.meld_kind].astype(np.uint64).dot(_FACTORS) ^ self._seed)
        places = numbers % masks.sum(1).astype(np.uint64)
        actions = (masks.cumsum(1, dtype=np.uint8) > places.astype(np.uint8)[:, None]).argmax(1)
        return np.where(masks[:, WIN_INDEX], WIN_INDEX, actions)
