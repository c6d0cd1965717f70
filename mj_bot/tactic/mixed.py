"""A player that takes the mean of the points of `search` and `cnn`: their errors differ, so the mean has smaller ones.

docs/studies/advice.md has the measurement.
"""

import numpy as np

from ..mahjong.action import WIN_INDEX, format_action
from ..worth.valuer import choose_best
from .base import Questions, Tactic, format_best
from .cnn import CNNTactic
from .search import SearchTactic

# The mean chooses among the actions at most this many points below the best one of `search`.
_NEAR = 4.0


class MixedTactic(Tactic):
    """Wins when it can, else takes the action with the highest mean of both tactics' points.

    weights, torch: as CNNTactic.
    """

    value_unit = "points"
    # The error of a mean of two independent errors.
    value_error = tuple(np.hypot(SearchTactic.value_error, CNNTactic.value_error).round(2) / 2)

    def __init__(self, weights=None, torch=0):
        self._search, self._cnn = SearchTactic(), CNNTactic(weights, torch)

    def decide(self, game_state, actions):
        questions = Questions(game_state, actions)
        by_search, by_network = np.full((2,) + questions.masks.shape, -np.inf)
        # The network is many times as fast, so its choice is the first answer.
        self.best = by_cnn = _ask(self._cnn, questions, by_network)
        first = _ask(self._search, questions, by_search)
        points = _mix(by_search, by_network)
        self.best = questions.read_action(choose_best(points))
        self.ranked = questions.rank_actions(points, self.best)
        self.reasons = "%s; search takes %s, cnn %s" % (
            format_best(self.ranked), format_action(first), format_action(by_cnn))
        return self.best

    def choose(self, observations, masks, points=None):
        """As SearchTactic.choose; writes the points expected of each action to `points`."""
        found = np.full(masks.shape, -np.inf) if points is None else points
        actions = self._search.choose(observations, masks, points=found)
        rows = np.flatnonzero(~masks[:, WIN_INDEX])
        rows = rows[_is_near(found[rows]).sum(1) > 1]
        if len(rows):
            by_network = np.zeros((len(rows), masks.shape[1]))
            self._cnn.choose(observations[rows], masks[rows], points=by_network)
            found[rows] = _mix(found[rows], by_network)
            actions[rows] = choose_best(found[rows])
        return actions


def _ask(tactic, questions, points):
    """A tactic's chosen action; writes its values to points."""
    return questions.read_action(tactic.choose(questions.observations, questions.masks, points=points))


def _is_near(points):
    return points >= points.max(1)[:, None] - _NEAR


def _mix(by_search, by_network):
    """Points of actions, float[M, 235]: the mean; far below the best of `search`, the best mean less its loss."""
    mean = np.where(_is_near(by_search), (by_search + by_network) / 2, -np.inf)
    return np.where(_is_near(by_search), mean, mean.max(1)[:, None] + by_search - by_search.max(1)[:, None])
