"""What others made, sets of games, lessons and checkpoints, is read whole or refused in a line."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed: damaged checkpoints are not tried")

from mj_bot.lab.dataset import open_dataset
from mj_bot.lab.dataset.reader import SET_FORMAT, SET_VERSION, SPLITS
from mj_bot.lab.dataset.replayed_decisions import Replayer
from mj_bot.lab.dataset.selfplay import play_games
from mj_bot.lab.dataset.teach import lessons_path
from mj_bot.lab.records.compact import GAMES_KIND, GAMES_VERSION, digest_games, name_part, read_part, write_part
from mj_bot.lab.run.run_folder import RunFolder
from mj_bot.lab.train.checkpoint import (
    CHECKPOINT, expect_checkpoint, load_checkpoint, pack, save_checkpoint, unpack)
from mj_bot.lab.train.network import TileNetwork
from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.mahjong.errors import MahjongError
from tests.damage import try_damaged
from tests.fuzz import VALUES

TEACHER = "some teacher"
_MANY = 5000  # damaged files of a slow test


class Stored:
    """A folder with a set of games, its lessons and a checkpoint, and readers of both."""

    def __init__(self, folder):
        self.set, self.checkpoint = folder / "set", folder / "checkpoint"
        games = play_games(("random", "random:seed=7"), 5, 0.2, 0, 2)
        masks = Replayer().replay(games)
        sizes = np.bincount(masks.games, np.unpackbits(masks.masks.view(np.uint8), axis=1).sum(1), 2).astype(np.int64)
        points = np.arange(sizes.sum()).astype(np.uint8)
        with RunFolder(self.set, GAMES_KIND, GAMES_VERSION, settings={}) as run:
            write_part(run, 0, games)
            run.note(parts=1)
        self.write_card(games)
        np.savez(lessons_path(self.set / name_part(0)), teacher=np.array(TEACHER), regret=points, wins=points,
                 ends=np.append(0, sizes.cumsum()))
        self.network = TileNetwork(2, 1)
        self.optimiser = torch.optim.AdamW(self.network.parameters())
        for parameter in self.network.parameters():
            parameter.grad = torch.zeros_like(parameter)
        self.optimiser.step()
        self.tensors = pack(self.network, self.optimiser)
        self.checkpoint.mkdir()
        save_checkpoint(self.checkpoint, {"samples": 5}, self.tensors)
        # Without the lock, which is empty.
        self.files = {str(path): path.read_bytes() for path in folder.rglob("*.*") if path.stat().st_size}

    def write_card(self, games):
        card = {"format": SET_FORMAT, "version": SET_VERSION, "teacher": {"player": TEACHER},
                "hash": digest_games(games)}
        (self.set / "card.json").write_text(json.dumps(card))

    def check_damaged(self, name, data):
        """Reads the folder with one file that contains other bytes. The card has the hash of damaged games."""
        Path(name).write_bytes(data)
        if Path(name) == self.set / name_part(0):
            with contextlib.suppress(MahjongError):
                self.write_card(read_part(name)[0])
        self.check(self.read_set if Path(name).parent == self.set else self.read_checkpoint)
        for path in (Path(name), self.set / "card.json"):
            path.write_bytes(self.files[str(path)])

    def check(self, read):
        """Checks that a reader takes what is there, or refuses it in one line."""
        try:
            read()
        except MahjongError as error:
            assert "expected" in str(error) and "\n" not in str(error)

    def read_set(self):
        for split in SPLITS:
            for batch in open_dataset(self.set).batches(split, 64, 0):
                assert batch.mask[np.arange(len(batch.action)), batch.action].all()

    def read_checkpoint(self):
        with expect_checkpoint(self.checkpoint):
            state, tensors = load_checkpoint(self.checkpoint)
            unpack(tensors, self.network, self.optimiser)
        self.optimiser.step()
        assert isinstance(state, dict)


@pytest.fixture
def stored():
    memory = "/dev/shm"  # a disk would take most of the time
    with tempfile.TemporaryDirectory(dir=memory if Path(memory).is_dir() else None) as folder:
        yield Stored(Path(folder))


@pytest.mark.parametrize("count", [150, pytest.param(_MANY, marks=pytest.mark.slow)])
def test_damaged_files(stored, count):
    """Wrong ends made compiled code read outside its arrays; damaged checkpoints ended in tracebacks."""
    assert len(stored.files) == 5
    assert len(list(open_dataset(stored.set).batches("train", 64, 0)))
    try_damaged(stored.files, stored.check_damaged, count)


@pytest.mark.slow
def test_damaged_files_with_bounds_checks(tmp_path):
    """With numba's bounds checks compiled code stops where it would read outside its arrays."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", "0", "-m", "", __file__, "-k", "test_damaged_files and %d" % _MANY],
        cwd=REPOSITORY, capture_output=True, text=True,
        env=dict(os.environ, NUMBA_BOUNDSCHECK="1", XDG_CACHE_HOME=str(tmp_path)))
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("change", [
    lambda name, tensor: {}, lambda name, tensor: {name + "x": tensor}, lambda name, tensor: {"network.": tensor},
    lambda name, tensor: {name: tensor, "optimiser.999.step": tensor}, lambda name, tensor: {name: torch.zeros(3)},
    lambda name, tensor: {name: tensor[None]}, lambda name, tensor: {name: torch.full_like(tensor, torch.nan)}])
def test_tensors_of_something_else_are_refused(stored, change, every):
    for name in list(stored.tensors)[::every]:
        tensors = dict(stored.tensors)
        tensors.update(change(name, tensors.pop(name)))
        save_checkpoint(stored.checkpoint, {"samples": 5}, tensors)
        with pytest.raises(MahjongError, match="^expected [^\n]*$"):
            stored.read_checkpoint()


@pytest.mark.parametrize("value", [*VALUES, {"network.": 3}, {3: torch.zeros(2)}], ids=repr)
def test_a_file_of_other_values_is_no_checkpoint(stored, value):
    path = stored.checkpoint / CHECKPOINT
    whole = torch.load(path)
    for damaged in (value, dict(whole, state=value), dict(whole, tensors=value), dict(whole, state={
            **whole["state"], "samples": value})):
        torch.save(damaged, path)
        stored.check(stored.read_checkpoint)
