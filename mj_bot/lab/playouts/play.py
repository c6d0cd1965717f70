"""Games played on by the search, from any position to the end or to a cut, in one compiled loop.

The players are batch.search.SearchBatch without correction and next draw; a test holds them to it.
"""

from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT, WIN_INDEX
from ...mahjong.errors import MahjongError, UnknownTacticError
from ...observation.layout import TURN
from ...tactic import parse_spec
from ...worth.parameters import replace_parameters
from ..engine.compile import jit, jit_part
from ..engine.decisions import is_legal
from ..engine.fan_memo import FanMemo
from ..engine.games import DECISION, OVER
from ..engine.observations import write_observation
from ..engine.stepping import OWED, advance, answer_game, count_wins
from ..engine.tables import load_tables
from .search import FANS_KEPT, find_best, make_search, weigh_decision

_NO_ACTION = -1
_NEVER = 255


class Owed(NamedTuple):
    """The decisions of one game, and what is chosen."""

    rows: np.ndarray  # DECISION[3]
    counts: np.ndarray  # int64[3], see engine.stepping
    actions: np.ndarray  # int16[3]


class Playouts(object):
    """Plays games on, for one thread.

    parameters: worth.parameters.Parameters of the players.
    """

    def __init__(self, parameters):
        self._fans = FanMemo(FANS_KEPT)
        self._search = make_search(parameters, self._fans.memo)
        self._owed = Owed(np.zeros(3, DECISION), np.zeros(3, np.int64), np.zeros(3, np.int16))

    def __call__(self, games, seats, actions, cut=None, value=None):
        """What each game brings to a seat, float64[N].

        games: GAME[N], each at a decision that its seat owes; they stay as they are. seats, actions: int[N], that seat
        and the action that it begins with.
        cut: None to play to the end; else a game ends at the first draw after so many more discards, and
        value(games, seats) says what it brings.
        """
        games, seats = games.copy(), np.asarray(seats, np.int64)
        given = np.array(actions, np.int64)
        ends = np.full(len(games), _NEVER) if cut is None else games["discard_count"].astype(np.int64) + cut
        left = np.arange(len(games))
        while len(left):
            left = left[:_play_games(self._search, load_tables().shapes, self._owed, games, seats, given, ends, left)]
            self._fans.answer_notes()
        brought = games["score"][np.arange(len(games)), seats].astype(float)
        is_cut = games["phase"] != OVER
        if is_cut.any():
            brought[is_cut] = value(games[is_cut], seats[is_cut])
        return brought


def read_player(spec):
    """The Parameters of a spec of the search.

    Raises MahjongError: another tactic, or a search with correction or next draw, which playouts do without.
    """
    name, options = parse_spec(spec)
    if name == "search":
        try:
            parameters = replace_parameters(options)
        except TypeError as error:
            raise UnknownTacticError("expected options that 'search' takes, got %r: %s" % (options, error)) from None
        if not parameters.correction and not parameters.next_draw:
            return parameters
    raise MahjongError("expected search:correction=0,next_draw=0 with any other options, got %r" % spec)


@jit
def _play_games(search, shapes, owed, games, seats, given, ends, left):
    """Plays the games `left`; returns how many wait for MahjongGB to count a hand, then the first of `left`.

    given: int64[N], the first action of each seat; _NO_ACTION once it is taken. ends: int64[N], number of discards.
    """
    waiting = 0
    for at in left:
        if not _play_game(search, shapes, owed, games[at], seats, given, ends, at):
            left[waiting] = at
            waiting += 1
    return waiting


@jit_part
def _play_game(search, shapes, owed, game, seats, given, ends, at):
    """Plays a game to its end or cut; false where a hand must be counted first."""
    while game.phase != OVER:
        if game.uncounted and not count_wins(game, search.scratch.counting.memo):
            return False
        owed.counts[OWED] = 0
        advance(game, shapes, owed.rows, owed.counts, 0)
        count = owed.counts[OWED]
        if count == 0:
            continue
        if game.phase == TURN and game.discard_count >= ends[at]:
            return True
        for row in range(count):
            if given[at] != _NO_ACTION and owed.rows[row].seat == seats[at]:
                owed.actions[row] = given[at]
                continue
            action = _choose(search, game, owed.rows[row])
            if action == _NO_ACTION:
                return False
            owed.actions[row] = action
        given[at] = _NO_ACTION
        answer_game(game, shapes, owed.rows, owed.actions, 0, count)
    return True


@jit_part
def _choose(search, game, decision):
    """The action of most points; a win where there is one. _NO_ACTION where a hand must be counted first."""
    if is_legal(decision.mask, WIN_INDEX):
        return WIN_INDEX
    write_observation(game, np.int64(decision.seat), search.observation)
    for action in range(ACTION_COUNT):
        search.mask[action] = is_legal(decision.mask, action)
    if not weigh_decision(search):
        return _NO_ACTION
    return find_best(search.points)
