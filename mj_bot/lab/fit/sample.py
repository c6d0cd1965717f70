"""Games of the search against itself, with what became of every discard."""

from collections import namedtuple

import numpy as np

from ...mahjong.fan import count_fan
from ...mahjong.rules import is_fourth_tile, is_last_tile
from ...mahjong.tile import TILE_NAMES, list_tiles
from ...observation.layout import (
    ADDED_KONG, CHOW, CONCEALED_KONG, FOLLOW, NONE, OPEN_KONG, PUNG, TURN, OBSERVATION_SIZE, field,
)
from ...worth.danger import OPPONENTS, list_features
from ..batch.search import SearchBatch
from ..engine import Engine, seed_source
from ..engine.shanten import least_batch, unpack_tiles
from .arrivals import count_events

_WIDTH = 256
_PACK_TYPES = {CHOW: "CHI", PUNG: "PENG", OPEN_KONG: "GANG", ADDED_KONG: "GANG", CONCEALED_KONG: "GANG"}


# What games showed. features float32[K, F], fans int16[K], games int64[K]: a row for each opponent and tile kind in
# hand at each discard; fans of the opponent's hand on that tile, 0 where it has none. worths, walls_left, scores
# float64[D], decisions int64[D]: a row for each discard: worth of the hand after it, the game's score, its number.
# unseen uint8[D, 34]: copies that the discarder could not see; coming uint8[D, 3, 34]: those that it drew afterwards,
# that the seat before it discarded, and that the other two did.
Sample = namedtuple("Sample", "features fans games worths walls_left scores decisions unseen coming")


def collect(parameters, games, seed, progress=None):
    """The Sample of games of the search against itself, at walls from `seed` on.

    parameters: worth.parameters.Parameters. progress: a tqdm bar or None.
    """
    search = SearchBatch(**parameters._asdict())
    engine = Engine(min(_WIDTH, games), seed_source(seed, games))
    engine.reset()
    parts, decisions = [], []
    scores = np.zeros((games, 4))
    events = {}
    while len(engine.owed):
        observations, masks = engine.observations(full=True), engine.mask()
        numbers = engine.games["game_id"][engine.owed["game"]]
        own = np.ascontiguousarray(observations[:, :OBSERVATION_SIZE])
        actions = search(own, masks)
        rows = np.flatnonzero(np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW)) & ~np.isnan(search.worths))
        if len(rows):
            parts.append(_label(observations[rows], numbers[rows]))
            walls_left = field(observations[rows], "walls").sum(axis=1, dtype=float)
            places = engine.games["log_count"][engine.owed["game"][rows]]
            decisions.append((search.worths[rows], walls_left, engine.owed["seat"][rows].astype(int), numbers[rows],
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


def _label(observations, numbers):
    """(features, fans, games) of some decisions, rows as in Sample; observations: full ones."""
    held = field(observations, "hand") > 0
    fans = np.zeros((len(observations), OPPONENTS, held.shape[1]), np.int16)
    hands, kinds = field(observations, "hands"), field(observations, "meld_kind")
    for opponent in range(OPPONENTS):
        counts = np.ascontiguousarray(hands[:, opponent])
        shanten, useful = least_batch(counts, (kinds[:, opponent + 1] > 0).sum(axis=1).astype(np.uint8))
        for row, tile in np.argwhere(unpack_tiles(useful) & (shanten == 0)[:, None] & held):
            fans[row, opponent, tile] = _count(observations[row], opponent + 1, counts[row], tile)
    chosen = np.broadcast_to(held[:, None], fans.shape)
    games = np.broadcast_to(numbers[:, None, None], fans.shape)
    features = list_features(observations[:, :OBSERVATION_SIZE])[chosen].astype(np.float32)
    return features, fans[chosen], games[chosen]


def _count(observation, offset, counts, tile):
    """Fans that the seat at `offset` counts if the viewer discards `tile` now."""
    me = int(field(observation, "seat_wind")[0])
    seat = (me + offset) % 4
    pack = []
    for place in range(4):
        kind = int(field(observation, "meld_kind")[offset, place])
        if not kind:
            continue
        middle = int(field(observation, "meld_tile")[offset, place])
        if middle == NONE:
            middle = int(field(observation, "kong_tile")[offset - 1, place])
        claimed, giver = (int(field(observation, name)[offset, place]) for name in ("meld_claimed", "meld_giver"))
        offer = claimed - middle + 2 if kind == CHOW else (giver - offset) % 4
        pack.append((_PACK_TYPES[kind], TILE_NAMES[middle], offer))
    walls = np.roll(field(observation, "walls"), me)
    return count_fan(tuple(pack), tuple(list_tiles(counts)), TILE_NAMES[tile], 0, False,
                     is_fourth_tile(_shown(observation), tile), False, is_last_tile(walls, me), seat,
                     int(field(observation, "prevalent_wind")[0]))


def _shown(observation):
    """Copies by kind as rules.is_fourth_tile takes them."""
    shown = np.zeros(NONE + 1, np.int64)
    tiles, claimers = field(observation, "river_tile"), field(observation, "river_claimer")
    np.add.at(shown, tiles[(tiles < NONE) & (claimers == 0)], 1)
    for kind, tile in zip(field(observation, "meld_kind").ravel(), field(observation, "meld_tile").ravel()):
        if kind == CHOW:
            shown[tile - 1:tile + 2] += 1
        elif kind == PUNG:
            shown[tile] += 3
        elif kind in (OPEN_KONG, ADDED_KONG):
            shown[tile] = 4
    return shown
