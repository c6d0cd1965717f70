"""Parts of all commands: options, interrupts, the command line that repeats a result."""

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
_RESEND_SECONDS = 0.05


def interruptible(name, hint=GOES_ON):
    """Decorator of a command's main: Ctrl-C prints "NAME: interrupted; HINT" on stderr and returns 130."""
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
def delay_interrupts():
    """A context that delays a first Ctrl-C; a second one is raised at once.

    Gives a function that raises KeyboardInterrupt if one came; so does the end of the context. It works in the main
    thread, and where interrupts are not ignored, as shells do for background jobs.
    """
    came = []

    def note(number, frame):
        check()
        came.append(number)

    def check():
        if came:
            raise KeyboardInterrupt

    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
        check()
    finally:
        signal.signal(signal.SIGINT, usual)


def repeat_when_lost(exception, number):
    """From now on sends this process signal `number` again if the `exception` of its handler is lost.

    Python prints and drops an exception that is raised in a callback from C, such as those of numba's compiler.
    """
    usual = sys.unraisablehook

    def hook(details):
        if details.exc_type is exception:
            # From another thread, so that it is not raised in this hook.
            threading.Timer(_RESEND_SECONDS, os.kill, (os.getpid(), number)).start()
        else:
            usual(details)

    sys.unraisablehook = hook


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
    if not 0 < time < float("inf"):
        raise argparse.ArgumentTypeError("expected a time above 0, got %r" % text)
    return time


def load_rules(text, places):
    """(attribute of places, settings as text) of rules written as NAME or NAME:SETTINGS.

    places: {name: "module:attribute"}. Raises MahjongError: no such name.
    """
    name, _, settings = text.partition(":")
    if name not in places:
        raise MahjongError("expected rules, one of %s, got %r" % (", ".join(places), name))
    module_name, attribute = places[name].split(":")
    return getattr(importlib.import_module(module_name), attribute), settings


def format_command(*words):
    """The command line of these words.

    >>> format_command("arena", "json:python3 bot.py", "--walls", 8)
    "mj-bot arena 'json:python3 bot.py' --walls 8"
    """
    return shlex.join(["mj-bot", *map(str, words)])
