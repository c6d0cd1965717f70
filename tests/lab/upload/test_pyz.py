"""mj_bot.pyz: what is in it, that it is the same every time, and that nothing is handed in that does not answer."""

import ast
import contextlib
import io
import os
import resource
import shutil
import subprocess
import sys
import textwrap
import zipfile

import pytest

from mj_bot.botzone import KEEP_RUNNING
from mj_bot.lab.upload import pyz as upload, trial
from mj_bot.lab.upload.pyz import HOME
from mj_bot.mahjong.errors import MahjongError

SAMPLES = os.path.join(HOME, "data", "samples")
# A bot whose tactic gives an answer to a state.
ANSWERING = ("from mj_bot.tactic.rand import RandomTactic; from mj_bot.botzone import run; "
             "RandomTactic.__call__ = lambda self, state: %s; run('random')")


def run_command(*words, **options):
    return subprocess.run([sys.executable, os.path.join(HOME, "handin.py"), *words], capture_output=True,
                          text=True, **options)


@pytest.fixture(scope="module")
def pyz(tmp_path_factory):
    """Path of a bot that plays at random."""
    path = tmp_path_factory.mktemp("handin") / "mj_bot.pyz"
    path.write_bytes(upload.build("random"))
    return str(path)


def test_a_start_compiles_each_module_once(pyz):
    """Python's own importer of zip files compiles each twice, a tenth of the time of a turn."""
    code = ("import collections, runpy, sys\n"
            "counts = collections.Counter()\n"
            "sys.addaudithook(lambda event, facts: counts.update([str(facts[1])]) if event == 'compile' else None)\n"
            "runpy.run_path(sys.argv[1], run_name='__main__')\n"
            "print({name: count for name, count in counts.items() if '.pyz/mj_bot' in name}, file=sys.stderr)\n")
    with open(os.path.join(SAMPLES, "draw.json"), encoding="utf-8") as sample:
        result = subprocess.run([sys.executable, "-c", code, pyz], stdin=sample, capture_output=True, text=True)
    counts = ast.literal_eval(result.stderr)
    assert len(counts) > 10 and set(counts.values()) == {1}


class TestContents:
    def test_shipped_rooms_alone(self, pyz):
        names = zipfile.ZipFile(pyz).namelist()
        assert "__main__.py" in names and "mj_bot/botzone.py" in names
        assert names == sorted(names)
        assert not [name for name in names if "lab" in name.split("/") or "test" in name]
        assert [name for name in names if not name.endswith(".py")] == ["mj_bot/worth/fitted.json"]

    def test_every_source_outside_the_workshop(self):
        listed = subprocess.run(["git", "ls-files", "mj_bot/*.py"], cwd=HOME, stdout=subprocess.PIPE,
                                text=True)
        if listed.returncode:
            pytest.skip("not a git checkout: nothing to compare the list of sources with")
        tracked = {path for path in listed.stdout.split() if not path.startswith("mj_bot/lab/")}
        assert tracked <= set(upload.list_sources())

    def test_same_files_same_bytes(self, tmp_path):
        """Neither the place, nor the time, nor leftovers of running the bot change a byte."""
        copy = tmp_path / "elsewhere"
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(os.path.join(HOME, "mj_bot"), str(copy / "mj_bot"), ignore=ignore,
                        copy_function=shutil.copyfile)
        code = "import sys; from mj_bot.lab.upload.pyz import build; sys.stdout.buffer.write(build('random'))"
        result = subprocess.run([sys.executable, "-c", code], cwd=str(copy), stdout=subprocess.PIPE)
        assert result.stdout == upload.build("random")

    def test_weights_travel_under_their_name(self, tmp_path):
        (tmp_path / "strong.npz").write_bytes(b"numbers")
        archive = zipfile.ZipFile(io.BytesIO(upload.build("random:seed=3", str(tmp_path / "strong.npz"))))
        assert archive.read("mj_bot/weights/strong.npz") == b"numbers"
        assert "run('random:seed=3,weights=strong.npz', keep_running=False)" in archive.read("__main__.py").decode()

    def test_weights_that_belong_to_a_tactic_travel_with_it(self):
        archive = zipfile.ZipFile(io.BytesIO(upload.build("cnn")))
        assert len(archive.read("mj_bot/weights/cnn.npz")) > 100000
        assert "run('cnn:weights=cnn.npz', keep_running=False)" in archive.read("__main__.py").decode()

    def test_under_four_megabytes(self, tmp_path):
        (tmp_path / "large.npz").write_bytes(bytes(upload.MAX_BYTES))
        with pytest.raises(upload.HandinError, match="expected a file under 4000000 bytes, got 4"):
            upload.build("random", str(tmp_path / "large.npz"))

    @pytest.mark.parametrize("line, wanted", [
        (b"(new := 1)", "expected Python 3.6, got SyntaxError"), (b"(", "SyntaxError"),
        (b"from __future__ import annotations", "expected Python 3.6, got from"),
        (b"# \xd6\xd0", "expected a file in UTF-8, got byte 0xd6"), (b"\0", "SyntaxError: source code"),
    ])
    @pytest.mark.parametrize("name", ["tactic/rand", "tactic/winning_families", "arrays"])
    def test_syntax_that_botzone_has_not(self, monkeypatch, name, line, wanted):
        """A newer Python proved a tactic, or a file that it imports, that on Botzone only discarded what was safe."""
        read = upload.read_bytes
        monkeypatch.setattr(
            upload, "read_bytes", lambda path: line + b"\n" + read(path) if name in path else read(path))
        with pytest.raises(upload.HandinError, match=r"^%s.* \((line 1 of )?mj_bot/%s" % (wanted, name)):
            upload.build("random")

    @pytest.mark.parametrize("place", [object, "examples.careful:CarefulTactic"])
    def test_tactics_that_are_not_packed(self, monkeypatch, place):
        """A class in place of its name was an AttributeError."""
        monkeypatch.setitem(upload.TACTICS, "own", place)
        with pytest.raises(upload.HandinError, match="expected a tactic as 'mj_bot.tactic.MODULE:CLASS', .* got"):
            upload.build("own")

    @pytest.mark.parametrize("name", ["7", "a,b.npz", "1e5"])
    def test_weight_names_that_a_spec_cannot_carry(self, tmp_path, name):
        (tmp_path / name).write_bytes(b"")
        with pytest.raises(upload.HandinError, match="expected a weight file whose name"):
            upload.build("random", str(tmp_path / name))


@pytest.mark.parametrize("name, count", [("draw.txt", 1), ("keep_running.json", 8), ("keep_running.txt", 8)])
def test_samples_that_the_proof_does_not_ask(tmp_path, name, count):
    path = tmp_path / "bot.pyz"
    path.write_bytes(upload.build("random", keep_running=count > 1))
    with open(os.path.join(SAMPLES, name)) as file:
        result = subprocess.run([sys.executable, str(path)], stdin=file, capture_output=True, text=True)
    answers = list(filter(None, result.stdout.split(KEEP_RUNNING + "\n")))
    assert (result.returncode, result.stderr) == (0, "")
    assert len(answers) == count and "PLAY" in answers[-1]


class TestCommand:
    @pytest.mark.parametrize("keep_running", [False, True])
    def test_a_proven_file_with_its_size_and_sum(self, tmp_path, keep_running):
        result = run_command("--tactic", "random", *["--keep-running"] * keep_running, cwd=str(tmp_path))
        assert result.returncode == 0, result.stderr
        assert os.listdir(str(tmp_path)) == ["mj_bot.pyz"]
        assert "%d bytes, sha256 " % (tmp_path / "mj_bot.pyz").stat().st_size in result.stdout

    @pytest.mark.parametrize("former, tactic, told", [
        (None, "random", None), (upload.build("cnn"), "cnn", None),
        (upload.build("random:seed=3"), "random", "Before, mj_bot.pyz had the tactic random:seed=3."),
        (b"notes", "random", "Before, mj_bot.pyz had something else in it."),
    ], ids=["nothing", "the same", "another", "no bot"])
    def test_what_was_in_the_file_is_told_where_it_was_something_else(self, tmp_path, former, tactic, told):
        """It said that cnn replaces cnn:weights=cnn.npz, and nothing of a file that was no bot."""
        if former is not None:
            (tmp_path / "mj_bot.pyz").write_bytes(former)
        lines = run_command("--tactic", tactic, cwd=str(tmp_path)).stdout.splitlines()
        assert lines[1:-1] == [told] * bool(told) and lines[-1].startswith("It answers PLAY")

    @pytest.mark.parametrize("words, complaint", [
        (["--tactic", "randon"], "did you mean 'random'?"),
        (["--tactic", "random", "--weights", "nowhere.npz"], "expected a readable file, got 'nowhere.npz'"),
        (["--tactic", "random:sed=3"], "handin: expected options that 'random' takes, (seed=0), got {'sed': 3}"),
        (["--tactic", "cnn", "--weights", __file__], "handin: expected a weight file, .npz with a card, got"),
        (["--tactic", "random", "--output", "/dev/null/x.pyz"], "expected to write '/dev/null/x.pyz'"),
        (["--no-such-option"], "unrecognized arguments"),
    ])
    def test_bad_use_leaves_the_old_file(self, tmp_path, words, complaint):
        (tmp_path / "mj_bot.pyz").write_text("the old one")
        result = run_command(*words, cwd=str(tmp_path))
        assert result.returncode == 2
        assert complaint in result.stderr
        assert result.stderr.count("\n") == 1 or result.stderr.startswith("usage:")
        assert os.listdir(str(tmp_path)) == ["mj_bot.pyz"]
        assert (tmp_path / "mj_bot.pyz").read_text() == "the old one"

    @pytest.mark.parametrize("command", [
        "import runpy; runpy.run_path('handin.py', run_name='__main__')",
        "from mj_bot.lab.__main__ import main; raise SystemExit(main(['referee']))"])
    def test_a_missing_comma_in_the_registry(self, tmp_path, command):
        """It was a traceback, here and in the workshop."""
        (tmp_path / "tactic").mkdir()
        (tmp_path / "tactic" / "__init__.py").write_text('TACTICS = {"a": "b"\n"c": "d"}')
        code = "import mj_bot; mj_bot.__path__.insert(0, %r); " % str(tmp_path) + command
        result = subprocess.run([sys.executable, "-c", code], cwd=HOME, stderr=subprocess.PIPE)
        assert result.returncode == 2 and result.stderr.count(b"\n") == 1 and b"SyntaxError: " in result.stderr

    def test_a_full_disk_leaves_nothing(self, tmp_path):
        """The unfinished file stayed."""
        result = run_command("--tactic", "random", cwd=str(tmp_path),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)))
        assert result.returncode == 2 and "expected to write" in result.stderr
        assert os.listdir(str(tmp_path)) == []

    def test_a_loop_of_links_is_refused(self, tmp_path):
        """The file replaced the link."""
        (tmp_path / "mj_bot.pyz").symlink_to("mj_bot.pyz")
        result = run_command("--tactic", "random", cwd=str(tmp_path))
        assert result.returncode == 2 and "Too many levels of symbolic links" in result.stderr
        assert (tmp_path / "mj_bot.pyz").is_symlink()


class TestPythonThatTries:
    """The python3 of a clean clone has no MahjongGB, and the file was refused there."""

    def test_this_one_where_it_has_the_libraries(self):
        assert trial.choose_python() == sys.executable

    def test_that_of_the_set_up_without_the_libraries(self, monkeypatch):
        asked = []
        monkeypatch.setattr(trial, "LIBRARIES", ("numpy", "no_such_library"))
        monkeypatch.setattr(trial.subprocess, "run", lambda words, **options: asked.append(words))
        assert trial.choose_python() == os.path.join(HOME, ".venv", "bin", "python")
        assert [words[-1] for words in asked] == [trial.READY]

    @pytest.mark.parametrize("script", [None, "exit 3"])
    def test_no_set_up(self, tmp_path, script):
        """Without make, and with one that fails."""
        (tmp_path / "mj_bot.pyz").write_text("the old one")
        tools = tmp_path / "tools"
        tools.mkdir()
        if script:
            (tools / "make").write_text("#!/bin/sh\n" + script)
            (tools / "make").chmod(0o755)
        # -S leaves out all installed packages.
        words = [sys.executable, "-S", os.path.join(HOME, "handin.py"), "--tactic", "random"]
        result = subprocess.run(words, cwd=tmp_path, env=dict(os.environ, PATH=str(tools)), capture_output=True,
                                text=True)
        assert result.returncode == 2
        assert "handin: expected `make .venv/play.ready` to install the libraries of the bot" in result.stderr
        assert (tmp_path / "mj_bot.pyz").read_text() == "the old one"


class TestProof:
    def test_words_on_stderr_are_shown_and_accepted(self, tmp_path, capfd):
        """A tactic that printed to stderr, as it was told to, could not be handed in; nor one that did so in GBK."""
        bot = tmp_path / "bot.py"
        bot.write_text("import sys; sys.stderr.buffer.write(b'thinking \\xd6\\n'); print('answer')")
        assert trial._ask(str(bot), "", "draw.json", python=sys.executable) == "answer\n"
        assert "thinking" in capfd.readouterr().err

    @pytest.mark.parametrize("code, complaint", [
        ("print('PASS')", "expected JSON"),
        ("print('{\"response\": \"PASS\"}')", "expected one of PLAY"),
        ("print('{\"response\": \"PLAY W5\"}'); raise SystemExit(1)", "exit code 1"),
        ("bytearray(300 << 20)", "expected at most 256 MB of memory, got 3"),
        ("from mj_bot.botzone import run; run('no such tactic')", "expected a tactic, one of cnn"),
        ("raise OSError('what the author has to see')", "exit code 1 and\n(.*\n)+OSError: what the author"),
        ("from mj_bot.mahjong import fan; fan.IS_AVAILABLE = False; from mj_bot.botzone import run; run('random')",
         "to have the libraries of the bot: .*MahjongGB is not installed"),
        (ANSWERING % "next(action for action in state.action_space() if action[0] in ('PLAY', 'PASS'))",
         "expected the win HU to data/samples/win.json, got 'PLAY"),
        (ANSWERING % "[][1]", r"^random: RE, IndexError: list index out of range \(mj_bot/tactic/rand.py\)$"),
        (ANSWERING % "'PLAY W1'", r"^random: illegal action, .*, got 'PLAY W1' \(__call__ at line 1 of __main__.py\)$"),
        (ANSWERING % "{action[0]: action for action in state.action_space()}['PLAY' if state.win_fan() < 8 else 'HU']",
         "^random: RE, KeyError: 'PLAY'"),
        ("from mj_bot.botzone import run; run('random', keep_running=True)", "expected no line"),
        ("import no_such_library", "pip install numpy PyMahjongGB; it says .*no_such_library"),
        ("import handin", "it says .*No module named 'handin'"),
        ("open('handin.py')", "FileNotFoundError: .*'handin.py'"),
    ])
    def test_what_is_refused(self, pyz, tmp_path, code, complaint):
        broken = tmp_path / "broken.pyz"
        with zipfile.ZipFile(pyz) as good, zipfile.ZipFile(str(broken), "w") as bad:
            for name in good.namelist():
                bad.writestr(name, code if name == "__main__.py" else good.read(name))
        with pytest.raises((upload.HandinError, MahjongError), match=complaint):
            trial.try_file(str(broken))


@pytest.mark.parametrize("needed, expected", [
    (3, contextlib.nullcontext()), (4, pytest.raises(upload.HandinError, match="cut short 3 times.*busy"))])
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
        assert trial._ask(str(bot), "", "draw.json", python=sys.executable) == "answer\n"


@pytest.mark.parametrize("body, told", [
    ("self.ranked = [(actions[0], float('nan'))]", "random: RE, ValueError: expected finite numbers in ranked"),
    ("self.ranked = [(actions[1], 1.0)]", "random: RE, expected ranked to begin with the chosen action"),
])
def test_wrong_remarks_are_not_handed_in(tmp_path, monkeypatch, body, told):
    """A tactic whose values were NaN was handed in."""
    code = ("\nclass RandomTactic(RandomTactic):\n    def decide(self, state, actions):\n        %s\n"
            "        return actions[0]\n")
    read = upload.read_bytes
    monkeypatch.setattr(upload, "read_bytes", lambda path: read(path) + (
        (code % body).encode() if path.endswith("rand.py") else b""))
    path = tmp_path / "bot.pyz"
    path.write_bytes(upload.build("random"))
    with pytest.raises(upload.HandinError) as raised:
        trial.try_file(str(path))
    assert told in str(raised.value)
