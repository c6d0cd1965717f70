"""Worker processes: they end at once, and what goes wrong in one comes out."""

import os
import signal
import subprocess
import sys
import time

import pytest

from handin import REPOSITORY
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


def test_workers_without_work_end_with_a_killed_parent(tmp_path):
    """Each printed the traceback of a pipe that had ended, and one more of the signal that came meanwhile."""
    script = tmp_path / "killed.py"
    script.write_text("""import os, signal
from mj_bot.lab.run.workers import WorkerPool

if __name__ == "__main__":
    with WorkerPool(divmod, 2) as pool:
        print(*pool.run_tasks([(7, 2), (9, 3)]), flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
""")
    ended = subprocess.run([sys.executable, str(script)], env=dict(os.environ, PYTHONPATH=str(REPOSITORY)),
                           capture_output=True, text=True)
    assert "(3, 1)" in ended.stdout and not ended.stderr
