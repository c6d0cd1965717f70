"""Parts of all commands: options, interrupts, the command line that repeats a result."""

import argparse
import contextlib
import functools
import os
import pkgutil
import shlex
import signal
import sys
import threading

from ...mahjong.errors import MahjongError, ProtocolError
from ...mahjong.fan import IS_AVAILABLE
from ..words import say

GOES_ON = "the same command goes on from there"
_LONGEST = 10 ** 6  # seconds; alarms refuse far longer ones
_STOPS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


def unify_stop_signals():
    """Makes SIGTERM and SIGHUP act as Ctrl-C does, unless they are ignored, as under nohup."""
    for number in _STOPS:
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _interrupt)


def _interrupt(number, frame):
    raise KeyboardInterrupt(number)


def compute_exit_code(interrupt):
    """Returns the exit code after a KeyboardInterrupt: 128 plus the number of its signal."""
    return 128 + (interrupt.args or (signal.SIGINT,))[0]


def interruptible(name, hint=GOES_ON):
    """Decorator of a command's main: Ctrl-C prints "NAME: interrupted; HINT" on stderr; returns the exit code."""
    def decorate(main):
        @functools.wraps(main)
        def run(argv):
            try:
                return main(argv)
            except KeyboardInterrupt as interrupt:
                print("%s: %s" % (name, say("interrupted; %s" % hint)), file=sys.stderr)
                return compute_exit_code(interrupt)
        return run
    return decorate


@contextlib.contextmanager
def delay_interrupts():
    """A context that delays a first Ctrl-C or other signal to stop; a second one is raised at once.

    Gives a function that raises KeyboardInterrupt if one came; so does the end of the context. It works in the main
    thread, and for signals that are not ignored, as shells ignore Ctrl-C for background jobs.
    """
    came = []

    def note(number, frame):
        check()
        came.append(number)

    def check():
        if came:
            raise KeyboardInterrupt(*came)

    if threading.current_thread() is not threading.main_thread():
        yield check
        return
    usual = {number: signal.getsignal(number) for number in _STOPS
             if signal.getsignal(number) in (_interrupt, signal.default_int_handler)}
    for number in usual:
        signal.signal(number, note)
    try:
        yield check
        check()
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def open_closed_streams():
    """Opens /dev/null in place of a missing stdin, stdout or stderr.

    Otherwise print() to stderr writes to stdout, and C takes the next file that is opened for stderr.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))
            os.set_inheritable(getattr(sys, name).fileno(), True)


def check_fan_counter():
    """Raises ProtocolError: MahjongGB, which counts fans, is not installed."""
    if not IS_AVAILABLE:
        raise ProtocolError("expected MahjongGB to count fans, it is not installed; see requirements.txt")


def add_workers(parser):
    """Adds the option --workers to a parser: one process for each processor."""
    parser.add_argument("--workers", type=parse_count, default=os.cpu_count() or 1, metavar="N",
                        help="processes (%(default)s)")


def add_memory_limit(parser):
    """Adds the option --memory-limit to a parser: the MB that an outside bot may use, without a limit by default."""
    parser.add_argument("--memory-limit", type=parse_count, metavar="MB", help="memory of an outside bot and its child "
                        "processes; Botzone allows 256 (no limit)")


def parse_count(text):
    """An option of 1 or more, for argparse; 5e6 is allowed."""
    number = float(text)
    if not (number >= 1 and number % 1 == 0):  # true for nan and inf too
        raise argparse.ArgumentTypeError("expected 1 or more, got %r" % text)
    return int(number)


def parse_seed(text):
    """A seed, for argparse: 0 .. 2**30 - 1, which leaves room for the walls of a run."""
    seed = int(text)
    if not 0 <= seed < 1 << 30:
        raise argparse.ArgumentTypeError("expected a seed 0 .. 2**30 - 1, got %r" % text)
    return seed


def parse_time(text):
    """A time in seconds or minutes, for argparse."""
    time = float(text)
    if not 0 < time <= _LONGEST:
        raise argparse.ArgumentTypeError("expected a time above 0, at most %d, got %r" % (_LONGEST, text))
    return time


def load_rules(text, places):
    """(attribute of places, settings as text) of rules written as NAME or NAME:SETTINGS.

    places: {name: "module:attribute"}. Raises MahjongError: no such name.
    """
    name, _, settings = text.partition(":")
    if name not in places:
        raise MahjongError("expected rules, one of %s, got %r" % (", ".join(places), name))
    return pkgutil.resolve_name(places[name]), settings


def format_command(*words, **options):
    """The command line of these words, and of options by their names.

    >>> format_command("fit", "tune", "json:python3 bot.py", "--walls", 8, check_walls=500)
    "mj-bot fit tune 'json:python3 bot.py' --walls 8 --check-walls 500"
    """
    pairs = [("--" + name.replace("_", "-"), value) for name, value in options.items()]
    return shlex.join(["mj-bot", *map(str, words), *(str(word) for pair in pairs for word in pair)])
