"""What the commands share: options, the end by an interrupt, the words that repeat a result."""

import argparse
import functools
import shlex
import sys

INTERRUPTED = 130
GOES_ON = "the same command goes on from there"


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


def parse_count(text):
    """The value of an option that is 1 or more, for argparse."""
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("expected 1 or more, got %r" % text)
    return count


def format_command(*words):
    """The command line of these words.

    >>> format_command("arena", "json:python3 bot.py", "--walls", 8)
    "python3 -m mj_bot.lab arena 'json:python3 bot.py' --walls 8"
    """
    return shlex.join(["python3", "-m", "mj_bot.lab", *map(str, words)])
