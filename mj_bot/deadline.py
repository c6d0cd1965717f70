"""Time: how long this process has run, and calls that end at a deadline."""

import os
import select
import signal
import sys
import time

# Seconds between two checks of a call. If a compiler runs at a check, the time since the last check does not count.
# A call may catch its interrupt, and Python drops one that is raised in a callback of an import. So later checks
# interrupt the call again, each some lines later than the last one: a loop may have a bare except around most of its
# lines.
_REPEAT = 0.1
_LINES = 8
_ROUNDING = 0.001  # seconds by which an alarm may be early
_COMPILERS = ("numba.", "llvmlite.")
# Seconds; an older process waited for something else, or runs in a container whose clocks differ.
_OLDEST = 10
_STARTED = 19  # place of the start time in /proc/self/stat after the name, in clock ticks since the machine's start


class BudgetExceeded(BaseException):
    """The tactic's time is up. Not an Exception: a tactic's own `except Exception` must not catch it."""


def read_process_age():
    """Seconds since this process was started; 0.0 if that is unknown, or if the start was long ago.

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


def wait_for_input(stream):
    """Waits until a stream with a file number can be read; returns the seconds that took, 0.0 if it could at once."""
    try:
        if select.select([stream], [], [], 0)[0]:
            return 0.0
        start = time.perf_counter()
        select.select([stream], [], [])
        return time.perf_counter() - start
    except (OSError, TypeError, ValueError):
        return 0.0


def call_until(deadline, function, *args):
    """The result of function(*args).

    deadline: in seconds of time.perf_counter(). The time that numba compiles does not count.
    Raises BudgetExceeded: at the deadline. A call into C is interrupted only when it returns. There is no interrupt
        outside the main thread and on systems without this alarm.
    """
    last = time.perf_counter()
    late = 0  # checks after the deadline
    tracing = sys.gettrace()
    limit = "expected an answer within %g s" % round(deadline - last, 2)
    if last >= deadline:
        raise BudgetExceeded("no time left")

    def ring(signal_number, frame):
        nonlocal deadline, last, late
        now = time.perf_counter()
        if _is_compiling(frame):
            deadline += now - last
        elif now > deadline - _ROUNDING:
            late += 1
            _raise_later(frame, (late - 1) % _LINES, BudgetExceeded(limit))
        last = now

    try:
        previous = signal.signal(signal.SIGALRM, ring)
    except (AttributeError, ValueError):
        return function(*args)
    try:
        try:
            # Every _REPEAT, with one ring at the deadline.
            signal.setitimer(signal.ITIMER_REAL, (deadline - last) % _REPEAT or _REPEAT, _REPEAT)
            return function(*args)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        # Again: the alarm may ring just before it is turned off above. The next ring is then _REPEAT later.
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        sys.settrace(tracing)


def _raise_later(frame, lines, error):
    """Raises an error, in this frame or one that it calls or returns to, after some more lines; at once for 0."""
    if not lines:
        raise error

    def trace(frame, event, arg):
        nonlocal lines
        if frame.f_globals is globals():
            return None  # the next check
        lines -= event == "line"
        if not lines:
            raise error
        return trace

    sys.settrace(trace)
    while frame.f_code is not call_until.__code__:
        frame.f_trace = trace
        frame = frame.f_back


def _is_compiling(frame):
    """Whether a compiler is at work: an interrupted one leaves its functions half made."""
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(_COMPILERS):
            return True
        frame = frame.f_back
    return False
