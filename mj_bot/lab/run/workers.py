"""Runs tasks in worker processes of this machine.

Each worker has its own pipe and shares no thread or lock, so it can be ended at any time, even while it sends.
"""

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from functools import partial
from itertools import islice
from multiprocessing.connection import wait

from ... import QUIET
from ...mahjong.errors import MahjongError
from .command import repeat_when_lost

_STOP_SECONDS = 2  # until a worker is killed that does not end by itself, as inside a compiler


def run_in_order(play, tasks, workers):
    """As WorkerPool.run_tasks, in the order of the tasks, with workers for these tasks only."""
    early, due = {}, 0
    with WorkerPool(partial(_play_numbered, play), workers) as pool, \
            contextlib.closing(pool.run_tasks(enumerate(tasks))) as results:
        for number, result in results:
            early[number] = result
            while due in early:
                yield early.pop(due)
                due += 1


def _play_numbered(play, number, task):
    return number, play(*task)


class WorkerPool(contextlib.AbstractContextManager):
    """Workers for several runs of tasks, a context manager.

    play: a function that can be pickled. workers: number of processes; 0 and 1 work in this process.
    """

    def __init__(self, play, workers):
        self._play, self._workers = play, workers
        self._processes = {}  # by pipe
        self._idle = []

    def __exit__(self, *details):
        self._dismiss(list(self._processes))

    def run_tasks(self, tasks):
        """Yields play(*task) for every task, in the order of completion; reads the iterable as needed.

        Closing the generator ends the running tasks.
        Raises MahjongError: a worker process died. Exceptions of play.
        """
        if self._workers <= 1:
            for task in tasks:
                yield self._play(*task)
            return
        tasks = iter(tasks)
        busy = set()
        try:
            for task in islice(tasks, self._workers):
                self._hand_out(task, busy)
            while busy:
                for pipe in wait(list(busy)):
                    is_done, result = pipe.recv()
                    if not is_done:
                        raise result
                    busy.remove(pipe)
                    self._idle.append(pipe)
                    for task in islice(tasks, 1):
                        self._hand_out(task, busy)
                    yield result
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise MahjongError("expected the worker processes to live, one died") from None
        finally:
            self._dismiss(busy)

    def _hand_out(self, task, busy):
        pipe = self._idle.pop() if self._idle else self._start()
        busy.add(pipe)
        pipe.send(task)

    def _start(self):
        context = multiprocessing.get_context("spawn")
        pipe, far_end = context.Pipe()
        process = context.Process(target=_work, args=(self._play, far_end), daemon=True)
        # Workers share the processors: threads of numpy and torch would wait for each other. A worker loads numpy
        # before it comes to its own lines.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        process.start()
        os.environ[QUIET] = "1"  # only the first worker says that it compiles
        far_end.close()
        self._processes[pipe] = process
        return pipe

    def _dismiss(self, pipes):
        """Ends workers: all hear of it before the first is waited for."""
        processes = [self._processes.pop(pipe) for pipe in pipes]
        for pipe, process in zip(pipes, processes):
            process.terminate()
            pipe.close()
        deadline = time.monotonic() + _STOP_SECONDS
        for process in processes:
            process.join(max(0, deadline - time.monotonic()))
            process.kill()
            process.join()


class _Terminated(BaseException):
    """Ends a game and the processes of its outside bots. Not an Exception: players catch those."""


def _work(play, pipe):
    """Runs tasks until the worker is terminated or its parent ends. Ctrl-C and SIGHUP are for the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    # The end of the parent ends the pipe too, at about the same time.
    with contextlib.suppress(_Terminated), contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        signal.signal(signal.SIGTERM, _terminate)
        repeat_when_lost(_Terminated, signal.SIGTERM)
        threading.Thread(target=_follow_parent, daemon=True).start()
        while True:
            task = pipe.recv()
            try:
                answer = True, play(*task)
            except Exception as error:  # the parent raises it
                error.add_note("in a worker process:\n" + traceback.format_exc())
                answer = False, error
            pipe.send(answer)
    os._exit(1)


def _terminate(signum, frame):
    raise _Terminated


def _follow_parent():
    multiprocessing.parent_process().join()
    os.kill(os.getpid(), signal.SIGTERM)
