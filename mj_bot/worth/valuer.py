"""Many decisions valued at once: the points of each action, from the worth of the hands that it leads to."""

from collections import namedtuple

import numpy as np

from ..mahjong.action import ACTION_COUNT
from ..observation.fan_memo import FanMemo
from ..observation.layout import AT, CLAIM, field
from ..observation.openings import MOST_ACTIONS, UNCHANGED
from .correction import correct_points, measure_distances
from .next_draw import add_next_draws, list_near
from .patterns import BASE_PAY, PATTERNS
from .points import POINTS_ROUNDING
from .stages import COLUMNS, make_scratch, next_draw_rows, value_hand, value_rows, weigh_rows
from .tables import load_tables, make_settings, prepare_chances

_FANS_KEPT = 1 << 16
_NEEDS_SHOWN = 6
# Listed tiles add at least this share of what the best tile adds.
_LEAST_SHARE = 0.5

Hand = namedtuple("Hand", "counts melds unseen draws valued")
Hand.__doc__ = """A hand by itself.

counts, unseen: sequences of 34 ints. melds: list of (kind, tile) as in an observation. draws: tiles left in the own
wall. valued: set of the honours 0..6 whose pung counts two fan.
"""


class Valuer(object):
    """Values decisions by some parameters.Parameters; for one thread.

    Decisions are uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235], without a win.
    """

    def __init__(self, parameters):
        self.parameters = parameters
        self._settings = make_settings(parameters)
        self._fans = FanMemo(_FANS_KEPT)
        self._scratch = make_scratch(self._fans.memo)
        self.valued = None  # of the latest value_actions(), also of one that was interrupted

    def value_actions(self, observations, masks):
        """(points weighed against the risk, worths of the hands), float64[M, 235] by action, a claim with its best
        discard; and float64[M, MOST_ACTIONS, COLUMNS], see stages.py. Illegal actions have minus infinity points.
        """
        points = np.full((len(masks), ACTION_COUNT), -np.inf)
        worths = np.zeros((len(masks), ACTION_COUNT))
        self.valued = valued = np.zeros((len(masks), MOST_ACTIONS, COLUMNS))
        prepare_chances(self._settings, np.maximum(1, observations[:, AT.walls]),
                        field(observations, "unseen").sum(1, dtype=np.int64))
        value_rows(load_tables(), self._settings, self._scratch, observations, masks, valued)
        self._run(weigh_rows, np.arange(len(masks)), observations, masks, valued, points, worths)
        return points, worths, valued

    def correct(self, observations, masks, points, *, worths, drawn=None):
        """The points corrected, see correction.py and next_draw.py; arguments as value_actions gives them.

        drawn: if given, float[M, 235] of zeros that takes what the next draw adds.
        """
        if not self.parameters.correction:
            return points
        distances = measure_distances(observations, masks)
        points = correct_points(points, observations, distances,
                                worths=worths[np.arange(len(masks)), choose_best(points)])
        if self.parameters.next_draw:
            nears = list_near(points, distances) & (field(observations, "task") != CLAIM)
            next_draws = np.zeros(nears.shape)
            self._run(next_draw_rows, np.flatnonzero(nears.any(1)), observations, masks, nears, next_draws)
            before = points.copy()
            add_next_draws(points, nears, next_draws)
            if drawn is not None:
                legal = np.isfinite(points)
                drawn[legal] = points[legal] - before[legal]
        return points

    def _run(self, stage, rows, *arguments):
        """Runs a stage until the fans of all rows are counted."""
        while len(rows):
            rows = rows[:stage(self._settings, self._scratch, rows, *arguments)]
            self._fans.answer_notes()

    def explain(self, hand, worth, waits):
        """Where the worth of a Hand of 13 tiles, less 3 a meld, comes from, and the tiles that it needs.

        worth: in points. waits: of waits.list_waits.
        Returns (list of what each of PATTERNS and then the waits add to worth ** sharpness, list of at most six tiles
        0..33 whose draw raises the worth most, the best first).
        """
        tiles = [tile for tile, left in enumerate(hand.unseen) if left]
        parts, draws = self.value_hand(hand, tiles, 1)
        parts, sharpness = parts.tolist(), self.parameters.sharpness
        parts.append(max(0.0, worth ** sharpness - sum(parts)) if waits else 0.0)
        wins = {tile: self.parameters.ready * (BASE_PAY + fan) ** sharpness for tile, fan, _ in waits}
        gains = {tile: (total + wins.get(tile, 0.0)) ** (1 / sharpness) - worth
                 for tile, total in zip(tiles, draws.tolist())}
        least = max(0.0, _LEAST_SHARE * max(gains.values(), default=0.0))
        # Rounded, so that equal ones are in tile order.
        ranked = sorted(gains, key=lambda tile: (-round(gains[tile], 6), tile))
        return parts, [tile for tile in ranked[:_NEEDS_SHOWN] if gains[tile] > least]

    def value_hand(self, hand, tiles, change):
        """The worth of a Hand, to the power of sharpness: (by pattern, float64[13], and with one of some tiles more or
        less, float64[len(tiles)]).

        tiles: rising. change: 1 to draw the tile, which is then no longer unseen; -1 to discard it.
        """
        openings = self._scratch.openings
        openings.counts[0] = hand.counts
        openings.melds[0, :len(hand.melds)] = np.array(hand.melds, np.int64).reshape(-1, 2)
        openings.meld_count[0], openings.changed[0] = len(hand.melds), UNCHANGED
        openings.unseen[:] = hand.unseen
        position = np.array([max(1, hand.draws), sum(1 << honour for honour in hand.valued),
                             sum(1 << tile for tile in tiles), change])
        prepare_chances(self._settings, position[:1], np.array([sum(hand.unseen)]))
        parts, worths = np.zeros(len(PATTERNS)), np.zeros(len(tiles))
        value_hand(load_tables(), self._settings, self._scratch, position, parts, worths)
        return parts, worths


def choose_best(points):
    """The actions of most points, int[M]: the first of equals."""
    return (points >= points.max(1)[:, None] - POINTS_ROUNDING).argmax(1)
