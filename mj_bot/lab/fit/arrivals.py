"""How often tiles come to a hand, by class: drawn, discarded by the seat before, discarded by another."""

import numpy as np

from ...mahjong.rules import SEATS
from ...mahjong.tile import TILE_COUNT
from ...worth.chance import CLASS_OF, CLASSES
from ..engine.games import DRAWN, PLAYED

_CLASSES = np.array(CLASS_OF)


class _Events(object):
    """Draws and discards of one game from each event on: uint8[events + 1, seats, 34]."""

    def __init__(self, drawn, played):
        self._drawn = drawn
        self._played = played

    def coming(self, seat, place):
        """uint8[3, 34]: what a seat draws from event `place` on, the seat before it discards, the other two do."""
        played = self._played[place]
        before = (seat - 1) % SEATS
        others = played.sum(axis=0) - played[seat] - played[before]
        return np.stack([self._drawn[place, seat], played[before], others]).astype(np.uint8)


def count_events(log):
    """The _Events of a game's log, uint8[E, 2] as engine.games has it."""
    marks = np.zeros((2, len(log) + 1, SEATS, TILE_COUNT), np.uint8)
    kinds, seats = np.divmod(log[:, 0], SEATS)
    for mark, kind in zip(marks, (DRAWN, PLAYED)):
        places = np.flatnonzero(kinds == kind)
        mark[places, seats[places], log[places, 1]] = 1
    return _Events(*marks[:, ::-1].cumsum(axis=1, dtype=np.uint8)[:, ::-1])


def fit_arrivals(unseen, coming):
    """How often an unseen copy of each class is drawn, discarded by the seat before, by another: float64[CLASSES, 3].

    The rates are shares of how often an unseen copy of any tile is drawn.

    unseen: uint8[D, 34]. coming: uint8[D, 3, 34]; both as of sample.Sample.
    """
    usual = coming[:, 0].sum(axis=1) / np.maximum(1, unseen.sum(axis=1))
    rates = np.zeros((CLASSES, 3))
    for kind in range(CLASSES):
        tiles = _CLASSES == kind
        copies = unseen[:, tiles]
        came = (coming[:, :, tiles] * (copies > 0)[:, None]).sum(axis=(0, 2))
        rates[kind] = came / max(1.0, (usual * copies.sum(axis=1)).sum())
    return rates
