"""Plays the games of all environments: N games next to each other, with one pending decision of the caller in each."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError, MahjongError
from ...mahjong.rules import SEATS
from ...observation.layout import OBSERVATION_SIZE
from ..engine.batch import Engine, unpack_masks
from ..engine.game_rows import DECISION
from ..engine.observations import write_observations
from ..engine.wall_sources import Source, seed_source
from .opponents import Opponents, count_threads
from .pending import (
    MOST_DECISIONS, ShownDecisions, find_illegal, make_decisions, show_decisions, show_results, store_decisions,
    take_answers)
from .spaces import AS_BYTES, check_integer, encode, make_observation_space, take_actions

# Number of games in a block, which one thread steps. Fewer games cost more calls; more do not fit a processor's cache.
BLOCK_SIZE = 256
_MOST_GAMES = 1 << 20
_NO_ACTIONS, _NO_LEGAL = np.zeros(0, np.int64), np.zeros(0, bool)


class ParallelGames(object):
    """Plays N games. The caller answers all seats, or one seat of each game while opponents answer the others.

    shown: ShownDecisions of all games. Where a game ended in the last step, the next one has begun if there is one.
    observations: those of `shown` in the form of the observation space, [N, ...].
    legal: bool[N], whether each action of the last step was legal.
    The next reset() or step() makes new arrays and leaves these as they are.
    """

    def __init__(
            self, count: int, form: str = AS_BYTES, opponents: Opponents | None = None, *, seat: int | None = None,
            threads: int | None = None):
        """Sets up N games; reset() deals them.

        form: "bytes" or "planes". opponents: players of the other three seats; None if the caller plays all four.
        seat: with opponents, the own seat 0..3 of every game; None for the seed of the game's wall modulo 4.
        threads: how many threads step the games; None for one per core. The number changes no result.
        """
        check_integer("num_envs", count, 1, _MOST_GAMES)
        if seat not in (None, *range(SEATS)):
            raise MahjongError("expected seat=None or 0..3, got %r", seat)
        # One call asks the opponents of all games, so these games are one block.
        blocks = 1 if opponents else -(-count // BLOCK_SIZE)
        self._blocks = [_Block((count + blocks - 1 - block) // blocks, opponents, seat) for block in range(blocks)]
        ends = np.cumsum([len(block) for block in self._blocks])
        self._block_rows = [slice(end - len(block), end) for block, end in zip(self._blocks, ends.tolist())]
        self._count, self._form, self._threads = count, form, min(blocks, count_threads(threads))
        self._space, self._pool = make_observation_space(form), None
        self.legal, self.is_reset = np.zeros(count, bool), False
        self._make_arrays(None)
        self.shown.masks[:] = 0  # no action is legal before the first reset

    def __getstate__(self):
        return dict(self.__dict__, _pool=None)

    def reset(self, first_seed: int = 0, source: Source | None = None, **options: Any) -> None:
        """Deals new games: game i gets the wall of seed first_seed + i. options: of seed_source().

        source: the walls of the one block of games, in place of seeds.
        """
        for index, block in enumerate(self._blocks):
            block.reset(first_seed, source or seed_source(
                first_seed, first_game=index, stride=len(self._blocks), **options))
        self.is_reset = True
        self._show(None, lambda block, rows, shown: block.open(shown))

    def step(self, actions: Sequence[int] | np.ndarray, out: tuple[np.ndarray, np.ndarray] | None = None) -> None:
        """Answers the pending decisions. With opponents, an illegal action ends its game with -30 points for the seat.

        actions: int[N], indices 0..234. out: (observations, masks int8[N, 235]) to write to in place of new arrays.
        Raises IllegalActionError: an array of another shape or type, an index outside 0..234, or without opponents an
            action outside its mask; nothing has changed then. MahjongError: wrong arrays in `out`.
            gymnasium.error.ResetNeeded: reset() was not called, or the last step ended in an error.
        """
        if not self.is_reset:
            raise ResetNeeded("expected reset() before step()")
        if out is not None:
            self._check(out)
        actions = take_actions(actions, self._count)
        for block, rows in zip(self._blocks, self._block_rows):
            block.check(actions[rows], self.legal[rows], rows.start)
        self.is_reset = False  # where an opponent raises an error, the step is half done
        self._show(out, lambda block, rows, shown: block.step(actions[rows], self.legal[rows], shown))
        self.is_reset = True

    def close(self) -> None:
        """Ends the threads; the next step starts them again."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _make_arrays(self, out):
        """Makes the arrays of `shown` and `observations`. out: (observations, masks) of the caller, or None."""
        count = self._count
        if out is None:
            out = np.empty((count, *self._space.shape), self._space.dtype), np.empty((count, ACTION_COUNT), np.int8)
        self.observations, masks = out
        observations = self.observations if self._form == AS_BYTES else np.empty((count, OBSERVATION_SIZE), np.uint8)
        self.shown = ShownDecisions(observations, masks, np.zeros(count, np.int8), np.zeros(count, np.int64),
                                    rewards=np.zeros((count, SEATS), np.float32), ended=np.zeros(count, bool))

    def _show(self, out, work):
        """Runs work(block, slice of its games, its ShownDecisions) on all blocks in threads, into new arrays."""
        self._make_arrays(out)

        def run(block: "_Block", rows: slice) -> None:
            # Slices take a twelfth of the time of a step of one game.
            work(block, rows, self.shown if len(self._blocks) == 1 else ShownDecisions(
                *(array[rows] for array in self.shown)))
            if self._form != AS_BYTES:
                self.observations[rows] = encode(self.shown.observations[rows])

        if self._threads > 1 and not self._pool:
            self._pool = ThreadPoolExecutor(self._threads)
        for _ in (self._pool.map if self._pool else map)(run, self._blocks, self._block_rows):
            pass

    def _check(self, out):
        """Raises MahjongError: the caller's arrays have another shape, type or order."""
        if not isinstance(out, tuple) or [type(array) for array in out] != [np.ndarray] * 2:
            raise MahjongError("expected out=(observations, masks), two arrays, got %.80r", out)
        for array, dtype, shape in zip(out, (self._space.dtype, np.dtype(np.int8)), (
                self._space.shape, (ACTION_COUNT,))):
            if array.dtype != dtype or array.shape != (self._count, *shape) or not array.flags.carray:
                raise MahjongError("expected out=(observations, masks), here a writable %s%r in C order, got %s%r",
                                   dtype, [self._count, *shape], array.dtype, list(array.shape))


class _Block(object):
    """Plays the games that one thread steps, with an engine of their own."""

    def __init__(self, count: int, opponents: Opponents | None, seat: int | None):
        self._engine, self._decisions, self._opponents = Engine(count), make_decisions(count), opponents
        self._seat, self._first_seed = seat, 0
        self._rows, self._asked = np.zeros((2, MOST_DECISIONS * count), DECISION)
        self._actions, self._slots = np.zeros(len(self._rows), np.int16), np.zeros(len(self._rows), np.int64)

    def __len__(self):
        return len(self._engine.games)

    def reset(self, first_seed: int, source: Source) -> None:
        """Deals new games. source: where the games get their walls from."""
        self._first_seed = first_seed
        self._decisions.counts[:] = self._decisions.answered[:] = 0
        self._engine.reset(source)
        if self._opponents:
            self._take_seats(np.arange(len(self)))

    def check(self, actions: np.ndarray, legal: np.ndarray, first: int) -> None:
        """Writes which actions are legal. Raises IllegalActionError for an action that the environment refuses."""
        if find_illegal(self._decisions, actions, legal) < 0:
            return
        for game in np.flatnonzero(~legal):
            current = self._decisions.pending[game, self._decisions.answered[game]]
            action = actions[game].item()
            if not self._opponents or not 0 <= action < ACTION_COUNT:
                raise IllegalActionError(
                    "expected one of %r for seat %d of game %d, got %r",
                    np.flatnonzero(unpack_masks(current["mask"][None])[0]).tolist(), int(current["seat"]),
                    int(first + game), action)

    def open(self, shown: ShownDecisions) -> None:
        """Shows the first decisions of new games."""
        self._take(shown)
        shown.ended[:], shown.rewards[:] = False, 0
        if self._opponents:
            self._play_on(self._take_answers(), shown)

    def step(self, actions: np.ndarray, legal: np.ndarray, shown: ShownDecisions) -> None:
        """Answers the current decision of each game, and goes on to the next ones of the caller."""
        count = self._take_answers(actions, legal)
        if not self._opponents:
            self._engine.step(self._actions[:count], self._rows[:count])
            self._take(shown)
            return
        if not legal.all():
            wrong = np.flatnonzero(~legal)
            self._engine.forfeit(wrong, self._decisions.own[wrong])
            self._take(shown)
            count = count or self._take_answers()
        self._play_on(count, shown)

    def _take_answers(self, actions=_NO_ACTIONS, legal=_NO_LEGAL):
        """Stores answers, and copies out the games that are fully answered. Returns the number of their decisions."""
        return take_answers(self._decisions, actions, legal, self._rows, self._actions)

    def _play_on(self, count, shown):
        """Steps the engine until every game waits for the caller or is over, and shows the decisions."""
        while count:
            self._engine.step(self._actions[:count], self._rows[:count])
            self._take(shown)
            count = self._take_answers()
        show_decisions(self._engine.games, self._decisions, shown)

    def _take(self, shown):
        """Stores the engine's results and decisions, and the opponents' answers to theirs."""
        engine = self._engine
        if len(engine.finished):
            show_results(engine.finished, shown)
            if self._opponents:
                self._take_seats(engine.finished["game"])
        count = store_decisions(engine.games, engine.pending, self._decisions, self._asked, self._slots, shown)
        if not count:
            return
        asked, slots = self._asked[:count], self._slots[:count]
        offsets = (asked["seat"] - self._decisions.own[asked["game"]]) % SEATS
        for choose, plays in self._opponents.groups:
            rows = np.flatnonzero(plays[offsets])
            if len(rows):
                out = np.zeros((len(rows), OBSERVATION_SIZE), np.uint8)
                write_observations(engine.games, asked[rows], False, out)
                self._decisions.answers[asked["game"][rows], slots[rows]] = take_actions(
                    choose(out, unpack_masks(asked["mask"][rows])), len(rows))

    def _take_seats(self, games):
        """Sets the own seats of games int[K]."""
        if self._seat is None:
            self._decisions.own[games] = (self._engine.games["game_id"][games] + self._first_seed % SEATS) % SEATS
        else:
            self._decisions.own[games] = self._seat
