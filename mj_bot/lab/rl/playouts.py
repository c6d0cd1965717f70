"""Decisions played out many times from their true position: the points that each of several actions really brings."""

import numpy as np

from ..engine import Engine, seed_source
from ..table.walls import SLICE_SIZE

# Games side by side.
_WIDTH = 2048


def play_out(choose, games, seats, actions, *, count, seed=None):
    """Points of the game after each action, list of int16[A, count]: a row an action, a column a playout.

    choose: function(observations, masks) that gives all seats' actions, int[M], from uint8[M, OBSERVATION_SIZE] and
    bool[M, 235].
    games: GAME[D], copies of rows of Engine.games, each where its seat has to decide. seats: int[D]; the points are
    theirs. actions: for each of these decisions its legal actions to play out, int[A].
    count: playouts of each action.
    seed: of the walls. All hands stay the true ones, and the tiles left in the walls are dealt anew: what is not drawn
    yet is equally likely in any order. A column has the same walls for all actions of its decision, so that
    differences between actions have less noise. None keeps the true walls; then playouts differ only where `choose`
    draws at random.
    Raises IllegalActionError: an action that its decision does not allow.
    """
    decisions = np.repeat(np.arange(len(games)), [len(some) * count for some in actions])
    columns = np.concatenate([np.tile(np.arange(count), len(some)) for some in actions])
    chosen = np.repeat(np.concatenate(actions), count)
    seats = np.asarray(seats)[decisions]
    points = np.zeros(len(decisions), np.int16)
    engine = Engine(min(_WIDTH, len(decisions)), seed_source(game_count=0))
    for start in range(0, len(decisions), _WIDTH):
        part = slice(start, start + _WIDTH)
        positions = games[decisions[part]]
        if seed is not None:
            for game, decision, column in zip(positions, decisions[part], columns[part]):
                deal_walls(game, np.random.default_rng([seed, decision, column]))
        points[part] = _play(engine, choose, positions, seats=seats[part], first=chosen[part])
    ends = np.cumsum([len(some) * count for some in actions])
    return [rows.reshape(-1, count) for rows in np.split(points, ends[:-1])]


def deal_walls(game, rng):
    """Deals the tiles left in the walls of a game, GAME, anew. rng: numpy's Generator."""
    places = np.concatenate([SLICE_SIZE * seat + np.arange(left) for seat, left in enumerate(game["wall_left"])])
    game["wall"][places] = rng.permutation(game["wall"][places])


def _play(engine, choose, games, *, seats, first):
    """The points of the seats, int16[G]; first: int[G], what they begin with."""
    points = np.zeros(len(games), np.int16)
    engine.put(games)
    is_first = True
    while len(engine.pending):
        places = engine.pending["game"]
        chosen = np.array(choose(engine.observations(), engine.mask()))
        if is_first:
            rows = engine.pending["seat"] == seats[places]
            chosen[rows] = first[places[rows]]
        is_first = False
        engine.step(chosen)
        ended = engine.finished
        points[ended["game"]] = ended["score"][np.arange(len(ended)), seats[ended["game"]]]
    return points
