"""Games of the search against itself, with what became of every discard."""

from collections import namedtuple

import numpy as np

from ...mahjong.fan import count_fan
from ...observation.layout import CLAIM, FOLLOW, OBSERVATION_SIZE, TURN, field
from ...worth.danger import OPPONENTS, list_features
from ..batch.worth.choose import Chooser
from ..engine import Engine, seed_source
from ..engine.shanten import least_batch, unpack_tiles
from ..engine.winning import fan_arguments
from .arrivals import count_events

_WIDTH = 256

# What games showed. features float32[K, F], fans int16[K], games int64[K]: a row for each opponent and tile kind in
# hand at each discard; fans of the opponent's hand on that tile, 0 where it has none. worths, walls_left, scores
# float64[D], decisions int64[D]: a row for each discard: worth of the hand after it, the game's score, its number.
# unseen uint8[D, 34]: copies that the discarder could not see; coming uint8[D, 3, 34]: those that it drew afterwards,
# that the seat before it discarded, and that the other two did.
Sample = namedtuple("Sample", "features fans games worths walls_left scores decisions unseen coming")


def collect(parameters, games, seed, progress=None):
    """The Sample of games of the search against itself, at walls from `seed` on.

    parameters: reach.parameters.Parameters. progress: a tqdm bar or None.
    """
    chooser = Chooser(parameters)
    engine = Engine(min(_WIDTH, games), seed_source(seed, games))
    engine.reset()
    parts, decisions = [], []
    scores = np.zeros((games, 4))
    events = {}
    while len(engine.owed):
        observations, masks = engine.observations(full=True), engine.mask()
        numbers = engine.games["game_id"][engine.owed["game"]]
        own = np.ascontiguousarray(observations[:, :OBSERVATION_SIZE])
        actions = chooser.choose(own, masks)
        rows = np.flatnonzero(np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW)) & ~np.isnan(chooser.worths))
        if len(rows):
            parts.append(_label(engine, rows, observations[rows], numbers[rows]))
            walls_left = field(observations[rows], "walls").sum(axis=1, dtype=float)
            places = engine.games["log_count"][engine.owed["game"][rows]]
            decisions.append((chooser.worths[rows], walls_left, engine.owed["seat"][rows].astype(int), numbers[rows],
                              places, field(observations[rows], "unseen")))
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
        for result in engine.finished:
            events[int(result["game_id"])] = count_events(result["log"][:result["log_count"]])
        if progress is not None:
            progress.update(len(engine.finished))
    features, fans, row_games = (np.concatenate(columns) for columns in zip(*parts))
    worths, walls_left, seats, row_decisions, places, unseen = (np.concatenate(columns) for columns in zip(*decisions))
    coming = np.stack([events[game].coming(seat, place) for game, seat, place in zip(
        row_decisions.tolist(), seats.tolist(), places.tolist())])
    return Sample(features, fans, row_games, worths, walls_left, scores[row_decisions, seats], row_decisions, unseen,
                  coming)


def _label(engine, rows, observations, numbers):
    """(features, fans, games) of some owed decisions, rows as in Sample; observations: full ones."""
    held = field(observations, "hand") > 0
    fans = np.zeros((len(observations), OPPONENTS, held.shape[1]), np.int16)
    hands, kinds = field(observations, "hands"), field(observations, "meld_kind")
    for opponent in range(OPPONENTS):
        counts = np.ascontiguousarray(hands[:, opponent])
        shanten, useful = least_batch(counts, (kinds[:, opponent + 1] > 0).sum(axis=1).astype(np.uint8))
        for row, tile in np.argwhere(unpack_tiles(useful) & (shanten == 0)[:, None] & held):
            game, seat = engine.owed[["game", "seat"]][rows[row]]
            fans[row, opponent, tile] = _count(engine.games[game], int(seat), opponent + 1, tile)
    chosen = np.broadcast_to(held[:, None], fans.shape)
    games = np.broadcast_to(numbers[:, None, None], fans.shape)
    features = list_features(observations[:, :OBSERVATION_SIZE])[chosen].astype(np.float32)
    return features, fans[chosen], games[chosen]


def _count(game, me, offset, tile):
    """Fans that the seat `offset` behind `me` counts if `me` discards `tile` now."""
    game = game.copy()
    game["phase"], game["turn"], game["last_tile"] = CLAIM, me, tile
    return count_fan(*fan_arguments(game, (me + offset) % 4))
