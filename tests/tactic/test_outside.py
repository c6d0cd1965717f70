"""Tactics from outside the package: files, modules and weight files."""

import re
import sys

import pytest

from mj_bot import sources
from mj_bot.lab.__main__ import main
from mj_bot.lab.arena.fingerprint import compute_fingerprint
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.run.workers import run_in_order
from mj_bot.lab.table.choosers import find_engine_obstacle
from mj_bot.lab.table.players import make_player
from mj_bot.mahjong.errors import TacticError, UnknownTacticError
from mj_bot.tactic import default_weights, load_tactic
from mj_bot.tactic.cnn import CNNTactic
from mj_bot.tactic.answer_check import read_remarks
from tests.tactic.positions import positions

OWN = """
from mj_bot.tactic.rand import RandomTactic


class AnywhereTactic(RandomTactic):
    pass
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Path of a file with a tactic, forgotten after the test."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    path = tmp_path / "anywhere_tactic.py"
    path.write_text(OWN)
    yield str(path)
    sys.modules.pop("anywhere_tactic", None)


@pytest.mark.parametrize("form", ["%s", "%s:seed=3", "%s:AnywhereTactic", "%s:AnywhereTactic:seed=3"])
def test_a_file_is_a_player(own, form):
    """A tactic had to be a file in the package with a line in its registry."""
    tactic, state = load_tactic(form % own), next(positions())
    assert type(tactic).__name__ == "AnywhereTactic" and tactic(state) in state.action_space()
    assert make_player(form % own).name == form % own


def test_a_module_is_a_player():
    spec = "mj_bot.tactic.rand:RandomTactic:seed=3"
    state = next(positions())
    assert load_tactic(spec)(state) == load_tactic("random:seed=3")(state)
    assert find_engine_obstacle(spec) == find_engine_obstacle("random")


def test_a_weight_file_is_a_player():
    assert isinstance(load_tactic(default_weights("cnn")), CNNTactic)


def test_worker_processes_load_a_file(own):
    names = list(run_in_order(_name_player, [(own,), (own,)], 2))
    assert names == ["AnywhereTactic"] * 2


def _name_player(spec):
    return type(load_tactic(spec)).__name__


def test_its_code_is_part_of_the_fingerprint(own):
    match = make_match([own, "random"])
    before = compute_fingerprint(match)
    with open(own, "a") as file:
        file.write("NEW = 3\n")
    sources._read_code.cache_clear()  # of this process, which would not read a file twice
    assert compute_fingerprint(match) != before


@pytest.mark.parametrize("spec, told", [
    ("nowhere.py", "expected a file with a tactic, there is no 'nowhere.py'"),
    ("mj_bot.tactic.rand:NoTactic", "expected the class NoTactic of the tactic 'mj_bot.tactic.rand:NoTactic'"),
    ("serach:seed=3", "did you mean 'search'"),
    ("__main__:NotebookTactic", "expected NotebookTactic in a file: other processes do not see the classes of a note"),
])
def test_what_is_no_player(spec, told):
    with pytest.raises(UnknownTacticError, match="^%s|%s" % (told, told)):
        load_tactic(spec)


@pytest.mark.parametrize("name, code, told", [
    ("json.py", OWN, "expected a file with a name of its own"),
    ("my-own.py", OWN, "expected a file whose name is letters, digits and _"),
    ("two_tactics.py", OWN + OWN.replace("Anywhere", "Other"), "got AnywhereTactic, OtherTactic; name it as .*:CLASS"),
    ("no_tactics.py", "", "got none; name it as"),
])
def test_files_that_are_no_tactic(tmp_path, monkeypatch, name, code, told):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / name).write_text(code)
    with pytest.raises(UnknownTacticError, match=told):
        load_tactic(str(tmp_path / name))


def test_an_error_of_a_file_names_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "failing_tactic.py").write_text("class FailingTactic(object):\n    x = 1 / 0\n")
    with pytest.raises(TacticError, match=r"RE, ZeroDivisionError: division by zero \(line 2 of .*failing_tactic.py\)"):
        load_tactic(str(tmp_path / "failing_tactic.py"))


@pytest.mark.parametrize("command", [["referee", "%s", "random", "random", "random"], ["check", "%s"],
                                     ["arena", "%s", "random", "--walls", "1", "--workers", "1"]])
def test_codes_in_an_error_of_a_file_do_no_harm(own, command, capfd):
    """Exceptions of a tactic could clear the screen and turn the direction of writing."""
    with open(own, "a") as file:
        file.write("    def __call__(self, state):\n"
                   "        raise ValueError('\\x1b[2J\\x1b]0;title\\x07 \\u202etxt \\x9b2J')\n")
    assert main([word.replace("%s", own) for word in command]) in (1, 2)
    told = capfd.readouterr()
    assert "ValueError: \ufffd[2J" in told.err
    assert all(line.isprintable() for text in told for line in re.split("[\r\n]", text))


def test_codes_in_the_reasons_of_a_file_do_no_harm(own):
    """They stand on pages and in what `replay` prints."""
    with open(own, "a") as file:
        file.write("    reasons = '\\x1b[2J \\u202etxt'\n")
    assert read_remarks(load_tactic(own), [])[1] == "\ufffd[2J \ufffdtxt"
