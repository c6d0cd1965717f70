"""Defines the parser of all commands, the options that several commands have, and the types of their values.

handin.py reads its options with this file too, so it runs on Python 3.6.
"""

import argparse
import math
import os
import re
from typing import Any, Callable, List, Optional, Tuple

from ..words import LANGUAGES, get_language, say, speak

STDOUT = "-"  # the FILE of --json that means the standard output
_LONGEST = 10 ** 6  # longest time of an option, in seconds; alarms refuse far longer ones


class Parser(argparse.ArgumentParser):
    """Parses the options of a command. An error is one line: "arena: --walls: expected ..."."""

    def __init__(self, **options):
        super().__init__(**options)
        self._commands = None
        speak(get_language())  # this translates argparse's own words

    def add_command(self, name: str, run: Callable, text: str, **texts: str) -> "Parser":
        """Adds a command and returns its parser, whose options have the function `run`.

        text: line of the help. texts: more arguments of the parser; the description is `text` unless it is one of them.
        """
        if self._commands is None:
            self._commands = self.add_subparsers(required=True, metavar="COMMAND")
        command = self._commands.add_parser(name, help=text, **dict({"description": text.capitalize() + "."}, **texts))
        command.set_defaults(run=run)
        return command

    def error(self, message: str):
        """Prints what is wrong as a line and ends the process with exit code 2."""
        of_option = re.fullmatch(r"argument (.*?): (.*)", message, re.DOTALL)
        text = "%s: %s" % (of_option.group(1), say(of_option.group(2))) if of_option else say(message)
        self.exit(2, "%s: %s\n" % (self.prog.partition(" ")[2], text))

    def _check_value(self, action, value):
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, say(
                "expected one of %s, got %r", ", ".join(map(str, action.choices)), value))

    def list_texts(self) -> List[Tuple[object, str]]:
        """Returns (object, attribute) for each text of the help."""
        actions = [*self._actions, *(choice for action in self._actions
                                     for choice in getattr(action, "_choices_actions", ()))]
        return [(self, "description"), (self, "epilog"), *((action, "help") for action in actions)]

    def format_help(self) -> str:
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
    """Parses the options of a command for players: it takes --lang, and its help and errors are in that language."""

    def __init__(self, **options):
        super().__init__(**options)
        self.add_argument("--lang", choices=LANGUAGES, help="the language of the output (that of the system)")


class _Once(argparse.Action):
    """Stores the value of an option that may be given once."""

    _former = None

    def __call__(self, parser, options, value, option=None):
        if self._former is not None:
            raise argparse.ArgumentError(self, say("expected it once, got %r and %r", self._former, value))
        self._former = value
        setattr(options, self.dest, value)


def add_tactic(
        parser: argparse.ArgumentParser, default: Optional[str], text: str = "a tactic with its options (%(default)s)",
        *, metavar: str = "TACTIC") -> None:
    """Adds --tactic to a parser, which may be given once."""
    parser.add_argument("--tactic", action=_Once, default=default, metavar=metavar, help=text)


def add_output(parser: argparse.ArgumentParser, text: str, metavar: str = "FOLDER", **options: Any) -> None:
    """Adds -o and --output to a parser, required unless it has a default or `required` says otherwise."""
    if "default" not in options:
        options.setdefault("required", True)
    parser.add_argument("-o", "--output", metavar=metavar, help=text, **options)


def add_json(parser: argparse.ArgumentParser, text: str) -> None:
    """Adds --json [FILE] to a parser. Its value is the path, STDOUT if FILE is left out, None without the option."""
    parser.add_argument("--json", nargs="?", const=STDOUT, metavar="FILE", help=text)


def add_seed(parser: argparse.ArgumentParser, text: str, default: Optional[int] = 0, **options: Any) -> None:
    """Adds --seed to a parser. Its type is parse_seed unless `options` give another type."""
    parser.add_argument("--seed", metavar="N", help=text, default=default, **dict({"type": parse_seed}, **options))


def add_time_limit(parser: argparse.ArgumentParser, text: str, default: Optional[float]) -> None:
    """Adds --time-limit to a parser, in seconds."""
    parser.add_argument("--time-limit", type=parse_time, metavar="S", help=text, default=default)


def add_minutes(parser: argparse.ArgumentParser, text: str) -> None:
    """Adds --minutes to a parser: how long a run may take. 0 stops it after its first step, None never stops it."""
    parser.add_argument("--minutes", type=parse_minutes, metavar="M", help=text)


def add_workers(parser: argparse.ArgumentParser, default: Optional[int] = None) -> None:
    """Adds --workers to a parser. default: the number of processes; None means one per processor."""
    parser.add_argument("--workers", type=parse_count, default=default or os.cpu_count() or 1, metavar="N",
                        help="processes (%(default)s)")


def add_memory_limit(parser: argparse.ArgumentParser) -> None:
    """Adds --memory-limit to a parser: the MB that an outside bot may use, None for no limit."""
    parser.add_argument("--memory-limit", type=parse_count, metavar="MB", help="memory of an outside bot and its child "
                        "processes; Botzone allows 256 (no limit)")


def add_set(parser: argparse.ArgumentParser, text: str) -> None:
    """Adds --set to a parser, any number of times. Its value is a list of results of parse_setting."""
    parser.add_argument("--set", type=parse_setting, action="append", default=[], metavar="TABLE.NAME=VALUE", help=text)


def parse_setting(text: str) -> Tuple[str, str, str]:
    """Returns (table, name, text of the value) of TABLE.NAME=VALUE. Raises argparse.ArgumentTypeError: another text."""
    setting = re.fullmatch(r"(\w+)\.(\w+)=(.*)", text.strip())
    if setting is None:
        raise argparse.ArgumentTypeError(say("expected TABLE.NAME=VALUE, got %r", text))
    return setting.groups()


def _make_type(read: Callable[[str], float], is_good: Callable[[Any], bool], refuse: Callable[[str], str]) -> Callable:
    """Returns a type of argparse, which returns read(text) if that is good, else raises ArgumentTypeError."""
    def parse(text: str) -> Any:
        value = read(text)
        if not is_good(value):
            raise argparse.ArgumentTypeError(refuse(text))
        return value

    return parse


def _parse_float(text):
    """Returns the number of a text, NaN if the text is no number."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _parse_integer(text):
    """Returns the whole number of a text, NaN if the text is none. Seeds of 64 bits do not pass through a float."""
    try:
        return int(text)
    except ValueError:
        value = _parse_float(text)
        return int(value) if value.is_integer() else math.nan


# The types of numbers: whole ones, which may be written 5e6, then others, of which a time is in its option's unit.
parse_count = _make_type(_parse_integer, lambda count: count >= 1, lambda text: say("expected 1 or more, got %r", text))
parse_whole = _make_type(_parse_integer, lambda count: count >= 0, lambda text: say("expected 0 or more, got %r", text))
# 2**30 leaves room for the walls of a run.
parse_seed = _make_type(_parse_integer, lambda seed: 0 <= seed < 1 << 30,
                        lambda text: say("expected a seed 0 .. 2**30 - 1, got %r", text))
parse_wall_seed = _make_type(_parse_integer, lambda seed: 0 <= seed < 1 << 64,
                             lambda text: say("expected a seed 0 .. 2**64 - 1, got %r", text))
parse_positive = _make_type(_parse_float, lambda value: 0 < value < math.inf,
                            lambda text: say("expected a number above 0, got %r", text))
parse_share = _make_type(_parse_float, lambda share: 0 <= share <= 1,
                         lambda text: say("expected a share 0 .. 1, got %r", text))
parse_time = _make_type(_parse_float, lambda time: 0 < time <= _LONGEST,
                        lambda text: say("expected a time above 0, at most %d, got %r", _LONGEST, text))
parse_minutes = _make_type(_parse_float, lambda minutes: 0 <= minutes < math.inf,
                           lambda text: say("expected 0 or more, got %r", text))
