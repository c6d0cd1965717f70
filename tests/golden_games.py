"""Recorded games for the tests: the judge's, and samples of our own making in every format; more of both where a folder
`shared` next to the repository has them."""

import gzip
import json
import pathlib

import pytest

from mj_bot.mahjong.state import GameState

GOLDEN = pathlib.Path(__file__).parent / "golden" / "games.jsonl.gz"
ALL_GOLDEN = pathlib.Path(__file__).parents[2] / "shared" / "golden"
SAMPLES = pathlib.Path(__file__).parent / "samples"
REAL = pathlib.Path(__file__).parents[2] / "shared" / "real"
# A test for the samples, and a slow one for the games of other programs and people where they are there.
with_samples = pytest.mark.parametrize(
    "folder", [SAMPLES] + [pytest.param(REAL, marks=pytest.mark.slow)] * REAL.is_dir(), ids=lambda path: path.name)

# Answers that the judge never looked at, because another seat's claim came first: (mode, seed, step, seat).
NEVER_LOOKED_AT = {
    ("illegal", 385, 81, 2), ("illegal", 398, 15, 0), ("illegal", 434, 29, 2), ("illegal", 515, 19, 3),
    ("illegal", 618, 86, 3), ("illegal", 688, 41, 3), ("illegal", 789, 50, 2), ("illegal", 891, 20, 3),
    ("illegal", 907, 32, 0), ("illegal", 976, 27, 2),
}


def _list_sets():
    """GOLDEN, and as slow ones the files of the full recorded set, or one that is skipped where they are not there."""
    files = sorted(ALL_GOLDEN.glob("*.jsonl.gz"))
    if files:
        return [GOLDEN] + [pytest.param(path, marks=pytest.mark.slow) for path in files]
    skip = pytest.mark.skip(reason="the full recorded set is not next to the repository: %s" % ALL_GOLDEN.name)
    return [GOLDEN, pytest.param(ALL_GOLDEN, marks=[pytest.mark.slow, skip])]


# A test for the recorded games of the repository, and slow ones for those of the full set.
with_recorded = pytest.mark.parametrize("path", _list_sets(), ids=lambda path: path.name.partition(".")[0])


def read_lines(path=GOLDEN):
    """Yields the games of a file as lines of JSON."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file


def read_games(path=GOLDEN):
    """Yields the games of a file as dicts."""
    return map(json.loads, read_lines(path))


def name_of(game):
    """How a failure names the game."""
    return "%s-%d" % (game["mode"], game["seed"])


def walk(game):
    """Yields (step, requests, display, answers, states) with the four states at each step, and answers them after."""
    states = [GameState() for _ in range(4)]
    for step, (requests, display, answers) in enumerate(game["steps"][:-1]):
        for state, request in zip(states, requests):
            state.apply(request)
        yield step, requests, display, answers, states
        for seat, (state, answer) in enumerate(zip(states, answers)):
            if not is_odd(game, step, seat):
                state.answer(answer)


def is_odd(game, step, seat):
    """Whether this answer is one that the judge punished or never looked at."""
    closing = game["steps"][-1][1]
    punished = (closing["action"] in ("WA", "WH") and step == len(game["steps"]) - 2 and closing["player"] == seat)
    return punished or (game["mode"], game["seed"], step, seat) in NEVER_LOOKED_AT
