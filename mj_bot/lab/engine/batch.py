"""Defines the Engine: N games next to each other, stepped together."""

from collections.abc import Sequence

import numpy as np

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError
from ...mahjong.rules import penalty_scores
from ...observation.fan_memo import FanMemo
from ...observation.layout import FULL_SIZE, NONE, OBSERVATION_SIZE
from .game_rows import DECISION, GAME, GAME_OVER, RESULT
from .observations import write_observations
from .stepping import FINISHED, PENDING, WAITING, StepBuffers, StepTools, first_illegal, proceed
from .wall_sources import Source, seed_source
from .winning import load_shapes

_NO_DECISIONS, _NO_ACTIONS = np.zeros(0, DECISION), np.zeros(0, np.int16)


def unpack_masks(masks: np.ndarray) -> np.ndarray:
    """Returns bool[M, 235], True where an action is legal. masks: uint64[M, 4], the field `mask` of DECISION rows."""
    packed = np.ascontiguousarray(masks).view(np.uint8)
    return np.unpackbits(packed, axis=1, bitorder="little", count=ACTION_COUNT).view(bool)


class Engine(object):
    """Plays N games that advance together.

    reset() and step() go on to the next decisions. A decision is one row of `pending`: one seat of one game that has to
    choose an action. The rows of one game are next to each other. Seats that may claim the same discard have a row
    each, and none of them sees what the others answer.

    games: GAME[N], the state of all games; game_rows.GAME_FIELDS describes the fields. Callers must not write to it.
    pending: DECISION[M], the pending decisions, with the fields game (index into `games`), seat and mask.
    finished: RESULT[K], the games that ended in the last step. The next games of the source have replaced them in
    `games`.
    """

    def __init__(self, count: int, source: Source | None = None, memo_size: int = 1 << 14):
        """Allocates the arrays; reset() or resume() starts the games.

        source: where new games get their walls from; None means seed_source().
        memo_size: how many answers of MahjongGB are kept. The engine keeps at least 4 per game.
        """
        self.games = np.zeros(count, GAME)
        self.games["phase"], self.games["game_id"], self.games["last_tile"] = GAME_OVER, -1, NONE
        self.source = seed_source() if source is None else source
        self._shapes = load_shapes()
        self._fans = FanMemo(max(memo_size, 4 * count))
        self._buffers = StepBuffers(np.zeros(3 * count, DECISION), np.zeros(count, np.int32), np.zeros(count, RESULT),
                                counts=np.zeros(3, np.int64))
        self._answered = self._buffers.pending.copy()  # changes places with the buffers' array at every step
        self._show()

    def reset(self, source: Source | None = None) -> None:
        """Deals a new game at every index of `games`, from a source or from the engine's, up to the first decisions."""
        if source is not None:
            self.source = source
        self._buffers.counts[:] = 0
        self._proceed(is_start=True)

    def resume(self, games: np.ndarray) -> None:
        """Continues given games up to their next decisions.

        games: GAME[N], a state for each game of the engine, as an action leaves it.
        """
        self.games[:] = games
        self._buffers.waiting[:] = np.arange(len(games))
        self._buffers.counts[:] = 0
        self._buffers.counts[WAITING] = len(games)
        self._proceed()

    def step(self, actions: np.ndarray | Sequence[int], decisions: np.ndarray | None = None) -> None:
        """Answers every pending decision and goes on to the next ones.

        actions: int[M], one action index per row of `pending`.
        decisions: DECISION[M], rows to answer in place of `pending`, which the caller has copied from it before. They
            must be all rows of each of their games. Afterwards `pending` has the next decisions of these games only,
            and the caller keeps the rows of the other games.
        Raises IllegalActionError: an action is outside its mask, or their number is wrong. The games are unchanged
        then.
        """
        if decisions is not None:
            self.pending = decisions
        actions = np.ascontiguousarray(actions, np.int16)
        if actions.shape != self.pending.shape:
            raise IllegalActionError("expected %d actions, got an array of shape %r", len(self.pending), actions.shape)
        row = first_illegal(self.pending, actions)
        if row >= 0:
            raise IllegalActionError("expected one of %r for seat %d of game %d, got %d in row %d",
                                     np.flatnonzero(self.mask()[row]).tolist(), self.pending[row]["seat"],
                                     self.pending[row]["game"], actions[row], row)
        answered = self.pending
        self._buffers, self._answered = self._buffers._replace(pending=self._answered), self._buffers.pending
        self._buffers.counts[:] = 0
        self._proceed(answered, actions)

    def forfeit(self, games: np.ndarray, seats: np.ndarray) -> None:
        """Ends games by an error of one seat, as the judge does, and deals the next games.

        games: int[K], indices into `games`. seats: int[K], the seat 0..3 that made the error in each of them.
        Afterwards `finished` and `pending` describe these games only.
        """
        for game, seat in zip(games, seats):
            self.games["score"][game] = penalty_scores(seat)
        self.games["phase"][games], self.games["uncounted"][games] = GAME_OVER, 0
        self.games["winner"][games] = self.games["giver"][games] = -1
        self._buffers.counts[:] = 0
        # proceed() looks at waiting games first, and notes the results of those that are over.
        self._buffers.waiting[:len(games)], self._buffers.counts[WAITING] = games, len(games)
        self._proceed()

    def mask(self) -> np.ndarray:
        """Returns the legal actions of the pending decisions, bool[M, 235]."""
        return unpack_masks(self.pending["mask"])

    def observations(self, full: bool = False, out: np.ndarray | None = None) -> np.ndarray:
        """Returns the observations of the pending decisions, uint8[M, OBSERVATION_SIZE] of observation/layout.py.

        full: adds the hidden tiles that a critic may see, for uint8[M, FULL_SIZE]. out: M rows or more to write to.
        """
        if out is None:
            out = np.zeros((len(self.pending), FULL_SIZE if full else OBSERVATION_SIZE), np.uint8)
        write_observations(self.games, self.pending, full, out)
        return out[:len(self.pending)]

    def _proceed(self, answered=_NO_DECISIONS, actions=_NO_ACTIONS, is_start=False):
        """Runs the compiled step until no game waits for MahjongGB. is_start: whether every game is dealt anew."""
        tools = StepTools(self._shapes, self._fans.memo, self.source)
        while True:
            proceed(self.games, tools, self._buffers, answered, actions, is_start)
            if not self._buffers.counts[WAITING]:
                break
            self._fans.answer_notes()
            answered, actions, is_start = _NO_DECISIONS, _NO_ACTIONS, False
        self._show()

    def _show(self):
        """Sets `pending` and `finished` to the rows of the buffers that the last step has written."""
        self.pending = self._buffers.pending[:self._buffers.counts[PENDING]]
        self.finished = self._buffers.finished[:self._buffers.counts[FINISHED]]
