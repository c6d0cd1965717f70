"""Plays duplicate matches: hands walls to workers, keeps what is done, ends a match where a rule says so."""

import contextlib
import dataclasses
import time
from collections import defaultdict
from functools import partial

import numpy as np

from ...mahjong.errors import MahjongError, ProtocolError
from ..run import cluster
from ..run.journal import Journal
from ..run.progress import Progress
from ..run.workers import WorkerPool
from ..table.choosers import has_choose
from ..table.players import shorten
from . import referee_runner
from .schedule import WALLS_A_MATCH
from .tally import Tally

FORMAT = "mj_bot arena journal"
VERSION = 2
# Rules look at so many walls at the least: fewer say too little of the spread.
MIN_WALLS = 20
# Walls that the engine plays side by side. Tasks begin at its multiples, so that the same walls share a batch whatever
# was played before.
_BATCH_WALLS = 32
# Seconds between two looks at the differences.
_LOOK = 2


def choose_runner(specs):
    """(function, walls a task) that play a match of these players: function(match, first, stop) -> list of lists of
    Tally.

    The engine where all players are tactics with `choose`, else the referee.
    """
    if all(map(has_choose, specs)):
        from .engine_runner import play_walls  # numba takes a second to import
        return play_walls, _BATCH_WALLS
    return choose_referee(specs)


def choose_referee(specs):
    """As choose_runner, the referee in any case."""
    return referee_runner.play_walls, 1


class PlayedWalls(object):
    """Walls of matches that differ in their players alone, as a context manager; no wall is played twice.

    match: Match, as given. done: {specs of the players: {number of a wall: list of a Tally a player}}.
    games_played: without those that stood in the journal.
    """

    def __init__(self, match, fingerprint=None, journal_path=None, *, workers=1, ray_address=None,
                 choose=choose_runner):
        """match: Match; the players of another one sit where its players sit.

        fingerprint: dict for JSON of what must be the same to go on. journal_path: of the file that keeps the walls,
        None for none. workers: processes; ray_address: of the cluster that does their work instead. choose: says
        which runner plays, as choose_runner does.
        Raises as Journal does; ProtocolError: a damaged line.
        """
        self.match = match
        self.done = defaultdict(dict)
        self.games_played = 0
        self._choose = choose
        self._ray_address = ray_address
        self._play = partial(play_task, match=match, choose=choose)
        self._pool = WorkerPool(self._play, workers)
        self._journal = Journal(journal_path, FORMAT, VERSION, fingerprint=fingerprint or {})
        try:
            for data, where in self._journal.entries:
                self._read(data, where)
        except MahjongError:
            self._journal.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *details):
        self._pool.__exit__(*details)
        self._journal.close()

    def play(self, lineups, first, stop):
        """Yields after each task how many walls are new, until walls first .. stop - 1 of all matches are done.

        lineups: specs of the players, a tuple for each match. Closing the generator stops the work in hand.
        """
        tasks = self._cut_tasks(dict.fromkeys(lineups), first, stop)
        results = cluster.run_tasks(self._play, tasks, self._ray_address) if self._ray_address \
            else self._pool.run_tasks(tasks)
        with contextlib.closing(results):
            for specs, start, walls in results:
                done = self.done[specs]
                new = {wall: tallies for wall, tallies in enumerate(walls, start) if wall not in done}
                done.update(new)
                self._journal.append(*(
                    {"players": specs, "wall": wall, "tallies": [tally.as_dict() for tally in tallies]}
                    for wall, tallies in new.items()))
                self.games_played += len(new) * len(self.match.seatings)
                yield len(new)

    def _cut_tasks(self, lineups, first, stop):
        """(specs, first wall, stop) of the tasks in which a wall is not done yet."""
        for block in range(first - first % _BATCH_WALLS, stop, _BATCH_WALLS):
            end = min(block + _BATCH_WALLS, stop)
            for specs in lineups:
                _, step = self._choose(specs)
                for start in range(max(first, block), end, step):
                    walls = range(start, min(start + step, end))
                    if any(wall not in self.done[specs] for wall in walls):
                        yield specs, walls.start, walls.stop

    def _read(self, data, where):
        """Takes in a line of the journal. where: text that an error ends with."""
        try:
            specs, wall = tuple(data["players"]), data["wall"]
            tallies = [Tally.from_dict(tally) for tally in data["tallies"]]
            games, total = [tally.games for tally in tallies], sum(tally.score for tally in tallies)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ProtocolError("expected the tallies of a wall, got %.80r (%r) %s" % (data, error, where)) from None
        if not isinstance(wall, int) or games != self.match.seats_a_wall or total != 0:
            raise ProtocolError(
                "expected a wall with %r seats a player and scores that add up to 0, got wall %r with %r and %r %s"
                % (self.match.seats_a_wall, wall, games, total, where))
        self.done[specs].setdefault(wall, tallies)


def play_task(specs, first, stop, *, match, choose):
    """(specs, first, tallies) of walls first .. stop - 1 of a match, played by the players `specs`."""
    play, _ = choose(specs)
    return specs, first, play(dataclasses.replace(match, specs=specs), first, stop)


def run_match(match, wall_count, fingerprint, *, rule=None, journal_path=None, workers=1, ray_address=None,
            choose=choose_runner):
    """(Scoreboard, dict of what depends on the machine) of a match, played under a bar with the games that are done and
    the widest difference so far.

    wall_count, rule: as of play_match; the others as of PlayedWalls.
    """
    from .verdict import differences  # scipy takes a second, and workers can do without

    games, next_look, start = len(match.seatings), 0, time.monotonic()

    def show(board, count):
        nonlocal next_look
        if time.monotonic() > next_look and len(board.walls) > 1:
            next_look = time.monotonic() + _LOOK
            (i, j), widest = max(differences(board.scores).items(), key=lambda item: item[1].high - item[1].mean)
            bar.set_postfix_str("%s less %s: %+.2f +- %.2f" % (
                shorten(match.names[i], 16), shorten(match.names[j], 16), widest.mean, widest.high - widest.mean),
                refresh=False)
        bar.update(count * games)

    with PlayedWalls(match, fingerprint, journal_path, workers=workers, ray_address=ray_address,
                     choose=choose) as played:
        known = min(len(played.done[match.specs]), wall_count)
        # A rule ends the match nobody knows when: no time left is shown then.
        with Progress(None if rule else wall_count * games, initial=known * games, smoothing=0.05) as bar:
            board = play_match(played, wall_count, rule, show=show)
    seconds = time.monotonic() - start
    return board, {"seconds": round(seconds, 1), "games_played": played.games_played,
                   "games_a_second": round(played.games_played / seconds, 2),
                   "workers": "ray" if ray_address else workers}


def play_match(played, wall_count, rule=None, *, show=None):
    """The Scoreboard of a match at its end: after wall_count walls, or fewer where the rule ends it.

    played: PlayedWalls of the match. rule: one of stopping.py, None for all walls; it looks at whole matches of four
        walls in the order of the walls, so that the result does not depend on who played them.
    show: function(scoreboard, number of walls just played), called after each task.
    """
    match = played.match
    board = Scoreboard(match, played.done[match.specs], wall_count, rule=rule)
    with contextlib.closing(played.play([match.specs], 0, wall_count)) as counts:
        while not board.extend():
            count = next(counts)
            if show:
                show(board, count)
    return board


class Scoreboard(object):
    """The walls that are done without a gap from the first on.

    walls: list of the walls' lists of a Tally a player.
    """

    def __init__(self, match, done, wall_count, *, rule):
        self.walls = []
        self._done = done
        self._wall_count = wall_count
        self._rule = rule
        self._seats = np.array(match.seats_a_wall, float)
        self._scores = np.empty((wall_count, len(self._seats)))

    @property
    def scores(self):
        """Mean score a game of each player at each of these walls, float[W, P]."""
        return self._scores[:len(self.walls)]

    def extend(self):
        """Takes in the walls that follow and are done; whether the match ends here."""
        while len(self.walls) < self._wall_count:
            count = len(self.walls)
            if count not in self._done:
                return False
            self.walls.append(self._done[count])
            self._scores[count] = [tally.score for tally in self._done[count]] / self._seats
            count += 1
            if self._rule and count >= MIN_WALLS and count % WALLS_A_MATCH == 0 and self._rule.is_settled(self.scores):
                return True
        return True
