"""FoxThinker's networks: trained through the project's training, gone on with, measured, and at the table."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="no torch: fox is not trained")

from mj_bot.lab.guangdong import fox
from mj_bot.lab.guangdong.fox import FOX_RECIPES, FoxRecipe, RecordSet
from mj_bot.lab.commands.guangdong import main
from mj_bot.lab.guangdong.guangdong_players import load_player
from mj_bot.lab.guangdong.fox_records import DISCARD_COLUMN, SIZE, collect_records, read_records, write_records
from mj_bot.lab.guangdong.guangdong_rules import DEFAULTS
from mj_bot.lab.train.training_loop import Training, load_trained
from mj_bot.mahjong.errors import MahjongError
from tests.lab.guangdong.test_guangdong_players import play

SAMPLES = ["--samples", "2048", "--threads", "1"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("records") / "fox_records.npz"
    write_records(path, collect_records(load_player("shanten"), 5000, 3, settings=DEFAULTS))
    return str(path)


@pytest.fixture(scope="module")
def run(file, tmp_path_factory):
    folder = str(tmp_path_factory.mktemp("run") / "fox")
    assert main(["train", file, "--output", folder, *SAMPLES]) == 0
    return folder


@pytest.mark.slow
def test_the_measures_are_kept_with_the_run(run):
    result = json.loads(open(run + "/result.json", encoding="utf-8").read())
    assert result["records"] == 5000 and result["samples"] == 2048 and result["unseen"] == 1000
    assert 0.01 < result["discard_accuracy"] < 0.9 and result["waits_common"] > 0.4


def test_a_run_that_was_broken_off_gives_the_same_network(file, run, tmp_path):
    folder = str(tmp_path / "fox")
    words = ["train", file, "--output", folder, *SAMPLES]
    assert main([*words, "--minutes", "0"]) == 0
    assert main(words) == 0
    networks = (load_trained(path, FOX_RECIPES)[1] for path in (run, folder))
    assert all(map(torch.equal, *(network.parameters() for network in networks)))


def test_the_time_of_an_interrupted_call_counts(file, tmp_path, monkeypatch):
    """The minutes of the result were those since the last interrupt."""
    def stop(training):
        raise KeyboardInterrupt

    monkeypatch.setattr(Training, "run", stop)
    monkeypatch.setattr(fox.time, "process_time", iter([0.0, 90.0]).__next__)
    with pytest.raises(KeyboardInterrupt):
        main(["train", file, "--output", str(tmp_path / "fox"), *SAMPLES])
    assert json.loads((tmp_path / "fox/result.json").read_text())["processor_minutes"] == 1.5


def test_the_waits_network_sees_the_hand_after_the_discard(file):
    records = read_records(file)[:100]
    numbers = FoxRecipe().encode(torch.from_numpy(records), {}).numpy()
    assert numbers.shape == (100, 2, SIZE - 2) and np.array_equal(numbers[:, 0], records[:, :DISCARD_COLUMN])
    gone = numbers[:, 0] - numbers[:, 1]
    assert (gone.sum(1) == 1).all() and np.array_equal(gone.argmax(1), records[:, DISCARD_COLUMN])


@pytest.mark.parametrize("option", ["", ",waits=0"])
def test_the_player_discards_what_it_holds(run, option):
    play(load_player("fox:" + run + option), range(8), DEFAULTS, lambda table, actions: None)


def test_too_few_records_are_refused():
    with pytest.raises(MahjongError, match="expected more than 1000 records, got 0"):
        RecordSet(np.zeros((0, SIZE), np.uint8))
