"""Parts of all commands: interrupts, rules, the command line that repeats a result. options.py has their options."""

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
