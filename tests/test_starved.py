"""The bot on a starved machine: one core, which four busy processes share with it, and too little memory."""

import os
import resource
import subprocess
import sys
import time

import pytest

from mj_bot import botzone
from mj_bot.botzone import JSON, format_input, parse_reply
from mj_bot.lab.upload.pythons import PYTHON36_LIBRARIES as LIBRARIES, find_python36
from mj_bot.lab.upload.pyz import build
from mj_bot.mahjong.action import format_action
from mj_bot.project_files import project_path
from mj_bot.tactic import DEFAULT_TACTIC
from tests.golden_games import read_games, walk

DECISIONS, LEAST_OWN = 50, 45
_EVERY = 17
_BUSY = 4
_MOST_SECONDS = 3.0


def list_decisions():
    """DECISIONS pairs (input, texts of its legal actions) from the golden games, with at least 3 actions each."""
    found = []
    for game in read_games():
        inputs = [([], []) for _ in range(4)]
        for _, requests, _, answers, states in walk(game):
            for (asked, answered), request, answer, state in zip(inputs, requests, answers, states):
                asked.append(request)
                legal = state.action_space()
                if len(legal) > 2:
                    found.append((format_input(asked, answered, JSON), [format_action(action) for action in legal]))
                answered.append(answer)
        if len(found) >= DECISIONS * _EVERY:
            return found[:DECISIONS * _EVERY:_EVERY]


@pytest.fixture
def starve():
    """Keeps one core busy; its number."""
    core = str(min(os.sched_getaffinity(0)))
    busy = [subprocess.Popen(["taskset", "-c", core, sys.executable, "-c", "while True: pass"]) for _ in range(_BUSY)]
    yield core
    for process in busy:
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.skipif(find_python36() is None, reason="no Python 3.6 found")
@pytest.mark.parametrize("tactic", [DEFAULT_TACTIC, "search"])
def test_answers_in_time(tactic, starve, tmp_path):
    """Every answer is legal and in time, and nearly all are the tactic's own: its choice, or its best so far.

    With a budget of all 3 seconds answers came after 3.06. With Python's own end of the process, which was not measured
    here, they took up to 4.33 seconds.
    """
    path = tmp_path / "bot.pyz"
    path.write_bytes(build(tactic))
    words = ["taskset", "-c", starve, find_python36(), str(path)]
    own, seconds = 0, []
    for text, legal in list_decisions():
        start = time.perf_counter()
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              universal_newlines=True, env=dict(os.environ, PYTHONPATH=LIBRARIES)) as process:
            process.stdin.write(text)
            process.stdin.close()
            reply = parse_reply(process.stdout.readline(), JSON)
        seconds.append(time.perf_counter() - start)  # Botzone waits for the end of the process
        assert reply.response in legal
        own += botzone.CUT in reply.debug or "Error" not in reply.debug
    assert own >= LEAST_OWN
    assert max(seconds) <= _MOST_SECONDS


@pytest.mark.skipif(find_python36() is None, reason="no Python 3.6 found")
@pytest.mark.parametrize("megabytes", [120, 200, 230, 250])
def test_answers_with_little_memory(megabytes, tmp_path):
    """Between 120 and 230 MB OpenBLAS did not get its buffer, and ended the process without an answer."""
    path = tmp_path / "bot.pyz"
    path.write_bytes(build(DEFAULT_TACTIC))
    done = subprocess.run(
        [find_python36(), str(path)], stdin=open(project_path("data/samples/draw.json")), capture_output=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20)),
        env=dict(os.environ, PYTHONPATH=LIBRARIES), text=True)
    assert done.returncode == 0 and parse_reply(done.stdout, JSON).response.startswith("PLAY ")
    assert ("MemoryError" in done.stderr) == (megabytes < 240)
