"""Decisions of a set as Parquet."""

import json
import sys

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from mj_bot.lab.dataset import open_dataset
from mj_bot.lab.dataset.dataset_export import name_action
from mj_bot.mahjong.action import ACTION_COUNT
from mj_bot.observation.layout import OBSERVATION_SIZE, field


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Returns the folder of a set with a few games."""
    folder = str(tmp_path_factory.mktemp("set") / "set")
    assert main(["dataset", "-o", folder, "--players", "random", "--games", "8", "--random-share", "0.2",
                 "--workers", "1"]) == 0
    return folder


def test_parquet(folder, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="no pyarrow: expected the extra parquet")
    path = tmp_path / "decisions.parquet"
    assert main(["dataset", "export", folder, "-o", str(path)]) == 0
    table, source = parquet.read_table(path), open_dataset(folder)
    card = json.loads(path.with_suffix(".json").read_text())
    rows = table.to_pylist()
    assert table.num_rows == card["rows"] == source.card["decisions"] and list(card["columns"]) == table.column_names
    assert json.loads(table.schema.metadata[b"mj_bot"])["observation"] == card["observation"]
    assert sum(row["is_random"] for row in rows) == source.card["random_actions"]
    assert all(row["action"] in row["legal"] and len(row["legal"]) > 1 for row in rows)
    assert [row["game"] for row in rows] == sorted(row["game"] for row in rows)
    observations = np.array([row["observation"] for row in rows], np.uint8)
    assert observations.shape[1] == OBSERVATION_SIZE
    assert (field(observations, "seat_wind")[:, 0] == [row["seat"] for row in rows]).all()
    task = next(entry for entry in card["observation"] if entry["name"] == "hand")
    assert (observations[0, task["first"]:][:34] == field(observations, "hand")[0]).all()
    # The same decisions as in the batches for training.
    batches = [batch for split in ("train", "valid", "test") for batch in source.batches(split, 500, 0, augment=False)]
    assert sorted(row["action"] for row in rows) == sorted(np.concatenate([batch.action for batch in batches]).tolist())
    assert sum(row["score"] for row in rows) == sum(int(batch.score.sum()) for batch in batches)


def test_without_pyarrow_or_with_another_name(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name, message in (("a.parquet", "dataset: expected the package pyarrow, which is not installed; run"),
                          ("a.csv", "expected a file name that ends in .parquet, got")):
        assert main(["dataset", "export", folder, "-o", str(tmp_path / name)]) == 2
        assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_every_action_has_a_name():
    names = [name_action(index) for index in range(ACTION_COUNT)]
    assert len(set(names)) == ACTION_COUNT
