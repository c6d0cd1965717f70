"""Opens a set of games and reads it as shuffled batches of decisions."""

import threading
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import MahjongError, ProtocolError
from ...observation.layout import OBSERVATION_SIZE
from ..records.compact import digest_games, join_games, list_game_files, read_part, take_games
from ..records.game_record import OWN_SUITS
from ..run.files import expect_readable, read_json
from ..table.walls import WALL_SIZE
from .augment import TRANSFORMS, make_tables, take_rows
from .teach import compute_starts, join_lessons, lessons_path, read_lessons, take_lessons
from .replayed_decisions import Replayer

SET_FORMAT = "mj_bot dataset"
SET_VERSION = 3
CARD = "card.json"

SPLITS = ("train", "valid", "test")
# Games out of a hundred; the rest are for training.
_VALID, _TEST = 5, 5

# Games shuffled together: about 160,000 decisions, 120 MB.
_BUFFER = 2048


class Batch(NamedTuple):
    """Decisions side by side."""

    observation: np.ndarray  # uint8[B, OBSERVATION_SIZE]
    mask: np.ndarray  # bool[B, 235], the legal actions
    action: np.ndarray  # int16[B], the one played
    score: np.ndarray  # int16[B], final points of that seat
    winner: np.ndarray  # int8[B], offset of the winning seat from it, 0 itself, -1 where drawn
    fan: np.ndarray  # uint8[B], of the win with its flowers, 0 where drawn
    is_random: np.ndarray  # bool[B], made at random
    regret: np.ndarray  # uint8[B, 235], of each action, see teach.py; [B, 0] without a teacher
    wins: np.ndarray  # uint8[B, 235], wins after each action, likewise


def open_dataset(path):
    """The Dataset in a folder. Raises ProtocolError: none, another version, or other games than its card says."""
    path = Path(path)
    with expect_readable("a set of games with its %s, got %r" % (CARD, str(path))):
        card = read_json(path / CARD)
    if not isinstance(card, dict) or card.get("format") != SET_FORMAT:
        raise ProtocolError("expected a card of format %r, got %.80r in %s" % (SET_FORMAT, card, path / CARD))
    if card.get("version") != SET_VERSION:
        raise ProtocolError(
            "expected version %d of %r, got %r in %s; make the set anew: %s; or keep its games: mj-bot dataset "
            "-o FOLDER --records %s" % (
                SET_VERSION, SET_FORMAT, card.get("version"), path / CARD, card.get("command"), path))
    files, teacher = list_game_files(path), card.get("teacher")
    parts = [read_part(file)[0] for file in files]
    games = join_games(parts)
    digest = digest_games(games)
    if card.get("hash") != digest:
        raise ProtocolError("expected games with the hash %.80r, as the card says, got %s in %s" % (
            card.get("hash"), digest, path))
    if not teacher:
        return Dataset(card, games)
    if not isinstance(teacher, dict) or not isinstance(teacher.get("player"), str):
        raise ProtocolError("expected a teacher with its player, got %.80r in %s" % (teacher, path / CARD))
    lessons = [read_lessons(lessons_path(file), teacher["player"], len(part.heads))
               for file, part in zip(files, parts)]
    return Dataset(card, games, join_lessons(lessons))


def open_datasets(paths):
    """One Dataset of the sets in several folders. The card of several sets has their hashes and teacher alone.

    Raises ProtocolError: as open_dataset; sets of different teachers, or some without one.
    """
    sets = [open_dataset(path) for path in paths]
    if len(sets) == 1:
        return sets[0]
    teachers = [(dataset.card.get("teacher") or {}).get("player") for dataset in sets]
    if len(set(teachers)) > 1:
        raise ProtocolError("expected one teacher's points in all sets or in none, got %s" % ", ".join(
            "%s in %s" % item for item in zip(teachers, paths)))
    lessons = None if sets[0].lessons is None else join_lessons([dataset.lessons for dataset in sets])
    card = {"hash": " ".join(dataset.card["hash"] for dataset in sets), "teacher": sets[0].card.get("teacher")}
    return Dataset(card, join_games([dataset.games for dataset in sets]), lessons)


def split_games(games):
    """int8[N]: which of SPLITS each of Games belongs to. Games on the same wall belong together."""
    # Four tiles in three bytes, as in .mjg: a set has the same splits as when its games were stored so.
    a, b, c, d = np.moveaxis(games.walls.reshape(-1, WALL_SIZE // 4, 4), 2, 0)
    packed = np.stack([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d], axis=2).reshape(len(a), -1)
    shares = np.array([zlib.crc32(wall.tobytes()) % 100 for wall in packed], np.int64)
    return np.where(shares < _TEST, 2, np.where(shares < _TEST + _VALID, 1, 0)).astype(np.int8)


class Dataset(object):
    """Games to learn from. card: dict, see card.py. games: records.compact.Games. lessons: teach.Lessons or None."""

    def __init__(self, card, games, lessons=None):
        self.card, self.games, self.lessons = card, games, lessons
        self._splits = split_games(games)

    def count_games(self, split):
        """Games of a split."""
        return len(self._list_games(split))

    def _list_games(self, split):
        if split not in SPLITS:
            raise MahjongError("expected a split, one of %s, got %r" % (", ".join(SPLITS), split))
        return np.flatnonzero(self._splits == SPLITS.index(split))

    def batches(self, split, size, seed, *, augment=True, workers=1):
        """Yields every decision of a split with more than one legal action once, in Batches of `size` rows.

        The last Batch is shorter. Games whose decisions are shuffled together are drawn from the whole split. The
        arrays share memory with those of other batches.
        split: "train", "valid" or "test". size: rows a batch.
        seed: int, of the order and the transforms; the batches do not depend on the workers.
        augment: whether suits are exchanged and ranks mirrored at random.
        workers: threads that prepare the next batches.
        """
        order = np.random.default_rng(seed).permutation(self._list_games(split))
        if size < 1:
            raise MahjongError("expected batches of 1 row or more, got %r" % size)
        chunks = [(order[first:first + _BUFFER], (seed, 1 + first // _BUFFER))
                  for first in range(0, len(order), _BUFFER)]
        mix = partial(self._mix, augment=augment, own=threading.local())
        return _cut(run_ahead(mix, chunks, workers=workers), size)

    def _mix(self, chunk, *, augment, own):
        """All decisions of some games as one Batch, in random order and transforms; threads may share the arguments.

        chunk: (places, seed). augment: as of batches. own: threading.local of the replayers.
        """
        places, seed = chunk
        if not hasattr(own, "replayer"):
            own.replayer = Replayer()
        tables, rng = make_tables(), np.random.default_rng(seed)
        games = take_games(self.games, places)
        decisions = own.replayer.replay(games)
        # By game first: the replayer's order of games depends on which fans it has cached.
        rows = np.argsort(decisions.games, kind="stable")
        rng.shuffle(rows)
        transforms = np.zeros(len(rows), np.uint8)
        if augment:
            is_own = games.heads["facts"][decisions.games[rows]] & OWN_SUITS > 0
            transforms = np.where(is_own, 0, rng.integers(TRANSFORMS, size=len(rows))).astype(np.uint8)
        observations = np.empty((len(rows), OBSERVATION_SIZE), np.uint8)
        masks = np.empty((len(rows), ACTION_COUNT), bool)
        actions = np.empty(len(rows), np.int16)
        take_rows(tables, rows, transforms, decisions.observations, decisions.masks, decisions.actions,
                  observations, masks, actions)
        regret = wins = np.empty((len(rows), 0), np.uint8)
        if self.lessons is not None:
            starts = compute_starts(self.lessons, places, decisions)
            regret, wins = take_lessons(self.lessons, starts[rows], decisions.masks[rows],
                                        actions=tables.actions, transforms=transforms)
        score, winner, fan = (column[rows] for column in list_outcomes(games.heads, decisions))
        return Batch(observations, masks, actions, score, winner, fan, decisions.is_random[rows], regret, wins)


def run_ahead(make, items, *, workers, ahead=0):
    """Yields make(item) for each of items in order; `workers` threads make the next ones, and `ahead` more can wait."""
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
    """Yields Batches of `size` rows of the Batches in mixed, the last one shorter."""
    parts, missing = [], size
    for batch in mixed:
        first = 0
        while first < len(batch.action):
            parts.append(Batch(*(column[first:first + missing] for column in batch)))
            first += missing
            missing -= len(parts[-1].action)
            if not missing:
                yield _join(parts)
                parts, missing = [], size
    if parts:
        yield _join(parts)


def _join(parts):
    return parts[0] if len(parts) == 1 else Batch(*map(np.concatenate, zip(*parts)))


def list_outcomes(heads, decisions):
    """(score, winner, fan) of each decision, see Batch."""
    scores = heads["scores"].astype(np.int64)
    # After an error no seat has more than 10; a winner has 24 or more.
    winners = np.where(scores.max(axis=1) >= 24, scores.argmax(axis=1), -1)
    is_self_drawn = (scores < -8).sum(axis=1) > 1
    won = scores.max(axis=1)
    fans = np.where(winners < 0, 0, np.where(is_self_drawn, won // 3 - 8, won - 24))
    games, seats = decisions.games, decisions.seats.astype(np.int64)
    winner = np.where(winners[games] < 0, -1, (winners[games] - seats) % 4)
    return scores[games, seats].astype(np.int16), winner.astype(np.int8), np.minimum(fans, 255)[games].astype(np.uint8)
