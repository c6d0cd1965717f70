"""Samples games of the search against itself: for every turn the danger of each discard and the tiles that come later.
"""

from typing import NamedTuple

import numpy as np

from ...mahjong.action import WIN_INDEX
from ...mahjong.fan import count_fan
from ...mahjong.rules import SEATS
from ...mahjong.shanten_tables import least_batch, unpack_tiles
from ...mahjong.tile import TILE_COUNT
from ...observation.layout import CLAIM, FOLLOW, TURN, field
from ...tactic.search import SearchTactic
from ...worth.danger import OPPONENTS, list_features
from ...worth.parameters import Parameters
from ..engine import Engine, seed_source
from ..engine.game_rows import TILE_DRAWN, PLAYED
from ..engine.winning import fan_arguments
from ..run.progress import Progress

_WIDTH = 256


class Sample(NamedTuple):
    """Keeps D rows, one for each turn of a hand that does not win, and K rows, one for each of its opponents and tiles.
    """

    features: np.ndarray  # float32[K, F], of danger
    fans: np.ndarray  # int16[K], of the opponent's hand on that tile, 0 where it does not win
    games: np.ndarray  # int64[K], numbers of the games
    worths: np.ndarray  # float64[D], of the hand after the action
    walls_left: np.ndarray  # float64[D], tiles in the four walls
    scores: np.ndarray  # float64[D], final, of that seat
    decisions: np.ndarray  # int64[D], numbers of the games
    unseen: np.ndarray  # uint8[D, 34], copies that the seat could not see
    coming: np.ndarray  # uint8[D, 3, 34], copies later drawn by the seat, discarded by the seat before, by the others
    self_drawn: float  # share of the wins


def ask_search(
        search: SearchTactic, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns (chosen actions int64[M], points float64[M, 235], worths float64[M] of the hands after these actions).

    Where a win is legal, it is chosen, the points are minus infinity and the worth is NaN.
    search: SearchTactic. observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
    """
    actions, points = np.full(len(masks), WIN_INDEX, np.int64), np.full(masks.shape, -np.inf)
    worths = np.full(len(masks), np.nan)
    rows = np.flatnonzero(~masks[:, WIN_INDEX])
    if len(rows):
        evaluation = search.evaluate(observations[rows], masks[rows])
        actions[rows], points[rows] = evaluation.choose(masks[rows]), evaluation.points
        worths[rows] = evaluation.details["worth"][np.arange(len(rows)), actions[rows]]
    return actions, points, worths


def collect(parameters: Parameters, games: int, seed: int, *, progress: Progress | None = None) -> Sample:
    """Returns the Sample of games of the search against itself, from wall `seed` on.

    parameters: worth.parameters.Parameters of the search.
    """
    search = SearchTactic(**parameters._asdict())
    engine = Engine(min(_WIDTH, games), seed_source(seed, games))
    engine.reset()
    parts, decisions = [], []
    scores = np.zeros((games, SEATS))
    events, is_self_drawn = {}, []
    while len(engine.pending):
        observations = engine.observations()
        actions, _, worths = ask_search(search, observations, engine.mask())
        rows = np.flatnonzero(np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW)) & ~np.isnan(worths))
        if len(rows):
            states = engine.games[engine.pending["game"][rows]]
            parts.append(_label(states, observations[rows]))
            decisions.append((worths[rows], states["wall_left"].sum(axis=1, dtype=float),
                              states["turn"].astype(int), states["game_id"], states["log_count"],
                              field(observations[rows], "unseen")))
        engine.step(actions)
        scores[engine.finished["game_id"]] = engine.finished["score"]
        for result in engine.finished:
            events[int(result["game_id"])] = count_events(result["log"][:result["log_count"]])
            if result["winner"] >= 0:
                is_self_drawn.append(result["giver"] == result["winner"])
        if progress is not None:
            progress.update(len(engine.finished))
    features, fans, row_games = (np.concatenate(columns) for columns in zip(*parts))
    worths, walls_left, seats, row_decisions, places, unseen = (np.concatenate(columns) for columns in zip(*decisions))
    coming = np.stack([count_coming(events[game], seat, place) for game, seat, place in zip(
        row_decisions.tolist(), seats.tolist(), places.tolist())])
    return Sample(features, fans, row_games, worths, walls_left, scores[row_decisions, seats], row_decisions, unseen,
                  coming, float(np.mean(is_self_drawn)) if is_self_drawn else 0.0)


def _label(states, observations):
    """Returns (features, fans, games) of some discards, with a row for each opponent and tile.

    features: float32[K, F]. fans: int16[K], of the opponent's hand on that tile. games: int64[K], numbers of the games.
    states: GAME[R], games in which the seat in turn discards. observations: uint8[R, OBSERVATION_SIZE], its own.
    """
    in_hand = field(observations, "hand") > 0
    rows = np.arange(len(states))
    fans = np.zeros((len(states), OPPONENTS, TILE_COUNT), np.int16)
    claims = states.copy()  # each fan is counted as if the tile had just been discarded
    claims["phase"] = CLAIM
    for opponent in range(OPPONENTS):
        seats = (states["turn"] + opponent + 1) % SEATS
        shanten, useful = least_batch(states["hand"][rows, seats], states["meld_count"][rows, seats])
        for row, tile in np.argwhere(unpack_tiles(useful) & (shanten == 0)[:, None] & in_hand):
            claims["last_tile"][row] = tile
            fans[row, opponent, tile] = count_fan(*fan_arguments(claims[row], int(seats[row])))
    chosen = np.broadcast_to(in_hand[:, None], fans.shape)
    games = np.broadcast_to(states["game_id"][:, None, None], fans.shape)
    return list_features(observations)[chosen].astype(np.float32), fans[chosen], games[chosen]


def count_events(log: np.ndarray) -> np.ndarray:
    """Returns the draws and discards of a game from each event of a log on: uint8[2, events + 1, seats, 34]."""
    marks = np.zeros((2, len(log) + 1, SEATS, TILE_COUNT), np.uint8)
    kinds, seats = np.divmod(log[:, 0], SEATS)
    for mark, kind in zip(marks, (TILE_DRAWN, PLAYED)):
        places = np.flatnonzero(kinds == kind)
        mark[places, seats[places], log[places, 1]] = 1
    return marks[:, ::-1].cumsum(axis=1, dtype=np.uint8)[:, ::-1]


def count_coming(events: np.ndarray, seat: int, place: int) -> np.ndarray:
    """Returns the copies that come to a seat from event `place` on, uint8[3, 34].

    The rows are drawn by the seat, discarded by the seat before, discarded by the others. events: of count_events.
    """
    drawn, played = events[:, place]
    before = (seat - 1) % SEATS
    others = played.sum(axis=0) - played[seat] - played[before]
    return np.stack([drawn[seat], played[before], others]).astype(np.uint8)
