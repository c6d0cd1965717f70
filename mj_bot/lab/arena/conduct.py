"""Plays a match: hands out the walls, keeps what is done, ends where the rule says so."""

from functools import partial

import numpy as np

from ..run import cluster, workers
from .schedule import WALLS_A_MATCH
from .unit import choose_runner, play_units

# Rules look at so many walls at the least: fewer tell too little of the spread.
MIN_WALLS = 20


def play_match(match, journal, wall_count, rule=None, is_batched=True, worker_count=1, ray_address=None, show=None):
    """The Progress of a match that is over: wall_count walls, or fewer where the rule ends it.

    journal: Journal, whose walls are not played again. rule: one of stopping.py, None for all walls; it looks at whole
        matches of four walls in the order of the walls, so that the result does not depend on who played them.
    is_batched: whether players that can be are batched on the engine. worker_count: processes; ray_address: the
        cluster that does their work instead.
    show: function(progress, number of walls just played), called after each task.
    """
    _, step = choose_runner(match, is_batched)
    play = partial(play_units, match, is_batched)
    progress = Progress(match, journal.units, wall_count, rule)
    tasks = ((first, min(first + step, wall_count)) for first in range(0, wall_count, step)
             if any(wall not in journal.units for wall in range(first, min(first + step, wall_count))))
    if ray_address:
        results = cluster.run_tasks(play, tasks, ray_address)
    else:
        results = workers.run_tasks(play, tasks, worker_count)
    try:
        while not progress.extend():
            units = next(results)
            journal.add(units)
            if show:
                show(progress, len(units))
    finally:
        results.close()
    return progress


class Progress(object):
    """The walls that are done without a gap from the first on.

    units: list of Unit.
    """

    def __init__(self, match, done, wall_count, rule):
        self.units = []
        self._done = done
        self._wall_count = wall_count
        self._rule = rule
        self._seats = np.array(match.seats_a_wall, float)
        self._scores = np.empty((wall_count, len(self._seats)))

    @property
    def scores(self):
        """Mean score a game of each player at each of these walls, float[W, P]."""
        return self._scores[:len(self.units)]

    def extend(self):
        """Takes in the walls that follow and are done; whether the match ends here."""
        while len(self.units) < self._wall_count:
            count = len(self.units)
            if count not in self._done:
                return False
            self.units.append(self._done[count])
            self._scores[count] = [tally.score for tally in self._done[count].tallies] / self._seats
            count += 1
            if self._rule and count >= MIN_WALLS and count % WALLS_A_MATCH == 0 and self._rule.is_settled(self.scores):
                return True
        return True
