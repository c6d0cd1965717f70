"""Generalised advantages of decisions, and the facts of a position that a small critic sees.

The facts describe the progress of the four hands: what each seat expected at its last decision, and its shanten. Luck
decides so much of a score that a network over planes needs far more games than one iteration has. These few numbers
explain 3% of the score after eight thousand games.
"""

import numpy as np

from ...mahjong.rules import SEATS
from ...mahjong.shanten_tables import least_batch
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import FOLLOW, NONE, TURN, WALL_DRAWS, field

_LOW, _HIGH = -1, 5  # shanten is cut to this range
# Columns of a hand: is there a forecast, the forecast; shanten by number, useful tiles in walls, melds, draws.
_A_SEAT = 2 + (_HIGH - _LOW + 1) + 3
FACT_COUNT = SEATS * _A_SEAT + 1
_USEFUL_UNIT, _DRAWS_UNIT = 10.0, 21.0


def pick(decisions, rows):
    """Some rows of decisions, a NamedTuple of columns."""
    return type(decisions)(*(column[rows] for column in decisions))


def compute_facts(observations, forecasts):
    """Facts of decisions, float32[M, FACT_COUNT].

    observations: uint8[M, FULL_SIZE]. forecasts: float[M, 4] of list_latest: what each seat expected.
    """
    is_known = ~np.isnan(forecasts)
    forecasts = np.stack([is_known, np.where(is_known, forecasts, 0)], 2)
    facts = np.concatenate([forecasts, _describe_hands(observations)], 2)
    task = field(observations, "task")
    is_own = (task == TURN) | (task == FOLLOW)
    return np.column_stack([facts.reshape(len(facts), SEATS * _A_SEAT), is_own]).astype(np.float32)


def list_latest(values, games, seats):
    """The number of each seat's latest decision in the game, the own seat first, float[M, 4]; NaN before its first.

    values: float[M], of decisions in the order of time in each game. games, seats: int[M].
    """
    order = np.argsort(games, kind="stable")
    games, seats, rows = games[order], seats[order], np.arange(len(games))
    last = np.maximum.accumulate(np.where(seats[:, None] == np.arange(SEATS), rows[:, None], -1))
    last = np.take_along_axis(last, (seats[:, None] + np.arange(SEATS)) % SEATS, 1)
    latest = np.empty(last.shape, values.dtype)
    latest[order] = np.where(last >= np.searchsorted(games, games)[:, None], values[order][last], np.nan)
    return latest


def _describe_hands(observations):
    """Shanten by number, useful tiles in the walls, melds and draws of each hand, float32[M, 4, _A_SEAT - 2]."""
    hands = np.concatenate([field(observations, "hand")[:, None], field(observations, "hands")], 1)
    melds = (field(observations, "meld_kind") > 0).sum(2).astype(np.uint8)
    walls = field(observations, "wall_tiles").reshape(len(observations), SEATS * WALL_DRAWS)
    rows = np.arange(len(observations))
    in_walls = np.bincount((rows[:, None] * (NONE + 1) + walls).ravel(), minlength=len(observations) * (NONE + 1))
    in_walls = in_walls.reshape(len(observations), NONE + 1)[:, :TILE_COUNT]
    parts = []
    for offset in range(SEATS):
        shanten, useful = least_batch(np.ascontiguousarray(hands[:, offset]), melds[:, offset])
        is_useful = (useful[:, None] >> np.arange(TILE_COUNT)) & 1
        parts.append(np.column_stack([
            np.clip(shanten, _LOW, _HIGH)[:, None] == np.arange(_LOW, _HIGH + 1),
            (is_useful * in_walls).sum(1) / _USEFUL_UNIT, melds[:, offset],
            field(observations, "walls")[:, offset] / _DRAWS_UNIT]))
    return np.stack(parts, 1).astype(np.float32)


def compute_advantages(games, seats, values, *, rewards, decay):
    """What each decision brought more than the critic expected, float32[M], in the unit of the rewards.

    games int[M], seats int[M]: of the decisions, in the order of time for each seat. values: float32[M], what the
    critic expects before each. rewards: float32[G, 4], paid after a seat's last decision of the game.
    decay: lambda. Source: Schulman et al. 2016, generalised advantages, without discount.
    """
    order = np.argsort(games.astype(np.int64) * SEATS + seats, kind="stable")
    keys = (games.astype(np.int64) * SEATS + seats)[order]
    is_last = np.append(keys[1:] != keys[:-1], True)[:len(keys)]
    sorted_values = values[order]
    following = np.append(sorted_values[1:], 0)[:len(keys)]
    following[is_last] = rewards[games[order][is_last], seats[order][is_last]]
    errors = following - sorted_values
    # Backwards in time: all decisions at the same distance from their seat's last one together.
    ends = np.flatnonzero(is_last)
    left = ends[np.searchsorted(ends, np.arange(len(keys)))] - np.arange(len(keys))
    found = errors.copy()
    for distance in range(1, left.max(initial=0) + 1):
        rows = np.flatnonzero(left == distance)
        found[rows] += decay * found[rows + 1]
    advantages = np.empty_like(found)
    advantages[order] = found
    return advantages
