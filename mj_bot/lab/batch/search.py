"""The batch form of mj_bot/tactic/search.py, by the same stages."""

import numpy as np

from ...mahjong.action import ACTION_COUNT, CHOW_BASE, PUNG_BASE, WIN_INDEX, split_chow_index
from ...mahjong.shanten_tables import discard_batch, least_batch, unpack_tiles
from ...mahjong.tile import TILE_COUNT
from ...observation.fan_memo import FanMemo
from ...observation.layout import CLAIM, field
from ...observation.openings import MOST_ACTIONS
from ...worth.correction import Distances, correct_points
from ...worth.next_draw import add_next_draws, find_near
from ...worth.parameters import replace_parameters
from ...worth.points import POINTS_ROUNDING
from .worth.kernels import make_scratch, next_draw_rows, value_rows, weigh_rows
from .worth.tables import load_tables, make_settings

_FANS_KEPT = 1 << 16
_CHOWS = np.array([split_chow_index(index) for index in range(CHOW_BASE, ACTION_COUNT)])


class SearchBatch(object):
    """SearchTactic for many decisions at once; for one thread.

    parameters: as of SearchTactic. Raises TypeError: a name that is none of them.
    worths: float64[M], of the last call, what the hands are worth after the chosen actions; NaN for a win.
    """

    def __init__(self, **parameters):
        self._parameters = replace_parameters(parameters)
        self._settings = make_settings(self._parameters)
        self._fans = FanMemo(_FANS_KEPT)
        self._scratch = make_scratch(self._fans.memo)
        self.worths = np.zeros(0)

    def __call__(self, observations, masks, games=None, seats=None, points=None):
        """Actions int16[M] for observations uint8[M, OBSERVATION_SIZE] with their legal actions bool[M, 235].

        A claim is chosen by its best discard, and its discard when its turn comes.
        points: if given, float[M, 235] that takes what each legal action is expected to bring, a claim with its best
        discard; rows with a win stay as they are.
        """
        actions = np.full(len(masks), WIN_INDEX, np.int16)
        self.worths = np.full(len(masks), np.nan)
        rows = np.flatnonzero(~masks[:, WIN_INDEX])
        if len(rows):
            observations, masks = observations[rows], masks[rows]
            found, worths = self._value(observations, masks)
            if self._parameters.correction:
                found = self._correct(observations, masks, found, worths)
            actions[rows] = _find_best(found)
            self.worths[rows] = worths[np.arange(len(rows)), actions[rows]]
            if points is not None:
                points[rows] = found
        return actions

    def find_worths(self, observations, masks):
        """What the hands are worth after each legal action, float64[M, 235]; 0 for wins and all others."""
        return self._value(observations, masks)[1]

    def _value(self, observations, masks):
        """(points weighed against the risk, worths of the hands), float64[M, 235] by action."""
        points = np.full((len(masks), ACTION_COUNT), -np.inf)
        worths = np.zeros((len(masks), ACTION_COUNT))
        of_targets = np.zeros((len(masks), MOST_ACTIONS))
        value_rows(load_tables(), self._settings, self._scratch, observations, masks, of_targets)
        self._run(weigh_rows, np.arange(len(masks)), observations, masks, of_targets, points, worths)
        return points, worths

    def _correct(self, observations, masks, points, worths):
        distances = find_distances(observations, masks)
        points = correct_points(points, observations, distances, worths[np.arange(len(masks)), _find_best(points)])
        if self._parameters.next_draw:
            nears = find_near(points, distances) & (field(observations, "task") != CLAIM)
            next_draws = np.zeros(nears.shape)
            self._run(next_draw_rows, np.flatnonzero(nears.any(1)), observations, masks, nears, next_draws)
            add_next_draws(points, nears, next_draws)
        return points

    def _run(self, stage, rows, *arguments):
        """Runs a stage of kernels.py until the fans of all rows are counted."""
        while len(rows):
            rows = rows[:stage(self._settings, self._scratch, rows, *arguments)]
            self._fans.answer_notes()


def _find_best(points):
    """The actions of most points, the first of equals."""
    return (points >= points.max(1)[:, None] - POINTS_ROUNDING).argmax(1)


def find_distances(observations, masks):
    """The Distances of observations uint8[B, OBSERVATION_SIZE] with their legal actions bool[B, 235]."""
    hands = np.ascontiguousarray(field(observations, "hand"))
    melds = (field(observations, "meld_kind")[:, 0] > 0).sum(1).astype(np.uint8)
    now, _ = least_batch(hands, melds)
    after = np.zeros((len(observations), TILE_COUNT), np.int64)
    useful = np.zeros((len(observations), TILE_COUNT, TILE_COUNT), bool)
    owing = np.flatnonzero(field(observations, "task")[:, 0] != CLAIM)
    owing = owing[hands[owing].sum(1) + 3 * melds[owing] == 14]
    if len(owing):
        after[owing], tiles = discard_batch(hands[owing], melds[owing])
        useful[owing] = unpack_tiles(tiles)
    return Distances(now.astype(np.int64), after, useful, _find_claimed(hands, melds, masks))


def _find_claimed(hands, melds, masks):
    claimed = np.zeros((len(hands), ACTION_COUNT), np.int64)
    rows, pungs = np.nonzero(masks[:, PUNG_BASE:CHOW_BASE])
    chow_rows, chows = np.nonzero(masks[:, CHOW_BASE:])
    all_rows = np.concatenate([rows, chow_rows])
    if not len(all_rows):
        return claimed
    left = hands[all_rows]
    places = np.arange(len(all_rows))
    left[places[:len(rows)], pungs] -= 2
    middles, taken = _CHOWS[chows].T
    for tile in (middles - 1, middles, middles + 1):
        left[places[len(rows):], tile] -= tile != taken
    actions = np.concatenate([PUNG_BASE + pungs, CHOW_BASE + chows])
    claimed[all_rows, actions] = least_batch(left, melds[all_rows] + 1)[0]
    return claimed
