"""Keeps what a teacher says of a set's decisions, in a file next to each file of games.

The decisions with more than one legal action are kept game by game, in the order of play. The legal actions of a
decision are in rising order, and each of them has two bytes.

The first byte is the regret of the action: the teacher's points of the best action less its points of this action, in
steps of REGRET_UNIT, at most MAX_REGRET. If a win is legal, the win has no regret and all other actions have
MAX_REGRET.

The second byte is the number of wins that network/ahead.py counts after the action. These wins are an input of the
networks. They are kept because they take longer to compute than any other input.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...arrays import read_arrays
from ...mahjong import rules
from ...mahjong.action import ACTION_COUNT, DISCARD_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX, chow_index
from ...mahjong.errors import ProtocolError
from ...mahjong.tile import TILE_COUNT
from ...network.ahead import CHOW_CLAIM, DISCARD, AHEAD_ACTIONS, LOOKS, NOTHING, PUNG_CLAIM, compute_ahead_rows
from ...sources import digest_sources
from ..arena.fingerprint import list_player_files
from ..engine.batch import unpack_masks
from ..records.compact import list_game_files, read_part
from ..run.files import expect_readable
from ..run.run_folder import RunFolder
from ..run.workers import run_in_order
from ..table.choosers import load_valuer
from .replayed_decisions import ReplayedDecisions, Replayer

REGRET_UNIT = 1 / 32
MAX_REGRET = 255
_FIELDS = {"teacher": (r"U\d+", ()), "regret": ("u1", (None,)), "wins": ("u1", (None,)), "ends": ("i8", (None,))}
# This is more than the bytes of a game, which has at most 400 decisions of 48 actions each.
_MOST_GAME = 1 << 16
_AT_ONCE = 8192  # decisions in one call of the teacher
_WINS = LOOKS.index("wins") * len(AHEAD_ACTIONS)


def _list_places():
    """Yields (action, row of its wins, tile) for each action but passing that compute_ahead_rows counts wins for."""
    for tile in range(TILE_COUNT):
        yield DISCARD_BASE + tile, _WINS + DISCARD, tile
        yield PUNG_BASE + tile, _WINS + PUNG_CLAIM, tile
        for shift in range(3):
            if rules.is_chow(tile, tile + shift - 1):
                yield chow_index(tile, tile + shift - 1), _WINS + CHOW_CLAIM + shift, tile


_ACTIONS, _ROWS, _TILES = map(np.array, zip(*_list_places()))


class Lessons(NamedTuple):
    """Keeps the bytes of N games, one after another."""

    regret: np.ndarray  # uint8[K], regret of each legal action of each decision
    wins: np.ndarray  # uint8[K], wins after each of these actions
    ends: np.ndarray  # int64[N + 1], index at which the bytes of each game begin; the last one is K


def name_teacher(spec: str) -> str:
    """Returns the spec of a teacher with a digest of its weights. A teacher without weights has only the spec."""
    files = sorted(set(list_player_files([spec])))
    return "%s, weights %s" % (spec, digest_sources(files)) if files else spec


def teach(run: RunFolder, spec: str, *, workers: int = 1, show: Callable = lambda count: None) -> None:
    """Writes the lessons of each file of games of a set.

    A file is skipped if its lessons are there, of this teacher and for all its games.
    run: RunFolder of the set. spec: the teacher, a tactic whose `evaluate` gives points.
    workers: number of processes. show: function(number of games that were just taught).
    """
    pending, teacher = [], name_teacher(spec)
    for path in list_game_files(run.path):
        count = len(read_part(path)[0].heads)
        try:
            read_teacher_answers(lessons_path(path), teacher, count)
        except ProtocolError:
            pending.append((path, count))
        else:
            show(count)
    made = run_in_order(partial(_teach_part, spec), ((path,) for path, _ in pending), min(workers, len(pending)))
    for (path, count), lessons in zip(pending, made):
        run.write_arrays(lessons_path(path).name, dict(lessons._asdict(), teacher=np.array(teacher)))
        show(count)


def lessons_path(path: Path) -> Path:
    """Returns the path of the lessons of a file of games."""
    return path.with_name(path.name.replace("games-", "teacher-"))


def read_teacher_answers(path: Path, teacher: str, count: int) -> Lessons:
    """Returns the lessons in a file. path: path of the file.

    teacher: text that name_teacher returned for the teacher. count: number of games that the lessons must have.
    Raises ProtocolError: the lessons are missing or broken, or they are of another teacher or of other games.
    """
    with expect_readable("the points of the teacher %r in %s", teacher, path):
        arrays = read_arrays(path, (1 + count) * _MOST_GAME, _FIELDS)
        stored_teacher, lessons = str(arrays["teacher"]), Lessons(*(arrays[name] for name in Lessons._fields))
    if stored_teacher != teacher or len(lessons.ends) != count + 1:
        raise ProtocolError("expected the points of the teacher %r for %d games, got those of %.80r for %d in %s",
                            teacher, count, stored_teacher, len(lessons.ends) - 1, path)
    ends, size = lessons.ends, len(lessons.regret)
    if ends[0] != 0 or (ends[1:] < ends[:-1]).any() or ends[-1] != size or len(lessons.wins) != size:
        raise ProtocolError("expected ends that rise from 0 to %d, the bytes of regret and of wins, got %d .. %d, %d "
                            "wins in %s", size, ends[0], ends[-1], len(lessons.wins), path)
    return lessons


def join_lessons(several: Sequence[Lessons]) -> Lessons:
    """Returns one Lessons with the bytes of several, in order."""
    starts = np.cumsum([0] + [len(lessons.regret) for lessons in several])
    ends = [lessons.ends[1:] + start for lessons, start in zip(several, starts)]
    return Lessons(np.concatenate([lessons.regret for lessons in several]),
                   np.concatenate([lessons.wins for lessons in several]),
                   np.concatenate([np.zeros(1, np.int64)] + ends))


def _teach_part(spec, path):
    """Returns the lessons of a file of games."""
    teacher, replayer = _open(spec)
    games, _ = read_part(path)
    decisions = replayer.replay(games)
    rows = np.argsort(decisions.games, kind="stable")
    answers = [query_teacher(teacher, decisions.observations[some], decisions.masks[some])
             for some in np.split(rows, range(_AT_ONCE, len(rows), _AT_ONCE))]
    sizes = np.bitwise_count(decisions.masks[rows]).sum(1)
    ends = np.cumsum(np.bincount(decisions.games[rows], sizes, len(games.heads)).astype(np.int64))
    return Lessons(*map(np.concatenate, zip(*answers)), np.append(0, ends))


@lru_cache(1)
def _open(spec):
    """Returns (function of the teacher, Replayer), which the process keeps."""
    return load_valuer(spec), Replayer()


def query_teacher(teacher: Callable, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns the bytes of some decisions: (regret uint8[K], wins uint8[K]).

    teacher: function that choosers.load_valuer returned. observations: uint8[M, OBSERVATION_SIZE].
    masks: uint64[M, 4], bit a is set where action a is legal. K is the number of all legal actions.
    """
    legal = unpack_masks(masks)
    actions, points = teacher(observations, legal)
    # The teacher gives no points where a win is legal.
    best = np.where(legal[:, WIN_INDEX], 0.0, points.max(1))
    regret = np.where(np.isfinite(points), best[:, None] - points, np.inf)
    regret[np.arange(len(actions)), actions] = 0.0
    regret = np.minimum(np.rint(regret / REGRET_UNIT), MAX_REGRET)[legal].astype(np.uint8)
    return regret, take_wins(compute_ahead_rows(observations))[legal]


def take_wins(rows: np.ndarray) -> np.ndarray:
    """Returns the number of wins after each action, uint8[B, 235]. rows: what compute_ahead_rows returned."""
    wins = np.zeros((len(rows), ACTION_COUNT), np.uint8)
    wins[:, _ACTIONS] = rows[:, _ROWS, _TILES]
    wins[:, PASS_INDEX] = rows[:, _WINS + NOTHING, 0]
    return wins


def look_ahead_with(observations: np.ndarray, wins: np.ndarray) -> np.ndarray:
    """Returns the rows of network.ahead.look_ahead. wins: uint8[B, 235], wins after each action that are known already.

    Of these and of the wins that compute_ahead_rows counts, the rows have the greater number.
    """
    rows = compute_ahead_rows(observations, is_deep=False)
    rows[:, _ROWS, _TILES] = np.maximum(rows[:, _ROWS, _TILES], wins[:, _ACTIONS])
    rows[:, _WINS + NOTHING] = np.maximum(rows[:, _WINS + NOTHING], wins[:, PASS_INDEX, None])
    return rows


def compute_starts(lessons: Lessons, game_indices: np.ndarray, decisions: ReplayedDecisions) -> np.ndarray:
    """Returns where the bytes of each decision begin in the lessons, int64[M].

    game_indices: int64[G], indices of the games in the set. decisions: decisions of these games.
    Raises ProtocolError: the lessons are of other decisions.
    """
    rows = np.argsort(decisions.games, kind="stable")
    sizes = np.bitwise_count(decisions.masks[rows]).sum(1, dtype=np.int64)
    games = decisions.games[rows]
    stored = lessons.ends[game_indices + 1] - lessons.ends[game_indices]
    expected = np.bincount(games, sizes, len(game_indices))
    if (stored != expected).any():
        wrong = int((stored != expected).argmax())
        raise ProtocolError("expected the teacher's points of %d actions in game %d, got %d", expected[wrong],
                            game_indices[wrong], stored[wrong])
    within = np.cumsum(sizes) - sizes
    starts = np.zeros(len(rows), np.int64)
    starts[rows] = lessons.ends[game_indices][games] + within - within[np.searchsorted(games, games)]
    return starts


def take_lessons(lessons: Lessons, starts: np.ndarray, masks: np.ndarray, *, actions: np.ndarray,
                 transforms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Returns (regret, wins) of some decisions, each in its transform: uint8[B, 235] and uint8[B, 235].

    Illegal actions have MAX_REGRET and 0 wins.
    lessons: lessons of the set.
    starts: int64[B], index in the lessons at which the bytes of each decision begin.
    masks: uint64[B, 4], bit a is set where action a is legal.
    actions: int16[12, 235], the new action of each action in each transform. transforms: uint8[B], 0..11.
    """
    legal = unpack_masks(masks)
    rows, legal_actions = np.nonzero(legal)
    sizes = legal.sum(1)
    byte_indices = np.arange(len(rows)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    regret, wins = np.full(legal.shape, MAX_REGRET, np.uint8), np.zeros(legal.shape, np.uint8)
    to = rows, actions[transforms[rows], legal_actions]
    regret[to], wins[to] = lessons.regret[byte_indices], lessons.wins[byte_indices]
    return regret, wins
