"""Runs tasks in worker processes of this machine, with concurrent.futures.

A pipe, here called the leash, leads from this process to every worker. When this process ends or closes the pipe, the
workers notice that and end. So no worker outlives a killed parent, and running tasks can be broken off.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import islice

from ... import QUIET
from ...mahjong.errors import MahjongError

_STOP_SECONDS = 1  # seconds after which a worker ends that no signal reaches, as inside a compiler
_PAUSE = 0.05  # seconds between two signals to a worker


def run_in_order(play: Callable, tasks: Iterable[tuple], workers: int) -> Iterator:
    """Yields play(*task) for every task, in the order of the tasks. The workers work for these tasks only.

    Closing the generator ends the running tasks.
    Raises MahjongError: a worker process died. Exceptions of play.
    """
    early, due = {}, 0
    with WorkerPool(partial(_play_numbered, play), workers) as pool, \
            contextlib.closing(pool.run_tasks(enumerate(tasks))) as results:
        for index, result in results:
            early[index] = result
            while due in early:
                yield early.pop(due)
                due += 1


def _play_numbered(play, index, task):
    return index, play(*task)


class WorkerPool(contextlib.AbstractContextManager):
    """Keeps workers for several runs of tasks; a context manager.

    play: a function that can be pickled. workers: number of processes; 0 and 1 work in this process.
    """

    def __init__(self, play: Callable, workers: int):
        self._play, self._workers = play, workers
        self._executor = self._leash = None

    def __exit__(self, *details):
        if self._executor:
            for end in self._leash:
                end.close()
            self._executor.shutdown(cancel_futures=True)
            self._executor = None

    def run_tasks(self, tasks: Iterable[tuple]) -> Iterator:
        """Yields play(*task) for every task, in the order of completion.

        tasks: argument tuples, read as needed. Closing the generator ends the running tasks.
        Raises MahjongError: a worker process died. Exceptions of play.
        """
        if self._workers <= 1:
            for task in tasks:
                yield self._play(*task)
            return
        tasks = iter(tasks)
        pending = set()
        try:
            while True:
                # Each worker has one more task waiting, so that it need not wait for this process.
                pending |= set(map(self._submit, islice(tasks, 2 * self._workers - len(pending))))
                if not pending:
                    break
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from [future.result() for future in done]
        except BrokenProcessPool:
            raise MahjongError("expected the worker processes to live, one died%s", _explain_death()) from None
        finally:
            if pending:
                self.__exit__()

    def _submit(self, task):
        """Gives a task to the workers, which the first task starts, and returns its Future."""
        if not self._executor:
            context = multiprocessing.get_context("spawn")
            with _block_terminal_signals():  # it starts Python's tracker of resources, which unblocks SIGINT here
                first = context.Semaphore(1)
            self._leash = context.Pipe(duplex=False)
            self._executor = ProcessPoolExecutor(
                self._workers, context, initializer=_prepare_worker, initargs=(self._leash[0], first))
        with _block_terminal_signals():  # it may start a worker
            return self._executor.submit(_run_task, self._play, task)


def _explain_death():
    """Returns why workers of a user's script cannot start, as the end of a sentence; "" for another reason."""
    main = sys.modules["__main__"]
    if not os.path.isfile(getattr(main, "__file__", None) or __file__):
        return ": other processes cannot import a script from stdin; write it to a file"
    if "mj_bot.lab.__main__" not in sys.modules:
        return '; in a script that starts workers all code must stand below if __name__ == "__main__":'
    return ""


@contextlib.contextmanager
def _block_terminal_signals():
    """Makes a context without the signals that a terminal sends to all processes of a command."""
    # Processes that are started in the context inherit the blocked signals.
    former = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, former)


class _Ended(BaseException):
    """Ends a task and the processes of its outside bots. It is not an Exception, because players catch those."""


def _prepare_worker(leash, first):
    """Prepares a worker before its first task."""
    # Workers share the processors: threads of numpy and torch would wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if not first.acquire(block=False):
        os.environ[QUIET] = "1"  # only one worker says that it compiles
    # A worker that ended while it sends a result would leave the parent with half of it.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, args=(leash,), daemon=True).start()


def _end_with_parent(leash):
    """Ends this process when the parent closes the leash."""
    with contextlib.suppress(EOFError):
        leash.recv()
    deadline = time.monotonic() + _STOP_SECONDS
    while time.monotonic() < deadline:
        os.kill(os.getpid(), signal.SIGTERM)  # ends the task; a worker may take one more from its queue
        time.sleep(_PAUSE)
    os._exit(1)


def _run_task(play, task):
    """Runs one task in a worker; SIGTERM breaks it off."""
    try:
        try:
            signal.signal(signal.SIGTERM, _end_task)
            return play(*task)
        finally:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
    except _Ended:
        os._exit(1)


def _end_task(stop_signal, frame):
    """Raises _Ended in the task that runs. It is the handler of SIGTERM, which is ignored from then on."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _Ended
