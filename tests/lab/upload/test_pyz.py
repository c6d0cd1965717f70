"""mj_bot.pyz: what is in it, that it is the same every time, and that nothing is handed in that does not answer."""

import ast
import io
import os
import re
import resource
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from mj_bot.botzone import KEEP_RUNNING
from mj_bot.lab.commands.handin import main
from mj_bot.lab.upload import pyz as upload
from mj_bot.lab.upload.pyz import PROJECT_FOLDER
from mj_bot.mahjong.errors import UnknownTacticError

SAMPLES = os.path.join(PROJECT_FOLDER, "data", "samples")


SHY = '''
from mj_bot.tactic.cnn import CNNTactic
from shy_helper import keep


class ShyTactic(CNNTactic):
    def evaluate(self, observations, masks):
        return keep(super(ShyTactic, self).evaluate(observations, masks))
'''


def run_command(*words, **options):
    return subprocess.run([sys.executable, os.path.join(PROJECT_FOLDER, "handin.py"), *words], capture_output=True,
                          text=True, **options)


def test_a_start_compiles_each_module_once(pyz):
    """Python's own importer of zip files compiles each twice, a tenth of the time of a turn."""
    code = ("import collections, os, runpy, sys\n"
            "counts = collections.Counter()\n"
            "sys.addaudithook(lambda event, facts: counts.update([str(facts[1])]) if event == 'compile' else None)\n"
            "os._exit = lambda code: None\n"
            "runpy.run_path(sys.argv[1], run_name='__main__')\n"
            "print({name: count for name, count in counts.items() if '.pyz/mj_bot' in name}, file=sys.stderr)\n")
    with open(os.path.join(SAMPLES, "draw.json"), encoding="utf-8") as sample:
        result = subprocess.run([sys.executable, "-c", code, pyz], stdin=sample, capture_output=True, text=True)
    counts = ast.literal_eval(result.stderr)
    assert len(counts) > 10 and set(counts.values()) == {1}


def test_the_process_ends_with_the_answer(tmp_path):
    """Its end took 0.6 s on a starved machine, of the 3 s of a turn; a thread of a tactic kept it for ever."""
    tactic, path = tmp_path / "threads.py", tmp_path / "bot.pyz"
    tactic.write_text(
        "import sys, threading, time\n"
        "from mj_bot.tactic.rand import RandomTactic\n"
        "class ThreadsTactic(RandomTactic):\n"
        "    def __call__(self, state):\n"
        "        threading.Thread(target=time.sleep, args=(600,)).start()\n"
        "        sys.stderr.write('heard')\n"
        "        return super().__call__(state)\n")
    path.write_bytes(upload.build(str(tactic)))
    with open(os.path.join(SAMPLES, "draw.json"), encoding="utf-8") as sample:
        result = subprocess.run([sys.executable, str(path)], stdin=sample, capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stderr) == (0, "heard") and '"response": "PLAY' in result.stdout


class TestContents:
    def test_shipped_rooms_alone(self, pyz):
        names = zipfile.ZipFile(pyz).namelist()
        assert "__main__.py" in names and "mj_bot/botzone.py" in names
        assert names == sorted(names)
        assert not [name for name in names if "lab" in name.split("/") or "test" in name]
        assert [name for name in names if not name.endswith(".py")] == ["mj_bot/worth/fitted.json"]

    def test_every_source_outside_the_workshop(self):
        listed = subprocess.run(["git", "ls-files", "mj_bot/*.py"], cwd=PROJECT_FOLDER, stdout=subprocess.PIPE,
                                text=True)
        if listed.returncode:
            pytest.skip("not a git checkout: nothing to compare the list of sources with")
        tracked = {path for path in listed.stdout.split() if not path.startswith(("mj_bot/lab/", "mj_bot/api.py"))}
        assert tracked <= set(upload.list_sources()) and "mj_bot/api.py" not in upload.list_sources()

    def test_same_files_same_bytes(self, tmp_path):
        """Neither the place, nor the time, nor leftovers of running the bot change a byte."""
        copy = tmp_path / "elsewhere"
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(os.path.join(PROJECT_FOLDER, "mj_bot"), str(copy / "mj_bot"), ignore=ignore,
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

    def test_a_class_in_place_of_its_name(self, monkeypatch):
        """It was an AttributeError."""
        monkeypatch.setitem(upload.TACTICS, "own", object)
        with pytest.raises(UnknownTacticError, match="expected a module in a file, got \"<class 'object'>\""):
            upload.build("own")

    def test_a_file_from_anywhere_with_the_files_that_it_imports(self, tmp_path):
        """A tactic had to be copied into the package, and the weights of a subclass of CNNTactic were not found."""
        (tmp_path / "shy.py").write_text(SHY)
        (tmp_path / "shy_helper.py").write_text("def keep(evaluation):\n    return evaluation\n")
        (tmp_path / "unused.py").write_text("import torch")
        archive = zipfile.ZipFile(io.BytesIO(upload.build(str(tmp_path / "shy.py"))))
        assert {name for name in archive.namelist() if "/" not in name} == {"__main__.py", "shy.py", "shy_helper.py"}
        assert "run('shy:ShyTactic', keep_running=False)" in archive.read("__main__.py").decode()
        assert "mj_bot/weights/cnn.npz" in archive.namelist() and "mj_bot/weights/cnn.json" in archive.namelist()
        own = upload.build("%s:torch=0" % (tmp_path / "shy.py"), upload.default_weights("cnn"))
        assert b"run('shy:ShyTactic:torch=0,weights=cnn.npz'" in own

    def test_a_weight_file_is_a_player(self):
        assert upload.build(upload.default_weights("cnn")) == upload.build("cnn")

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
    @pytest.mark.parametrize("former, words, told", [
        pytest.param(None, ["random", "--keep-running"], None, id="nothing", marks=pytest.mark.slow),
        pytest.param("cnn", ["cnn"], None, id="the same", marks=pytest.mark.slow),
        pytest.param("random:seed=3", ["random"], "Before, mj_bot.pyz had the tactic random:seed=3.", id="another"),
    ])
    def test_a_proven_file_with_its_size_and_sum_and_what_was_there(self, tmp_path, former, words, told):
        """It said that cnn replaces cnn:weights=cnn.npz."""
        if former is not None:
            (tmp_path / "mj_bot.pyz").write_bytes(upload.build(former))
        result = run_command("--tactic", *words, cwd=str(tmp_path))
        assert result.returncode == 0, result.stderr
        assert os.listdir(str(tmp_path)) == ["mj_bot.pyz"]
        first, *others, last = result.stdout.splitlines()
        assert "%d bytes, sha256 " % (tmp_path / "mj_bot.pyz").stat().st_size in first
        assert others == [told] * bool(told) and last.startswith("It answers PLAY")

    def test_a_file_that_is_no_bot_is_not_replaced(self, tmp_path, monkeypatch, capsys):
        """`handin -o notes.txt` replaced the notes, and said so afterwards."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "notes.txt").write_text("notes")
        assert main(["--tactic", "random", "-o", "notes.txt"]) == 2
        assert "expected a new file or one that handin made, got 'notes.txt'" in capsys.readouterr().err
        assert os.listdir(str(tmp_path)) == ["notes.txt"] and (tmp_path / "notes.txt").read_text() == "notes"

    @pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("/dev/zero", path)])
    def test_weights_without_an_end(self, tmp_path, make):
        """/dev/zero took 24 GB of memory, and a pipe kept the command waiting."""
        make(str(tmp_path / "w.npz"))
        result = run_command("--tactic", "random", "--weights", "w.npz", cwd=str(tmp_path), timeout=60)
        assert result.returncode == 2 and "expected a readable file, got 'w.npz'" in result.stderr

    @pytest.mark.parametrize("words, complaint", [
        (["--tactic", "randon"], "did you mean 'random'?"),
        (["--tactic", "random", "--weights", "nowhere.npz"], "expected a readable file, got 'nowhere.npz'"),
        (["--tactic", "random:sed=3"], "handin: expected options that 'random' takes, (seed=0), got {'sed': 3}"),
        (["--tactic", "cnn", "--weights", __file__], "handin: expected a weight file, .npz with a card, got"),
        (["--tactic", "random", "--output", "/dev/null/x.pyz"], "expected to write '/dev/null/x.pyz'"),
        (["--no-such-option"], "handin: expected options of this command, got --no-such-option"),
    ])
    def test_bad_use_leaves_the_old_file(self, pyz, tmp_path, words, complaint, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        shutil.copy(pyz, str(tmp_path / "mj_bot.pyz"))
        try:
            assert main(words) == 2
        except SystemExit as ended:
            assert ended.code == 2
        told = capsys.readouterr().err
        assert complaint in told and (told.count("\n") == 1 or told.startswith("usage:"))
        assert os.listdir(str(tmp_path)) == ["mj_bot.pyz"]
        assert (tmp_path / "mj_bot.pyz").read_bytes() == Path(pyz).read_bytes()

    @pytest.mark.parametrize("command", [
        "import runpy; runpy.run_path('handin.py', run_name='__main__')",
        "from mj_bot.lab.__main__ import main; raise SystemExit(main(['referee']))"])
    def test_a_missing_comma_in_the_registry(self, tmp_path, command):
        """It was a traceback, here and in the workshop."""
        (tmp_path / "tactic").mkdir()
        (tmp_path / "tactic" / "__init__.py").write_text('TACTICS = {"a": "b"\n"c": "d"}')
        code = "import mj_bot; mj_bot.__path__.insert(0, %r); " % str(tmp_path) + command
        result = subprocess.run([sys.executable, "-c", code], cwd=PROJECT_FOLDER, stderr=subprocess.PIPE)
        assert result.returncode == 2 and result.stderr.count(b"\n") == 1 and b"SyntaxError: " in result.stderr

    @pytest.mark.parametrize("line, told", [
        ("import torch", r"shy:ShyTactic: RE, .*No module named 'torch' \(line 1 of shy.py\); Botzone has"),
        ("def own(counts: list[int]): pass", r"expected Python 3.6, got list\[...\] \(line 1 of shy.py\)")])
    def test_a_file_that_fails_on_botzone(self, tmp_path, line, told, monkeypatch, capsys):
        """Both were handed in, and played the whole game by last resort."""
        (tmp_path / "shy.py").write_text(line + SHY)
        (tmp_path / "shy_helper.py").write_text("def keep(evaluation):\n    return evaluation\n")
        monkeypatch.chdir(tmp_path)
        assert main(["--tactic", "shy.py"]) == 2 and not (tmp_path / "mj_bot.pyz").exists()
        complaint = capsys.readouterr().err
        assert re.match("handin: .*" + told, complaint) and complaint.count("\n") == 1

    def test_a_full_disk_leaves_nothing(self, tmp_path):
        """The unfinished file stayed."""
        result = run_command("--tactic", "random", cwd=str(tmp_path),
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600)))
        assert result.returncode == 2 and "expected to write" in result.stderr
        assert os.listdir(str(tmp_path)) == []

    def test_a_loop_of_links_is_refused(self, tmp_path, monkeypatch, capsys):
        """The file replaced the link."""
        monkeypatch.chdir(tmp_path)
        (tmp_path / "mj_bot.pyz").symlink_to("mj_bot.pyz")
        assert main(["--tactic", "random"]) == 2 and "Too many levels of symbolic links" in capsys.readouterr().err
        assert (tmp_path / "mj_bot.pyz").is_symlink()
