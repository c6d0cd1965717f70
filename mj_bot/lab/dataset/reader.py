"""Opens a set of games and reads it as shuffled batches of decisions."""

import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import MahjongError, ProtocolError
from ...observation.layout import OBSERVATION_SIZE
from ..records.compact import Games, digest_games, join_games, list_game_files, read_part, take_games
from ..records.game_record import OWN_SUITS
from ..run.files import expect_readable, read_json
from ..table.walls import WALL_SIZE
from .augment import TRANSFORMS, DecisionRows, make_tables, take_rows
from .teach import Lessons, compute_starts, join_lessons, lessons_path, read_teacher_answers, take_lessons
from .replayed_decisions import ReplayedDecisions, Replayer

SET_FORMAT = "mj_bot dataset"
SET_VERSION = 3
CARD = "card.json"

SPLITS = ("train", "valid", "test")
# Of a hundred games, these numbers are for validation and for testing. The others are for training.
_VALID, _TEST = 5, 5

# Decisions of this many games are shuffled together: about 160,000 decisions, 120 MB.
_BUFFER = 2048


class Batch(NamedTuple):
    """Keeps B decisions as arrays."""

    observation: np.ndarray  # uint8[B, OBSERVATION_SIZE]
    mask: np.ndarray  # bool[B, 235], legal actions
    action: np.ndarray  # int16[B], action that was played
    score: np.ndarray  # int16[B], final points of the deciding seat
    winner: np.ndarray  # int8[B], offset of the winning seat from the deciding one, 0 for itself, -1 if nobody won
    fan: np.ndarray  # uint8[B], fan of the win with its flowers, 0 if nobody won
    is_random: np.ndarray  # bool[B], whether the action was made at random
    # uint8[B, 235], points that each action loses against the best one by the teacher, in steps of teach.REGRET_UNIT.
    # Without a teacher it is uint8[B, 0].
    regret: np.ndarray
    # uint8[B, 235], number of wins after each action, as network/ahead.py counts them. Without a teacher it is
    # uint8[B, 0].
    wins: np.ndarray


def split_games(games: Games) -> np.ndarray:
    """Returns the split of each of the games, int8[N] of indices in SPLITS.

    Games on the same wall have the same split.
    """
    # Four tiles are packed into three bytes, because older sets stored games so and chose the splits by these bytes.
    a, b, c, d = np.moveaxis(games.walls.reshape(-1, WALL_SIZE // 4, 4), 2, 0)
    packed = np.stack([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d], axis=2).reshape(len(a), -1)
    shares = np.array([zlib.crc32(wall.tobytes()) % 100 for wall in packed], np.int64)
    return np.where(shares < _TEST, 2, np.where(shares < _TEST + _VALID, 1, 0)).astype(np.int8)


class Dataset(object):
    """Keeps games to learn from.

    card: dict of the set's card.json. lessons: what its teacher says of the decisions; None without a teacher.
    """

    def __init__(self, card: dict, games: Games, lessons: Lessons | None = None):
        self.card, self.games, self.lessons = card, games, lessons
        self._splits = split_games(games)

    def _list_games(self, split):
        if split not in SPLITS:
            raise MahjongError("expected a split, one of %s, got %r", ", ".join(SPLITS), split)
        return np.flatnonzero(self._splits == SPLITS.index(split))

    def batches(self, split: str, size: int, seed: int, *, augment: bool = True, workers: int = 1) -> Iterator[Batch]:
        """Yields every decision of a split with more than one legal action once, in batches of `size` rows.

        Games whose decisions are shuffled together are drawn from the whole split. Batches share memory.
        split: "train", "valid" or "test". seed: of the order and the transforms, whatever `workers` is.
        augment: exchanges suits and mirrors ranks at random. workers: threads that prepare the next batches.
        """
        order = np.random.default_rng(seed).permutation(self._list_games(split))
        if size < 1:
            raise MahjongError("expected batches of 1 row or more, got %r", size)
        chunks = [(order[first:first + _BUFFER], (seed, 1 + first // _BUFFER))
                  for first in range(0, len(order), _BUFFER)]
        mix = partial(self._mix, augment=augment, own=threading.local())
        return _cut(run_ahead(mix, chunks, workers=workers), size)

    def _mix(self, chunk, *, augment, own):
        """Returns all decisions of some games as a batch, in random order and transforms. Threads may share `own`."""
        game_indices, seed = chunk
        if not hasattr(own, "replayer"):
            own.replayer = Replayer()
        tables, rng = make_tables(), np.random.default_rng(seed)
        games = take_games(self.games, game_indices)
        decisions = own.replayer.replay(games)
        # Decisions are sorted by game first, because the replayer's order of games depends on which fans it has cached.
        rows = np.argsort(decisions.games, kind="stable")
        rng.shuffle(rows)
        transforms = np.zeros(len(rows), np.uint8)
        if augment:
            is_own = games.heads["facts"][decisions.games[rows]] & OWN_SUITS > 0
            transforms = np.where(is_own, 0, rng.integers(TRANSFORMS, size=len(rows))).astype(np.uint8)
        target = DecisionRows(np.empty((len(rows), OBSERVATION_SIZE), np.uint8),
                              np.empty((len(rows), ACTION_COUNT), bool), np.empty(len(rows), np.int16))
        take_rows(tables, rows, transforms,
                  DecisionRows(decisions.observations, decisions.masks, decisions.actions), target)
        regret = wins = np.empty((len(rows), 0), np.uint8)
        if self.lessons is not None:
            starts = compute_starts(self.lessons, game_indices, decisions)
            regret, wins = take_lessons(self.lessons, starts[rows], decisions.masks[rows],
                                        actions=tables.actions, transforms=transforms)
        score, winner, fan = (column[rows] for column in list_outcomes(games.heads, decisions))
        return Batch(*target, score, winner, fan, decisions.is_random[rows], regret, wins)


def open_dataset(path: str | Path) -> Dataset:
    """Returns the set in a folder. path: path of the folder.

    Raises ProtocolError: the folder has no set, or one of another version; its games are not those of its card; or the
        lessons of its teacher are missing or broken.
    """
    path = Path(path)
    with expect_readable("a set of games with its %s, got %r", CARD, str(path)):
        card = read_json(path / CARD)
    present = (card.get("format"), card.get("version")) if isinstance(card, dict) else (card, None)
    if present != (SET_FORMAT, SET_VERSION):
        raise ProtocolError("expected a card of format %r, version %d, got %.80r, version %r in %s; make the set anew",
                            SET_FORMAT, SET_VERSION, *present, path / CARD)
    files, teacher = list_game_files(path), card.get("teacher")
    blocks = [read_part(file)[0] for file in files]
    games = join_games(blocks)
    digest = digest_games(games)
    if card.get("hash") != digest:
        raise ProtocolError("expected games with the hash %.80r, as the card says, got %s in %s", card.get("hash"),
                            digest, path)
    if not teacher:
        return Dataset(card, games)
    if not isinstance(teacher, dict) or not isinstance(teacher.get("player"), str):
        raise ProtocolError("expected a teacher with its player, got %.80r in %s", teacher, path / CARD)
    lessons = [read_teacher_answers(lessons_path(file), teacher["player"], len(block.heads))
               for file, block in zip(files, blocks)]
    return Dataset(card, games, join_lessons(lessons))


def open_datasets(paths: Sequence[str | Path]) -> Dataset:
    """Returns one Dataset with the games of several sets. Its card has only the hashes and the teacher.

    paths: paths of the sets' folders.
    Raises ProtocolError: a folder has no set, or the sets have different teachers, or only some of them have one.
    """
    sets = [open_dataset(path) for path in paths]
    if len(sets) == 1:
        return sets[0]
    teachers = [(dataset.card.get("teacher") or {}).get("player") for dataset in sets]
    if len(set(teachers)) > 1:
        raise ProtocolError("expected one teacher's points in all sets or in none, got %s",
                            ", ".join("%s in %s" % item for item in zip(teachers, paths)))
    lessons = None if sets[0].lessons is None else join_lessons([dataset.lessons for dataset in sets])
    card = {"hash": " ".join(dataset.card["hash"] for dataset in sets), "teacher": sets[0].card.get("teacher")}
    return Dataset(card, join_games([dataset.games for dataset in sets]), lessons)


def run_ahead(make: Callable, items: Iterable, *, workers: int, ahead: int = 0) -> Iterator:
    """Yields make(item) for each of `items`, in order, while threads make the next ones.

    workers: number of threads. ahead: number of further results that may wait.
    """
    with ThreadPoolExecutor(workers) as executor:
        waiting = deque()
        try:
            for item in items:
                waiting.append(executor.submit(make, item))
                if len(waiting) > workers + ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _cut(mixed, size):
    """Yields batches of `size` rows from batches of any size; the last one is shorter."""
    pieces, missing = [], size
    for batch in mixed:
        first = 0
        while first < len(batch.action):
            pieces.append(Batch(*(column[first:first + missing] for column in batch)))
            first += missing
            missing -= len(pieces[-1].action)
            if not missing:
                yield _join(pieces)
                pieces, missing = [], size
    if pieces:
        yield _join(pieces)


def _join(pieces):
    return pieces[0] if len(pieces) == 1 else Batch(*map(np.concatenate, zip(*pieces)))


def list_outcomes(heads: np.ndarray, decisions: ReplayedDecisions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns (score int16[M], winner int8[M], fan uint8[M]) of each decision, from the final scores of its game.

    heads: compact.HEAD[N] of the games. decisions: decisions of these games.
    score: final points of the deciding seat.
    winner: offset of the winning seat from the deciding one, 0 for itself, -1 if nobody won.
    fan: fan of the win with its flowers, 0 if nobody won.
    """
    scores = heads["scores"].astype(np.int64)
    # After a fault no seat has more than 10 points. A winner has 24 or more.
    winners = np.where(scores.max(axis=1) >= 24, scores.argmax(axis=1), -1)
    is_self_drawn = (scores < -8).sum(axis=1) > 1
    won = scores.max(axis=1)
    fans = np.where(winners < 0, 0, np.where(is_self_drawn, won // 3 - 8, won - 24))
    games, seats = decisions.games, decisions.seats.astype(np.int64)
    winner = np.where(winners[games] < 0, -1, (winners[games] - seats) % 4)
    return scores[games, seats].astype(np.int16), winner.astype(np.int8), np.minimum(fans, 255)[games].astype(np.uint8)
