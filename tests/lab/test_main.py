"""The dispatcher of the workshop's commands."""

import importlib
import sys
import types

import pytest

from mj_bot.lab import __main__ as lab
from mj_bot.mahjong.errors import InvalidTileError


@pytest.mark.parametrize("name", sorted(lab.COMMANDS))
def test_every_command_is_there(name):
    module_name, function_name = lab.COMMANDS[name].place.split(":")
    assert callable(getattr(importlib.import_module(module_name), function_name))


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
        assert told.count("  %-12s%s\n" % (command.name, command.help)) == 2 and told.count(command.group + "\n") == 2


def test_words_and_exit_code_pass_through(monkeypatch):
    command = types.SimpleNamespace(main=lambda argv: len(argv))
    monkeypatch.setitem(lab.COMMANDS, "count", lab.Command("", "count", "counting:main", ""))
    monkeypatch.setitem(sys.modules, "counting", command)
    assert lab.main(["count", "a", "b", "c"]) == 3


def test_bad_input_is_a_message_and_exit_code_2(monkeypatch, capsys):
    def main(argv):
        raise InvalidTileError("expected a tile, got 'W0'")

    monkeypatch.setitem(lab.COMMANDS, "broken", lab.Command("", "broken", "breaking:main", ""))
    monkeypatch.setitem(sys.modules, "breaking", types.SimpleNamespace(main=main))
    assert lab.main(["broken"]) == 2
    assert capsys.readouterr().err == "broken: expected a tile, got 'W0'\n"
