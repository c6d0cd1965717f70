"""Games of the search against itself in which it draws its actions, and critics of what became of them.

Each wall is played four times. An action is drawn by the softmax of its corrected points over a temperature, or, in a
share of the decisions, evenly from all that the search does not hold for hopeless; next_draws (reach/next_draw.py) are
not counted. Critics are ridge regressions, whose sums of parts add up to those of the whole.
"""

from collections import namedtuple

import numpy as np

from ...mahjong.action import ACTION_COUNT, WIN_INDEX
from ...mahjong.rules import SEATS
from ...network.advice import make_advice
from ...observation.layout import OBSERVATION_SIZE
from ...worth import correction as correction
from ...worth.constants import CORRECTION_WEIGHTS
from ...worth.parameters import PARAMETERS
from ..batch.search import SearchBatch, find_distances
from ..engine import Engine, seed_source
from .facts import FactFinder

ROTATIONS = 4
# Games of a part, that are played side by side and learnt from at once.
PART_GAMES = 2048
# Of the softmax, in points. At 0.3 the search loses 0.9 points a game to itself, two against two; at 1, 4.4.
TEMPERATURE = 0.3
# Points that an action may lose to be drawn evenly.
WIDEST = 6.0
_WIDTH = 512
_CRITIC_RIDGE = 1.0

# Sums of a regression: products of the columns, of the columns and what is told, its squares, rows.
Sums = namedtuple("Sums", "columns told squares rows")
# Decisions with a choice. observation: uint8[M, FULL_SIZE]; mask: packed bits; advice: as of network.advice; points
# float32[M, 235], before correction; chances float32[M, 235], to be drawn; action, best, game, seat: int[M], best by
# the corrected points; lost float32[M]: what the action loses against it.
Notes = namedtuple("Notes", "observation mask advice points chances action best lost game seat")


def explore(parameters, weights, first_wall, games, temperature=TEMPERATURE, wide=0.0):
    """(notes, scores int[games, 4]) of games of the search that draws its actions.

    parameters: reach.parameters.Parameters. weights: of correction.FEATURES, None for none. wide: share of the
    decisions in
    which the draw is even. first_wall: its seed, that of the draws too; each wall is played ROTATIONS times.
    """
    search = SearchBatch(**parameters._replace(correction=0)._asdict())
    random = np.random.default_rng(first_wall)
    engine = Engine(min(_WIDTH, games), seed_source(first_wall, games, ROTATIONS))
    engine.reset()
    scores = np.zeros((games, SEATS), np.int64)
    notes = []
    while len(engine.owed):
        numbers, seats = engine.games["game_id"][engine.owed["game"]].copy(), engine.owed["seat"].astype(np.int64)
        observations, masks = engine.observations(full=True), engine.mask()
        own = np.ascontiguousarray(observations[:, :OBSERVATION_SIZE])
        points = np.full((len(own), ACTION_COUNT), -np.inf)
        actions = search(own, masks, points=points)
        rows = np.flatnonzero(~masks[:, WIN_INDEX] & (masks.sum(1) > 1))
        if len(rows):
            worths, valued = search.worths[rows], points[rows]
            if weights is not None:
                distances = find_distances(own[rows], masks[rows])
                valued = correction.correct_points(valued, own[rows], distances, worths, weights)
            lost = valued.max(1)[:, None] - valued
            chances = (1 - wide) * _share(np.exp(-lost / temperature)) + wide * _share(lost < WIDEST)
            drawn = (chances.cumsum(1) < random.random(len(rows))[:, None]).sum(1).clip(0, ACTION_COUNT - 1)
            drawn = np.where(masks[rows, drawn], drawn, chances.argmax(1))
            actions[rows] = drawn
            notes.append(Notes(
                observations[rows], np.packbits(masks[rows], axis=1, bitorder="little"),
                    make_advice(points[rows], worths),
                points[rows].astype(np.float32), chances.astype(np.float32), drawn, lost.argmin(1),
                lost[np.arange(len(rows)), drawn].astype(np.float32), numbers[rows], seats[rows]))
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
    return Notes(*(np.concatenate(column) for column in zip(*notes))), scores


def _share(weights):
    return weights / weights.sum(1)[:, None]


def list_facts(notes, scores):
    """What the critic looks at, float64[M, .]: the facts, and what the seat's other games on this wall brought."""
    by_wall = scores.reshape(-1, ROTATIONS, SEATS)
    others = ((by_wall.sum(1, keepdims=True) - by_wall) / (ROTATIONS - 1)).reshape(-1, SEATS)
    facts = FactFinder()(notes).astype(np.float64)
    return np.column_stack([np.ones(len(facts)), facts, others[notes.game, notes.seat]])


def add_up(columns, told):
    """Sums of a regression; columns: float[M, N], told: float[M]."""
    columns, told = columns.astype(np.float64), told.astype(np.float64)
    return Sums(columns.T @ columns, columns.T @ told, told @ told, len(told))


def add_up_part(first_wall, games, weights=CORRECTION_WEIGHTS):
    """The Sums of the regression of scores on facts, for a critic; arguments as of explore."""
    notes, scores = explore(PARAMETERS, weights, first_wall, games)
    return add_up(list_facts(notes, scores), scores[notes.game, notes.seat])


def join(sums):
    """The Sums of all."""
    return Sums(*(sum(parts) for parts in zip(*sums)))


def fit_critic(sums):
    """Weights of the critic."""
    return np.linalg.solve(sums.columns + _CRITIC_RIDGE * np.eye(len(sums.told)), sums.told)
