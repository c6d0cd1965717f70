"""Decisions of self-play in which more than one action is nearly as good as the best."""

from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT, WIN_INDEX
from ...observation.layout import OBSERVATION_SIZE
from ..engine import Engine, seed_source

_SIDE_BY_SIDE = 64


class Decision(NamedTuple):
    """A seat's choice among candidates."""

    full: np.ndarray  # uint8[FULL_SIZE], the position, see observation/layout.py
    actions: np.ndarray  # int64[C], the player's own choice first, then by its points
    points: np.ndarray  # float64[C], what the player expects of each


class Sample(NamedTuple):
    """Decisions of some games."""

    decisions: list  # of Decision
    near_count: int  # decisions with more than one candidate in these games, sampled or not
    games: int


def sample_decisions(player, first_seed, games, share, width, most):
    """The Sample of a player's games against itself.

    player: a batch form that gives points, such as batch.search.SearchBatch. first_seed: of the first wall; it also
    seeds the choice of decisions. share: the chance to take a decision. width: points that a candidate may be behind
    the best action. most: candidates of a decision.
    """
    rng = np.random.default_rng(first_seed)
    engine = Engine(min(_SIDE_BY_SIDE, games), seed_source(first_seed, games))
    engine.reset()
    decisions, near_count = [], 0
    while len(engine.owed):
        observations, masks = engine.observations(full=True), engine.mask()
        points = np.full((len(masks), ACTION_COUNT), -np.inf)
        own = np.ascontiguousarray(observations[:, :OBSERVATION_SIZE])
        chosen = player(own, masks, points=points)
        is_near = masks & (points >= points.max(1)[:, None] - width) & ~masks[:, WIN_INDEX, None]
        is_near[np.arange(len(chosen)), chosen] = ~masks[:, WIN_INDEX]
        has_choice = is_near.sum(1) > 1
        near_count += has_choice.sum()
        for row in np.flatnonzero(has_choice & (rng.random(len(masks)) < share)):
            others = [action for action in np.argsort(-points[row], kind="stable")
                      if is_near[row, action] and action != chosen[row]]
            actions = np.array([chosen[row], *others[:most - 1]], np.int64)
            decisions.append(Decision(observations[row].copy(), actions, points[row, actions]))
        engine.step(chosen)
    return Sample(decisions, int(near_count), games)
