"""Plays blocks of games in processes, and keeps the arrays of each block in the folder of a run."""

import contextlib
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from ..run.progress import Progress
from ..run.run_folder import RunFolder
from ..run.workers import WorkerPool

BLOCK_GAMES = 256
_RUN_VERSION, _MOST_BLOCK_BYTES = 1, 1 << 28


class BlockRun(contextlib.AbstractContextManager):
    """Keeps a run whose parts are blocks of games; a context manager."""

    def __init__(
            self, play: Callable, run_type: str, *, folder: str, settings: dict, workers: int, bar: Progress):
        """Begins or continues a run.

        play: function(block, ...) that returns the arrays of a block by their names. folder: folder of the run.
        settings: must be equal to continue. bar: counts games.
        Raises ProtocolError: the folder contains a run of other settings.
        """
        self._name, self._bar = run_type + "-%06d.npz", bar
        with contextlib.ExitStack() as stack:
            self._kept = stack.enter_context(RunFolder(folder, run_type, _RUN_VERSION, settings=settings))
            self._pool = stack.enter_context(WorkerPool(partial(_play_numbered, play), workers))
            self._stack = stack.pop_all()

    def __exit__(self, *details):
        return self._stack.__exit__(*details)

    def load(self, tasks: Sequence[tuple], games: int, fields: dict) -> list[dict[str, np.ndarray]]:
        """Returns the arrays of some blocks. Blocks that are in the folder are not played again.

        tasks: the arguments of `play` for each block. games: number of games of a block.
        fields: {name: (type, shape)} of the arrays.
        """
        pending = [task for task in tasks if not self._kept.has(self._name % task[0])]
        self._bar.skip((len(tasks) - len(pending)) * games)
        for block, arrays in self._pool.run_tasks(pending):
            self._kept.write_arrays(self._name % block, arrays)
            self._bar.update(games)
        return [self._kept.read_arrays(self._name % block, _MOST_BLOCK_BYTES, fields) for block, *_ in tasks]


def play_blocks(
        play: Callable, run_type: str, fields: dict, *, games: int, folder: str, settings: dict, workers: int) -> list:
    """Returns the arrays of each block of BLOCK_GAMES games.

    play: function(block, games=number of games). games: number of all games, rounded up to whole blocks. For the others
    see BlockRun and its load().
    """
    count = -(-games // BLOCK_GAMES)
    with Progress(count * BLOCK_GAMES, name="fit " + run_type) as bar, \
            BlockRun(partial(play, games=BLOCK_GAMES), run_type, folder=folder, settings=settings, workers=workers,
                     bar=bar) as run:
        return run.load([(block,) for block in range(count)], BLOCK_GAMES, fields)


def _play_numbered(play, block, *more):
    return block, play(block, *more)
