"""What a small critic looks at: how far each of the four hands is, as `search` values it and by its shanten.

A network over planes needs many more games than one iteration has to foretell a score that a game's luck decides;
these few numbers explain more of it after two thousand games (see data/results/self_play.json).
"""

import numpy as np

from ...mahjong.action import ACTION_COUNT
from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import FOLLOW, NONE, TURN, OBSERVATION_SIZE, field
from ..batch.search import SearchBatch
from ..engine.shanten import least_batch

_LOW, _HIGH = -1, 5  # shanten told apart
# Of each hand: is its worth known, its logarithm, the worth; shanten by number, useful tiles in walls, melds, draws.
_A_SEAT = 3 + (_HIGH - _LOW + 1) + 3
FACT_COUNT = SEATS * _A_SEAT + 1
_LEAST_WORTH = 0.05
_WORTH_UNIT, _USEFUL_UNIT, _DRAWS_UNIT = 30.0, 10.0, 21.0


class FactFinder(object):
    """Finds facts; for one thread."""

    def __init__(self):
        self._search = SearchBatch()

    def __call__(self, notes):
        """Facts of actor.Notes with full observations, float32[M, FACT_COUNT].

        A hand's worth is that of its last decision in the notes, -1 before the first.
        """
        count = len(notes.action)
        facts = np.zeros((count, SEATS, _A_SEAT), np.float32)
        if count:
            worths = self._find_worths(notes)
            facts[:, :, 0] = worths >= 0
            facts[:, :, 1] = np.log(np.maximum(worths, _LEAST_WORTH)) * facts[:, :, 0]
            facts[:, :, 2] = worths / _WORTH_UNIT * facts[:, :, 0]
            facts[:, :, 3:] = _describe_hands(notes.observation)
        task = field(notes.observation, "task")
        is_own = (task == TURN) | (task == FOLLOW)
        return np.concatenate([facts.reshape(count, -1), is_own.astype(np.float32)], 1)

    def _find_worths(self, notes):
        masks = np.unpackbits(notes.mask, axis=1, bitorder="little", count=ACTION_COUNT).view(bool)
        if notes.advice.shape[1]:
            found = np.exp(notes.advice[:, -1].astype(np.float32))
        else:
            self._search(np.ascontiguousarray(notes.observation[:, :OBSERVATION_SIZE]), masks)
            found = self._search.worths
        last = np.full((int(notes.game.max()) + 1, SEATS), -1.0)
        worths = np.zeros((len(masks), SEATS))
        turned = (np.arange(SEATS)[:, None] + np.arange(SEATS)) % SEATS  # by seat: the seats as it sees them
        for row, (game, seat, worth) in enumerate(zip(notes.game.tolist(), notes.seat.tolist(),
                                                      found.tolist())):
            last[game, seat] = worth
            worths[row] = last[game, turned[seat]]
        return worths


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
