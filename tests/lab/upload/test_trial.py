"""The trial of the file for Botzone: nothing is handed in that does not answer."""

import contextlib
import sys
import textwrap
import zipfile

import pytest

from mj_bot.lab.upload import pyz as pyz_module, trial
from mj_bot.lab.upload.pythons import describe_python
from mj_bot.lab.upload.pyz import HandinError, build
from mj_bot.mahjong.errors import MahjongError

PYTHON = describe_python(sys.executable)
# A bot whose tactic gives an answer to a state.
ANSWERING = ("from mj_bot.tactic.rand import RandomTactic; from mj_bot.botzone import run; "
             "RandomTactic.__call__ = lambda self, state: %s; run('random')")


class TestProof:
    def test_words_on_stderr_are_shown_and_accepted(self, tmp_path, capfd):
        """A tactic that printed to stderr, as it was told to, could not be handed in; nor one that did so in GBK."""
        bot = tmp_path / "bot.py"
        bot.write_text("import sys; sys.stderr.buffer.write(b'thinking \\xd6 \\x1b[2J\\n'); print('answer')")
        assert trial._ask(str(bot), "", "draw.json", python=PYTHON) == "answer\n"
        told = capfd.readouterr().err
        assert "thinking" in told and "\x1b" not in told  # which clears the screen

    @pytest.mark.parametrize("code, complaint", [
        ("print('PASS')", "expected JSON"),
        ("print('{\"response\": \"PASS\"}')", "expected one of PLAY"),
        ("print('{\"response\": \"PLAY W5\"}'); raise SystemExit(1)", "exit code 1"),
        ("bytearray(300 << 20)", "expected at most 256 MB of memory, got 3"),
        ("import os; bytearray(300 << 20); os._exit(0)", "expected at most 256 MB of memory, got 3"),
        ("bytearray(2 << 30)", "exit code 1 and\n(.*\n)+MemoryError"),
        ("from mj_bot.botzone import run; run('no such tactic')", "expected a tactic, one of cnn"),
        ("raise OSError('what the author has to see')", "exit code 1 and\n(.*\n)+OSError: what the author"),
        ("from mj_bot.mahjong import fan; fan.IS_AVAILABLE = False; from mj_bot.botzone import run; run('random')",
         "to have the libraries of the bot; it says .*MahjongGB is not installed"),
        (ANSWERING % "next(action for action in state.action_space() if action[0] in ('PLAY', 'PASS'))",
         "expected the win HU to data/samples/win.json, got 'PLAY"),
        (ANSWERING % "[][1]", r"^random: RE, IndexError: list index out of range \(mj_bot/tactic/rand.py\)$"),
        (ANSWERING % "'PLAY W1'", r"^random: illegal action, .*, got 'PLAY W1' \(__call__ at line 1 of __main__.py\)$"),
        (ANSWERING % "{action[0]: action for action in state.action_space()}['PLAY' if state.win_fan() < 8 else 'HU']",
         "^random: RE, KeyError: 'PLAY'"),
        ("from mj_bot.botzone import run; run('random', keep_running=True)", "expected no line"),
        ("import no_such_library",
         "exit code 1; Botzone has numpy and MahjongGB and no other package and\n(.*\n)+.*no_such_library"),
        ("import handin", "No module named 'handin'"),
        ("open('handin.py')", "FileNotFoundError: .*'handin.py'"),
    ])
    def test_what_is_refused(self, pyz, tmp_path, code, complaint):
        broken = tmp_path / "broken.pyz"
        with zipfile.ZipFile(pyz) as good, zipfile.ZipFile(str(broken), "w") as bad:
            for name in good.namelist():
                bad.writestr(name, code if name == "__main__.py" else good.read(name))
        with pytest.raises((HandinError, MahjongError), match=complaint):
            trial.try_file(str(broken), python=PYTHON)


@pytest.mark.parametrize("needed, expected", [
    (3, contextlib.nullcontext()), (4, pytest.raises(HandinError, match="cut short 3 times.*busy"))])
def test_a_bot_that_is_cut_short_is_asked_again(tmp_path, needed, expected):
    """On a busy machine the proof ended with an empty line: the import had taken all of the bot's time."""
    bot = tmp_path / "bot.py"
    bot.write_text(textwrap.dedent("""
        import sys
        with open(%r, "a+") as file:
            file.write("x")
            file.seek(0)
            tries = len(file.read())
        if tries < %d:
            sys.exit("mj_bot.deadline.BudgetExceeded: the tactic's time is up")
        print("answer")
    """) % (str(tmp_path / "count"), needed))
    with expected:
        assert trial._ask(str(bot), "", "draw.json", python=PYTHON) == "answer\n"


def test_a_bot_that_does_not_end(tmp_path, monkeypatch):
    """The limit was 30 s, five times that of Botzone."""
    monkeypatch.setattr(trial, "MAX_SECONDS", 0.3)
    bot = tmp_path / "bot.py"
    bot.write_text("import time; time.sleep(60)")
    with pytest.raises(HandinError, match="cut short 3 times.*no end of the process within 0.3 s, Botzone's limit"):
        trial._ask(str(bot), "", "draw.json", python=PYTHON)


def test_only_the_libraries_of_botzone_can_be_imported(tmp_path):
    """`import torch` was accepted wherever torch was installed."""
    bot = tmp_path / "bot.py"
    bot.write_text(textwrap.dedent("""
        import MahjongGB, numpy.linalg, sqlite3
        for name in ("hypothesis", "pytest", "tqdm"):
            try:
                __import__(name)
            except ImportError as error:
                print(error)
    """))
    assert trial._ask(str(bot), "", "draw.json", python=PYTHON).splitlines() == [
        "No module named '%s'" % name for name in ("hypothesis", "pytest", "tqdm")]


@pytest.mark.parametrize("body, told", [
    ("self.ranked = [(actions[0], float('nan'))]", "random: RE, ValueError: expected finite numbers in ranked"),
    ("self.ranked = [(actions[1], 1.0)]", "random: RE, expected ranked to begin with the chosen action"),
])
def test_wrong_remarks_are_not_handed_in(tmp_path, monkeypatch, body, told):
    """A tactic whose values were NaN was handed in."""
    code = ("\nclass RandomTactic(RandomTactic):\n    def decide(self, state, actions):\n        %s\n"
            "        return actions[0]\n")
    read = pyz_module.read_bytes
    monkeypatch.setattr(pyz_module, "read_bytes", lambda path: read(path) + (
        (code % body).encode() if path.endswith("rand.py") else b""))
    path = tmp_path / "bot.pyz"
    path.write_bytes(build("random"))
    with pytest.raises(HandinError) as raised:
        trial.try_file(str(path), python=PYTHON)
    assert told in str(raised.value)
