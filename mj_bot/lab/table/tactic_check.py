"""Checks a tactic in games before a match or an upload: its answers, here and in the file for Botzone."""

import os
import tempfile
import time
from itertools import islice

from ...mahjong.action import format_action
from ...mahjong.errors import TacticError
from ...tactic import load_class, parse_spec
from ...tactic.answer_check import check_played_game
from ..run.files import write_json
from ..upload import pythons
from ..upload.pyz import HandinError
from ..upload.trial import check_answers
from .match import play_game
from .players import INTERACTIONS, LOADING, TIME_LIMIT, call_tactic, make_tactic, make_tactic_player
from .record import Transcript
from .walls import wall_from_seed

_GAMES = 2
# Before a match, a player is checked in at most _FEW decisions, and no new decision begins after _FEW_SECONDS seconds.
_FEW, _FEW_SECONDS = 12, 5


def try_tactic(spec: str) -> tuple[list[Transcript], list[str]]:
    """Plays games of a tactic against three `random` and checks all its answers.

    Returns (the transcript of the tactic's seat in each game, the text of each of its actions).
    Raises TacticError: the tactic crashes, or an answer is late, illegal, or breaks a rule of answer_check.py.
    """
    games = []
    for seed in range(_GAMES):
        players = [make_tactic_player(name) for name in (spec, "random", "random", "random")]
        record = play_game(players, wall_from_seed(seed), seed)
        for step in record.steps:
            if step.answers[0].verdict != "OK":
                raise TacticError(spec, step.answers[0].verdict, "expected an answer to %r", step.requests[0])
        games.append(record.transcripts()[0])
    tactic = make_tactic(spec)
    return games, [format_action(action) for game in games for action, _ in _check_game(tactic, spec, game)]


def try_player(spec: str, time_limit: float = TIME_LIMIT) -> None:
    """Checks a few answers of a player before a match; an outside bot is not checked. Raises TacticError as try_tactic.
    """
    if spec.partition(":")[0] in INTERACTIONS:
        return
    end = time.perf_counter() + _FEW_SECONDS
    record = play_game([make_tactic_player("random") for _ in range(4)], wall_from_seed(0), 0)
    game = record.transcripts()[0]
    for _ in islice(_check_game(make_tactic(spec, time_limit), spec, game, time_limit=time_limit), _FEW):
        if time.perf_counter() > end:
            return


def _check_game(tactic, spec, game, *, time_limit=TIME_LIMIT):
    """Yields (action, seconds) for each decision of a game, a Transcript, that check_played_game checks."""
    checked = check_played_game(tactic, *game)
    yield from iter(lambda: call_tactic(tactic, spec, LOADING * time_limit, next, checked, None), None)


def compare_answers(
        path: str, spec: str, games: list[Transcript], expected: list[str], *,
        python: pythons.Python) -> tuple[list[float], int]:
    """Checks that the tactic of a file for Botzone gives the answers of try_tactic there too.

    spec: of the tactic. games, expected: what try_tactic returned. python: what plays the file.
    Returns (seconds of each decision, peak memory of the file's process in MB).
    Raises HandinError: the tactic fails there, or gives other answers although it is_repeatable.
    """
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, game in enumerate(games):
            paths.append(os.path.join(folder, "%d.json" % index))
            write_json(paths[-1], game._asdict())
        answers, peak = check_answers(path, paths, python=python)
    if getattr(load_class(parse_spec(spec)[0]), "is_repeatable", True):
        for here, (there, _) in zip(expected, answers, strict=True):
            if here != there:
                raise HandinError("expected the same answer on Python %s, got %r here and %r there", python.version,
                                  here, there)
    return [seconds for _, seconds in answers], peak
