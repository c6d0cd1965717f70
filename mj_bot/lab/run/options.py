"""The options of all commands: their parser, whose errors are a line, the options that several commands have, numbers.

handin.py reads its options by this file too, so that it runs on Python 3.6.
"""

import argparse
import math
import os
import re

from ..words import LANGUAGES, get_language, say, speak

STDOUT = "-"  # the FILE of --json that stands for the standard output
_LONGEST = 10 ** 6  # seconds; alarms refuse far longer ones


class Parser(argparse.ArgumentParser):
    """A parser of a command. An error is a line of the form of the command's own: "arena: --walls: expected ..."."""

    def __init__(self, **options):
        super().__init__(**options)
        speak(get_language())  # argparse's words too

    def error(self, message):
        """Prints what is wrong as a line and ends the process with exit code 2."""
        of_option = re.fullmatch(r"argument (.*?): (.*)", message, re.DOTALL)
        text = "%s: %s" % (of_option.group(1), say(of_option.group(2))) if of_option else say(message)
        self.exit(2, "%s: %s\n" % (self.prog.partition(" ")[2], text))

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, "expected one of %s, got %r" % (
                ", ".join(map(str, action.choices)), value))

    def list_texts(self):
        """Returns (owner, attribute) of the texts of the help."""
        actions = [*self._actions, *(choice for action in self._actions
                                     for choice in getattr(action, "_choices_actions", ()))]
        return [(self, "description"), (self, "epilog"), *((action, "help") for action in actions)]

    def format_help(self):
        """Returns the help in the language of this process."""
        before = [(owner, name, getattr(owner, name)) for owner, name in self.list_texts()]
        for owner, name, text in before:
            setattr(owner, name, text and say(text))
        try:
            return super().format_help()
        finally:
            for owner, name, text in before:
                setattr(owner, name, text)


class PlayerParser(Parser):
    """A parser of a command for players: it takes --lang, and its help and errors are in that language."""

    def __init__(self, **options):
        super().__init__(**options)
        self.add_argument("--lang", choices=LANGUAGES, help="the language of the output (that of the system)")


class _Once(argparse.Action):
    """Stores the value of an option that may be given once."""

    _former = None

    def __call__(self, parser, options, value, option=None):
        if self._former is not None:
            raise argparse.ArgumentError(self, "expected it once, got %r and %r" % (self._former, value))
        self._former = value
        setattr(options, self.dest, value)


def add_tactic(parser, default, text="a tactic with its options (%(default)s)", metavar="TACTIC"):
    """Adds --tactic to a parser, which may be given once. text: of the help."""
    parser.add_argument("--tactic", action=_Once, default=default, metavar=metavar, help=text)


def add_output(parser, text, metavar="FOLDER", **options):
    """Adds -o and --output to a parser. text: of the help. options: of add_argument.

    The option is required, unless it has a default or `required` says otherwise.
    """
    if "default" not in options:
        options.setdefault("required", True)
    parser.add_argument("-o", "--output", metavar=metavar, help=text, **options)


def add_json(parser, text):
    """Adds --json [FILE] to a parser: the path, STDOUT where FILE is left out, None without the option.

    text: of the help.
    """
    parser.add_argument("--json", nargs="?", const=STDOUT, metavar="FILE", help=text)


def add_seed(parser, text, default=0, **options):
    """Adds --seed to a parser. text: of the help. options: of add_argument; the type is parse_seed unless given."""
    parser.add_argument("--seed", metavar="N", help=text, default=default, **dict({"type": parse_seed}, **options))


def add_time_limit(parser, text, default):
    """Adds --time-limit to a parser, in seconds. text: of the help."""
    parser.add_argument("--time-limit", type=parse_time, metavar="S", help=text, default=default)


def add_minutes(parser, text):
    """Adds --minutes to a parser: when a run stops, 0 after its first step, None for never. text: of the help."""
    parser.add_argument("--minutes", type=parse_minutes, metavar="M", help=text)


def add_workers(parser, default=None):
    """Adds --workers to a parser. default: the number of processes; None is one for each processor."""
    parser.add_argument("--workers", type=parse_count, default=default or os.cpu_count() or 1, metavar="N",
                        help="processes (%(default)s)")


def add_memory_limit(parser):
    """Adds --memory-limit to a parser: the MB that an outside bot may use, None for no limit."""
    parser.add_argument("--memory-limit", type=parse_count, metavar="MB", help="memory of an outside bot and its child "
                        "processes; Botzone allows 256 (no limit)")


def add_set(parser, text):
    """Adds --set to a parser, any number of times: a list of the results of parse_setting. text: of the help."""
    parser.add_argument("--set", type=parse_setting, action="append", default=[], metavar="TABLE.NAME=VALUE", help=text)


def parse_setting(text):
    """Returns (table, name, text of the value) of a changed setting.

    >>> parse_setting("run.games=2e4")
    ('run', 'games', '2e4')
    """
    setting = re.fullmatch(r"(\w+)\.(\w+)=(.*)", text.strip())
    if setting is None:
        raise argparse.ArgumentTypeError("expected TABLE.NAME=VALUE, got %r" % text)
    return setting.groups()


def parse_count(text):
    """Returns an option's number of 1 or more.

    Raises argparse.ArgumentTypeError, as every parse_x here does where the text is another one.

    >>> parse_count("16"), parse_count("5e6")
    (16, 5000000)
    """
    number = _parse_integer(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError("expected 1 or more, got %r" % text)
    return number


def parse_whole(text):
    """Returns an option's number of 0 or more."""
    number = _parse_integer(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError("expected 0 or more, got %r" % text)
    return number


def parse_seed(text):
    """Returns a seed 0 .. 2**30 - 1, which leaves room for the walls of a run."""
    seed = _parse_integer(text)
    if seed is None or not 0 <= seed < 1 << 30:
        raise argparse.ArgumentTypeError("expected a seed 0 .. 2**30 - 1, got %r" % text)
    return seed


def parse_wall_seed(text):
    """Returns the seed of a single wall, 0 .. 2**64 - 1."""
    seed = _parse_integer(text)
    if seed is None or not 0 <= seed < 1 << 64:
        raise argparse.ArgumentTypeError("expected a seed 0 .. 2**64 - 1, got %r" % text)
    return seed


def parse_number(text):
    """Returns a finite number."""
    number = _parse_float(text)
    if math.isinf(number) or math.isnan(number):
        raise argparse.ArgumentTypeError("expected a number, got %r" % text)
    return number


def parse_positive(text):
    """Returns a finite number above 0."""
    number = _parse_float(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError("expected a number above 0, got %r" % text)
    return number


def parse_share(text):
    """Returns a number 0 .. 1."""
    share = _parse_float(text)
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError("expected a share 0 .. 1, got %r" % text)
    return share


def parse_time(text):
    """Returns a time, in the unit of its option."""
    time = _parse_float(text)
    if not 0 < time <= _LONGEST:
        raise argparse.ArgumentTypeError("expected a time above 0, at most %d, got %r" % (_LONGEST, text))
    return time


def parse_minutes(text):
    """Returns a finite number of minutes, 0 or more."""
    minutes = _parse_float(text)
    if not 0 <= minutes < math.inf:
        raise argparse.ArgumentTypeError("expected 0 or more, got %r" % text)
    return minutes


def _parse_float(text):
    """Returns a number, NaN where the text is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _parse_integer(text):
    """Returns a whole number, None where the text is none; seeds of 64 bits do not pass through a float."""
    try:
        return int(text)
    except ValueError:
        number = _parse_float(text)
        return int(number) if number.is_integer() else None
