"""What decisions brought: generalised advantages, and the facts of a position that a small critic sees.

The facts say how far each of the four hands is: its worth by `search`, and its shanten. A score depends on luck so
much that a network over planes needs far more games than one iteration has. These few numbers explain 3% of the score
after eight thousand games (data/results/self_play.json).
"""

import numpy as np

from ...mahjong.rules import SEATS
from ...mahjong.shanten_tables import least_batch
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import FOLLOW, NONE, TURN, field

_LOW, _HIGH = -1, 5  # shanten is cut to this range
# Of each hand: is its worth known, its logarithm, the worth; shanten by number, useful tiles in walls, melds, draws.
_A_SEAT = 3 + (_HIGH - _LOW + 1) + 3
FACT_COUNT = SEATS * _A_SEAT + 1
_LEAST_WORTH = 0.05
_WORTH_UNIT, _USEFUL_UNIT, _DRAWS_UNIT = 30.0, 10.0, 21.0


def find_facts(observations, worths, games, *, seats):
    """Facts of decisions in the order of time, float32[M, FACT_COUNT].

    observations: uint8[M, FULL_SIZE]. worths: float[M], of the own hand after its best action. games, seats: int[M].
    Another seat's worth is that of its last decision before.
    """
    facts = np.zeros((len(games), SEATS, _A_SEAT), np.float32)
    if len(games):
        of_seats = _find_latest(worths, games, seats)
        facts[:, :, 0] = of_seats >= 0
        facts[:, :, 1] = np.log(np.maximum(of_seats, _LEAST_WORTH)) * facts[:, :, 0]
        facts[:, :, 2] = of_seats / _WORTH_UNIT * facts[:, :, 0]
        facts[:, :, 3:] = _describe_hands(observations)
    task = field(observations, "task")
    is_own = (task == TURN) | (task == FOLLOW)
    return np.concatenate([facts.reshape(len(games), SEATS * _A_SEAT), is_own.astype(np.float32)], 1)


def _find_latest(worths, games, seats):
    """The latest worth of each seat, own seat first, float64[M, 4]; -1 before its first decision."""
    latest = np.full((int(games.max()) + 1, SEATS), -1.0)
    of_seats = np.zeros((len(games), SEATS))
    turned = (np.arange(SEATS)[:, None] + np.arange(SEATS)) % SEATS  # by seat: the seats as it sees them
    for row, (game, seat, worth) in enumerate(zip(games.tolist(), seats.tolist(), worths.tolist())):
        latest[game, seat] = worth
        of_seats[row] = latest[game, turned[seat]]
    return of_seats


def _describe_hands(observations):
    """Shanten by number, useful tiles in the walls, melds and draws of each hand, float32[M, 4, _A_SEAT - 3]."""
    hands = np.concatenate([field(observations, "hand")[:, None], field(observations, "hands")], 1)
    melds = (field(observations, "meld_kind") > 0).sum(2).astype(np.uint8)
    walls = field(observations, "wall_tiles").reshape(len(observations), -1)
    rows = np.arange(len(observations))
    in_walls = np.bincount((rows[:, None] * (NONE + 1) + walls).ravel(), minlength=len(observations) * (NONE + 1))
    in_walls = in_walls.reshape(len(observations), -1)[:, :TILE_COUNT]
    parts = []
    for offset in range(SEATS):
        shanten, useful = least_batch(np.ascontiguousarray(hands[:, offset]), melds[:, offset])
        is_useful = (useful[:, None] >> np.arange(TILE_COUNT)) & 1
        parts.append(np.column_stack([
            np.clip(shanten, _LOW, _HIGH)[:, None] == np.arange(_LOW, _HIGH + 1),
            (is_useful * in_walls).sum(1) / _USEFUL_UNIT, melds[:, offset],
            field(observations, "walls")[:, offset] / _DRAWS_UNIT]))
    return np.stack(parts, 1).astype(np.float32)


def find_advantages(games, seats, values, *, rewards, decay):
    """(advantages, targets of the critic), float32[M] each.

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
    # Decisions as far from their seat's last one are summed up together.
    ends = np.flatnonzero(is_last)
    left = ends[np.searchsorted(ends, np.arange(len(keys)))] - np.arange(len(keys))
    found = errors.copy()
    for distance in range(1, left.max(initial=0) + 1):
        rows = np.flatnonzero(left == distance)
        found[rows] += decay * found[rows + 1]
    advantages = np.empty_like(found)
    advantages[order] = found
    return advantages, advantages + values
