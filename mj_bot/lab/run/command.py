"""Contains what all commands share: interrupts, closed streams, and the command line that repeats a result.

options.py next to this file has their options.
"""

import contextlib
import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from ...mahjong.errors import ProtocolError
from ...mahjong.fan import IS_AVAILABLE

# Most commands say this after an interrupt.
GOES_ON = "the same command goes on from there"
_STOPS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


def unify_stop_signals() -> None:
    """Makes SIGTERM and SIGHUP act as Ctrl-C does, unless they are ignored, as under nohup."""
    for stop_signal in _STOPS:
        if signal.getsignal(stop_signal) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(stop_signal, _interrupt)


def _interrupt(stop_signal, frame):
    raise KeyboardInterrupt(stop_signal)


def compute_exit_code(interrupt: KeyboardInterrupt) -> int:
    """Returns the exit code after a KeyboardInterrupt: 128 plus the number of its signal."""
    return 128 + (interrupt.args or (signal.SIGINT,))[0]


@contextlib.contextmanager
def delay_interrupts() -> Iterator[Callable[[], None]]:
    """Makes a context that delays a first Ctrl-C or other signal to stop; a second one is raised at once.

    The context gives a function that raises KeyboardInterrupt if a signal came. The end of the context raises it too.
    This works in the main thread only, and for signals that are not ignored: shells ignore Ctrl-C for background jobs.
    """
    came = []

    def note(stop_signal: int, frame: FrameType | None) -> None:
        check()
        came.append(stop_signal)

    def check() -> None:
        if came:
            raise KeyboardInterrupt(*came)

    is_main = threading.current_thread() is threading.main_thread()
    usual = {stop_signal: signal.getsignal(stop_signal) for stop_signal in _STOPS
             if is_main and signal.getsignal(stop_signal) in (_interrupt, signal.default_int_handler)}
    for stop_signal in usual:
        signal.signal(stop_signal, note)
    try:
        yield check
        check()
    finally:
        for stop_signal, handler in usual.items():
            signal.signal(stop_signal, handler)


def open_closed_streams() -> None:
    """Opens /dev/null for each of stdin, stdout and stderr that is closed.

    Otherwise print() to stderr writes to stdout, and C code takes the next file that is opened for stderr.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))
            os.set_inheritable(getattr(sys, name).fileno(), True)


def check_fan_counter() -> None:
    """Raises ProtocolError: MahjongGB, which counts fans, is not installed."""
    if not IS_AVAILABLE:
        raise ProtocolError("expected MahjongGB to count fans, it is not installed; see requirements.txt")


def format_command(*words: Any, **options: Any) -> str:
    """Returns a command line of mj-bot: words in order, then options by name; time_limit=5 is --time-limit 5."""
    pairs = [("--" + name.replace("_", "-"), value) for name, value in options.items()]
    return shlex.join(["mj-bot", *map(str, words), *(str(word) for pair in pairs for word in pair)])
