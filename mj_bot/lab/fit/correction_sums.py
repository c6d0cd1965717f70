"""What actions brought beyond their points, for mj_bot/worth/correction.py, in games of the search with random choices.

What an action brought is its generalised advantage by a critic that sees all hands. The weights are the ridge
regression of that on the action's features, less what they are on average over the actions that might have been drawn.
"""

import numpy as np

from ...mahjong.action import ACTION_COUNT, DISCARD_BASE
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import OBSERVATION_SIZE
from ...worth import correction as correction
from ..batch.search import find_distances
from .drawn_games import Notes, add_up, join
from .returns import find_advantages

# Decisions whose most probable action is above it tell next to nothing.
_SURE = 0.97
_DECAY = 0.9
_ROWS_AT_ONCE = 8192
# Of the ridge: standard deviations that weights have beforehand, in points, and the scales of points about 0.
_PRIOR, _SCALE_PRIOR = 0.3, 1.0


def add_up_actions(notes, facts, scores, critic):
    """The Sums of the regression of what actions brought on their features."""
    brought, _ = find_advantages(notes.game, notes.seat, facts @ critic, scores.astype(np.float64), _DECAY)
    found = []
    rows = np.flatnonzero(notes.chances.max(1) < _SURE)
    for part in np.array_split(rows, max(1, len(rows) // _ROWS_AT_ONCE)):
        found.append(add_up(centre(Notes(*(column[part] for column in notes))), brought[part]))
    return join(found)


def centre(notes):
    """Features of the actions drawn less what they are on average, float32[M, len(correction.FEATURES)]."""
    observations = np.ascontiguousarray(notes.observation[:, :OBSERVATION_SIZE])
    masks = np.unpackbits(notes.mask, axis=1, bitorder="little", count=ACTION_COUNT).astype(bool)
    worths = np.exp(notes.advice[:, -1].astype(np.float64))
    position = correction.Position(observations, find_distances(observations, masks), worths)
    drawn = -notes.chances
    drawn[np.arange(len(drawn)), notes.action] += 1
    lost = correction.find_lost(notes.points)
    discards = np.ascontiguousarray(drawn[:, DISCARD_BASE:DISCARD_BASE + TILE_COUNT])
    columns = [np.einsum("fbt,bt->bf", correction.list_discard_features(position), discards)]
    features, nearer = correction.list_kind_features(position), correction.find_nearer(position, masks)
    at = 0
    for _, first, count, names in correction.KINDS:
        actions = slice(first, first + count)
        of_kind = features[at:at + len(names)].T * drawn[:, actions].sum(1)[:, None]
        if correction.COMES_NEARER in names:
            of_kind[:, names.index(correction.COMES_NEARER)] = (nearer[:, actions] * drawn[:, actions]).sum(1)
        columns.append(of_kind)
        at += len(names)
    columns.append(np.einsum("fba,ba->bf", correction.list_points_features(position, lost), drawn))
    return np.concatenate(columns, 1)


def fit_weights(sums):
    """(weights, standard errors), float64[len(correction.FEATURES)] each, by ridge regression."""
    variance = sums.squares / sums.rows
    prior = np.full(len(correction.FEATURES), _PRIOR)
    prior[-len(correction.POINTS_FEATURES):] = _SCALE_PRIOR
    inverse = np.linalg.inv(sums.columns + np.diag(variance / prior ** 2))
    return inverse @ sums.told, np.sqrt(variance * np.diag(inverse))
