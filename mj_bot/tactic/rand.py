"""Defines the player that takes a random legal action, unless it can win. Comparisons use it as the baseline."""

import operator

import numpy as np

from ..mahjong.splitmix import MASK, STEP, mix
from ..observation.layout import AT
from .base import Evaluation, Tactic

# Each byte of an observation before the melds has a factor. These bytes tell positions apart: seat, number of discards,
# walls, hand and unseen tiles.
_FACTORS = np.array([mix(STEP * index & MASK) for index in range(AT.meld_kind)], np.uint64)


class RandomTactic(Tactic):
    """Wins when it can, else takes any legal action, and any discard after a claim, with equal chances.

    The same seed and position give the same action.
    seed: int.
    Raises TypeError: the seed is no int.
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = np.uint64(mix(operator.index(seed)))

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> Evaluation:
        """Returns an Evaluation without points, which prefers one random legal action of each decision."""
        random_values = mix(observations[:, :AT.meld_kind].astype(np.uint64).dot(_FACTORS) ^ self._seed)
        ranks = random_values % masks.sum(1).astype(np.uint64)
        return Evaluation(None, (masks.cumsum(1, dtype=np.uint8) > ranks.astype(np.uint8)[:, None]).astype(np.uint8))
