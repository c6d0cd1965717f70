"""The options of all commands are alike."""

import argparse

import pytest

from mj_bot.lab import __main__ as lab
from mj_bot.lab.run import options

# What values are called in --help: one name a kind, in every command.
METAVARS = {"N", "S", "M", "MB", "FILE", "FOLDER", "PATH", "TACTIC", "TACTIC[,TACTIC]", "PLAYER", "RULES", "SEAT",
            "NAME", "DAY", "TILES", "RATE", "SHARE", "POINTS", "LOW,HIGH", "ADDRESS", "URL", "HAND", "SEAT=NAME",
            "TABLE.NAME=VALUE", "COMMAND"}
# Several parts of a command have parsers of their own, which the first words choose.
WAYS = [*lab.COMMANDS, "train export", "train evaluate", "train report", "arena ratings",
        "dataset export"]


def list_parsers(parser):
    """Yields a parser and those of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from list_parsers(inner)


@pytest.fixture
def parsers(monkeypatch):
    """Returns {first words of a command: its parsers}."""
    made = []

    def keep(self, *arguments):
        made.append(self)
        raise SystemExit

    monkeypatch.setattr(options.Parser, "parse_args", keep)
    for way in WAYS:
        with pytest.raises(SystemExit):
            lab.main(way.split())
    return {way: list(list_parsers(parser)) for way, parser in zip(WAYS, made, strict=True)}


def test_options_are_alike(parsers):
    """`--output` had a -o in half of the commands, others said --folder, and 1e3 was a number in some."""
    wrong = []
    for way, inner in parsers.items():
        for action in (action for parser in inner for action in parser._actions):
            names = set(action.option_strings)
            if ("-o" in names) != ("--output" in names) or names & {"--folder", "--budget", "--directory"}:
                wrong.append((way, names))
            if "--json" in names and (action.nargs, action.const) != ("?", "-"):
                wrong.append((way, "--json"))
            if action.type in (int, float) or (action.nargs != 0 and not action.choices and
                                               action.metavar not in METAVARS):
                wrong.append((way, names or action.dest, action.type, action.metavar))
    assert not wrong


@pytest.mark.parametrize("parse, text, value", [
    (options.parse_count, "1e3", 1000), (options.parse_whole, "0", 0), (options.parse_seed, "1e6", 10 ** 6),
    # A float has no more than 53 bits.
    (options.parse_wall_seed, "18446744073709551615", 2 ** 64 - 1), (options.parse_time, "0.5", 0.5),
    (options.parse_minutes, "0", 0.0),
    (options.parse_share, "1", 1.0), (options.parse_positive, "1e-3", 0.001)])
def test_numbers(parse, text, value):
    assert parse(text) == value


@pytest.mark.parametrize("parse, texts", [
    (options.parse_count, ("0", "1.5", "nan", "inf", "many", "")), (options.parse_whole, ("-1", "1e-1")),
    (options.parse_seed, ("-1", "2e9", "x")), (options.parse_wall_seed, ("18446744073709551616",)),
    (options.parse_time, ("0", "nan", "inf", "1e7", "long")),
    (options.parse_minutes, ("-1", "nan", "inf", "x")),
    (options.parse_share, ("-0.1", "1.1", "nan", "x")), (options.parse_positive, ("0", "inf", "nan"))])
def test_numbers_that_are_refused(parse, texts):
    for text in texts:
        with pytest.raises(argparse.ArgumentTypeError, match="^expected .*, got "):
            parse(text)


@pytest.mark.parametrize("line, message", [
    ("arena random random:seed=1 --walls many", "arena: --walls: expected 1 or more, got 'many'"),
    ("referee a b c d --board huge", "referee: --board: expected one of none, round, full, got 'huge'"),
    ("records", "records: expected COMMAND; --help lists the options"),
    ("fit correction --jsno", "fit correction: expected -o/--output; --help lists the options"),
    ("fit shake", "fit: COMMAND: expected one of calibrate, correction, verdict, books, got 'shake'"),
    ("arena random random --until 1 --sprt 0,1", "arena: --sprt: expected no --until next to it"),
    ("bench --fast", "bench: expected options of this command, got --fast; --help lists them"),
    ("dataset -o x", "dataset: expected one of --players --records; --help lists the options"),
    ("dataset -o", "dataset: -o/--output: expected one argument"),
    ("handin --weights", "handin: --weights: expected one argument")])
def test_an_error_of_options_has_the_form_of_the_others(line, message, capsys):
    """argparse printed ten lines of usage, then "mj-bot arena: error: argument --walls: invalid int value"."""
    with pytest.raises(SystemExit) as ended:
        lab.main(line.split())
    assert ended.value.code == 2
    assert capsys.readouterr().err == message + "\n"


def test_json_without_a_file_goes_to_stdout_in_place_of_the_text(capsys):
    """`hand --json` was a flag, where `--json` of other commands wanted a file."""
    assert lab.main(["hand", "123m456s789pEE55s5p", "--json"]) == 0
    bare = capsys.readouterr().out
    assert lab.main(["hand", "123m456s789pEE55s5p", "--json", "-"]) == 0
    assert capsys.readouterr().out == bare and bare.startswith("{") and bare.count("\n") == 1
