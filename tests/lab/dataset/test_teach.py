"""The teacher's points, as regrets in every transform."""

import json

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.dataset import build, open_dataset, open_datasets
from mj_bot.lab.dataset.reader import SPLITS
from mj_bot.lab.dataset.teach import REGRET_UNIT, MAX_REGRET, lessons_path, look_ahead_with, take_wins
from mj_bot.mahjong.action import WIN_INDEX
from mj_bot.mahjong.errors import ProtocolError
from mj_bot.network.ahead import compute_ahead_rows
from mj_bot.tactic import default_weights, read_weight_file
from mj_bot.tactic.base import value_decisions
from mj_bot.tactic.search import SearchTactic
from tests.lab.dataset.sets import play_observations

TEACHER = "search:correction=0,next_draw=0"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A set that the teacher itself played."""
    folder = tmp_path_factory.mktemp("sets") / "taught"
    assert main(["dataset", "-o", str(folder), "--players", TEACHER, "--games", "40", "--teacher", TEACHER,
                 "--workers", "1"]) == 0
    return folder


@pytest.mark.parametrize("augment", [False, True])
def test_regret_and_wins_in_every_transform(folder, augment):
    """The teacher's own actions are best. In a transform some hands have eight fan only in their own suits."""
    differ = decisions = 0
    for batch in open_dataset(folder).batches("train", 500, seed=1, augment=augment):
        rows = np.arange(len(batch.action))
        assert not batch.regret[rows, batch.action].any()
        assert (batch.regret[~batch.mask] == MAX_REGRET).all()
        can_win = batch.action == WIN_INDEX
        assert ((batch.regret[can_win] == MAX_REGRET).sum(1) == batch.regret.shape[1] - 1).all()
        found = take_wins(compute_ahead_rows(batch.observation)) * batch.mask
        differ += (batch.wins != found).any(1).sum()
        decisions += len(found)
    assert found.any() and differ <= decisions * augment / 200


def test_known_wins_are_not_computed_again():
    """Without them ready hands alone have wins."""
    observations = play_observations(1000, games=32, seed=6, player="search")[0]
    rows = compute_ahead_rows(observations)
    wins = take_wins(rows)
    assert (look_ahead_with(observations, wins) == rows).all()
    assert (take_wins(look_ahead_with(observations, 0 * wins)) < wins).any()


def test_points_are_those_of_the_teacher(folder):
    teacher = SearchTactic(correction=0, next_draw=0)
    batch = next(open_dataset(folder).batches("train", 1000, seed=2, augment=False))
    rows = ~batch.mask[:, WIN_INDEX]
    _, points = value_decisions(teacher, batch.observation, batch.mask)
    regret = np.where(batch.mask, points.max(1)[:, None], np.inf)[rows] - np.where(batch.mask, points, 0)[rows]
    near = regret < (MAX_REGRET - 1) * REGRET_UNIT
    assert near.sum() > 2000
    assert abs(regret[near] - REGRET_UNIT * batch.regret[rows][near]).max() <= REGRET_UNIT / 2 + 1e-6


def test_the_card_and_missing_points(folder):
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["teacher"]["player"] == TEACHER
    assert set(card["teacher"]) == {"player", "regret", "wins"}
    path = lessons_path(folder / "games-000000.npz")
    data = path.read_bytes()
    for broken in (b"", b"PK\x03\x04", b"no zip", None):
        path.unlink()
        if broken is not None:
            path.write_bytes(broken)
        with pytest.raises(ProtocolError, match="the points of the teacher .*teacher-000000"):
            open_dataset(folder)
    # The same command asks the teacher again, and only the teacher.
    assert main(["dataset", "-o", str(folder), "--players", TEACHER, "--games", "40", "--teacher", TEACHER,
                 "--workers", "1"]) == 0
    assert path.read_bytes() == data


def test_a_set_that_grows_and_another_teacher(tmp_path, monkeypatch):
    """The old points were kept, without those of the new games."""
    monkeypatch.setattr(build, "BLOCK", 4)
    words = ["dataset", "--workers", "1", "--players", "random", "-o", str(tmp_path / "set"), "--teacher"]
    for spec, games in ((TEACHER, "4"), (TEACHER, "6"), ("search:correction=0", "6")):
        assert main(words + [spec, "--games", games]) == 0
        fresh = [*words[:6], str(tmp_path / (spec + games)), "--teacher", spec]
        assert main(fresh + ["--games", games]) == 0
        lessons, others = open_dataset(tmp_path / "set").lessons, open_dataset(tmp_path / (spec + games)).lessons
        assert len(lessons.ends) == int(games) + 1
        assert all(map(np.array_equal, lessons, others))


def test_other_weights_are_another_teacher(tmp_path):
    """The card named the spec alone, and points of a file that was replaced since were kept."""
    path, folder = tmp_path / "a.npz", tmp_path / "set"
    words = ["dataset", "-o", str(folder), "--players", "random", "--games", "1", "--workers", "1", "--teacher",
             "cnn:%s" % path]
    path.write_bytes(read_weight_file(default_weights("cnn")))
    assert main(words) == 0
    lessons = lessons_path(folder / "games-000000.npz")
    former, taught = open_dataset(folder).card["teacher"]["player"], lessons.read_bytes()
    np.savez(path, **np.load(default_weights("cnn")))
    assert main(words) == 0
    assert open_dataset(folder).card["teacher"]["player"] != former and former.startswith("cnn:%s, weights " % path)
    assert lessons.read_bytes() != taught


def test_several_sets_are_one(folder, tmp_path):
    other = tmp_path / "other"
    assert main(["dataset", "-o", str(other), "--players", "random", "--games", "9", "--teacher", TEACHER,
                 "--workers", "1"]) == 0
    joined = open_datasets([folder, other])
    assert len(joined.games.heads) == 49

    def list_rows(dataset):
        return sorted(observation.tobytes() + regret.tobytes() for split in SPLITS
                      for batch in dataset.batches(split, 100, seed=3, augment=False)
                      for observation, regret in zip(batch.observation, batch.regret))

    assert list_rows(joined) == sorted(list_rows(open_dataset(folder)) + list_rows(open_dataset(other)))
    plain = tmp_path / "plain"
    assert main(["dataset", "-o", str(plain), "--players", "random", "--games", "4", "--workers", "1"]) == 0
    with pytest.raises(ProtocolError, match="in all sets or in none"):
        open_datasets([folder, plain])
    assert joined.card["teacher"]["player"] == TEACHER
