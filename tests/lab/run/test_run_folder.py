"""Runs: folders of whole parts, which one process at a time works in, and which only the same work continues."""

import gzip
import json
import os

import numpy as np
import pytest

from mj_bot.lab.run.files import write_whole
from mj_bot.lab.run.run_folder import RUN_FILE, RunFolder, is_run, list_parts, read_run
from mj_bot.mahjong.errors import MahjongError, ProtocolError

SETTINGS = {"seed": 1, "players": ("a", "b"), "schedule": {"rate": 0.5, "steps": {}}}
FIELDS = {"a": ("u1", (None,))}


def open_folder(path, version=3, **settings):
    return RunFolder(path, "match", version, settings=dict(SETTINGS, **settings))


@pytest.fixture
def folder(tmp_path):
    """A run with two parts and a fact."""
    with open_folder(tmp_path / "run") as run:
        run.write_json("part-0.json.gz", [1, {"b": "東"}])
        run.write_arrays("part-1.npz", {"a": np.arange(3, dtype=np.uint8)})
        run.note(parts=2)
    return tmp_path / "run"


def read_all(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "lock"}


def test_parts_and_facts_come_back(folder):
    before = read_all(folder)
    with open_folder(folder) as run:
        assert run.has("part-0.json.gz") and not run.has("part-2.npz") and run.notes == {"parts": 2}
        assert run.read_json("part-0.json.gz") == [1, {"b": "東"}]
        assert run.read_arrays("part-1.npz", 1000, FIELDS)["a"].tolist() == [0, 1, 2]
        assert list_parts(run.path, ".npz") == ["part-1.npz"]
    assert read_all(folder) == before and is_run(folder)
    data = read_run(folder, "match", 3)
    assert data["settings"] == json.loads(json.dumps(SETTINGS)) and data["command"].startswith("mj-bot")


def test_the_same_values_are_the_same_bytes(folder, tmp_path):
    with open_folder(tmp_path / "again") as run:
        run.write_json("part-0.json.gz", [1, {"b": "東"}])
        run.write_arrays("part-1.npz", {"a": np.arange(3, dtype=np.uint8)})
        run.note(parts=2)
    assert read_all(tmp_path / "again") == read_all(folder)


def test_other_settings_are_named_one_by_one(folder):
    """Two dictionaries were printed, and the reader had to find the difference."""
    before = read_all(folder)
    schedule = {"rate": 0.25, "clip": "x" * 100}
    with pytest.raises(ProtocolError) as caught:
        open_folder(folder, seed=2, schedule=schedule)
    text = str(caught.value)
    assert "(there -> now): seed 1 -> 2, schedule.rate 0.5 -> 0.25, schedule.steps {} -> nothing, " in text
    assert ', schedule.clip nothing -> "xxx' in text
    assert "players" not in text and "x..." in text and str(folder) in text
    assert read_all(folder) == before
    open_folder(folder).close()  # the lock is free


def test_settings_that_differ_only_after_the_shown_characters(folder):
    with open_folder(folder.with_name("long"), seed="x" * 100 + "1"):
        pass
    with pytest.raises(ProtocolError, match='seed "xxx'):
        open_folder(folder.with_name("long"), seed="x" * 100 + "2")


def test_settings_that_an_older_run_did_not_know(folder):
    def complete(settings):
        return dict({"new": 7}, **settings)

    RunFolder(folder, "match", 3, settings=dict(SETTINGS, new=7), complete=complete).close()
    with pytest.raises(ProtocolError, match="new 7 -> 8"):
        RunFolder(folder, "match", 3, settings=dict(SETTINGS, new=8), complete=complete)


@pytest.mark.parametrize("change, message", [
    ((b'"version": 3', b'"version": 4'), "version 3, got 'match', version 4"),
    ((b'"kind": "match"', b'"kind": "set"'), "kind 'match', version 3, got 'set'"),
    ((b"mj_bot run", b"novel"), "expected a file of format 'mj_bot run'"),
    ((b'"facts": {', b'"facts": 3, "x": {'), "expected a file of format"),
    ((b"{", b""), "expected the folder of a run with its run.json"),
])
def test_another_run_is_refused_and_stays(folder, change, message):
    path = folder / RUN_FILE
    path.write_bytes(path.read_bytes().replace(*change, 1))
    before = read_all(folder)
    with pytest.raises(ProtocolError, match=message):
        open_folder(folder)
    assert read_all(folder) == before


def test_a_folder_of_something_else_stays_as_it_is(tmp_path):
    (tmp_path / "photo.png").write_text("x")
    with pytest.raises(ProtocolError, match="expected a new or empty folder, or one with run.json, got 'photo.png' in"):
        open_folder(tmp_path)
    assert os.listdir(tmp_path) == ["photo.png"]


def test_what_a_kill_has_left_is_removed(folder):
    (folder / "part-2.npz.tmp").write_bytes(b"half")
    with open_folder(folder) as run:
        assert list_parts(folder, ".tmp") == [] and not run.has("part-2.npz")
    (folder.with_name("new")).mkdir()
    (folder.with_name("new") / "run.json.tmp").write_bytes(b"half")  # killed before the first file
    open_folder(folder.with_name("new")).close()


@pytest.mark.parametrize("data", [
    b"", b"no gzip", gzip.compress(b"[1")[:-3], gzip.compress(b"[1"), gzip.compress(b"[" * 10 ** 5),
    gzip.compress(b"[1]" * 99)[:20] + b"\xff" * 30],
    # The bytes have the time in them, and two processes must name a test the same.
    ids=["empty", "no gzip", "cut", "no JSON", "deep", "damaged"])
def test_broken_parts_are_refused_in_a_line(folder, data):
    for name in ("part-0.json.gz", "part-1.npz"):
        (folder / name).write_bytes(data)
    with open_folder(folder) as run:
        for name, read in (("part-0.json.gz", lambda: run.read_json("part-0.json.gz")),
                           ("part-1.npz", lambda: run.read_arrays("part-1.npz", 1000, FIELDS))):
            with pytest.raises(ProtocolError, match="expected a part of a run in .*%s .*makes it anew" % name):
                read()


def test_links_are_no_parts(folder, tmp_path):
    write_whole(tmp_path / "elsewhere.npz", b"x")
    (folder / "part-9.npz").symlink_to(tmp_path / "elsewhere.npz")
    with open_folder(folder):
        assert list_parts(folder, ".npz") == ["part-1.npz"]
        with pytest.raises(MahjongError, match="process %d" % os.getpid()):  # one at a time
            open_folder(folder)
