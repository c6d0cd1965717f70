"""Defines the player that wins when it can and else takes a random legal action: the baseline of comparisons."""

import operator

import numpy as np

from ..mahjong.splitmix import MASK, STEP, mix
from ..observation.layout import AT
from .base import Evaluation, Tactic

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

    def evaluate(self, observations, masks):
        """Returns the Evaluation, without points: it prefers one random legal action of each decision.

        observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
        """
        numbers = mix(observations[:, :AT.meld_kind].astype(np.uint64).dot(_FACTORS) ^ self._seed)
        ranks = numbers % masks.sum(1).astype(np.uint64)
        return Evaluation(None, (masks.cumsum(1, dtype=np.uint8) > ranks.astype(np.uint8)[:, None]).astype(np.uint8))
