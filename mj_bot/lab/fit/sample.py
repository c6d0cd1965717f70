"""Samples games of the search against itself.

The sample has the danger of each discard of every turn, and the tiles that come later.
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
from ..engine.game_rows import PLAYED, TILE_DRAWN
from ..engine.winning import fan_arguments
from ..run.progress import Progress

_WIDTH = 256  # games that are played at the same time


class Sample(NamedTuple):
    """Keeps D decisions, each a turn of a hand that does not win, and K rows.

    A row belongs to a decision, one of its opponents, and a tile that could be discarded.
    """

    features: np.ndarray  # float32[K, F], features of worth.danger.list_features
    fans: np.ndarray  # int16[K], fan of the opponent's hand if it wins on that tile, 0 where it does not win
    games: np.ndarray  # int64[K], index of the game
    worths: np.ndarray  # float64[D], worth of the hand after the chosen action
    walls_left: np.ndarray  # float64[D], tiles left in the four walls
    scores: np.ndarray  # float64[D], final score of the deciding seat
    decision_games: np.ndarray  # int64[D], index of the game
    unseen: np.ndarray  # uint8[D, 34], copies that the seat could not see
    # uint8[D, 3, 34], copies later drawn by the seat, discarded by the seat before it, and discarded by the others.
    coming: np.ndarray
    self_drawn: float  # share of the wins that are self-drawn


def ask_search(
        search: SearchTactic, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns (chosen actions int64[M], points float64[M, 235], worths float64[M] of the hands after these actions).

    Where a win is legal, it is chosen, the points are minus infinity and the worth is NaN.
    observations: uint8[M, OBSERVATION_SIZE]. masks: bool[M, 235], the legal actions.
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
    """Plays games of the search against itself, and returns their Sample.

    parameters: parameters of the search. games: number of games. seed: seed of the first wall.
    progress: bar that shows the finished games; None for no bar.
    """
    search = SearchTactic(**parameters._asdict())
    engine = Engine(min(_WIDTH, games), seed_source(seed, games))
    engine.reset()
    labels, decisions = [], []
    scores = np.zeros((games, SEATS))
    events, is_self_drawn = {}, []
    while len(engine.pending):
        observations = engine.observations()
        actions, _, worths = ask_search(search, observations, engine.mask())
        rows = np.flatnonzero(np.isin(field(observations, "task")[:, 0], (TURN, FOLLOW)) & ~np.isnan(worths))
        if len(rows):
            states = engine.games[engine.pending["game"][rows]]
            labels.append(_label(states, observations[rows]))
            decisions.append((worths[rows], states["walls_left"].sum(axis=1, dtype=float),
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
    features, fans, row_games = (np.concatenate(columns) for columns in zip(*labels))
    worths, walls_left, seats, decision_games, log_indices, unseen = map(np.concatenate, zip(*decisions))
    coming = np.stack([count_coming(events[game], seat, index) for game, seat, index in zip(
        decision_games.tolist(), seats.tolist(), log_indices.tolist())])
    return Sample(features, fans, row_games, worths, walls_left, scores[decision_games, seats], decision_games, unseen,
                  coming, float(np.mean(is_self_drawn)) if is_self_drawn else 0.0)


def _label(states, observations):
    """Returns the columns features, fans and games of Sample for the turns of some games, GAME[R]."""
    in_hand = field(observations, "hand") > 0
    rows = np.arange(len(states))
    fans = np.zeros((len(states), OPPONENTS, TILE_COUNT), np.int16)
    claims = states.copy()  # In these, the tile whose fan is counted has just been discarded.
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
    """Counts, from each event of a game to its end, how often each seat draws and discards each tile.

    The array is uint8[2, events + 1, 4, 34]; its first half counts draws, its second half discards.
    log: uint8[events, 2], events of a game: 4 x type + seat, and the tile.
    """
    marks = np.zeros((2, len(log) + 1, SEATS, TILE_COUNT), np.uint8)
    event_types, seats = np.divmod(log[:, 0], SEATS)
    for mark, event_type in zip(marks, (TILE_DRAWN, PLAYED)):
        indices = np.flatnonzero(event_types == event_type)
        mark[indices, seats[indices], log[indices, 1]] = 1
    return marks[:, ::-1].cumsum(axis=1, dtype=np.uint8)[:, ::-1]


def count_coming(events: np.ndarray, seat: int, index: int) -> np.ndarray:
    """Returns how many copies of each tile come to a seat from an event on, uint8[3, 34].

    The rows count the copies that the seat draws, that the seat before it discards, and that the others discard.
    events: uint8[2, events + 1, 4, 34], what `count_events` returned. seat: 0..3. index: index of the event.
    """
    drawn, played = events[:, index]
    before = (seat - 1) % SEATS
    others = played.sum(axis=0) - played[seat] - played[before]
    return np.stack([drawn[seat], played[before], others]).astype(np.uint8)
