"""What decisions were worth: rewards of games, advantages of decisions."""

import numpy as np

from ...mahjong.rules import SEATS
from ...network.forward import SCORE_UNIT


def find_rewards(scores, signal):
    """Reward of each seat at the end of its game, float32[G, 4], in SCORE_UNIT points.

    scores: int[G, 4], points; the games of a wall lie side by side. signal: config.Signal.
    The duplicate signal takes off what the same seat of the same wall brought in its other games: luck of the tiles
    that the seat's own play has no part in, so that the expected gradient stays what it is.
    """
    rewards = scores.astype(np.float32) / SCORE_UNIT
    if signal.kind == "score":
        return rewards
    by_wall = rewards.reshape(-1, signal.rotations, SEATS)
    others = (by_wall.sum(1, keepdims=True) - by_wall) / (signal.rotations - 1)
    return (by_wall - signal.share * others).reshape(-1, SEATS)


def find_advantages(games, seats, values, rewards, decay):
    """(advantages, targets of the critic), float32[M] each.

    games int[M], seats int[M]: of the decisions, those of a seat in the order of time. values: float32[M], what the
    critic says before each. rewards: float32[G, 4], paid after a seat's last decision of the game.
    decay: lambda. Source: Schulman et al. 2016, generalised advantages, without discount.
    """
    order = np.argsort(games.astype(np.int64) * SEATS + seats, kind="stable")
    keys = (games.astype(np.int64) * SEATS + seats)[order]
    is_last = np.append(keys[1:] != keys[:-1], True)[:len(keys)]
    sorted_values = values[order]
    following = np.append(sorted_values[1:], 0)[:len(keys)]
    following[is_last] = rewards[games[order][is_last], seats[order][is_last]]
    errors = following - sorted_values
    # Places to the end of the seat's decisions: all with the same number are summed up together.
    ends = np.flatnonzero(is_last)
    left = ends[np.searchsorted(ends, np.arange(len(keys)))] - np.arange(len(keys))
    found = errors.copy()
    for distance in range(1, left.max(initial=0) + 1):
        rows = np.flatnonzero(left == distance)
        found[rows] += decay * found[rows + 1]
    advantages = np.empty_like(found)
    advantages[order] = found
    return advantages, advantages + values
