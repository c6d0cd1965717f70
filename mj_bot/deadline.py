"""Tells how long this process has run, and ends calls at a deadline."""

import os
import select
import signal
import time
from typing import IO, Any, Callable

# A call is checked every 0.1 seconds. If a compiler runs at a check, the time since the last check does not count.
# Each check after the deadline interrupts the call again: the call may have caught the interrupt before, and Python
# drops one that is raised in a callback of an import.
_REPEAT = 0.1
# A call may catch every interrupt, for example by `except: continue` in a loop. So after the first interrupts the delay
# is 1 .. _SHORT_DELAYS times _SHORT_DELAY seconds, so that one of them hits the handler itself.
_FIRST_INTERRUPTS = 5
_SHORT_DELAY = 1e-5
_SHORT_DELAYS = 20
# An alarm may come this many seconds early.
_ROUNDING = 0.001
_COMPILERS = ("numba.", "llvmlite.")
# A process that has run for more seconds waited for something else, or runs in a container whose clocks differ.
_OLDEST = 10
# The start time is at this index among the words of /proc/self/stat after the name, in clock ticks since the start of
# the machine.
_STARTED = 19


class BudgetExceeded(BaseException):
    """Says that the tactic's time is up. This is no Exception: a tactic's own `except Exception` must not catch it."""


def read_process_age() -> float:
    """Returns the seconds since this process was started, 0.0 if that is unknown or was long ago.

    Source: Linux, man 5 proc.
    """
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[_STARTED])
        with open("/proc/uptime") as file:
            uptime = float(file.read().split()[0])
        age = uptime - ticks / os.sysconf("SC_CLK_TCK")
        return age if 0 < age < _OLDEST else 0.0
    except (AttributeError, IndexError, OSError, ValueError):
        return 0.0


def wait_for_input(stream: IO) -> float:
    """Waits until a stream with a file number can be read, and returns the seconds that this took."""
    try:
        if select.select([stream], [], [], 0)[0]:
            return 0.0
        start = time.perf_counter()
        select.select([stream], [], [])
        return time.perf_counter() - start
    except (OSError, TypeError, ValueError):
        return 0.0


def call_until(deadline: float, function: Callable, *args: Any) -> Any:
    """Returns the result of function(*args), and interrupts the call at a deadline.

    deadline: in seconds of time.perf_counter(). The time in which numba compiles does not count.
    Raises BudgetExceeded: the deadline has come. A call into C is interrupted only when it returns. There is no
        interrupt outside the main thread and on systems without this alarm.
    """
    last = time.perf_counter()
    # This counts the interrupts.
    late = 0
    limit = "expected an answer within %g s" % round(deadline - last, 2)
    if last >= deadline:
        raise BudgetExceeded("no time left")

    def ring(signal_number, frame):
        nonlocal deadline, last, late
        now = time.perf_counter()
        if frame.f_code is call_until.__code__:
            # The function has returned.
            pass
        elif _is_compiling(frame):
            deadline += now - last
        elif now > deadline - _ROUNDING:
            late += 1
            if late > _FIRST_INTERRUPTS:
                signal.setitimer(signal.ITIMER_REAL, _SHORT_DELAY * (1 + late % _SHORT_DELAYS), _REPEAT)
            raise BudgetExceeded(limit)
        last = now

    try:
        previous = signal.signal(signal.SIGALRM, ring)
    except (AttributeError, ValueError):
        return function(*args)
    try:
        # The alarm rings every _REPEAT seconds, and one of these rings is at the deadline.
        signal.setitimer(signal.ITIMER_REAL, (deadline - last) % _REPEAT or _REPEAT, _REPEAT)
        return function(*args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def _is_compiling(frame):
    """Checks whether a compiler is at work. An interrupted compiler leaves its functions half made."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_COMPILERS):
            return True
        frame = frame.f_back
    return False
