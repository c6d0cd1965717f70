"""Carries out tasks in worker processes of this machine."""

import multiprocessing
import os
import signal
import threading
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from ...mahjong.errors import MahjongError

# Tasks handed out beyond those in hand, a worker: enough that none waits, few enough that stopping early wastes little.
_AHEAD = 2

# Of a worker process.
_play = None
_is_playing = False


def run_tasks(play, tasks, workers):
    """Yields play(*task) for every task, in the order they are done; tasks are taken from the iterable as they are
    needed.

    play: a function that can be pickled. workers: processes; with 1 all happens in this one.
    Closing the generator stops the work in hand.
    Raises MahjongError: a worker process died.
    """
    if workers == 1:
        for task in tasks:
            yield play(*task)
        return
    others = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (play,))
    is_done = False
    try:
        yield from _hand_out(executor, iter(tasks), workers * _AHEAD)
        is_done = True
    except BrokenProcessPool as error:
        raise MahjongError("expected the worker processes to live, one died: %s" % error) from None
    finally:
        if not is_done:
            # Before the shutdown, which then waits for the executor's own thread: left to itself, that thread races the
            # interpreter's exit for a pipe.
            for process in set(multiprocessing.active_children()) - others:
                process.terminate()
        executor.shutdown(cancel_futures=True)


def _hand_out(executor, tasks, window):
    pending = {executor.submit(_run, task) for task in islice(tasks, window)}
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        pending |= {executor.submit(_run, task) for task in islice(tasks, len(done))}
        for future in done:
            yield future.result()


def _begin(play):
    """Makes a worker ready: it leaves the keyboard's interrupt to its parent, and ends with it."""
    global _play
    _play = play
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _run(task):
    global _is_playing
    _is_playing = True
    try:
        return _play(*task)
    except _Terminated:
        os._exit(1)
    finally:
        _is_playing = False


class _Terminated(BaseException):
    """Leads out of a game, so that the processes of outside bots end with it. No Exception, which players catch."""


def _leave(signum, frame):
    if _is_playing:
        raise _Terminated
    os._exit(1)


def _follow_parent():
    multiprocessing.parent_process().join()
    os.kill(os.getpid(), signal.SIGTERM)
