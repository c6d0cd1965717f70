"""How long a command takes is said after its first seconds."""

import contextlib
from types import SimpleNamespace

import pytest

from mj_bot.lab.run import progress


@pytest.mark.parametrize("total, most, told", [
    (100, None, ""), (1010, None, "work: 980 more games, about 2 minutes on this machine; after Ctrl-C"),
    (None, 1010, "work: 980 more games at most, about 2 minutes")])
def test_the_first_part_does_not_count(monkeypatch, capsys, total, most, told):
    """The first part took ten times as long as the others, as it loads and compiles. Short work is not announced."""
    clock = iter([30, 31, 33, 34])
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=clock.__next__))
    with progress.Progress(total, name="work", most=most) as bar:
        for count in (0, 10, 20, 10):
            bar.update(count)
    said = [line for line in capsys.readouterr().err.split("\r") if "work: " in line]
    assert len(said) == bool(told) and told in "".join(said)


@pytest.mark.usefixtures("capsys")
def test_the_rate_leaves_out_what_was_done_before():
    with progress.Progress(10) as bar:
        bar.skip(4)
        bar.update(2)
        assert (bar.n, bar.initial, bar.format_dict["n"]) == (6, 4, 6)


def test_curves_keep_what_was_written_before_an_interrupt(tmp_path, monkeypatch):
    """A run that went on from a checkpoint hid the figures of the checkpoint's own step."""
    pytest.importorskip("tensorboard", reason="no tensorboard: `make train` installs it")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.summary.writer.event_file_writer import AtomicCounter

    # Of files of one second the names count the writers of the process, and .10 would be read before .9.
    monkeypatch.setattr("tensorboard.summary.writer.event_file_writer._global_uid", AtomicCounter(0))
    for last, steps in ((0, (8, 16, 24)), (16, (24, 32))):
        with contextlib.closing(progress.open_events(tmp_path, last)) as writer:
            for step in steps:
                writer.add_scalar("games", last, step)
    found = EventAccumulator(str(tmp_path))
    found.Reload()
    assert [(point.step, point.value) for point in found.Scalars("games")] == [(8, 0), (16, 0), (24, 16), (32, 16)]
