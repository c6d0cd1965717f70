"""The teacher's points and the wins of every legal action of a set's decisions, in a file next to each file of games.

Decisions are in the order of Replayer.replay, sorted by game; the legal actions of a decision are in rising order.
Each action has two bytes. The first is its regret: the points that the teacher expects less of it than of the best
action, in steps of REGRET_UNIT, at most MAX_REGRET. Where a win is legal, it is best and all others have MAX_REGRET.
The second is the number of wins of network/ahead.py, the slowest to compute of all that networks see.
"""

from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from ...arrays import read_arrays
from ...mahjong import rules
from ...mahjong.action import ACTION_COUNT, DISCARD_BASE, PASS_INDEX, PUNG_BASE, WIN_INDEX, chow_index
from ...mahjong.errors import ProtocolError
from ...mahjong.tile import TILE_COUNT
from ...network.ahead import CHOW_CLAIM, DISCARD, AHEAD_ACTIONS, LOOKS, NOTHING, PUNG_CLAIM, look_ahead
from ...sources import digest_sources
from ..arena.fingerprint import list_named_files
from ..engine.batch import unpack_masks
from ..records.compact import list_game_files, read_part
from ..run.files import expect_readable
from ..run.workers import run_in_order
from ..table.choosers import load_valuer
from .replayed_decisions import Replayer

REGRET_UNIT = 1 / 32
MAX_REGRET = 255
_FIELDS = {"teacher": (r"U\d+", ()), "regret": ("u1", (None,)), "wins": ("u1", (None,)), "ends": ("i8", (None,))}
# More than the bytes of a game: at most 400 decisions of 48 actions each.
_MOST_GAME = 1 << 16
_AT_ONCE = 8192  # decisions in one call of the teacher
_WINS = LOOKS.index("wins") * len(AHEAD_ACTIONS)


def _list_places():
    """(action, row of its wins, tile) of each action that has a place in look_ahead's rows, except passing."""
    for tile in range(TILE_COUNT):
        yield DISCARD_BASE + tile, _WINS + DISCARD, tile
        yield PUNG_BASE + tile, _WINS + PUNG_CLAIM, tile
        for kind in range(3):
            if rules.is_chow(tile, tile + kind - 1):
                yield chow_index(tile, tile + kind - 1), _WINS + CHOW_CLAIM + kind, tile


_ACTIONS, _ROWS, _TILES = map(np.array, zip(*_list_places()))


class Lessons(NamedTuple):
    """The bytes of games in order."""

    regret: np.ndarray  # uint8[K]
    wins: np.ndarray  # uint8[K]
    ends: np.ndarray  # int64[N + 1], where the bytes of each game begin; the last one is K


def name_teacher(spec):
    """The spec of a teacher, with a digest of its weights, which decide the points, if any."""
    files = sorted(set(list_named_files([spec])))
    return "%s, weights %s" % (spec, digest_sources(files)) if files else spec


def teach(run, spec, *, workers=1, show=lambda count: None):
    """Writes the Lessons of each file of games that has none yet, or those of another teacher or of fewer games.

    run: run_folder.RunFolder of a set. spec: the teacher, a tactic whose `evaluate` gives points.
    workers: processes. show: function(number of games).
    """
    pending, teacher = [], name_teacher(spec)
    for path in list_game_files(run.path):
        count = len(read_part(path)[0].heads)
        try:
            read_lessons(lessons_path(path), teacher, count)
        except ProtocolError:
            pending.append((path, count))
        else:
            show(count)
    made = run_in_order(partial(_teach_part, spec), ((path,) for path, _ in pending), min(workers, len(pending)))
    for (path, count), lessons in zip(pending, made):
        run.write_arrays(lessons_path(path).name, dict(lessons._asdict(), teacher=np.array(teacher)))
        show(count)


def lessons_path(path):
    """Returns the pathlib.Path of the Lessons of a file of games."""
    return path.with_name(path.name.replace("games-", "teacher-"))


def read_lessons(path, teacher, count):
    """The Lessons in a file. teacher: its name. count: games of its file of games.

    Raises ProtocolError: they are missing, broken, or of another teacher or other games.
    """
    with expect_readable("the points of the teacher %r in %s" % (teacher, path)):
        arrays = read_arrays(path, (1 + count) * _MOST_GAME, _FIELDS)
        found, lessons = str(arrays["teacher"]), Lessons(*(arrays[name] for name in Lessons._fields))
    if found != teacher or len(lessons.ends) != count + 1:
        raise ProtocolError("expected the points of the teacher %r for %d games, got those of %.80r for %d in %s" % (
            teacher, count, found, len(lessons.ends) - 1, path))
    ends, size = lessons.ends, len(lessons.regret)
    if ends[0] != 0 or (ends[1:] < ends[:-1]).any() or ends[-1] != size or len(lessons.wins) != size:
        raise ProtocolError("expected ends that rise from 0 to %d, the bytes of regret and of wins, got %d .. %d, %d "
                            "wins in %s" % (size, ends[0], ends[-1], len(lessons.wins), path))
    return lessons


def join_lessons(parts):
    """One Lessons of several."""
    starts = np.cumsum([0] + [len(part.regret) for part in parts])
    ends = [part.ends[1:] + start for part, start in zip(parts, starts)]
    return Lessons(np.concatenate([part.regret for part in parts]), np.concatenate([part.wins for part in parts]),
                   np.concatenate([np.zeros(1, np.int64)] + ends))


def _teach_part(spec, path):
    """The Lessons of a file of games."""
    teacher, replayer = _open(spec)
    games, _ = read_part(path)
    decisions = replayer.replay(games)
    rows = np.argsort(decisions.games, kind="stable")
    parts = [ask(teacher, decisions.observations[some], decisions.masks[some])
             for some in np.split(rows, range(_AT_ONCE, len(rows), _AT_ONCE))]
    sizes = np.bitwise_count(decisions.masks[rows]).sum(1)
    ends = np.cumsum(np.bincount(decisions.games[rows], sizes, len(games.heads)).astype(np.int64))
    return Lessons(*map(np.concatenate, zip(*parts)), np.append(0, ends))


@lru_cache(1)
def _open(spec):
    return load_valuer(spec), Replayer()


def ask(teacher, observations, masks):
    """Returns the bytes of some decisions, (regret uint8[K], wins uint8[K]).

    teacher: function of choosers.load_valuer. masks: uint64[M, 4].
    """
    legal = unpack_masks(masks)
    actions, points = teacher(observations, legal)
    # Rows with a win have no points.
    best = np.where(legal[:, WIN_INDEX], 0.0, points.max(1))
    regret = np.where(np.isfinite(points), best[:, None] - points, np.inf)
    regret[np.arange(len(actions)), actions] = 0.0
    regret = np.minimum(np.rint(regret / REGRET_UNIT), MAX_REGRET)[legal].astype(np.uint8)
    return regret, take_wins(look_ahead(observations))[legal]


def take_wins(rows):
    """The wins of look_ahead's rows by action, uint8[B, 235]."""
    wins = np.zeros((len(rows), ACTION_COUNT), np.uint8)
    wins[:, _ACTIONS] = rows[:, _ROWS, _TILES]
    wins[:, PASS_INDEX] = rows[:, _WINS + NOTHING, 0]
    return wins


def look_ahead_with(observations, wins):
    """look_ahead's rows where the wins by action, uint8[B, 235], are known; other actions have those of ready hands."""
    rows = look_ahead(observations, is_deep=False)
    rows[:, _ROWS, _TILES] = np.maximum(rows[:, _ROWS, _TILES], wins[:, _ACTIONS])
    rows[:, _WINS + NOTHING] = np.maximum(rows[:, _WINS + NOTHING], wins[:, PASS_INDEX, None])
    return rows


def compute_starts(lessons, places, decisions):
    """int64[M]: where the bytes of each decision begin.

    places: int64[G], the games' places in the set. decisions: ReplayedDecisions of these games.
    Raises ProtocolError: lessons of other decisions.
    """
    rows = np.argsort(decisions.games, kind="stable")
    sizes = np.bitwise_count(decisions.masks[rows]).sum(1, dtype=np.int64)
    games = decisions.games[rows]
    found, expected = lessons.ends[places + 1] - lessons.ends[places], np.bincount(games, sizes, len(places))
    if (found != expected).any():
        wrong = int((found != expected).argmax())
        raise ProtocolError("expected the teacher's points of %d actions in game %d, got %d" % (
            expected[wrong], places[wrong], found[wrong]))
    within = np.cumsum(sizes) - sizes
    starts = np.zeros(len(rows), np.int64)
    starts[rows] = lessons.ends[places][games] + within - within[np.searchsorted(games, games)]
    return starts


def take_lessons(lessons, starts, masks, *, actions, transforms):
    """(regret, wins) of some decisions, each in its transform, uint8[B, 235]; MAX_REGRET and 0 for illegal actions.

    starts: int64[B], of compute_starts. masks: uint64[B, 4]. actions: of augment.Tables. transforms: uint8[B].
    """
    legal = unpack_masks(masks)
    rows, found = np.nonzero(legal)
    sizes = legal.sum(1)
    places = np.arange(len(rows)) + np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    regret, wins = np.full(legal.shape, MAX_REGRET, np.uint8), np.zeros(legal.shape, np.uint8)
    to = rows, actions[transforms[rows], found]
    regret[to], wins[to] = lessons.regret[places], lessons.wins[places]
    return regret, wins
