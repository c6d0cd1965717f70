"""Tries the file for Botzone on sample requests, in a process of its own, as Botzone starts it."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile

from ...botzone import BLIND, BUDGET, JSON, KEEP_RUNNING, parse_reply
from ...project_files import IS_CLONE, project_path
from ...deadline import BudgetExceeded
from ...mahjong.action import format_action
from ...mahjong.errors import MahjongError
from ...mahjong.state import GameState
from .pyz import HOME, HandinError, read_bytes, read_tactic

# The libraries of the bot, see requirements.txt, and the target of make that installs them in a clone.
LIBRARIES = ("numpy", "MahjongGB")
_DISTRIBUTIONS = ("numpy", "PyMahjongGB")
READY = ".venv/play.ready"
# The sample requests. The answers to the last two must be a win: by an own draw, and on the tile of another's kong.
SAMPLES = ("draw.json", "claim.json", "kong.json")
WINS = ("win.json", "rob.json")
MAX_MB = 256
PROOF_SECONDS = 30
PROOF_TRIES = 3

_OWN_ERRORS = MahjongError.__module__ + "."

# Starts the file as Botzone does: without the modules of the clone, its second word, and in a folder without its files.
_START = """import os, runpy, sys
sys.path[:] = [path for path in sys.path if path != sys.argv[2]]
runpy.run_path(sys.argv[1], run_name="__main__")
if os.path.exists("/proc/self/status"):
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) >> 10 for line in status if line.startswith("VmHWM:"))
    if peak > %d:
        sys.exit("expected at most %d MB of memory, got %%d" %% peak)""" % (MAX_MB, MAX_MB)


# Checks the tactic of the file: the words are the file, the tactic and samples.
_CHECK = """import sys
sys.path.insert(0, sys.argv.pop(1))
from mj_bot.tactic.check import main
main()"""


def choose_python():
    """The Python that tests the file: this one if it has the libraries of the bot, else that of .venv.

    Raises HandinError: make cannot set up .venv.
    """
    if all(importlib.util.find_spec(name) for name in LIBRARIES):
        return sys.executable
    if not IS_CLONE:
        raise HandinError("expected a Python with the libraries of the bot, %s, got %s: pip install %s" % (
            " and ".join(LIBRARIES), sys.executable, " ".join(_DISTRIBUTIONS)))
    if not os.path.exists(os.path.join(HOME, READY)):
        print("handin: setting up .venv to test the file there, once ...", file=sys.stderr)
    try:
        subprocess.run(["make", "--silent", "--directory", HOME, READY], check=True, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        raise HandinError("expected `make %s` to install the libraries of the bot: %s" % (READY, error)) from None
    return os.path.join(HOME, ".venv", "bin", "python")


def try_file(path, keep_running=False, python=sys.executable):
    """The file's answers to the sample requests, {name of the sample: answer}.

    keep_running: as the file was built.
    Raises HandinError: no answer, an illegal one, one that is not the tactic's own, a missed win, or what _check finds.
    """
    answers = {}
    for name in SAMPLES + WINS:
        text = read_bytes(project_path("data/samples/" + name)).decode()
        output = _ask(path, text, name, python=python)
        output, marker, _ = output.partition(KEEP_RUNNING)
        if bool(marker) != keep_running:
            raise HandinError("expected %s line %s after the answer to %s"
                              % ("the" if keep_running else "no", KEEP_RUNNING, name))
        answers[name] = parse_reply(output, JSON).response
        legal = [format_action(action) for action in GameState().load_json(json.loads(text)).action_space()]
        if name in WINS:
            legal = ["HU"]
        if answers[name] not in legal:
            raise HandinError("expected %s to data/samples/%s, got %r" % (
                "the win HU" if name in WINS else "one of " + ", ".join(legal), name, answers[name]))
    _check(path, python)
    return answers


def _check(path, python):
    """Raises HandinError where mj_bot.tactic.check finds something wrong in the tactic's answers to the samples."""
    samples = [project_path("data/samples/" + name) for name in SAMPLES + WINS]
    seconds = PROOF_SECONDS * len(samples)
    try:
        with tempfile.TemporaryDirectory() as elsewhere:
            result = subprocess.run(
                [python, "-c", _CHECK, os.path.abspath(path), read_tactic(path)] + samples, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, encoding="utf-8", errors="replace", timeout=seconds, cwd=elsewhere)
    except subprocess.TimeoutExpired:
        raise HandinError("expected all answers of the tactic to the samples within %d s" % seconds) from None
    if result.returncode:
        raise HandinError(result.stderr.strip().splitlines()[-1].partition(": ")[2])


def _ask(path, text, name, *, python):
    """The output of the file at `path` for the input `text` of the sample `name`."""
    for _ in range(PROOF_TRIES):
        try:
            with tempfile.TemporaryDirectory() as elsewhere:
                result = subprocess.run(
                    [python, "-c", _START, os.path.abspath(path), HOME if IS_CLONE else ""], input=text,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                    timeout=PROOF_SECONDS, cwd=elsewhere,
                )
        except subprocess.TimeoutExpired:
            raise HandinError("expected an answer to %s and the end of the process, got none in %d s" % (
                name, PROOF_SECONDS)) from None
        said = result.stderr.strip()
        last = said.splitlines()[-1] if said else ""
        if BudgetExceeded.__name__ not in said:
            break
    else:
        raise HandinError("expected the tactic's answer to %s within %g s, it was cut short %d times: the tactic "
                          "is too slow, or this machine is busy; the last time: %s"
                          % (name, BUDGET, PROOF_TRIES, last.partition(": ")[2]))
    missing = any("No module named '%s'" % library in said for library in LIBRARIES) or BLIND in said
    if last.startswith(_OWN_ERRORS) and not missing:
        # The project's own errors are complete: a wrong option, a file that is no weights.
        raise HandinError(last.partition(": ")[2])
    if missing or "No module named" in said:
        raise HandinError("expected %s to have the libraries of the bot: %s -m pip install %s; it says %s" % (
            python, python, " ".join(_DISTRIBUTIONS), last))
    if last.startswith("expected at most"):  # by _START
        raise HandinError("%s, at %s" % (last, name))
    if result.returncode or "Traceback (most recent call last)" in said:
        raise HandinError("expected a clean answer to %s, got exit code %d and\n%s" % (
            name, result.returncode, said or "nothing on stderr"))
    if said and name in SAMPLES:
        print("The bot says on stderr, at %s:\n%s" % (name, said), file=sys.stderr)
    return result.stdout
