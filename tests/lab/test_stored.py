"""What others made, sets of games, lessons and checkpoints, is read whole or refused in a line.

    NUMBA_BOUNDSCHECK=1 XDG_CACHE_HOME=/tmp/checked python3 -m tests.lab.test_stored --count 1000 --seed 0

With numba's bounds checks compiled code stops where it would read outside its arrays.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: broken checkpoints are not tried")

from mj_bot.lab.dataset import open_dataset
from mj_bot.lab.dataset.reader import FORMAT, SPLITS, VERSION
from mj_bot.lab.dataset.replay import Replayer
from mj_bot.lab.dataset.selfplay import play_games
from mj_bot.lab.dataset.teach import lessons_path
from mj_bot.lab.records.compact import GAMES_KIND, GAMES_VERSION, digest_games, name_part, write_part
from mj_bot.lab.run.run_folder import RunFolder
from mj_bot.lab.train.checkpoint import expect_checkpoint, load_checkpoint, pack, save_checkpoint, unpack
from mj_bot.lab.train.network import TileNetwork
from mj_bot.mahjong.errors import MahjongError
from tests.fuzz import VALUES, break_bytes, break_value, run_command, try_broken
from tests.python36 import REPOSITORY

TEACHER = "some teacher"
_DTYPES = ("f8", "i4", "u1", "i1", "b1", "U3", "u8")


class Stored(object):
    """A folder with a set of games and a checkpoint, of which one file at a time is broken."""

    def __init__(self, folder, rng):
        self.folder, self._rng = folder, rng
        self._games = play_games(("random", "random:seed=7"), 5, 0.2, 0, 2)
        masks = Replayer().replay(self._games)
        sizes = np.bincount(masks.games, np.unpackbits(masks.masks.view(np.uint8), axis=1).sum(1), 2).astype(np.int64)
        regret = np.arange(sizes.sum()).astype(np.uint8)
        self._lessons = {
            "teacher": np.array(TEACHER), "regret": regret, "wins": regret, "ends": np.append(0, sizes.cumsum())}
        self.network = TileNetwork(2, 1)
        self.optimiser = torch.optim.AdamW(self.network.parameters())
        for parameter in self.network.parameters():
            parameter.grad = torch.zeros_like(parameter)
        self.optimiser.step()
        self._tensors = pack(self.network, self.optimiser)
        self.write()

    def write(self, moves=None, lessons=None):
        """Writes the set, with other moves or lessons if they are given."""
        games = self._games if moves is None else self._games._replace(moves=moves)
        shutil.rmtree(self.folder / "set", ignore_errors=True)
        with RunFolder(self.folder / "set", GAMES_KIND, GAMES_VERSION, settings={}) as run:
            write_part(run, 0, games)
            run.note(parts=1)
        card = {"format": FORMAT, "version": VERSION, "teacher": {"player": TEACHER}, "hash": digest_games(games)}
        (self.folder / "set" / "card.json").write_text(json.dumps(card))
        np.savez(lessons_path(self.folder / "set" / name_part(0)), **(lessons or self._lessons))

    def break_moves(self):
        moves = self._games.moves.copy()
        for _ in range(self._rng.choice((1, 1, 3))):
            moves[self._rng.randrange(len(moves))] = self._rng.randrange(256)
        self.write(moves=moves)

    def break_lessons(self):
        lessons = dict(self._lessons)
        name = self._rng.choice(("teacher", "regret", "wins", "ends", "ends", "ends"))
        array = lessons.pop(name)
        kind = self._rng.randrange(5)
        if kind == 1:
            array = array[None] if name == "teacher" else array.astype(self._rng.choice(_DTYPES))
        elif kind == 2:
            array = array[..., None]
        elif kind == 3 and name != "teacher":
            array = array[:self._rng.randrange(len(array))]
        elif kind == 4 and name == "ends":
            array = array.copy()
            array[self._rng.randrange(len(array))] = self._rng.choice((-1, 0, 3, 10 ** 6, 2 ** 62, -2 ** 63))
        self.write(lessons=dict(lessons, **{name: array} if kind else {}))

    def break_file(self):
        """Other bytes of a file of the set, or another value in the card or in run.json."""
        self.write()
        folder = self.folder / "set"
        path = folder / self._rng.choice(("card.json", "run.json"))
        if self._rng.random() < 0.5:
            path.write_bytes(json.dumps(break_value(self._rng, json.loads(path.read_bytes()))).encode())
            return
        games = folder / name_part(0)
        path = self._rng.choice((path, lessons_path(games), games))
        path.write_bytes(break_bytes(self._rng, path.read_bytes()))

    def break_games(self):
        """Another array of the games, with the hash of the card that they had."""
        self.write()
        path = self.folder / "set" / name_part(0)
        with np.load(path) as file:
            arrays = dict(file)
        name = self._rng.choice(sorted(arrays))
        array, kind = arrays.pop(name), self._rng.randrange(4)
        if kind == 1:
            array = array.astype(self._rng.choice(_DTYPES))
        elif kind == 2:
            array = array[:self._rng.randrange(len(array))]
        elif kind == 3:
            array = array.copy()
            array.reshape(-1)[self._rng.randrange(array.size)] = self._rng.randrange(256)
        np.savez(path, **dict(arrays, **{name: array} if kind else {}))

    def break_checkpoint(self):
        rng, path = self._rng, self.folder / "checkpoint"
        tensors, kind = dict(self._tensors), rng.randrange(6)
        name = rng.choice(sorted(tensors))
        if kind == 0:
            del tensors[name]
        elif kind == 1:
            tensors[rng.choice((name + "x", "network.", "optimiser.x.y", "optimiser.999.step"))] = tensors[name]
        elif kind == 2:
            tensors[name] = rng.choice((torch.zeros(3), torch.zeros(0), tensors[name][None], tensors[name].double(),
                                        torch.full_like(tensors[name], torch.nan), torch.zeros(2, 2, dtype=torch.int8)))
        save_checkpoint(path, {"samples": 5}, tensors)
        if kind == 3:
            state = json.loads((path / "state.json").read_text())
            (path / "state.json").write_text(json.dumps(break_value(rng, state)))
        elif kind == 4:
            torch.save(rng.choice((*VALUES, {"network.": 3}, {3: torch.zeros(2)})), path / "tensors-0.pt")
        elif kind == 5:
            part = rng.choice(("tensors-0.pt", "state.json"))
            (path / part).write_bytes(break_bytes(rng, (path / part).read_bytes()))

    def make(self):
        """Breaks something, and returns the name of what."""
        kind = self._rng.choice(("moves", "lessons", "games", "file", "checkpoint"))
        getattr(self, "break_" + kind)()
        return kind

    def find_complaint(self, kind):
        """What is wrong with how it is read, None where nothing is. Any error but MahjongError comes out."""
        try:
            if kind == "checkpoint":
                with expect_checkpoint(self.folder):
                    state, tensors = load_checkpoint(self.folder / "checkpoint")
                    unpack(tensors, self.network, self.optimiser)
                self.optimiser.step()
                return None if isinstance(state, dict) else "expected a dict, got %r" % state
            dataset = open_dataset(self.folder / "set")
            for split in SPLITS:
                for batch in dataset.batches(split, 64, 0):
                    if not batch.mask[np.arange(len(batch.action)), batch.action].all():
                        return "expected legal actions"
        except MahjongError as error:
            if "expected" not in str(error) or "\n" in str(error):
                return "expected a line that says what was expected, got %r" % str(error)
        return None


def run_fuzz(count, seed):
    """(what was broken, complaint) of the first of `count` broken files that is not read rightly, else None."""
    memory = "/dev/shm"  # a disk would take most of the time
    with tempfile.TemporaryDirectory(dir=memory if Path(memory).is_dir() else None) as folder:
        stored = Stored(Path(folder), random.Random(seed))
        assert len(list(open_dataset(stored.folder / "set").batches("train", 64, 0)))
        return try_broken(count, stored.make, stored.find_complaint)


def test_broken_files():
    """Wrong ends made compiled code read outside its arrays; broken checkpoints ended in tracebacks."""
    assert run_fuzz(150, seed=1) is None


@pytest.mark.slow
def test_many_broken_files_with_bounds_checks(tmp_path):
    done = subprocess.run([sys.executable, "-m", __name__, "--count", "100000", "--seed", "2"],
                          cwd=REPOSITORY, capture_output=True, text=True,
                          env=dict(os.environ, NUMBA_BOUNDSCHECK="1", XDG_CACHE_HOME=str(tmp_path)))
    assert (done.returncode, done.stdout) == (0, "100000 files read\n"), done.stdout + done.stderr


if __name__ == "__main__":
    sys.exit(run_command(__doc__, run_fuzz, "files read"))
