"""Worker processes: they end at once, and what goes wrong in one comes out."""

import os

import pytest

from mj_bot.lab.run.workers import run_in_order
from mj_bot.mahjong.errors import MahjongError


def test_results_stop_when_nobody_wants_more():
    results = run_in_order(divmod, ((number, 7) for number in range(10 ** 9)), 2)
    assert {next(results) for _ in range(5)} <= {divmod(number, 7) for number in range(50)}
    results.close()


def test_long_messages_are_broken_off_at_any_time():
    """Workers that shared a pipe and were ended in the midst of a message left others waiting for ever: here are
    tasks and results that fill a pipe many times."""
    for wanted in (0, 1, 3):
        results = run_in_order(bytes.upper, ((b"a" * 3_000_000,) for _ in range(10 ** 9)), 2)
        for _ in range(wanted):
            assert next(results) == b"A" * 3_000_000
        results.close()


def test_a_worker_that_dies_is_told():
    with pytest.raises(MahjongError, match="expected the worker processes to live, one died"):
        list(run_in_order(os._exit, [(3,)], 2))


def test_an_error_in_a_task_comes_out():
    with pytest.raises(ZeroDivisionError):
        list(run_in_order(divmod, [(1, 1), (1, 0)], 2))
