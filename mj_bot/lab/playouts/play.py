"""Games played on by the search, from any position to the end or to a cut, in one compiled loop.

The players are batch.search.SearchBatch without correction and next draw; a test holds them to it.
"""

from typing import NamedTuple

import numpy as np

from ...mahjong.action import ACTION_COUNT, WIN_INDEX
from ...mahjong.errors import MahjongError, UnknownTacticError
from ...observation.layout import OBSERVATION_SIZE, TURN
from ...tactic import parse_spec
from ...worth.parameters import replace_parameters
from ...worth.points import POINTS_ROUNDING
from ..batch.openings import MOST_ACTIONS, list_openings
from ..batch.worth.kernels import make_scratch, value_openings, weigh_openings
from ..batch.worth.tables import load_tables, make_settings
from ..engine.compile import jit, jit_part
from ..engine.decisions import is_legal
from ..engine.fan_memo import FanMemo
from ..engine.games import DECISION, OVER
from ..engine.observations import write_observation
from ..engine.stepping import OWED, advance, answer_game, count_wins
from ..engine.tables import load_tables as load_suit_tables

_FANS_KEPT = 1 << 18
_NO_ACTION = -1
_NEVER = 255


class Work(NamedTuple):
    """The memory that one decision after another is made in."""

    owed: np.ndarray  # DECISION[3]
    counts: np.ndarray  # int64[3], see engine.stepping
    actions: np.ndarray  # int16[3]
    observation: np.ndarray  # uint8[OBSERVATION_SIZE]
    mask: np.ndarray  # bool[235]
    of_targets: np.ndarray  # float64[MOST_ACTIONS]
    points: np.ndarray  # float64[235]
    worths: np.ndarray  # float64[235]


class Playouts(object):
    """Plays games on, for one thread.

    parameters: worth.parameters.Parameters of the players.
    """

    def __init__(self, parameters):
        self._settings = make_settings(parameters)
        self._fans = FanMemo(_FANS_KEPT)
        self._scratch = make_scratch(self._fans.memo)
        self._work = Work(
            np.zeros(3, DECISION), np.zeros(3, np.int64), np.zeros(3, np.int16), np.zeros(OBSERVATION_SIZE, np.uint8),
            np.zeros(ACTION_COUNT, bool), np.zeros(MOST_ACTIONS), np.zeros(ACTION_COUNT), np.zeros(ACTION_COUNT))

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
            left = left[:_play_games(load_tables(), load_suit_tables().shapes, self._settings, self._scratch,
                                     self._fans.memo, self._work, games, seats, given, ends, left)]
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
def _play_games(tables, shapes, settings, scratch, memo, work, games, seats, given, ends, left):
    """Plays the games `left`; returns how many wait for MahjongGB to count a hand, then the first of `left`.

    given: int64[N], the first action of each seat; _NO_ACTION once it is taken. ends: int64[N], number of discards.
    """
    waiting = 0
    for at in left:
        if not _play_game(tables, shapes, settings, scratch, memo, work, games, seats, given, ends, at):
            left[waiting] = at
            waiting += 1
    return waiting


@jit_part
def _play_game(tables, shapes, settings, scratch, memo, work, games, seats, given, ends, at):
    """Plays a game to its end or cut; false where a hand must be counted first."""
    game = games[at]
    while game.phase != OVER:
        if game.uncounted and not count_wins(game, memo):
            return False
        work.counts[OWED] = 0
        advance(game, shapes, work.owed, work.counts, 0)
        count = work.counts[OWED]
        if count == 0:
            continue
        if game.phase == TURN and game.discard_count >= ends[at]:
            return True
        for row in range(count):
            if given[at] != _NO_ACTION and work.owed[row].seat == seats[at]:
                work.actions[row] = given[at]
                continue
            action = _choose(tables, settings, scratch, work, game, work.owed[row])
            if action == _NO_ACTION:
                return False
            work.actions[row] = action
        given[at] = _NO_ACTION
        answer_game(game, shapes, work.owed, work.actions, 0, count)
    return True


@jit_part
def _choose(tables, settings, scratch, work, game, decision):
    """The action of most points, the first of equals; a win where there is one. _NO_ACTION where a hand must be
    counted first."""
    if is_legal(decision.mask, WIN_INDEX):
        return WIN_INDEX
    write_observation(game, np.int64(decision.seat), work.observation)
    for action in range(ACTION_COUNT):
        work.mask[action] = is_legal(decision.mask, action)
    count = list_openings(work.observation, work.mask, scratch.openings)
    value_openings(tables, settings, scratch, work.observation, count, work.of_targets)
    if not weigh_openings(settings, scratch, work.observation, count, work.of_targets, work.points, work.worths):
        return _NO_ACTION
    best = -np.inf
    for action in range(ACTION_COUNT):
        best = max(best, work.points[action])
    for action in range(ACTION_COUNT):
        if work.points[action] >= best - POINTS_ROUNDING:
            return action
    return _NO_ACTION
