"""Games of a run played in parts by several processes; what is told of each part is a file in the run's folder.

    FOLDER/NAME-N.npz   the arrays told of part N
"""

import multiprocessing
import os
import sys

import numpy as np
from tqdm import tqdm

from .drawn_games import PART_GAMES, ROTATIONS

# That critics are fitted to, before the others are played.
_CRITIC_PARTS = 4


class Parts(object):
    """The parts of a run as a context. games: in all, rounded up to whole parts; those of critics come on top.

    seed: the first wall. workers: processes. count, critic_count: of parts.
    """

    def __init__(self, folder, games, seed, workers):
        self._folder, self._seed, self._workers = folder, seed, workers
        self._games = min(PART_GAMES, -(-games // ROTATIONS) * ROTATIONS)
        self.count = -(-games // self._games)
        self.critic_count = min(_CRITIC_PARTS, self.count)

    def __enter__(self):
        self._pool = multiprocessing.get_context("spawn").Pool(self._workers)
        self._bar = tqdm(total=(self.critic_count + self.count) * self._games, unit="game", file=sys.stderr)
        return self

    def __exit__(self, *_):
        self._bar.close()
        self._pool.terminate()

    def play_critics(self, tell):
        """What `tell` says of the parts that critics are fitted to, see play."""
        return self._play("critic", tell, range(self.critic_count), 0, ())

    def play(self, tell, numbers, *arguments):
        """What tell(first wall, games, *arguments), a namedtuple of arrays, says of the parts of these numbers: a list.

        What stands in the folder is read.
        """
        return self._play("part", tell, numbers, self.critic_count, arguments)

    def _play(self, name, tell, numbers, first, arguments):
        paths = [os.path.join(self._folder, "%s-%d.npz" % (name, number)) for number in numbers]
        walls = self._games // ROTATIONS
        owed = [(path, tell, self._seed + (first + int(number)) * walls, self._games, arguments)
                for path, number in zip(paths, numbers) if not os.path.exists(path)]
        self._bar.update((len(paths) - len(owed)) * self._games)
        for _ in self._pool.imap_unordered(_play_part, owed):
            self._bar.update(self._games)
        return [_read(path) for path in paths]


def _play_part(job):
    path, tell, first_wall, games, arguments = job
    found = tell(first_wall, games, *arguments)
    with open(path + ".tmp", "wb") as file:
        np.savez(file, **found._asdict())
    os.replace(path + ".tmp", path)


def _read(path):
    with np.load(path) as arrays:
        return dict(arrays)
