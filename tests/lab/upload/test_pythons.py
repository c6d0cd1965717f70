"""The Python that tries the file for Botzone."""

import os
import subprocess
import sys

import pytest

from mj_bot.lab.upload import pythons
from mj_bot.lab.upload.pythons import PYTHON36_LIBRARIES, choose_python, describe_python, find_python36
from mj_bot.lab.upload.pyz import PROJECT_FOLDER, HandinError


def test_a_python36_with_the_libraries():
    """handin.py accepted files that no Python 3.6 can run, although one was there."""
    if not (find_python36() and describe_python(find_python36(), PYTHON36_LIBRARIES)):
        pytest.skip("no Python 3.6 with MahjongGB and numpy found: none is chosen")
    python, reason = choose_python()
    assert python.version.startswith("3.6.") and reason == ""


@pytest.mark.skipif(not find_python36(), reason="no Python 3.6 found: handin.py is not run on it")
def test_the_script_reads_its_options_on_python36():
    """A type in square brackets ended handin.py with a traceback on the Python that its first lines promise."""
    told = subprocess.run(
        [find_python36(), "handin.py", "--weights"], cwd=PROJECT_FOLDER, capture_output=True, text=True)
    assert (told.returncode, told.stderr) == (2, "handin: --weights: expected one argument\n")


def test_this_one_where_there_is_no_python36(monkeypatch):
    monkeypatch.setattr(pythons, "find_python36", lambda: None)
    python, reason = choose_python()
    assert (python.path, reason) == (sys.executable, "there is none here; MJ_BOT_PYTHON36 may name one")


def test_a_python36_without_the_libraries_is_named(monkeypatch, tmp_path):
    bare = tmp_path / "python3.6"
    bare.write_text("#!/bin/sh\nexit 1")
    bare.chmod(0o755)
    monkeypatch.setattr(pythons, "find_python36", lambda: str(bare))
    python, reason = choose_python()
    assert python.path == sys.executable
    assert reason == "{0} has no numpy and MahjongGB; {0} -m pip install numpy PyMahjongGB".format(bare)


class TestSetUp:
    """The python3 of a clean clone has no MahjongGB, and the file was refused there."""

    @pytest.fixture(autouse=True)
    def no_libraries(self, monkeypatch):
        monkeypatch.setattr(pythons, "find_python36", lambda: None)
        monkeypatch.setattr(pythons, "describe_python", lambda path, folder=None: None)

    def test_make_is_asked_for_the_python_of_a_clone(self, monkeypatch):
        asked = []
        monkeypatch.setattr(pythons.subprocess, "run", lambda words, **options: asked.append(words))
        with pytest.raises(HandinError, match=r"expected .*/\.venv/bin/python to have the libraries of the bot"):
            choose_python()
        assert [words[-1] for words in asked] == [pythons.READY_MARK]

    def test_an_installed_package_names_pip(self, monkeypatch):
        monkeypatch.setattr(pythons, "IS_CLONE", False)
        with pytest.raises(HandinError, match="expected a Python with the libraries .*: pip install numpy PyMahjongGB"):
            choose_python()


@pytest.mark.parametrize("script", [None, "exit 3"])
def test_no_set_up(tmp_path, script):
    """Without make, and with one that fails."""
    (tmp_path / "mj_bot.pyz").write_text("the old one")
    tools = tmp_path / "tools"
    tools.mkdir()
    if script:
        (tools / "make").write_text("#!/bin/sh\n" + script)
        (tools / "make").chmod(0o755)
    # Neither a Python 3.6 nor, with -S, installed packages: the Python that is asked for them is told so too.
    bare = tmp_path / "python"
    bare.write_text("#!/bin/sh\nexec %s -S \"$@\"" % sys.executable)
    bare.chmod(0o755)
    code = ("import runpy, sys; sys.executable, sys.argv = sys.argv[1], ['handin.py', '--tactic', 'random']; "
            "runpy.run_path(%r, run_name='__main__')" % os.path.join(PROJECT_FOLDER, "handin.py"))
    result = subprocess.run([str(bare), "-c", code, str(bare)], cwd=tmp_path, capture_output=True, text=True,
                            env=dict(os.environ, PATH=str(tools), PYENV_ROOT=str(tmp_path), PYTHONPATH=PROJECT_FOLDER))
    assert result.returncode == 2
    assert "handin: expected `make .venv/play.ready` to install the libraries of the bot" in result.stderr
    assert (tmp_path / "mj_bot.pyz").read_text() == "the old one"
