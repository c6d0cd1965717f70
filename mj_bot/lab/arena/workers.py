"""Carries out tasks in worker processes of this machine.

Each worker has a pipe of its own, and no thread or lock is shared: a worker may be ended at any time, in the midst of a
message too, and nobody waits for the rest of it.
"""

import multiprocessing
import os
import signal
import threading
import traceback
from itertools import islice
from multiprocessing.connection import wait

from ...mahjong.errors import MahjongError

# Of a worker process.
_is_playing = False


def run_tasks(play, tasks, workers):
    """Yields play(*task) for every task, in the order they are done; tasks are taken from the iterable as they are
    needed.

    play: a function that can be pickled. workers: processes; with 1 all happens in this one.
    Closing the generator stops the work in hand.
    Raises MahjongError: a worker process died. Whatever play raises.
    """
    if workers == 1:
        for task in tasks:
            yield play(*task)
        return
    tasks = iter(tasks)
    crew = {}
    try:
        for task in islice(tasks, workers):
            process, pipe = _hire(play)
            crew[pipe] = process
            pipe.send(task)
        while crew:
            for pipe in wait(list(crew)):
                is_done, result = pipe.recv()
                if not is_done:
                    raise result
                for task in islice(tasks, 1):
                    pipe.send(task)
                    break
                else:
                    _dismiss(pipe, crew.pop(pipe))
                yield result
    except (EOFError, BrokenPipeError, ConnectionResetError):
        raise MahjongError("expected the worker processes to live, one died") from None
    finally:
        for pipe, process in crew.items():
            _dismiss(pipe, process)


def _hire(play):
    """(process, pipe to it) of a new worker."""
    context = multiprocessing.get_context("spawn")
    pipe, far_end = context.Pipe()
    process = context.Process(target=_work, args=(play, far_end), daemon=True)
    process.start()
    far_end.close()
    return process, pipe


def _dismiss(pipe, process):
    process.terminate()
    pipe.close()
    process.join()


def _work(play, pipe):
    """What a worker does: it leaves the keyboard's interrupt to its parent, and ends with it."""
    global _is_playing
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_follow_parent, daemon=True).start()
    while True:
        task = pipe.recv()
        _is_playing = True
        try:
            answer = True, play(*task)
        except _Terminated:
            os._exit(1)
        except Exception as error:  # the parent raises it
            error.add_note("in a worker process:\n" + traceback.format_exc())
            answer = False, error
        finally:
            _is_playing = False
        pipe.send(answer)


class _Terminated(BaseException):
    """Leads out of a game, so that the processes of outside bots end with it. No Exception, which players catch."""


def _leave(signum, frame):
    if _is_playing:
        raise _Terminated
    os._exit(1)


def _follow_parent():
    multiprocessing.parent_process().join()
    os.kill(os.getpid(), signal.SIGTERM)
