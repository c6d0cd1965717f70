"""Plays games on from given positions, many side by side."""

import numpy as np

from ...observation.layout import TURN
from ..engine import Engine, seed_source
from ..engine.games import make_games

_SIDE_BY_SIDE = 1024
_NO_JOB = -1


def play_out(games, seats, actions, player, cut=None, value=None):
    """What each game brings to a seat, float64[N].

    games: GAME[N], each at a decision that its seat owes. seats, actions: int[N], that seat and the action that it
    begins with; all seats then choose by `player`, a batch form.
    cut: None to play to the end; else a game ends at the first draw after so many more discards, and
    value(games, seats) says what it brings.
    """
    return _Playouts(games, seats, actions, player, cut, value).play()


class _Playouts(object):
    def __init__(self, games, seats, actions, player, cut, value):
        self._games, self._seats, self._actions = games, np.asarray(seats), np.asarray(actions)
        self._player, self._cut, self._value = player, cut, value
        width = max(1, min(_SIDE_BY_SIDE, len(games)))
        self._engine = Engine(width, seed_source(0, 0))
        self._jobs = np.full(width, _NO_JOB)  # by place of the engine
        self._is_first = np.zeros(width, bool)
        self._started = 0
        self._brought = np.zeros(len(games))

    def play(self):
        engine = self._engine
        self._start(np.arange(len(self._jobs)))
        while len(engine.owed):
            if self._cut is not None and self._close():
                continue
            places, seats = engine.owed["game"], engine.owed["seat"].astype(int)
            jobs = self._jobs[places]
            actions = self._player(engine.observations(), engine.mask(), jobs, seats)
            is_given = self._is_first[places] & (seats == self._seats[jobs])
            actions[is_given] = self._actions[jobs[is_given]]
            self._is_first[places] = False
            engine.step(actions)
            finished = engine.finished
            jobs = self._jobs[finished["game"]]
            self._brought[jobs] = finished["score"][np.arange(len(jobs)), self._seats[jobs]]
            self._start(finished["game"].copy())
        return self._brought

    def _start(self, places):
        """Sets the next games into places, and clears those for which there is none."""
        games = make_games(len(places))
        jobs = np.arange(self._started, min(self._started + len(places), len(self._games)))
        self._started += len(jobs)
        games[:len(jobs)] = self._games[jobs]
        self._jobs[places] = _NO_JOB
        self._jobs[places[:len(jobs)]] = jobs
        self._is_first[places] = True
        if len(places):
            self._engine.put(places, games)

    def _close(self):
        """Ends the games that are played far enough; whether there are any."""
        games = self._engine.games
        places = np.unique(self._engine.owed["game"])
        made = games["discard_count"][places].astype(int) - self._games["discard_count"][self._jobs[places]]
        places = places[(games["phase"][places] == TURN) & (made >= self._cut) & ~self._is_first[places]]
        if len(places):
            jobs = self._jobs[places]
            self._brought[jobs] = self._value(games[places], self._seats[jobs])
            self._start(places)
        return len(places) > 0
