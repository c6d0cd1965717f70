"""What the commands share: options, the end by an interrupt, the words that repeat a result."""

import argparse
import contextlib
import functools
import importlib
import os
import shlex
import signal
import sys
import threading

from ...mahjong.errors import MahjongError

INTERRUPTED = 130
GOES_ON = "the same command goes on from there"
# Seconds until a lost signal is sent again.
_SOON = 0.05


def interruptible(name, hint=GOES_ON):
    """Decorator of a command's main: an interrupt from the keyboard prints a line on stderr and returns 130.

    name: of the command. hint: what the line says after "NAME: interrupted; ".
    """
    def decorate(main):
        @functools.wraps(main)
        def run(argv):
            try:
                return main(argv)
            except KeyboardInterrupt:
                print("%s: interrupted; %s" % (name, hint), file=sys.stderr)
                return INTERRUPTED
        return run
    return decorate


@contextlib.contextmanager
def hold_interrupts():
    """A context in which an interrupt from the keyboard waits to be asked for; a second one is raised at once.

    Gives a function that raises KeyboardInterrupt where one came; so does the end. Only the main thread hears of any;
    ignored ones stay ignored, as shells have it for what runs behind them.
    """
    came = []

    def note(number, frame):
        if came:
            raise KeyboardInterrupt
        came.append(number)

    def ask():
        if came:
            raise KeyboardInterrupt

    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is not signal.default_int_handler:
        yield ask
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield ask
        ask()
    finally:
        signal.signal(signal.SIGINT, usual)


def repeat_when_lost(exception, number):
    """From now on sends this process signal `number` again where the `exception` that its handler raises is lost.

    Python prints and forgets what is raised where C calls it back, as numba's compiler does.
    """
    usual = sys.unraisablehook

    def hook(details):
        if details.exc_type is exception:
            # From another thread, so that it is not raised in here.
            threading.Timer(_SOON, os.kill, (os.getpid(), number)).start()
        else:
            usual(details)

    sys.unraisablehook = hook


def parse_count(text):
    """The value of an option that is 1 or more, for argparse; 5e6 is a number too."""
    number = float(text)
    # Not of nan, nor of inf.
    if not (number >= 1 and number % 1 == 0):
        raise argparse.ArgumentTypeError("expected 1 or more, got %r" % text)
    return int(number)


def parse_seed(text):
    """The value of an option that is a seed, for argparse: 0 .. 2**30 - 1, which leaves room for the walls of a run."""
    seed = int(text)
    if not 0 <= seed < 1 << 30:
        raise argparse.ArgumentTypeError("expected a seed 0 .. 2**30 - 1, got %r" % text)
    return seed


def parse_time(text):
    """The value of an option that is a time, for argparse: seconds or minutes above 0."""
    time = float(text)
    if not 0 < time < float("inf"):
        raise argparse.ArgumentTypeError("expected a time above 0, got %r" % text)
    return time


def load_rules(text, places):
    """(what belongs to rules, their settings as text) of rules written as NAME or NAME:SETTINGS.

    places: {name: "module:attribute"} of what belongs to them.
    Raises MahjongError: no such name.
    """
    name, _, settings = text.partition(":")
    if name not in places:
        raise MahjongError("expected rules, one of %s, got %r" % (", ".join(places), name))
    module_name, attribute = places[name].split(":")
    return getattr(importlib.import_module(module_name), attribute), settings


def format_command(*words):
    """The command line of these words.

    >>> format_command("arena", "json:python3 bot.py", "--walls", 8)
    "python3 -m mj_bot.lab arena 'json:python3 bot.py' --walls 8"
    """
    return shlex.join(["python3", "-m", "mj_bot.lab", *map(str, words)])
