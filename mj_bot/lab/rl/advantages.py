"""Computes how much each decision was better than expected, and the features that the critic sees of a position.

The features describe the progress of the four hands: the score that each seat expected at its last decision, and its
shanten. Luck decides so much of a score that a network over planes would need far more games than one iteration has;
these few numbers are enough for a small network.
"""

from typing import TYPE_CHECKING, NamedTuple, Union

import numpy as np

from ...mahjong.rules import SEATS
from ...mahjong.shanten_tables import least_batch
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import FOLLOW, NONE, TURN, WALL_DRAWS, field

if TYPE_CHECKING:  # `fit correction` needs this file and works without torch
    import torch

_LOW, _HIGH = -1, 5  # a shanten outside this range becomes its nearest end
# Features of a seat: whether it has a forecast, the forecast, one flag for each shanten, useful tiles in the walls,
# melds, draws left.
_FEATURES_PER_SEAT = 2 + (_HIGH - _LOW + 1) + 3
CRITIC_FEATURE_COUNT = SEATS * _FEATURES_PER_SEAT + 1
_USEFUL_UNIT, _DRAWS_UNIT = 10.0, 21.0  # these numbers of useful tiles and of draws are 1 in the features


def pick(decisions: NamedTuple, rows: "Union[np.ndarray, torch.Tensor]") -> NamedTuple:
    """Returns some rows of decisions, a NamedTuple of columns. rows: indices or bool[M]."""
    return type(decisions)(*(column[rows] for column in decisions))


def compute_critic_features(observations: np.ndarray, forecasts: np.ndarray) -> np.ndarray:
    """Returns the features of M decisions that the critic sees, float32[M, CRITIC_FEATURE_COUNT].

    observations: uint8[M, FULL_SIZE], with all hands and walls.
    forecasts: float[M, 4], score that each seat expected at its latest decision, the deciding seat first; NaN where it
        had none.
    """
    is_known = ~np.isnan(forecasts)
    forecasts = np.stack([is_known, np.where(is_known, forecasts, 0)], 2)
    features = np.concatenate([forecasts, _describe_hands(observations)], 2)
    task = field(observations, "task")
    is_own = (task == TURN) | (task == FOLLOW)
    return np.column_stack([features.reshape(len(features), SEATS * _FEATURES_PER_SEAT), is_own]).astype(np.float32)


def list_latest(values: np.ndarray, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Returns the value of each seat's latest decision in the game, the deciding seat first, float[M, 4].

    NaN stands for a seat without a decision so far.
    values: float[M], a value of each decision. The decisions of a game are in the order of time.
    games, seats: int[M], index of the game and deciding seat of each decision.
    """
    order = np.argsort(games, kind="stable")
    games, seats, rows = games[order], seats[order], np.arange(len(games))
    last = np.maximum.accumulate(np.where(seats[:, None] == np.arange(SEATS), rows[:, None], -1))
    last = np.take_along_axis(last, (seats[:, None] + np.arange(SEATS)) % SEATS, 1)
    latest = np.empty(last.shape, values.dtype)
    latest[order] = np.where(last >= np.searchsorted(games, games)[:, None], values[order][last], np.nan)
    return latest


def _describe_hands(observations):
    """Returns features of each hand, float32[M, 4, _FEATURES_PER_SEAT - 2]: shanten, useful tiles, melds and draws."""
    hands = np.concatenate([field(observations, "hand")[:, None], field(observations, "hands")], 1)
    melds = (field(observations, "meld_kind") > 0).sum(2).astype(np.uint8)
    walls = field(observations, "wall_tiles").reshape(len(observations), SEATS * WALL_DRAWS)
    rows = np.arange(len(observations))
    in_walls = np.bincount((rows[:, None] * (NONE + 1) + walls).ravel(), minlength=len(observations) * (NONE + 1))
    in_walls = in_walls.reshape(len(observations), NONE + 1)[:, :TILE_COUNT]
    hand_features = []
    for offset in range(SEATS):
        shanten, useful = least_batch(np.ascontiguousarray(hands[:, offset]), melds[:, offset])
        is_useful = (useful[:, None] >> np.arange(TILE_COUNT)) & 1
        hand_features.append(np.column_stack([
            np.clip(shanten, _LOW, _HIGH)[:, None] == np.arange(_LOW, _HIGH + 1),
            (is_useful * in_walls).sum(1) / _USEFUL_UNIT, melds[:, offset],
            field(observations, "walls")[:, offset] / _DRAWS_UNIT]))
    return np.stack(hand_features, 1).astype(np.float32)


def compute_advantages(
        games: np.ndarray, seats: np.ndarray, values: np.ndarray, *, rewards: np.ndarray, decay: float) -> np.ndarray:
    """Returns how much each decision was better than the critic expected, float32[M], in the unit of the rewards.

    Source: Schulman et al. 2016, generalised advantages, without discount.
    games, seats: int[M], index of the game and deciding seat. The decisions of a seat are in the order of time.
    values: float32[M], score that the critic expects before each decision.
    rewards: float32[G, 4], paid to each seat at the end of the game. decay: lambda of the source, 0..1.
    """
    order = np.argsort(games.astype(np.int64) * SEATS + seats, kind="stable")
    keys = (games.astype(np.int64) * SEATS + seats)[order]
    is_last = np.append(keys[1:] != keys[:-1], True)[:len(keys)]
    sorted_values = values[order]
    following = np.append(sorted_values[1:], 0)[:len(keys)]
    following[is_last] = rewards[games[order][is_last], seats[order][is_last]]
    errors = following - sorted_values
    # The sums go backwards in time, for all decisions together that are equally far from the last one of their seat.
    ends = np.flatnonzero(is_last)
    steps_left = ends[np.searchsorted(ends, np.arange(len(keys)))] - np.arange(len(keys))
    sums = errors.copy()
    for distance in range(1, steps_left.max(initial=0) + 1):
        rows = np.flatnonzero(steps_left == distance)
        sums[rows] += decay * sums[rows + 1]
    advantages = np.empty_like(sums)
    advantages[order] = sums
    return advantages
