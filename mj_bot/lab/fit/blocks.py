"""Plays blocks of games in processes, and keeps the arrays of each block in the folder of a run."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from ..run.progress import Progress
from ..run.run_folder import RunFolder
from ..run.workers import WorkerPool

BLOCK_GAMES = 256
_RUN_VERSION, _MOST_BLOCK_BYTES = 1, 1 << 28


@contextlib.contextmanager
def open_blocks(
        play: Callable, run_type: str, *, folder: str, settings: dict, workers: int,
        bar: Progress) -> Iterator[Callable]:
    """Begins or continues a run whose parts are blocks of games. A context manager.

    It gives load(tasks, games, fields), which returns what `play` returns for each task. Blocks that are in the folder
    are not played again. tasks: the arguments of `play` for each block, its index first. games: number of games of a
    block. fields: {name: (type, shape)} of the arrays.
    play: function(index, ...) that returns a NamedTuple of arrays. folder: folder of the run.
    settings: must be equal to continue. bar: counts games.
    Raises ProtocolError: the folder contains a run of other settings.
    """
    name = run_type + "-%06d.npz"
    with RunFolder(folder, run_type, _RUN_VERSION, settings=settings) as kept, \
            WorkerPool(partial(_play_numbered, play), workers) as pool:
        def load(tasks: Sequence[tuple], games: int, fields: dict) -> list[dict[str, np.ndarray]]:
            pending = [task for task in tasks if not kept.has(name % task[0])]
            bar.skip((len(tasks) - len(pending)) * games)
            for index, arrays in pool.run_tasks(pending):
                kept.write_arrays(name % index, arrays)
                bar.update(games)
            return [kept.read_arrays(name % index, _MOST_BLOCK_BYTES, fields) for index, *_ in tasks]

        yield load


def play_blocks(
        play: Callable, run_type: str, fields: dict, *, games: int, folder: str, settings: dict,
        workers: int) -> list[dict[str, np.ndarray]]:
    """Returns the arrays of each block of BLOCK_GAMES games.

    play: function(index, games=number of games). games: number of all games, rounded up to whole blocks. For the others
    see open_blocks.
    """
    count = -(-games // BLOCK_GAMES)
    with Progress(count * BLOCK_GAMES, name="fit " + run_type) as bar, \
            open_blocks(partial(play, games=BLOCK_GAMES), run_type, folder=folder, settings=settings, workers=workers,
                        bar=bar) as load:
        return load([(index,) for index in range(count)], BLOCK_GAMES, fields)


def _play_numbered(play, index, *more):
    return index, play(index, *more)._asdict()
