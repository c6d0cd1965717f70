"""Tries the file for Botzone on sample requests, in a process of its own, as Botzone starts it."""

import json
import os
import subprocess
import sys
import tempfile
from typing import Dict, List, Tuple

from ...botzone import BLIND, BUDGET, JSON, KEEP_RUNNING, parse_reply
from ...deadline import BudgetExceeded
from ...mahjong.action import format_action
from ...mahjong.errors import MahjongError
from ...mahjong.state import GameState
from ...project_files import project_path
from ..run.printable import clean_lines
from .pythons import LIBRARIES, Python
from .pyz import HandinError, read_bytes, read_tactic

# The sample requests. The answers to WINS must be a win: on an own draw, and on the tile of another seat's kong.
SAMPLES = ("draw.json", "claim.json", "kong.json")
WINS = ("win.json", "rob.json")
# Botzone's limits, and how many tries each answer has. An answer may be late only because this machine is busy.
MAX_MB = 256
MAX_SECONDS = 6
PROOF_TRIES = 3
# A tactic that closes its files opens fewer at once. Without this limit a leak would show after thousands of turns.
MAX_FILES = 64
CHECK_SECONDS = 30  # limit for each game in check_answers

_OWN_ERRORS = MahjongError.__module__ + "."

# With -I and -S, Python has its standard library alone. This gives it LIBRARIES from the folders of the first word.
_PREPARE = """import os, runpy, sys
from importlib.machinery import PathFinder
folders = sys.argv.pop(1).split(os.pathsep)
class Libraries(object):
    @staticmethod
    def find_spec(name, path=None, target=None):
        if path is None and name in %r:
            return PathFinder.find_spec(name, folders)
sys.meta_path.append(Libraries)
""" % (LIBRARIES,)
# Ends the process as Botzone's limits want it, without waiting for threads of the tactic, as the file itself does.
_LIMIT = _PREPARE + """
leave = os._exit
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (%d << 20, resource.RLIM_INFINITY))  # it protects this machine
    resource.setrlimit(resource.RLIMIT_NOFILE, (%d, %d))
except (ImportError, OSError, ValueError):
    pass
def read_peak():
    if not os.path.exists("/proc/self/status"):
        return 0
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) >> 10 for line in status if line.startswith("VmHWM:"))
def end(code):
    if read_peak() > %d:
        sys.stderr.write("expected at most %d MB of memory, got %%d" %% read_peak())
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    leave(code)
""" % (4 * MAX_MB, MAX_FILES, MAX_FILES, MAX_MB, MAX_MB)
# Starts the file as Botzone does.
_START = _LIMIT + """
os._exit = end
runpy.run_path(sys.argv[1], run_name="__main__")
end(0)"""
# Checks the tactic of the file. The words after the folders are the file, the tactic and the games.
_CHECK = _LIMIT + """
sys.path.insert(0, sys.argv.pop(1))
from mj_bot.tactic.answer_check import main
main()
print(read_peak())
end(0)"""


def try_file(path: str, keep_running: bool = False, *, python: Python) -> Dict[str, str]:
    """Returns the file's answers to the sample requests, {name of the sample: answer}.

    path: path of the file. keep_running: whether the file was built with keep_running.
    python: a pythons.Python, which plays the file.
    Raises HandinError: no answer, an illegal one, one that is not the tactic's own, a missed win, or what
        check_answers finds.
    """
    answers = {}
    for name in SAMPLES + WINS:
        text = read_bytes(project_path("data/samples/" + name)).decode()
        output = _ask(path, text, name, python=python)
        output, marker, _ = output.partition(KEEP_RUNNING)
        if bool(marker) != keep_running:
            raise HandinError("expected %s line %s after the answer to %s", "the" if keep_running else "no",
                              KEEP_RUNNING, name)
        answers[name] = parse_reply(output, JSON).response
        legal = [format_action(action) for action in GameState().load_json(json.loads(text)).action_space()]
        if name in WINS:
            legal = ["HU"]
        if answers[name] not in legal:
            raise HandinError("expected %s to data/samples/%s, got %r",
                              "the win HU" if name in WINS else "one of " + ", ".join(legal), name, answers[name])
    check_answers(path, [project_path("data/samples/" + name) for name in SAMPLES + WINS], python=python)
    return answers


def check_answers(path: str, games: List[str], *, python: Python) -> Tuple[List[Tuple[str, float]], int]:
    """Asks the tactic of the file for its answers in games, one process for all, and checks them.

    path: path of the file. games: paths of files with requests and responses in Botzone's JSON. python: a
        pythons.Python, which plays the file.
    Returns ([(action's text, seconds) of each decision], peak memory of the process in MB, 0 where unknown).
    Raises HandinError: what tactic/answer_check.py finds wrong, or a limit of time, memory or open files is not kept.
    """
    seconds = CHECK_SECONDS * len(games)
    try:
        result = _run(python, _CHECK, [os.path.abspath(path), read_tactic(path)] + games, text="", seconds=seconds)
    except subprocess.TimeoutExpired:
        raise HandinError("expected all answers of the tactic to the samples within %d s", seconds) from None
    if result.returncode:
        last = clean_lines(result.stderr.strip()).splitlines()[-1]
        raise HandinError("%s", last if last.startswith("expected at most") else last.partition(": ")[2] or last)
    *_, answers, peak = result.stdout.splitlines()
    return [tuple(answer) for answer in json.loads(answers)], int(peak)


def _ask(path, text, name, *, python):
    """Returns the output of the file at `path` for the input `text` of the sample `name`. python: a pythons.Python."""
    for _ in range(PROOF_TRIES):
        try:
            result = _run(python, _START, [os.path.abspath(path)], text=text, seconds=MAX_SECONDS)
        except subprocess.TimeoutExpired:
            last = "no end of the process within %g s, Botzone's limit" % MAX_SECONDS
            continue
        errors = clean_lines(result.stderr.strip())
        last = errors.splitlines()[-1] if errors else ""
        if BudgetExceeded.__name__ not in errors:
            break
    else:
        raise HandinError("expected the tactic's answer to %s within %g s, it was cut short %d times: the tactic "
                          "is too slow, or this machine is busy; the last time: %s", name, BUDGET, PROOF_TRIES,
                          last.partition(": ")[2] or last)
    if last.startswith(_OWN_ERRORS):
        # The project's own errors are complete: a wrong option, a file that is no weights.
        raise HandinError(last.partition(": ")[2] + _explain_import(errors))
    if BLIND in errors:
        raise HandinError("expected %s to have the libraries of the bot; it says %s", python.path, last)
    if last.startswith("expected at most"):  # by _START
        raise HandinError("%s, at %s", last, name)
    if result.returncode or "Traceback (most recent call last)" in errors:
        raise HandinError("expected a clean answer to %s, got exit code %d%s and\n%s", name, result.returncode,
                          _explain_import(errors), errors or "nothing on stderr")
    if errors and name in SAMPLES:
        print("The bot says on stderr, at %s:\n%s" % (name, errors), file=sys.stderr)
    return result.stdout


def _run(python, code, words, *, text, seconds):
    """Returns the subprocess.CompletedProcess of a program, in a folder without other files."""
    with tempfile.TemporaryDirectory() as elsewhere:
        return subprocess.run([python.path, "-I", "-S", "-B", "-c", code, os.pathsep.join(python.folders)] + words,
                              input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                              errors="replace", timeout=seconds, cwd=elsewhere)


def _explain_import(errors):
    """Returns what follows an error about an import, "" after other errors. errors: the bot's stderr."""
    return "; Botzone has %s and no other package" % " and ".join(LIBRARIES) if "No module named" in errors else ""
