"""Worker processes: they end at once, and what goes wrong in one comes out."""

import os
import signal
import subprocess
import sys
import time

import pytest

from mj_bot.lab.upload.pyz import PROJECT_FOLDER as REPOSITORY
from mj_bot.lab.run.workers import _STOP_SECONDS, run_in_order
from mj_bot.mahjong.errors import MahjongError


def test_results_stop_when_nobody_wants_more():
    results = run_in_order(divmod, ((number, 7) for number in range(10 ** 9)), 2)
    assert [next(results) for _ in range(5)] == [divmod(number, 7) for number in range(5)]
    results.close()


def test_long_messages_are_broken_off_at_any_time():
    """Workers that shared a pipe and were ended in the midst of a message left others waiting for ever: here are
    tasks and results that fill a pipe many times."""
    for wanted in (0, 1, 3):
        results = run_in_order(bytes.upper, ((b"a" * 3_000_000,) for _ in range(10 ** 9)), 2)
        for _ in range(wanted):
            assert next(results) == b"A" * 3_000_000
        results.close()


def test_workers_that_do_not_hear_are_ended_together():
    """Each was waited for before the next one heard of the end."""
    results = run_in_order(_work_deaf, [(0,)] + [(60,)] * 5, 4)
    next(results)
    start = time.monotonic()
    results.close()
    assert time.monotonic() - start < 2 * _STOP_SECONDS


def _work_deaf(seconds):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(seconds)


def test_a_worker_that_dies_is_told():
    with pytest.raises(MahjongError, match="expected the worker processes to live, one died"):
        list(run_in_order(os._exit, [(3,)], 2))


def test_an_error_in_a_task_comes_out():
    with pytest.raises(ZeroDivisionError):
        list(run_in_order(divmod, [(1, 1), (1, 0)], 2))


ENDLESS = """import os, sys, threading, time
from mj_bot.lab.run.command import compute_exit_code, unify_stop_signals
from mj_bot.lab.run.workers import run_in_order


def work(seconds):
    try:
        os.write(1, b"started\\n")
        time.sleep(seconds)
    finally:
        os.write(1, b"cleared\\n")


def main(seconds):
    if seconds:
        threading.Timer(float(seconds), os.kill, (os.getpid(), 9)).start()
    list(run_in_order(work, [(99,)] * 9, 2))


if __name__ == "__main__":
    unify_stop_signals()
    try:
        main(sys.argv[1])
    except KeyboardInterrupt as interrupt:
        sys.exit(compute_exit_code(interrupt))
"""


def _start(folder, *words):
    """Starts a command with two workers whose tasks do not end; its workers hold its outputs too."""
    if not (folder / "work.py").exists():
        (folder / "work.py").write_text(ENDLESS)
    return subprocess.Popen(
        [sys.executable, "work.py", *words], cwd=folder, env=dict(os.environ, PYTHONPATH=str(REPOSITORY)),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def test_workers_end_with_a_killed_parent_at_any_time(tmp_path):
    """A worker whose parent was killed in their start lived on for ever; so did 2 of 8 starts of `arena`."""
    delays = [0.01, 0.03, 0.06, 0.1, 0.15, 0.25, 0.5, 1]
    for process in [_start(tmp_path, str(delay)) for delay in delays]:
        output, _ = process.communicate(timeout=60)  # returns when the workers have ended too
        assert process.returncode == -signal.SIGKILL
        assert output.count("cleared") == output.count("started")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.usefixtures("interruptible_process")
def test_an_interrupt_ends_the_workers_and_prints_nothing(number, tmp_path):
    """A terminal sends its signals to the workers too. These end their tasks as errors do."""
    process = _start(tmp_path, "")
    lines = [process.stdout.readline(), process.stdout.readline()]
    start = time.monotonic()
    os.killpg(process.pid, number)
    output, errors = process.communicate(timeout=60)
    assert time.monotonic() - start < 2
    assert lines == ["started\n"] * 2 and output == "cleared\n" * 2
    assert (process.returncode, errors) == (128 + number, "")
