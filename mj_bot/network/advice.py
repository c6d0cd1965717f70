"""Advice: what the tactic `search` makes of a position, for networks that weigh it with what they see.

Advice is real[B, ADVICE_SIZE]: for each action 0..234 the points that it brings less those of the best one, a claim
with its best discard, and LEAST where it is illegal or brings still less; then the logarithm of what the hand is worth
after the best action. An advised network sees it as the planes made here, and adds the points to its logits, times a
weight that it learns.
"""

import numpy as np

from ..mahjong.action import ACTION_COUNT, PASS_INDEX
from ..mahjong.tile import TILE_COUNT
from .planes import PLACES
from .policy import POLICY_PLACES, POLICY_PLAIN, POLICY_PLANES, TILE_ACTIONS

ADVICE_SIZE = ACTION_COUNT + 1
# As it is kept: points from -20 to 0 need no more.
ADVICE_TYPE = np.float16
LEAST = -20.0
LEAST_WORTH = 0.05

# Points by which actions are told apart: nearly equal ones, and those that are out of the question.
_FINE, _COARSE = 0.2, 1.0
_WORTH_UNIT = 3.0

ADVICE_PLANES = TILE_ACTIONS + ("discard, nearly best", "pass", "worth")
ADVICE_PLANE_COUNT = len(ADVICE_PLANES)


def _make_sources():
    """int[POLICY_PLANES * 34]: the action at each tile of each plane; ACTION_COUNT where there is none."""
    board = np.full(POLICY_PLAIN + POLICY_PLANES * PLACES, ACTION_COUNT)
    board[POLICY_PLACES] = np.arange(ACTION_COUNT)
    return board[POLICY_PLAIN:].reshape(POLICY_PLANES, PLACES)[:, :TILE_COUNT].ravel()


_SOURCES = _make_sources()


def make_advice(points, worths):
    """Advice ADVICE_TYPE[B, ADVICE_SIZE] of what actions bring.

    points: real[B, 235], minus infinity for what is illegal. worths: real[B], of the hands after the best action.
    """
    points = np.maximum(points - points.max(axis=1, keepdims=True), LEAST)
    worths = np.log(np.maximum(worths, LEAST_WORTH))
    return np.concatenate([points, worths[:, None]], 1).astype(ADVICE_TYPE)


def encode_advice(advice, ops):
    """The planes of advice, real[B, ADVICE_PLANE_COUNT, 34]: 1 for the best action, the less the more it loses."""
    advice = ops.real(advice)
    points = ops.concatenate([advice[:, :ACTION_COUNT], 0 * advice[:, :1] + LEAST], 1)
    board = points[:, ops.array(_SOURCES)].reshape(len(points), POLICY_PLANES, TILE_COUNT)
    plain = ops.stack([ops.exp(points[:, PASS_INDEX] / _COARSE), advice[:, ACTION_COUNT] / _WORTH_UNIT], 1)
    return ops.concatenate([ops.exp(board / _COARSE), ops.exp(board[:, :1] / _FINE),
                            plain[:, :, None] + 0 * board[:, :2]], 1)
