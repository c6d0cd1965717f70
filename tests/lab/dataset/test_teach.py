"""The teacher's points: those of the player whose games these are, in every transform."""

import json
import shutil

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.dataset import open_dataset, open_datasets
from mj_bot.lab.dataset.reader import SPLITS
from mj_bot.lab.dataset.teach import REGRET_UNIT, MAX_REGRET, lessons_path, look_ahead_with, take_wins
from mj_bot.lab.table.choosers import load_chooser
from mj_bot.mahjong.action import WIN_INDEX
from mj_bot.mahjong.errors import ProtocolError
from mj_bot.network.ahead import look_ahead
from mj_bot.tactic.search import SearchTactic
from tests.lab.train.observations import play_observations

TEACHER = "search:correction=0,next_draw=0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A set that the teacher itself played."""
    folder = tmp_path_factory.mktemp("sets") / "taught"
    assert main(["dataset", "-o", str(folder), "--players", TEACHER, "--games", "40", "--teacher", TEACHER]) == 0
    return folder


@pytest.mark.parametrize("augment", [False, True])
def test_what_the_teacher_played_is_best(folder, augment):
    """Suits exchanged and ranks mirrored, too."""
    for batch in open_dataset(folder).batches("train", 500, seed=1, augment=augment):
        rows = np.arange(len(batch.action))
        assert not batch.regret[rows, batch.action].any()
        assert (batch.regret[~batch.mask] == MAX_REGRET).all()
        wins = batch.action == WIN_INDEX
        assert ((batch.regret[wins] == MAX_REGRET).sum(1) == batch.regret.shape[1] - 1).all()


@pytest.mark.parametrize("augment", [False, True])
def test_wins_are_those_that_are_looked_for(folder, augment):
    """Illegal actions have none. In a transform some hands have eight fan only in their own suits."""
    differ = decisions = 0
    for batch in open_dataset(folder).batches("train", 500, seed=1, augment=augment):
        found = take_wins(look_ahead(batch.observation)) * batch.mask
        differ += (batch.wins != found).any(1).sum()
        decisions += len(found)
    assert found.any() and differ <= decisions * augment / 200


def test_wins_that_are_known_are_not_looked_for():
    """Those of actions come back from where they were taken; without them ready hands alone have some."""
    observations = play_observations(3000, games=32, seed=6, chooser=load_chooser("search"))[0]
    rows = look_ahead(observations)
    wins = take_wins(rows)
    assert (look_ahead_with(observations, wins) == rows).all()
    assert (take_wins(look_ahead_with(observations, 0 * wins)) < wins).any()


def test_points_are_those_of_the_teacher(folder):
    teacher = SearchTactic(correction=0, next_draw=0)
    batch = next(open_dataset(folder).batches("train", 1000, seed=2, augment=False))
    rows = ~batch.mask[:, WIN_INDEX]
    points = np.full(batch.mask.shape, -np.inf)
    teacher.choose(batch.observation, batch.mask, points=points)
    regret = np.where(batch.mask, points.max(1)[:, None], np.inf)[rows] - np.where(batch.mask, points, 0)[rows]
    near = regret < (MAX_REGRET - 1) * REGRET_UNIT
    assert near.sum() > 2000
    assert abs(regret[near] - REGRET_UNIT * batch.regret[rows][near]).max() <= REGRET_UNIT / 2 + 1e-6


def test_the_card_and_missing_points(folder):
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["teacher"]["player"] == TEACHER
    assert set(card["teacher"]) == {"player", "regret", "wins"}
    path = lessons_path(folder, card["shards"][0])
    data = path.read_bytes()
    path.unlink()
    with pytest.raises(ProtocolError, match="the points of the teacher .*games-0000"):
        open_dataset(folder)
    # The same command asks the teacher again, and only the teacher.
    assert main(["dataset", "-o", str(folder), "--players", TEACHER, "--games", "40", "--teacher", TEACHER]) == 0
    assert path.read_bytes() == data


def test_a_set_that_grows_and_another_teacher(tmp_path):
    """Their points were kept as they were, for games that were not there then."""
    words = ["dataset", "-o", str(tmp_path / "set"), "--players", "random", "--teacher"]
    for spec, games in ((TEACHER, "256"), (TEACHER, "300"), ("search:correction=0", "300")):
        assert main(words + [spec, "--games", games]) == 0
        fresh = ["dataset", "-o", str(tmp_path / (spec + games)), "--players", "random", "--teacher", spec]
        assert main(fresh + ["--games", games]) == 0
        lessons, others = open_dataset(tmp_path / "set").lessons, open_dataset(tmp_path / (spec + games)).lessons
        assert len(lessons.ends) == int(games) + 1
        assert all(map(np.array_equal, lessons, others))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no zip"])
def test_broken_points(folder, tmp_path, data):
    shutil.copytree(str(folder), str(tmp_path / "set"))
    lessons_path(tmp_path / "set", "games-0000.mjg").write_bytes(data)
    with pytest.raises(ProtocolError, match="expected the points of the teacher"):
        open_dataset(tmp_path / "set")


def test_several_sets_are_one(folder, tmp_path):
    other = tmp_path / "other"
    assert main(["dataset", "-o", str(other), "--players", "random", "--games", "9", "--teacher", TEACHER]) == 0
    joined = open_datasets([folder, other])
    assert len(joined.games.heads) == 49

    def list_rows(dataset):
        return sorted(observation.tobytes() + regret.tobytes() for split in SPLITS
                      for batch in dataset.batches(split, 100, seed=3, augment=False)
                      for observation, regret in zip(batch.observation, batch.regret))

    assert list_rows(joined) == sorted(list_rows(open_dataset(folder)) + list_rows(open_dataset(other)))
    plain = tmp_path / "plain"
    assert main(["dataset", "-o", str(plain), "--players", "random", "--games", "4"]) == 0
    with pytest.raises(ProtocolError, match="in all sets or in none"):
        open_datasets([folder, plain])
    assert joined.card["teacher"]["player"] == TEACHER


def test_without_a_teacher(tmp_path):
    assert main(["dataset", "-o", str(tmp_path / "set"), "--players", "random", "--games", "4"]) == 0
    for batch in open_dataset(tmp_path / "set").batches("train", 100, seed=0):
        assert batch.regret.shape == (len(batch.action), 0)


@pytest.mark.parametrize("teacher", ["random", "search:depth=3"])
def test_no_teacher(teacher, tmp_path, capsys):
    assert main(["dataset", "-o", str(tmp_path / "set"), "--players", "random", "--teacher", teacher]) == 2
    assert "expected" in capsys.readouterr().err and not (tmp_path / "set").exists()
