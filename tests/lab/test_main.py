"""The dispatcher of the workshop's commands."""

import argparse
import importlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from mj_bot import QUIET, __version__
from mj_bot.lab import __main__ as lab
from mj_bot.lab.run.command import GOES_ON
from mj_bot.lab.run.examples import list_examples
from mj_bot.lab.run.installation import DISTRIBUTIONS, EXTRAS
from mj_bot.mahjong.errors import InvalidTileError
from mj_bot.tactic import TACTICS, load_tactic

REPOSITORY = Path(__file__).parents[2]


def test_unknown_command_names_the_nearest(capsys):
    assert lab.main(["refree"]) == 2
    assert "did you mean 'referee'?" in capsys.readouterr().err
    assert lab.main(["nosuch"]) == 2
    assert capsys.readouterr().err == "expected a command, got 'nosuch'; --help lists them\n"


def test_no_command_and_help(capsys):
    assert lab.main([]) == 2
    assert lab.main(["--help"]) == 0
    told = capsys.readouterr().out
    for command in lab.COMMANDS.values():
        assert told.count("  %-12s%s" % (command.name, command.help)) == 2 and told.count(command.group + "\n") == 2


@pytest.mark.parametrize("example", list_examples())
def test_an_example_is_understood(example, monkeypatch, capsys):
    """The command's own parser takes it, its help shows it, and its files of data/ are there."""
    words = shlex.split(example, comments=True)
    check_command(words, monkeypatch)
    with pytest.raises(SystemExit):
        lab.main([words[0], "--help"])
    assert "\n  mj-bot %s\n" % example in capsys.readouterr().out
    assert all((REPOSITORY / word).exists() for word in words if word.startswith("data/"))


def test_every_command_has_an_example():
    assert all(list_examples(name) for name in lab.COMMANDS)


def test_examples_run(tmp_path, monkeypatch, capsys):
    """Those that take seconds, one after another, as a newcomer would give them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "data").symlink_to(REPOSITORY / "data")
    # The game of this seed is short.
    assert lab.main(["referee", *["rule_based"] * 4, "--seed", "8", "--log", "build/game.json"]) == 0
    for example in list_examples():
        if example.startswith(("replay ", "review ", "hand ", "records ")) and "build/played" not in example:
            assert lab.main(shlex.split(example, comments=True)) == 0, example
    assert capsys.readouterr().out and (tmp_path / "build" / "game.html").stat().st_size > 10000


HELPS = """
import contextlib, sys
from mj_bot.lab.__main__ import main
for words in sys.argv[1:]:
    with contextlib.suppress(SystemExit):
        main(words.split() + ["--help"])
"""


def test_a_game_that_a_crash_ends_is_a_failure(capfd):
    """`referee` ended with exit code 0 where a player crashed."""
    words = ["referee", "json:%s -S -E -c 'raise SystemExit(3)'" % sys.executable, *["random"] * 3, "--board", "none"]
    assert lab.main(words) == 1
    assert "expected exit code 0, got 3" in capfd.readouterr().err


def test_help_needs_nothing_but_python_and_names_players_that_can_be_seated(capsys):
    """One was called search:depth=2, and no such option was left."""
    ways = [*lab.COMMANDS, "train export", "train evaluate", "train report", "dataset export",
            "records check", "records convert", "guangdong selfplay", "guangdong train", "arena ratings",
            "fit calibrate", "fit correction", "fit verdict"]
    bare = subprocess.run([sys.executable, "-S", "-E", "-c", HELPS, *ways], cwd=REPOSITORY, capture_output=True,
                          text=True)
    assert bare.returncode == 0 and bare.stdout.count("usage: mj-bot ") == len(ways), bare.stderr
    for way in ways:
        with pytest.raises(SystemExit):
            lab.main(way.split() + ["--help"])
    told = capsys.readouterr().out
    assert bare.stdout == told
    specs = re.findall(r"\b(?:%s):\w+=[\w.,=]*\w" % "|".join(TACTICS), " ".join(told.split()))
    assert specs and all(map(load_tactic, specs))


def test_each_command_has_a_file_of_its_name():
    names = {path.stem for path in (Path(lab.__file__).parent / "commands").glob("*.py")}
    assert names - {"__init__"} == set(lab.COMMANDS) and len(lab.COMMANDS) <= 17


SAMPLE = "data/samples/win.json"
RANDOM = " random" * 4


@pytest.mark.parametrize("line, message", [
    *(("%s %s --tactic %s" % (command, SAMPLE, spec), told) for command in ("replay", "review")
      for spec, told in (("cnn:/no/such.npz", "/no/such.npz"), ("randon", "did you mean 'random'"))),
    ("review %s --tactic none -o /no/such/folder/x.html" % SAMPLE, "a folder that is there"),
    ("records check %s --workers 0" % SAMPLE, "expected 1 or more, got '0'"),
    ("records check %s --workers nan" % SAMPLE, "--workers"), ("records check %s --workers 1.5" % SAMPLE, "--workers"),
    ("play --tactic randon", "did you mean"), ("play --hints randon", "did you mean"),
    ("play --port 70000", "expected"), ("play --tactic random --tactic random", "--tactic"),
    ("play --record no.json", "play: expected a file, a directory or a link, there is no 'no.json'\n"),
    ("arena ratings no.json", "arena: expected a result of the arena, got 'no.json': No such file or directory\n"),
    ("play --seed -1", "--seed"), ("play --seat up", "--seat"), ("play --games 0", "--games"),
    ("live https://example.org/a --output %s/x" % SAMPLE, "expected a folder"),
    ("referee random random", "expected four players, got 2"),
    ("referee random random randon random", "did you mean 'random'"),
    ("referee random random random:sed=3 random", "sed"),
    ("referee%s --wall no-such-file" % RANDOM, "no-such-file"),
    ("referee%s --seed -1" % RANDOM, "expected a seed 0 .. 2**64 - 1, got '-1'"),
    ("referee%s --log /no/such/folder/x.json" % RANDOM, "expected a file in a folder that is there"),
    ("referee%s --log data" % RANDOM, "expected a file, got the folder 'data'"),
    ("referee%s --log data/results/environments.json" % RANDOM, "which begins with '{\"id\": \"\",'"),
    ("fit calibrate --json README.md", "expected a new file or one of the same kind, which begins with '{' or '['"),
    ("review %s --tactic none -o README.md" % SAMPLE, "which begins with '<', got 'README.md'"),
    *(("referee%s --time-limit %s" % (RANDOM, limit), "expected a time above 0")
      for limit in ("nan", "inf", "1e308", "0")),
    ("hand 55555p123m456s77s", "hand: expected at most 4 copies of a tile, got 5 of 5p (B5)"),
    ("hand 123m456s789pEE55x", "got 'x' at letter 17"), ("hand 123m456s789pEE55p --winds X", "got 'X'"),
    ("hand", "expected HAND, or --open\n"),
    *(("dataset -o TMP/set %s" % words, told) for words, told in (
        ("--players rule", "expected"), ("--players rondom", "rondom"), ("--players random:luck=1", "luck"),
        ("--players random --random-share 2", "expected a share 0 .. 1, got '2'"),
        ("--players random --games 0", "expected 1 or more, got '0'"),
        ("--players random --card no/where.json", "expected a file in a folder that is there, got 'no/where"),
        ("--records nowhere", "expected a file, a directory or a link, there is no 'nowhere'"),
        ("", "expected one of --players --records"),
        ("--players random --workers 0", "--workers: expected"), ("--players random --teacher random", "expected"),
        ("--players random --teacher rule_based", "expected"),
        ("--players random --teacher search:depth=3", "expected"))),
    ("bench --seconds nan", "expected a time above 0"),
    ("guangdong arena random shanten --settings wild=green", "guangdong: expected"),
])
def test_bad_use_is_a_line(line, message, monkeypatch, capsys, tmp_path):
    """And leaves nothing."""
    monkeypatch.chdir(REPOSITORY)
    try:
        assert lab.main(line.replace("TMP", str(tmp_path)).split()) == 2
    except SystemExit as ended:
        assert ended.code == 2
    captured = capsys.readouterr()
    assert message in captured.err and not captured.out and "Traceback" not in captured.err
    assert not list(tmp_path.iterdir())


class Parsed(Exception):
    pass


def check_command(words, monkeypatch, main=lab.main):
    """Fails where the command's parser refuses these words; the command does not run."""
    parse = argparse.ArgumentParser.parse_args

    def stop(parser, argv=None):
        parse(parser, argv)
        raise Parsed

    with monkeypatch.context() as patch, pytest.raises(Parsed):
        patch.setattr(argparse.ArgumentParser, "parse_args", stop)
        main(words)


def register(monkeypatch, main, hint=""):
    monkeypatch.setitem(lab.COMMANDS, "broken", lab.Command("", "broken", "", hint=hint))
    monkeypatch.setitem(sys.modules, "mj_bot.lab.commands.broken", types.SimpleNamespace(main=main))


@pytest.mark.parametrize("error, code, message", [
    (InvalidTileError("expected a tile, got 'W0'"), 2, "expected a tile, got 'W0'"),
    (KeyboardInterrupt(), 130, "interrupted")])
def test_bad_input_and_interrupts_are_a_line(monkeypatch, capsys, error, code, message):
    def main(argv):
        raise error

    register(monkeypatch, main)
    assert lab.main(["broken"]) == code
    assert capsys.readouterr().err == "broken: %s\n" % message


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_a_command_as_an_interrupt_does(monkeypatch, capsys, number):
    """SIGTERM and SIGHUP ended it without a word, and with the work since the last save."""
    usual = {each: signal.signal(each, signal.SIG_DFL) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        register(monkeypatch, lambda argv: signal.raise_signal(number), hint=GOES_ON)
        assert lab.main(["broken"]) == 128 + number
    finally:
        for each, handler in usual.items():
            signal.signal(each, handler)
    assert capsys.readouterr().err == "broken: interrupted; %s\n" % GOES_ON


# Loading numba would take most of the time of a command in a process of its own.
INTERPRETED = dict(os.environ, NUMBA_DISABLE_JIT="1")


def test_streams_that_are_closed(tmp_path):
    """The bar went to stderr, which is None if it is closed."""
    words = [sys.executable, "-m", "mj_bot.lab", "review", "data/samples/win.json", "--tactic", "none", "-o"]
    subprocess.run("%s %s <&- >&- 2>&-" % (shlex.join(words), tmp_path / "page.html"), shell=True, check=True,
                   cwd=REPOSITORY, env=INTERPRETED)
    assert (tmp_path / "page.html").stat().st_size > 10000 and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("package, distribution, target", [
    ("numpy", "numpy", "play"), ("numba", "numba", "workshop"), ("torch", "torch", "train"), ("ray", "ray", "ray"),
    ("sklearn", "scikit-learn", "workshop")])
def test_a_missing_package_is_a_line_that_says_what_to_run(monkeypatch, capsys, package, distribution, target):
    """It named the module sklearn, which is not what pip installs."""
    monkeypatch.setitem(sys.modules, package, None)
    register(monkeypatch, lambda argv: importlib.import_module(package))
    assert lab.main(["broken"]) == 2
    assert capsys.readouterr().err == (
        "broken: expected the package %s, which is not installed; run `make %s` and use .venv/bin/mj-bot\n" % (
            distribution, target))


@pytest.mark.parametrize("words", [
    ["dataset", "--players", "search", "-o", "x"], ["fit", "verdict"], ["bench"], ["arena", "cnn", "search"],
    ["guangdong", "selfplay", "-o", "x"], ["train", "small", "--data", "x", "-o", "y"], ["rl", "x.toml", "-o", "y"]])
def test_without_a_compiler_nothing_runs_in_silence(words, monkeypatch, tmp_path, capsys):
    """From a base installation `dataset` had 0 of 20,000 games after a minute, and `bench` ended with a traceback."""
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.chdir(tmp_path)
    assert lab.main(words) == 2 and not os.listdir(tmp_path)
    assert re.match("%s: expected the package numba, which is not installed; run" % words[0], capsys.readouterr().err)


def test_what_needs_no_torch_starts_without_it():
    """`fit correction` imported torch for the type of a parameter, and asked to install it after `make workshop`."""
    code = """if True:
        import importlib, pkgutil, sys
        class NoTorch:
            def find_spec(self, name, path=None, target=None):
                if name == "torch":
                    raise ModuleNotFoundError("expected no import of torch", name=name)
        sys.meta_path.insert(0, NoTorch())
        for room in "arena dataset engine fit worlds".split():
            package = importlib.import_module("mj_bot.lab." + room)
            for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
                importlib.import_module(module.name)
    """
    subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, env=INTERPRETED, check=True)


def test_a_missing_module_of_somebody_else_is_not_explained_away(monkeypatch):
    register(monkeypatch, lambda argv: importlib.import_module("no_such_module"))
    with pytest.raises(ModuleNotFoundError):
        lab.main(["broken"])


@pytest.mark.parametrize("words", ["--help", "review %s --tactic none" % SAMPLE])
@pytest.mark.parametrize("is_full", [False, True], ids=["nobody reads it", "the disk is full"])
def test_output_that_cannot_be_written(words, is_full):
    """It ended in a traceback, as with `| head`."""
    if is_full and not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    reading, writing = (None, os.open("/dev/full", os.O_WRONLY)) if is_full else os.pipe()
    if reading is not None:
        os.close(reading)
    try:
        ended = subprocess.run([sys.executable, "-m", "mj_bot.lab", *words.split()], stdout=writing,
                               stderr=subprocess.PIPE, cwd=REPOSITORY, env=INTERPRETED)
    finally:
        os.close(writing)
    assert ended.returncode == (2 if is_full else 1) and b"Error" not in ended.stderr
    assert ended.stderr.count(b"expected room on the disk") == is_full


def test_another_pipe_that_breaks_is_not_passed_over(monkeypatch):
    def lose(argv):
        raise BrokenPipeError

    monkeypatch.setattr(lab, "_run", lose)
    with pytest.raises(BrokenPipeError):
        lab.main(["review"])


@pytest.mark.parametrize("line", ["hand 123m456s789pEE55p", "review data/samples/draw.json --no-library"])
def test_the_first_hand_and_the_first_position_wait_for_no_compiler(line, tmp_path):
    """The first answer after an installation took 25 seconds, of which the compiler took 24."""
    environment = {name: value for name, value in os.environ.items() if name not in (QUIET, "NUMBA_DISABLE_JIT")}
    done = subprocess.run([sys.executable, "-m", "mj_bot.lab", *line.split()], capture_output=True, text=True,
                          cwd=REPOSITORY, env=dict(environment, XDG_CACHE_HOME=str(tmp_path)))
    assert done.returncode == 0 and done.stdout and "compiling" not in done.stderr
    assert not (tmp_path / "mj_bot" / "compiled").exists()


def test_the_packages_are_those_of_pyproject():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {"": project["dependencies"], **project["optional-dependencies"]}
    named = {extra: {Requirement(text).name for text in texts} for extra, texts in listed.items()}
    told = {extra: {DISTRIBUTIONS.get(name, name) for name in names.split()} for extra, names in EXTRAS.items()}
    told["play"].remove("werkzeug")  # it comes with flask
    assert all(names <= named[extra] for extra, names in told.items())
    assert set().union(*named.values()) - set().union(*told.values()) == {"mj-bot"}
    assert {command.extra for command in lab.COMMANDS.values()} <= set(listed)


def test_the_version_is_told(capsys):
    assert lab.main(["--version"]) == 0
    assert capsys.readouterr().out == "mj-bot %s\n" % __version__
