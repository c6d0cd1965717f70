"""Plays duplicate matches: gives walls to workers, stores finished walls, and ends a match when a rule says so."""

import contextlib
import dataclasses
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ...mahjong.errors import MahjongError, ProtocolError
from ..run import cluster
from ..run.command import GOES_ON
from ..run.progress import Progress
from ..run.run_folder import RunFolder, list_parts
from ..run.workers import WorkerPool
from ..table.choosers import find_engine_obstacle
from ..table.players import shorten
from . import referee_runner
from .fingerprint import compute_fingerprint
from .schedule import MIN_WALLS, WALLS_PER_MATCH, Match
from .tally import Tally, sum_tallies

ARENA_KIND, ARENA_VERSION = "arena", 1
# Walls that the engine plays together. Tasks begin at multiples of it, so that the same walls are always together.
_BATCH_WALLS = 32
_SUFFIX = ".json.gz"


# Function(match, first, stop) that plays walls first .. stop - 1 and returns a Tally per player for each, and the
# number of walls that one call should play.
Runner = tuple[Callable, int]
BY_REFEREE = referee_runner.play_walls_by_referee, 1


def choose_runner(specs: tuple[str, ...]) -> Runner:
    """Returns the Runner of a match of some players: the engine if it can play all, else the referee."""
    if any(map(find_engine_obstacle, specs)):
        return BY_REFEREE
    from .engine_runner import play_walls_by_engine  # This imports numba, which takes a second.

    return play_walls_by_engine, _BATCH_WALLS


class PlayedWalls(contextlib.AbstractContextManager):
    """Plays walls of a match, each wall once. It is a context manager.

    done: {index of a wall: list of a Tally per player}. games_played: number of games, without those of an earlier
    call. workers: number of processes, or "ray".
    """

    def __init__(
            self, match: Match, fingerprint: dict | None = None, folder: str | None = None, *, workers: int = 1,
            ray_address: str | None = None, runner: Runner | None = None):
        """Opens the folder of the run, if there is one, and reads the walls in it.

        fingerprint: dict for JSON that must be the same to continue the run. folder: of a run that keeps the walls of
        each task; None keeps nothing. ray_address: of a cluster that plays in place of workers.
        runner: plays the walls; None means that of choose_runner.
        Raises MahjongError: the folder contains another run, or is in use. ProtocolError: a file in it is damaged.
        """
        self.match = match
        self.done = {}
        self.games_played = 0
        self.workers = "ray" if ray_address else workers
        self._ray_address = ray_address
        play, self._walls_per_task = runner or choose_runner(match.specs)
        self._play = partial(play_task, play)
        self._pool = WorkerPool(self._play, workers)
        self._run = None
        if folder:
            self._run = RunFolder(folder, ARENA_KIND, ARENA_VERSION, settings=fingerprint or {})
            try:
                for name in list_parts(self._run.path, _SUFFIX):
                    self._read(self._run.read_json(name), "in %s" % (self._run.path / name))
            except MahjongError:
                self._run.close()
                raise

    def __exit__(self, *details):
        self._pool.__exit__(*details)
        if self._run:
            self._run.close()

    def play(self, first: int, stop: int) -> Iterator[int]:
        """Plays walls first .. stop - 1 unless they are done. Yields how many games each task added.

        A task of a runner that plays one wall per task is a single game, so that slow players show progress. A wall is
        done when its last game is. Closing the generator stops its tasks.
        """
        seatings = self.match.seatings
        waiting = defaultdict(list)  # {first wall: walls of each task that has played a part of their games}
        tasks = self._cut_tasks(first, stop)
        results = cluster.run_tasks(self._play, tasks, self._ray_address) if self._ray_address \
            else self._pool.run_tasks(tasks)
        with contextlib.closing(results):
            for match, start, walls in results:
                added = len(match.seatings) * sum(wall not in self.done for wall in range(start, start + len(walls)))
                waiting[start].append(walls)
                if len(waiting[start]) * len(match.seatings) == len(seatings):
                    self._keep(start, [sum_tallies(games) for games in zip(*waiting[start])])
                self.games_played += added
                yield added

    def _keep(self, first, walls):
        """Adds whole walls that follow one another, and writes them as a part of the run."""
        self._add(first, walls)
        if self._run:
            self._run.write_json("walls-%09d-%09d%s" % (first, first + len(walls), _SUFFIX), {
                "first": first, "walls": [[tally.as_dict() for tally in tallies] for tallies in walls]})

    def _add(self, first, walls):
        for wall, tallies in enumerate(walls, first):
            self.done.setdefault(wall, tallies)

    def _cut_tasks(self, first, stop):
        """Yields (match, first wall, stop) of each task that has a wall that is not done."""
        step = self._walls_per_task
        matches = [self.match] if step > 1 else [
            dataclasses.replace(self.match, lineup=seating, rotations=1) for seating in self.match.seatings]
        # Tasks of the engine begin at multiples of its step.
        for start in range(first - first % step, stop, step):
            walls = range(max(first, start), min(start + step, stop))
            if any(wall not in self.done for wall in walls):
                yield from [(match, walls.start, walls.stop) for match in matches]

    def _read(self, data, where):
        """Adds the walls in the content of a file of the run. where: end of an error's text."""
        try:
            first = data["first"]
            walls = [[Tally.from_dict(tally) for tally in tallies] for tallies in data["walls"]]
            figures = [([tally.games for tally in tallies], sum(tally.score for tally in tallies)) for tallies in walls]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ProtocolError("expected the tallies of walls, got %.80r (%r) %s", data, error, where) from None
        if not isinstance(first, int) or any(
                games != self.match.seats_per_wall or total != 0 for games, total in figures):
            raise ProtocolError(
                "expected walls with %r seats a player and scores that add up to 0, got %.80r from wall %r on %s",
                self.match.seats_per_wall, figures, first, where)
        self._add(first, walls)


def play_task(play: Callable, match: Match, first: int, stop: int) -> tuple:
    """Plays walls first .. stop - 1 of a match, and returns (match, first, a Tally per player by wall)."""
    return match, first, play(match, first, stop)


def run_match(
        played: PlayedWalls, wall_count: int, rule: Any = None, *,
        is_silent: bool = False) -> tuple["Scoreboard", dict]:
    """Plays a match, and returns (Scoreboard, dict of figures that depend on the machine).

    played: the match, which may have walls already. wall_count: walls of the match.
    rule: rule of stopping.py that may end the match earlier, None for no rule. is_silent: whether there is no bar.
    """
    match, start = played.match, time.monotonic()
    games = len(match.seatings)
    board, known = Scoreboard(played, wall_count, rule), min(len(played.done), wall_count)
    # With a rule the end is unknown, so the bar shows no remaining time.
    with Progress(None if rule else wall_count * games, name="arena", hint="with --json FILE " + GOES_ON,
                  most=wall_count * games, initial=known * games, smoothing=0.05, disable=is_silent) as bar:
        for count in board.play():
            bar.update(count)
    seconds = time.monotonic() - start
    return board, {"seconds": round(seconds, 1), "games_played": played.games_played,
                   "games_per_second": round(played.games_played / seconds, 2), "workers": played.workers}


class Scoreboard(object):
    """Keeps the finished walls of a match that come before its first unfinished wall.

    walls: list of a Tally per player for each of these walls. wall_count: walls after which the match ends at the
    latest. rule: rule of stopping.py that may end the match earlier, or None.
    """

    def __init__(self, played: PlayedWalls, wall_count: int, rule: Any = None):
        self.match, self.wall_count, self.rule = played.match, wall_count, rule
        self.walls = []
        self._played = played
        self._seats = np.array(self.match.seats_per_wall, float)
        self._scores = np.empty((wall_count, len(self._seats)))

    @property
    def scores(self) -> np.ndarray:
        """Returns the mean score per game of each player at each of these walls, float[W, P]."""
        return self._scores[:len(self.walls)]

    def play(self) -> Iterator[int]:
        """Plays to the end of the match, and yields the number of new games after each task."""
        with contextlib.closing(self._played.play(0, self.wall_count)) as counts:
            while not self._extend(self._played.done):
                yield next(counts)

    def _extend(self, done):
        """Adds the next finished walls, and returns whether the match ends here."""
        # The rule looks at every fourth wall in order, so that the result does not depend on the number of workers.
        while len(self.walls) < self.wall_count:
            count = len(self.walls)
            if count not in done:
                return False
            self.walls.append(done[count])
            self._scores[count] = [tally.score for tally in done[count]] / self._seats
            count += 1
            if self.rule and count >= MIN_WALLS and count % WALLS_PER_MATCH == 0 and self.rule.is_settled(self.scores):
                return True
        return True


def prepare_match(match: Match, rules: str = "botzone", *, by_referee: bool = False) -> tuple[dict, Runner, Callable]:
    """Returns (fingerprint, runner, probe) of a match.

    fingerprint: what all results of the match have in common. probe: function without parameters that tries the
        players, and returns the memory in MB of each.
    rules: key of table.one_wall.TABLE_RULES; the engine knows those of "botzone" alone.
    by_referee: whether the referee plays all games.
    """
    fingerprint = compute_fingerprint(match)
    probe = partial(referee_runner.probe_players, match.specs, match.time_limit, match.memory_limit)
    if rules != "botzone":
        return dict(fingerprint, settings=rules), (partial(referee_runner.play_walls_by_referee, rules=rules), 1), probe
    runner = BY_REFEREE if by_referee else choose_runner(match.specs)
    if runner is BY_REFEREE and not by_referee:
        spec, obstacle = next(filter(all, zip(match.specs, map(find_engine_obstacle, match.specs))))
        print("arena: the referee plays this match, many times slower than the engine, because of %s: %s" % (
            shorten(spec), obstacle), file=sys.stderr)
    return fingerprint, runner, probe
