"""Commands that are killed at random moments, or find the disk full, and run again: the result is the same.

A command runs in a fork of this process, in which all is imported and compiled, so that most kills hit its work.
"""

import contextlib
import importlib
import json
import os
import random
import re
import resource
import signal
import sys
import time
import traceback
from pathlib import Path

import numpy as np
import pytest

from mj_bot.lab.__main__ import main
from tests.lab.live.server import LiveServer
from tests.lab.review.games import golden_lines
from tests.serving import serving

pytestmark = pytest.mark.slow

_KILLS = 30
_FULL_DISKS = 12
_SECONDS = 900
_LEAST = 64


class Child:
    """A fork that runs a command of the workshop.

    most_bytes: that a file may have there. printed: what it has printed, after wait().
    """

    def __init__(self, words, most_bytes=None):
        self._pipe, writing = os.pipe()
        self.printed = ""
        self.number = os.fork()
        if self.number:
            os.close(writing)
            os.set_blocking(self._pipe, False)
        else:
            self._run(words, writing, most_bytes)

    def _run(self, words, writing, most_bytes):
        code = 99
        try:
            os.setsid()
            sys.stdout = sys.stderr = open(writing, "w", buffering=1)
            if most_bytes is not None:
                # Of Unix's limits the one that is most like a full disk: a write fails in the midst of a file.
                resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
            code = main(words)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)

    def wait(self, seconds=_SECONDS):
        """The exit code; None where it has not ended after these seconds, and is killed."""
        deadline = time.monotonic() + seconds
        code = None
        while code is None and time.monotonic() < deadline:
            self._read()
            ended, status = os.waitpid(self.number, os.WNOHANG)
            if ended:
                code = os.waitstatus_to_exitcode(status)
            else:
                time.sleep(0.005)
        if code is None:
            try:
                os.killpg(self.number, signal.SIGKILL)
            except ProcessLookupError:  # it has no group of its own yet
                os.kill(self.number, signal.SIGKILL)
            os.waitpid(self.number, 0)
        self._read()
        os.close(self._pipe)
        return code

    def _read(self):
        with contextlib.suppress(BlockingIOError):
            for piece in iter(lambda: os.read(self._pipe, 1 << 16), b""):
                self.printed += piece.decode("utf-8", "replace")


def import_command(name):
    """Imports a command, and the modules that its functions import."""
    command = importlib.import_module("mj_bot.lab.commands." + name)
    for module in re.findall(r"^ +from (\.\S+) import", Path(command.__file__).read_text(encoding="utf-8"), re.M):
        importlib.import_module(module, command.__package__)


def run(words, most_bytes=None):
    """Exit code of a command that runs to its end, and what it printed."""
    child = Child(words, most_bytes)
    code = child.wait()
    assert code is not None, "%s did not end:\n%s" % (words, child.printed)
    return code, child.printed


def read_match(folder):
    match = json.loads((folder / "match.json").read_text(encoding="utf-8"))
    return match["wall_scores"], match["wall_wins"], match["differences"], match["walls"]


def read_set(folder):
    """The bytes of the set; the card names the command, and with it the folder."""
    card = json.loads((folder / "set" / "card.json").read_text(encoding="utf-8"))
    return {path.name: path.read_bytes() for path in sorted((folder / "set").glob("*.npz"))}, card["hash"]


def read_files(folder):
    """The files without those that name this folder, and without what killed writers have left of a text."""
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and path.name not in ("run.json", "lock") and path.suffix != ".tmp"}


def read_trained(folder):
    from mj_bot.lab.train.checkpoint import load_checkpoint

    state, tensors = load_checkpoint(folder / "run")
    state = {key: value for key, value in state.items() if key not in ("commit", "changed")}
    return state, {name: tensor.numpy().tobytes() for name, tensor in tensors.items()}


def read_learnt(folder):
    """The networks, and the log without what the clock and the breaks change."""
    networks = {}
    for path in sorted((folder / "run" / "weights").glob("*.npz")):
        with np.load(path) as file:
            networks[path.name] = {name: file[name].tobytes() for name in file.files if name != "card"}
    lines = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text().splitlines()]
    return networks, [{key: value for key, value in line.items()
                       if "pace" not in key and key not in ("minutes", "stretch")} for line in lines]


CASES = {  # name: words with {folder} and {inputs}, reader of the result, exit code of a run without an error
    "arena": ("arena random random:seed=1 --walls 48 --rotations 4 --workers 1 --referee --json {folder}/match.json",
              read_match, 0),
    "dataset": ("dataset -o {folder}/set --players random --games 2000 --workers 1", read_set, 0),
    "dataset of records": ("dataset -o {folder}/set --records {inputs}/records --workers 1", read_set, 0),
    "records convert": ("records convert {inputs}/records -o {folder}/games --workers 1", read_files, 2),
    "records convert to text": (
        "records convert {inputs}/records -o {folder}/games.txt --to official --workers 1", read_files, 2),
    "train": ("train small --data {inputs}/set --output {folder}/run --samples 96 --set schedule.batch_size=16 "
              "--device cpu --threads 1 "
              "--decisions 50", read_trained, 0),
    "rl": ("rl {inputs}/rl.toml --output {folder}/run --threads 1", read_learnt, 0),
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with records, one of them broken, a set, and the settings of a run of self-play."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "records").mkdir()
    lines = golden_lines(160)
    for number in range(12):
        (folder / "records" / ("%02d.jsonl" % number)).write_text("".join(lines[number::12]), encoding="utf-8")
    (folder / "records" / "broken.jsonl").write_text(lines[0][:2000])
    code, printed = run(["dataset", "-o", str(folder / "set"), "--players", "random", "--games", "24", "--seed", "3",
                         "--workers", "1"])
    assert code == 0, printed
    return folder


def run_whole(name, inputs, folder, monkeypatch):
    """(words' maker, reader, exit code, result, seconds) of a whole run; skips what this machine cannot run."""
    text, read, code = CASES[name]
    if name in ("train", "rl"):
        torch = pytest.importorskip("torch")
        torch.set_num_threads(1)
        # An optimiser imports the first, a run of self-play the second: six seconds in every fork.
        for module in ("torch._dynamo", "torch.utils.tensorboard"):
            importlib.import_module(module)
        monkeypatch.setattr("mj_bot.lab.train.training_loop._SAVE_SECONDS", 0)
    if name == "rl" and not (inputs / "rl.toml").exists():
        from tests.lab.rl.runs import write_settings, write_start

        write_start(inputs / "start.npz")
        write_settings(inputs / "rl.toml", inputs / "start.npz", run={"games": 32, "save_games": 16})
    import_command(text.split()[0])

    def make_words(folder):
        return [word.format(folder=folder, inputs=inputs) for word in text.split()]

    for number in range(2):  # the first may compile
        whole = folder / ("whole%d" % number)
        whole.mkdir()
        begun = time.monotonic()
        ended, printed = run(make_words(whole))
        assert ended == code, printed
    return make_words, read, code, read(whole), time.monotonic() - begun


@pytest.mark.parametrize("name", CASES)
def test_killed_and_given_again(name, inputs, tmp_path, monkeypatch):
    make_words, read, code, result, seconds = run_whole(name, inputs, tmp_path, monkeypatch)
    rng, number, met = random.Random(name), 0, 0
    folder = tmp_path / "run0"
    folder.mkdir()
    for _ in range(_KILLS):
        child = Child(make_words(folder))
        ended = child.wait(seconds * rng.uniform(0, 0.9))
        if ended is None:
            met += 1
            continue
        assert ended == code, child.printed
        assert read(folder) == result
        number += 1
        folder = tmp_path / ("run%d" % number)
        folder.mkdir()
    ended, printed = run(make_words(folder))
    assert ended == code, printed
    assert read(folder) == result
    assert met >= _KILLS // 3


@pytest.mark.parametrize("name", CASES)
def test_a_full_disk_and_given_again(name, inputs, tmp_path, monkeypatch):
    """Some commands refused their own unfinished files, others ended with a traceback."""
    make_words, read, code, result, _ = run_whole(name, inputs, tmp_path, monkeypatch)
    largest = max(path.stat().st_size for path in (tmp_path / "whole1").rglob("*") if path.is_file())
    rng = random.Random(name)
    # Below, the semaphores of multiprocessing do not fit.
    limits = [_LEAST] + [max(_LEAST, int(largest ** rng.random())) for _ in range(_FULL_DISKS - 1)]
    for number, most in enumerate(limits):
        folder = tmp_path / ("run%d" % number)
        folder.mkdir()
        ended, printed = run(make_words(folder), most_bytes=most)
        assert "Traceback" not in printed, (most, printed)
        assert ended in (2, code), (most, printed)
        if number % 3 == 0:
            run(make_words(folder), most_bytes=most)
        ended, printed = run(make_words(folder))
        assert ended == code, (most, printed)
        assert read(folder) == result, most


def test_live_is_killed_and_given_again(tmp_path):
    """Matches at a server continue, and end as without a kill."""
    scores = []
    import_command("live")
    for kills in (0, _KILLS):
        rng, folder = random.Random(kills), tmp_path / ("live%d" % kills)
        with serving(LiveServer(6, hold=0.3)) as server:
            words = ["live", server.url, "--output", str(folder), "--tactic", "random:seed=1"]
            for _ in range(kills):
                Child(words).wait(rng.uniform(0, 1.5))
            child, left = Child(words + ["--matches", "1000"]), _SECONDS
            while len(list((folder / "finished").glob("*.json"))) < 6 and left > 0:
                time.sleep(0.5)
                left -= 0.5
            child.wait(0)
            assert [match.illegal for match in server.matches.values() if match.illegal] == []
            scores.append({match.match_id: match.referee.scores for match in server.matches.values()})
            for match in server.matches.values():
                saved = json.loads((folder / "finished" / (match.match_id + ".json")).read_text())
                assert saved["scores"] == [str(score) for score in match.referee.scores]
    assert scores[0] == scores[1]
