"""Checks a tactic in games before a match: its answers, here and on Python 3.6, and their time."""

import json
import os
import subprocess
import tempfile
import time
from typing import NamedTuple

from ... import botzone
from ...mahjong.action import format_action
from ...mahjong.errors import TacticError
from ...tactic import load_class, parse_spec
from ...tactic.answer_check import check_game
from ..upload import pythons
from ..words import clean_lines
from .match import play_game
from .players import INTERACTIONS, LOADING, TIME_LIMIT, call_tactic, make_tactic, make_tactic_player
from .walls import wall_from_seed

_HOME = os.path.dirname(os.path.dirname(os.path.abspath(botzone.__file__)))
_GAMES = 2
# Before a match, a player is checked in at most _FEW decisions, and no new decision begins after _FEW_SECONDS seconds.
_FEW, _FEW_SECONDS = 12, 5
_PYTHON36_SECONDS = 300


class Trial(NamedTuple):
    """Keeps what a tactic did in the games of a trial.

    games: list of (requests, responses) of the tactic's seat, one pair per game.
    answers: list of (text of the tactic's action, seconds that it took), one pair per decision.
    """

    games: list[tuple[list[str], list[str]]]
    answers: list[tuple[str, float]]


def try_tactic(spec: str) -> Trial:
    """Plays games of a tactic against three `random`, checks all its answers, and returns the Trial.

    spec: the tactic with its settings, such as search:danger=4.4.
    Raises TacticError: the tactic crashes, or an answer is late, illegal, or breaks a rule that check_game tests.
    """
    games = []
    for seed in range(_GAMES):
        players = [make_tactic_player(name) for name in (spec, "random", "random", "random")]
        record = play_game(players, wall_from_seed(seed), seed)
        for step in record.steps:
            if step.answers[0].verdict != "OK":
                raise TacticError(spec, step.answers[0].verdict, "expected an answer to %r" % step.requests[0])
        games.append(([step.requests[0] for step in record.steps], [step.answers[0].response for step in record.steps]))
    tactic = make_tactic(spec)
    return Trial(games, [(format_action(action), seconds) for game in games
                         for action, seconds in _check_game(tactic, spec, *game)])


def try_player(spec: str, time_limit: float = TIME_LIMIT) -> None:
    """Checks a few answers of a player before a match; an outside bot is not checked.

    spec: the player. time_limit: seconds for a decision.
    Raises TacticError: the tactic crashes, or an answer is late, illegal, or breaks a rule that check_game tests.
    """
    if spec.partition(":")[0] in INTERACTIONS:
        return
    start, count = time.perf_counter(), 0
    record = play_game([make_tactic_player("random") for _ in range(4)], wall_from_seed(0), 0)
    game = [step.requests[0] for step in record.steps], [step.answers[0].response for step in record.steps]
    for _ in _check_game(make_tactic(spec, time_limit), spec, *game, time_limit=time_limit):
        count += 1
        if count == _FEW or time.perf_counter() > start + _FEW_SECONDS:
            return


def _check_game(tactic, spec, requests, responses, *, time_limit=TIME_LIMIT):
    """Yields (action, seconds) for each decision of a game that check_game checks.

    tactic: the tactic object. spec: its name in messages. requests, responses: texts of its seat in the game.
    time_limit: seconds for a decision; a decision with all its checks may take LOADING times as long.
    """
    checked = check_game(tactic, requests, responses)
    while True:
        answer = call_tactic(tactic, spec, LOADING * time_limit, next, checked, None)
        if answer is None:
            return
        yield answer


def find_python36() -> str | None:
    """Returns the path of a Python 3.6 that runs and has the bot's libraries; None if there is none."""
    path = pythons.find_python36()
    return path if path and pythons.describe_python(path, pythons.PYTHON36_LIBRARIES) else None


def compare_python36(python: str, spec: str, trial: Trial) -> list[float]:
    """Checks that a tactic gives the same answers on Python 3.6, in the first game of a Trial.

    python: path of a Python 3.6. spec: the tactic with its settings. trial: what the tactic did here.
    Returns the seconds of each decision there.
    Raises TacticError: the tactic fails there, or gives other answers although it is_repeatable.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(zip(("requests", "responses"), trial.games[0])), file)
        done = _run_python36(python, "-c", "from mj_bot.tactic.answer_check import main; main()", spec, path)
    if done.returncode:
        error_lines = clean_lines(done.stderr.strip()).splitlines() or ["exit code %d" % done.returncode]
        raise TacticError(spec, "RE", "expected Python 3.6 to play it too: %s" % error_lines[-1])
    answers = json.loads(done.stdout)
    if getattr(load_class(parse_spec(spec)[0]), "is_repeatable", True):
        for (here, _), (there, _) in zip(trial.answers, answers):
            if here != there:
                raise TacticError(spec, "RE", "expected the same answer on Python 3.6, got %r here and %r there" % (
                    here, there))
    return [seconds for _, seconds in answers]


def _run_python36(python, *words):
    """Returns the finished process of a Python 3.6 with the project in its path. words: arguments after the program."""
    path = os.pathsep.join([_HOME, pythons.PYTHON36_LIBRARIES])
    try:
        return subprocess.run([python, *words], env=dict(os.environ, PYTHONPATH=path),
                              capture_output=True, text=True, timeout=_PYTHON36_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(words, 1, "", str(error))
