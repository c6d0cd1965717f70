"""The engine: N games side by side, stepped together."""

import numpy as np

from ...mahjong.action import ACTION_COUNT
from ...mahjong.errors import IllegalActionError
from ...mahjong.suit_tables import load_tables
from ...observation.fan_memo import FanMemo
from .games import DECISION, make_games
from .observations import make_observations, write_observations
from .sources import seed_source
from .stepping import FINISHED, OWED, WAITING, first_illegal, make_buffers, proceed

_NO_DECISIONS = np.zeros(0, DECISION)
_NO_NUMBERS = np.zeros(0, np.int16)


class Engine(object):
    """N games side by side.

    After reset() and after every step() the engine stands at the next decisions: one row for each seat that owes one,
    rows of one game together. A row's seat chooses among its legal actions, the 235 of mahjong/action.py, knowing
    nothing of what other seats answer to the same discard.

    games: GAME[N], the state of all games (games.FIELDS lists the fields). Not to be written.
    pending: DECISION[M], the decisions that are pending: fields game, seat, mask.
    finished: RESULT[K], the games that ended in the last step; the source's next game is already in their places.
    """

    def __init__(self, count, source=None, memo_size=1 << 14):
        """An engine of `count` games; source: a sources.Source, default seed_source(). reset() deals.

        memo_size: answers of MahjongGB kept at a time; 4 a game at least.
        """
        self.games = make_games(count)
        self.source = seed_source() if source is None else source
        self._shapes = load_tables().shapes
        self._fans = FanMemo(max(memo_size, 4 * count))
        self._buffers = make_buffers(count)
        self._answered = self._buffers.pending.copy()  # changes places with the buffers' at every step
        self._show()

    def reset(self, source=None):
        """Deals a game of the source into every place and goes on to the first decisions.

        source: another Source to take games from, from now on.
        """
        if source is not None:
            self.source = source
        self._buffers.counts[:] = 0
        self._proceed(is_start=True)

    def step(self, actions):
        """Answers every pending decision and goes on to the next ones.

        actions: int[M], the index of an action for each row of pending.
        Raises IllegalActionError: an action outside its mask; nothing has happened then.
        """
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

    @property
    def asked_count(self):
        """Hands that MahjongGB counted so far."""
        return self._fans.asked_count

    @property
    def nbytes(self):
        """Memory of all games and the buffers that grow with them, without what MahjongGB answered."""
        return self.games.nbytes + self._answered.nbytes + sum(array.nbytes for array in self._buffers)

    def mask(self):
        """Legal actions of the pending decisions, bool[M, 235]."""
        packed = np.ascontiguousarray(self.pending["mask"]).view(np.uint8)
        return np.unpackbits(packed, axis=1, bitorder="little", count=ACTION_COUNT).view(bool)

    def put(self, places, games):
        """Sets games into places, whatever was played there, and goes on to their decisions.

        places: int[K], places of the engine. games: GAME[K], copies of engine.games rows.
        The other games and their pending decisions stay as they are; the order of rows changes.
        """
        places = np.asarray(places, np.int32)
        if len(set(places.tolist())) != len(places) or not all(0 <= place < len(self.games) for place in places):
            raise IllegalActionError("expected different places 0..%d, got %r" % (len(self.games) - 1, places.tolist()))
        kept = self.pending[~np.isin(self.pending["game"], places)]
        self.games[places] = games
        self._buffers.counts[:] = 0
        self._buffers.pending[:len(kept)] = kept
        self._buffers.waiting[:len(places)] = places
        self._buffers.counts[OWED] = len(kept)
        self._buffers.counts[WAITING] = len(places)
        self._proceed()

    def observations(self, full=False, out=None):
        """What the seats see at the pending decisions, uint8[M, OBSERVATION_SIZE] as observation/layout.py lays it out.

        full: with the hidden part for critics, uint8[M, FULL_SIZE]. out: an array of M rows or more to write to.
        """
        observations = make_observations(len(self.pending), full) if out is None else out[:len(self.pending)]
        write_observations(self.games, self.pending, full, observations)
        return observations

    def _proceed(self, answered=_NO_DECISIONS, actions=_NO_NUMBERS, is_start=False):
        while True:
            proceed(self.games, self._shapes, self._fans.memo, self.source, self._buffers, answered, actions, is_start)
            if not self._buffers.counts[WAITING]:
                break
            self._fans.answer_notes()
            answered, actions, is_start = _NO_DECISIONS, _NO_NUMBERS, False
        self._show()

    def _show(self):
        self.pending = self._buffers.pending[:self._buffers.counts[OWED]]
        self.finished = self._buffers.finished[:self._buffers.counts[FINISHED]]
