"""The engine: N games side by side, stepped together."""

import numpy as np

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError
from ...mahjong.rules import penalty_scores
from ...mahjong.suit_tables import load_tables
from ...observation.fan_memo import FanMemo
from ...observation.layout import FULL_SIZE, NONE, OBSERVATION_SIZE
from .game_rows import DECISION, GAME, GAME_OVER, RESULT
from .observations import write_observations
from .wall_sources import seed_source
from .stepping import FINISHED, PENDING, WAITING, Buffers, first_illegal, proceed

_NO_DECISIONS, _NO_ACTIONS = np.zeros(0, DECISION), np.zeros(0, np.int16)


def unpack_masks(masks):
    """bool[M, 235] of the field mask of DECISION rows, uint64[M, 4]."""
    packed = np.ascontiguousarray(masks).view(np.uint8)
    return np.unpackbits(packed, axis=1, bitorder="little", count=ACTION_COUNT).view(bool)


class Engine(object):
    """N games side by side.

    reset() and step() go on to the next decisions: one row for each seat that has to decide, rows of one game together.
    Each row chooses a legal action of mahjong/action.py, and does not see what other seats answer to the same discard.

    games: GAME[N], the state of all games, see game_rows.GAME_FIELDS. Not to be written.
    pending: DECISION[M], the pending decisions: fields game, seat, mask.
    finished: RESULT[K], the games that ended in the last step; the source's next games are already in their places.
    """

    def __init__(self, count, source=None, memo_size=1 << 14):
        """Deals nothing yet: reset() or resume() starts the games.

        count: number of games. source: a wall_sources.Source of walls, None for seed_source(). memo_size: number of
        answers of MahjongGB that are kept, at least 4 per game.
        """
        self.games = np.zeros(count, GAME)
        self.games["phase"], self.games["game_id"], self.games["last_tile"] = GAME_OVER, -1, NONE
        self.source = seed_source() if source is None else source
        self._shapes = load_tables().shapes
        self._fans = FanMemo(max(memo_size, 4 * count))
        self._buffers = Buffers(np.zeros(3 * count, DECISION), np.zeros(count, np.int32), np.zeros(count, RESULT),
                                np.zeros(3, np.int64))
        self._answered = self._buffers.pending.copy()  # exchanged with the buffers' at every step
        self._show()

    def reset(self, source=None):
        """Deals a game into every place and goes on to the first decisions. source: a new Source of all games."""
        if source is not None:
            self.source = source
        self._buffers.counts[:] = 0
        self._proceed(is_start=True)

    def resume(self, games):
        """Goes on from given games to their next decisions. games: GAME[N], each as the rules leave a game."""
        self.games[:] = games
        self._buffers.waiting[:] = np.arange(len(games))
        self._buffers.counts[:] = 0
        self._buffers.counts[WAITING] = len(games)
        self._proceed()

    def step(self, actions, decisions=None):
        """Answers every pending decision and goes on to the next ones. actions: int[M], an action for each row.

        decisions: a copy of pending rows to answer instead, all rows of each of their games. The caller keeps the
        other rows: `pending` then has the next decisions of the answered games only.
        Raises IllegalActionError: an action outside its mask; the games are unchanged then.
        """
        if decisions is not None:
            self.pending = decisions
        actions = np.ascontiguousarray(actions, np.int16)
        if actions.shape != self.pending.shape:
            raise IllegalActionError("expected %d actions, got an array of shape %r" % (
                len(self.pending), actions.shape))
        row = first_illegal(self.pending, actions)
        if row >= 0:
            raise IllegalActionError("expected one of %r for seat %d of game %d, got %d in row %d" % (
                np.flatnonzero(self.mask()[row]).tolist(), self.pending[row]["seat"], self.pending[row]["game"],
                actions[row], row))
        answered = self.pending
        self._buffers, self._answered = self._buffers._replace(pending=self._answered), self._buffers.pending
        self._buffers.counts[:] = 0
        self._proceed(answered, actions)

    def forfeit(self, games, seats):
        """Ends games by an error of a seat, as the judge does, and deals the next ones.

        games: int[K], places in self.games. seats: int[K]. `finished` and `pending` then are those of these games.
        """
        for game, seat in zip(games, seats):
            self.games["score"][game] = penalty_scores(seat)
        self.games["phase"][games], self.games["uncounted"][games] = GAME_OVER, 0
        self.games["winner"][games] = self.games["giver"][games] = -1
        self._buffers.counts[:] = 0
        # Games that are over and waited for MahjongGB: proceed() notes their results.
        self._buffers.waiting[:len(games)], self._buffers.counts[WAITING] = games, len(games)
        self._proceed()

    @property
    def nbytes(self):
        """Memory of the games and their buffers, without the answers of MahjongGB."""
        return self.games.nbytes + self._answered.nbytes + sum(array.nbytes for array in self._buffers)

    def mask(self):
        """Legal actions of the pending decisions, bool[M, 235]."""
        return unpack_masks(self.pending["mask"])

    def observations(self, full=False, out=None):
        """Observations of the pending decisions, uint8[M, OBSERVATION_SIZE], see observation/layout.py.

        full: with the hidden part for critics, uint8[M, FULL_SIZE]. out: an array of M rows or more to write to.
        """
        if out is None:
            out = np.zeros((len(self.pending), FULL_SIZE if full else OBSERVATION_SIZE), np.uint8)
        write_observations(self.games, self.pending, full, out)
        return out[:len(self.pending)]

    def _proceed(self, answered=_NO_DECISIONS, actions=_NO_ACTIONS, is_start=False):
        while True:
            proceed(self.games, self._shapes, self._fans.memo, self.source, self._buffers, answered, actions, is_start)
            if not self._buffers.counts[WAITING]:
                break
            self._fans.answer_notes()
            answered, actions, is_start = _NO_DECISIONS, _NO_ACTIONS, False
        self._show()

    def _show(self):
        self.pending = self._buffers.pending[:self._buffers.counts[PENDING]]
        self.finished = self._buffers.finished[:self._buffers.counts[FINISHED]]
