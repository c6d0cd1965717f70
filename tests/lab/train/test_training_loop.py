"""The training loop: an interrupted run gives the same network, checkpoints, and refused input."""

import json
import pickle
import signal
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="no torch: training is not tested; `make train` installs it")

from mj_bot.lab.__main__ import main
from mj_bot.lab.dataset import open_dataset
from mj_bot.lab.train import checkpoint, training_loop
from mj_bot.lab.train.checkpoint import load_checkpoint, save_checkpoint
from mj_bot.lab.train.exported import export_network
from mj_bot.lab.train.training_loop import TrainingSettings, Training, compute_rate
from mj_bot.lab.train.recipe import change_schedule
from mj_bot.lab.train.recipes.ours import Ours
from mj_bot.mahjong.errors import MahjongError, ModelMismatchError, ProtocolError
from mj_bot.tactic import load_tactic
from tests.lab.train.batches import check_alike

SETTINGS = TrainingSettings(samples=600, seed=3, device="cpu", precision="float32")


class Tiny(Ours):
    """Small enough for tests."""

    name = "tiny"
    channels, blocks = 8, 1
    schedule = replace(Ours.schedule, batch_size=30)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A set of a few games of random play."""
    folder = tmp_path_factory.mktemp("sets") / "random"
    assert main(["dataset", "-o", str(folder), "--players", "random", "--games", "24", "--seed", "3",
                 "--workers", "1"]) == 0
    return folder


def train(data, folder, settings=SETTINGS):
    training = Training(Tiny(), open_dataset(data), folder, settings=settings)
    pace = training.run()
    return training, pace


def read_tensors(folder):
    return load_checkpoint(folder)[1]


@pytest.mark.usefixtures("interruptible_process")
@pytest.mark.parametrize("stop, samples, error", [
    (lambda: signal.raise_signal(signal.SIGINT), 150, KeyboardInterrupt), (lambda: 1 / 0, 0, ZeroDivisionError)])
def test_a_checkpoint_has_whole_steps(data, tmp_path, monkeypatch, stop, samples, error):
    """A checkpoint had a step of the optimiser that was not counted, and the step was taken again."""
    step = Training._step

    def stop_after(training, batch):
        losses = step(training, batch)
        if training.samples == 120:
            stop()
        return losses

    monkeypatch.setattr(Training, "_step", stop_after)
    with pytest.raises(error):
        train(data, tmp_path)
    kept = checkpoint.has_checkpoint(tmp_path)
    assert (load_checkpoint(tmp_path)[0]["samples"] if kept else 0) == samples


def test_a_run_begins_with_the_given_weights(data, tmp_path):
    former, path = train(data, tmp_path / "former")[0].network, str(tmp_path / "former.npz")
    export_network(former, path, {}, precision="float32")
    settings = SETTINGS._replace(start=path)
    network = Training(Tiny(), open_dataset(data), tmp_path / "next", settings=settings).network
    assert torch.equal(network.policy_suits.weight, former.policy_suits.weight)
    wide = Tiny()
    wide.channels = 16
    with pytest.raises(ModelMismatchError, match="expected weights of the recipe tiny, got a network of .*former.npz"):
        Training(wide, open_dataset(data), tmp_path / "wide", settings=settings)
    # A run that went on wanted its file again.
    train(data, tmp_path / "next", settings._replace(minutes=1e-9))
    (tmp_path / "former.npz").unlink()
    assert train(data, tmp_path / "next", settings)[1].is_done


def test_an_interrupted_run_gives_the_same_network(data, tmp_path):
    whole, pace = train(data, tmp_path / "whole")
    assert pace.is_done and whole.samples == 600
    for _ in range(3):
        training, pace = train(data, tmp_path / "parts", SETTINGS._replace(minutes=1e-9))
        assert not pace.is_done and pace.samples == 30
    assert training.samples == 90
    train(data, tmp_path / "parts")
    _, tensors = check_alike(tmp_path / "whole", tmp_path / "parts")
    other, _ = train(data, tmp_path / "other", SETTINGS._replace(seed=4))
    name = "network.policy_suits.weight"
    assert not torch.equal(read_tensors(tmp_path / "other")[name], tensors[name])


def test_another_run_in_the_same_folder_is_refused(data, tmp_path):
    train(data, tmp_path, SETTINGS._replace(samples=30))
    with pytest.raises(ProtocolError, match=r"got others \(there -> now\): samples_in_all 30 -> 60;"):
        train(data, tmp_path, SETTINGS._replace(samples=60))


def test_weights_that_are_no_numbers_are_not_saved(data, tmp_path):
    training, _ = train(data, tmp_path, SETTINGS._replace(minutes=1e-9))
    kept = read_tensors(tmp_path)
    training.network.policy_suits.bias.data[0] = torch.nan
    with pytest.raises(MahjongError, match="others in policy_suits.bias after 30 samples"):
        training._save()
    assert torch.equal(read_tensors(tmp_path)["network.policy_suits.bias"], kept["network.policy_suits.bias"])


def test_a_kill_while_a_checkpoint_is_replaced(tmp_path):
    """The older one stays until the new one is whole."""
    save_checkpoint(tmp_path, {"samples": 5}, {})
    with pytest.raises((AttributeError, pickle.PicklingError)):
        save_checkpoint(tmp_path, {"samples": 6}, {"a": lambda: None})
    (tmp_path / "checkpoint.pt.tmp").write_bytes(b"half")
    assert load_checkpoint(tmp_path)[0]["samples"] == 5
    tensors = {"one": torch.arange(100), "other": torch.arange(3.0)}
    save_checkpoint(tmp_path, {"samples": 6, "start": None, "schedule": {"rate": 0.5, "optimiser": "sgd"}}, tensors)
    state, found = load_checkpoint(tmp_path)
    assert state["samples"] == 6 and state["start"] is None and state["schedule"] == {"rate": 0.5, "optimiser": "sgd"}
    assert all(torch.equal(found[name], tensor) for name, tensor in tensors.items())
    # A run removes what a killed process has left, when it is opened.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint.pt", "checkpoint.pt.tmp"]


def test_checkpoints_of_another_version(tmp_path, monkeypatch):
    save_checkpoint(tmp_path, {"view_version": 1}, {})  # what earlier runs have in place of observation_version
    assert load_checkpoint(tmp_path)[0]["observation_version"] == 1
    save_checkpoint(tmp_path, {"view_version": 2}, {})
    with pytest.raises(ModelMismatchError, match="today's observation_version, got another"):
        load_checkpoint(tmp_path)
    monkeypatch.setattr(checkpoint, "INPUTS", ["moon"])
    save_checkpoint(tmp_path, {}, {})
    monkeypatch.undo()
    with pytest.raises(ModelMismatchError, match="today's plane_names, got another .*train export FOLDER -o NEW.npz"):
        load_checkpoint(tmp_path)
    with pytest.raises(ModelMismatchError, match="expected a checkpoint, got"):
        load_checkpoint(tmp_path / "b")


def test_the_first_checkpoint_comes_early(data, tmp_path, monkeypatch):
    """A run was five minutes old before it could be continued after a kill."""
    saved = []
    monkeypatch.setattr(training_loop, "_FIRST_SAVE_SECONDS", 0)
    monkeypatch.setattr(Training, "_save", lambda training: saved.append(training.samples))
    training, _ = train(data, tmp_path)
    assert saved == [training.recipe.schedule.batch_size, training.samples]


def test_a_schedule_is_changed_by_name():
    schedule = Tiny.schedule
    changed = change_schedule(schedule, [("schedule", "rate", "1"), ("schedule", "batch_size", "2e2"),
                                         ("schedule", "optimiser", "sgd")])
    assert changed == replace(schedule, rate=1.0, batch_size=200, optimiser="sgd")
    for change, message in ((("schedule", "rte", "1"), "did you mean 'rate'"), (("run", "rate", "1"), "schedule"),
                            (("schedule", "rate", "fast"), "value of type float"),
                            (("schedule", "optimiser", "adam"), "adamw or sgd"),
                            (("schedule", "batch_size", "0"), "1 .. 1048576"), (("schedule", "rate", "nan"), "1e-12")):
        with pytest.raises(MahjongError, match=message):
            change_schedule(schedule, [change])


def test_rates_rise_and_fall():
    schedule = replace(Ours.schedule, rate=1.0, warmup=0.1)
    rates = [compute_rate(schedule, share) for share in (0, 0.05, 0.1, 0.55, 1.0)]
    assert rates == pytest.approx([1e-3, 0.501, 1.0, 0.5, 0.0])


def test_the_commands(data, tmp_path, capsys):
    """Trains, reports, exports; the tactic loads the exported file."""
    run, weights = str(tmp_path / "run"), str(tmp_path / "small.npz")
    words = ["train", "small", "--data", str(data), "--output", run, "--samples", "100",
             "--set", "schedule.batch_size=50", "--device", "cpu", "--precision", "bfloat16"]
    assert main(words) == 0
    shown = capsys.readouterr().out
    assert "100 of 100 samples" in shown and "| run | 497,688 | 100 of 100 |" in shown
    assert main(["train", "report", run, "--json", str(tmp_path / "rows.json")]) == 0
    table = capsys.readouterr().out
    assert "| run | 497,688 |" in table
    assert main(["train", "report", str(tmp_path / "rows.json")]) == 0
    assert capsys.readouterr().out == table
    (tmp_path / "other.json").write_text('[{"name": "start"}]')
    for path in (tmp_path, tmp_path / "other.json"):
        assert main(["train", "report", str(path)]) == 2
        assert "expected the folder of a run" in capsys.readouterr().err
    assert main(["train", "evaluate", run, "--data", str(data), "--split", "train", "--device", "cpu"]) == 0
    assert main(["train", "export", run, "-o", weights]) == 0
    assert main(["train", "export", run, "-o", str(tmp_path / "whole.npz"), "--precision", "float32"]) == 0
    assert main(["train", "export", str(tmp_path / "whole.npz"), "-o", str(tmp_path / "again.npz")]) == 0
    assert (tmp_path / "again.npz").read_bytes() == (tmp_path / "small.npz").read_bytes()
    card = json.loads((tmp_path / "small.json").read_text())
    assert card["recipe"] == "small" and card["samples"] == 100 and card["data"] and card["precision"] == "int16"
    load_tactic("cnn", weights=weights)
    assert main(["train", "smal", "--data", str(data), "--output", run]) == 2
    assert "did you mean 'small'?" in capsys.readouterr().err


def test_a_weight_file_that_cannot_be_written_is_refused_first(tmp_path, capsys):
    """It was found out after `--values` had fitted for minutes."""
    assert main(["train", "export", "none", "-o", str(tmp_path / "none" / "a.npz")]) == 2
    assert "expected a file in a folder that is there" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seed=-1", "--seed=2e9", "--threads=-1"])
def test_options_out_of_range_are_a_line(option, capsys):
    """They ended in tracebacks of numpy and torch."""
    with pytest.raises(SystemExit):
        main(["train", "small", "--data", "none", "--output", "none", option])
    assert "train: %s: expected" % option.partition("=")[0] in capsys.readouterr().err
