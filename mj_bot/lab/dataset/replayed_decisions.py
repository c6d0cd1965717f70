"""Compact games replayed by the engine: every decision with its observation, legal actions and recorded action."""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE
from ...mahjong.errors import ProtocolError
from ...mahjong.rules import WALL_DRAWS, win_scores
from ...mahjong.tile import FLOWER_NAMES
from ...observation.layout import FOLLOW, OBSERVATION_SIZE, RIVER_SIZE, ROB, TURN
from ..engine.batch import Engine
from ..engine.decisions import count_legal, end_of_game, is_legal
from ..engine.observations import write_observation
from ..engine.sources import Source
from ..records.compact import has_own_fans, read_note
from ..records.game_record import ALL_ANSWERS, ANSWER_BASE, FAULT, LAST_ANSWER, MARK, SHARED_WALL
from ..table.one_wall import DRAWS
from ..table.walls import SLICE_SIZE


class ReplayedDecisions(NamedTuple):
    """Decisions of Games."""

    observations: np.ndarray  # uint8[M, OBSERVATION_SIZE]
    masks: np.ndarray  # uint64[M, 4], bit a where action a is legal
    games: np.ndarray  # int32[M], which of the Games
    seats: np.ndarray  # uint8[M]
    actions: np.ndarray  # int16[M]
    is_random: np.ndarray  # bool[M], made at random


# Shape and dtype of a row of each column of ReplayedDecisions.
_COLUMNS = (((OBSERVATION_SIZE,), np.uint8), ((4,), np.uint64), ((), np.int32), ((), np.uint8), ((), np.int16),
            ((), bool))


class _Book(NamedTuple):
    """The games' moves, and how far each game has been read."""

    moves: np.ndarray
    ends: np.ndarray
    is_whole: np.ndarray  # bool[N], overruled claims are recorded too
    cursors: np.ndarray  # int64[N], the next byte of moves
    marks: np.ndarray  # uint8[N], of the latest action
    state: np.ndarray  # int64[N], PLAYING, CUT_SHORT (no more moves, or a fault), or the place of an illegal move
    walls: np.ndarray  # uint8[N, 136]
    left: np.ndarray  # int64[N, DRAWS + 1], tiles left in a shared wall after each draw, with flowers; [N, 0] of none
    is_shared: np.ndarray  # bool[N]
    draws: np.ndarray  # int64[N], made so far


PLAYING, CUT_SHORT = -2, -1

# Room at first, in decisions a game; a game has about 80.
_ROOM = 96
_WIDTH = 256


class Replayer(object):
    """Replays many games at a time; keeps its memory for the next ones. For one thread."""

    def __init__(self):
        self._engine = Engine(_WIDTH, memo_size=1 << 16)
        self._room = ReplayedDecisions(*(np.zeros((0,) + shape, dtype) for shape, dtype in _COLUMNS))
        self._count = np.zeros(1, np.int64)

    def replay(self, games, watch=None):
        """The ReplayedDecisions of Games with more than one legal action, in no order, valid until the next call.

        A pass is left out where the source may not have recorded the seat's answer.
        watch: function(engine, actions), called before every step.
        Raises ProtocolError: an illegal move, or scores that differ from those of the moves, unless the platform of the
        game counts fans otherwise.
        """
        count = len(games.heads)
        is_shared, walls = (games.heads["facts"] & SHARED_WALL) > 0, games.walls
        book = _Book(games.moves, games.ends, (games.heads["facts"] & ALL_ANSWERS) > 0, games.ends[:-1].copy(),
                     np.zeros(count, np.uint8), np.full(count, PLAYING), walls, _count_left(games.notes, is_shared),
                     is_shared, np.zeros(count, np.int64))
        self._count[0] = 0
        self._make_room(_ROOM * count)
        engine = self._engine
        engine.reset(Source(walls, np.ascontiguousarray(games.heads["wind"]), np.array([0, count, 1, 0, 1], np.int64)))
        while len(engine.pending):
            self._make_room(self._count[0] + len(engine.pending))
            actions = np.zeros(len(engine.pending), np.int16)
            _read_moves(engine.games, engine.pending, book, actions, self._room, self._count)
            if watch:
                watch(engine, actions)
            engine.step(actions)
            self._check_finished(games, book)
        return ReplayedDecisions(*(column[:self._count[0]] for column in self._room))

    def _make_room(self, count):
        if count > len(self._room.games):
            size = count + count // 4
            self._room = ReplayedDecisions(*(
                np.concatenate([column, np.zeros((size - len(column),) + shape, dtype)])
                for column, (shape, dtype) in zip(self._room, _COLUMNS)))

    def _check_finished(self, games, book):
        for result in self._engine.finished:
            number = int(result["game_id"])
            state = book.state[number]
            if state == CUT_SHORT:
                continue
            at, end = book.cursors[number], book.ends[number + 1]
            if state == PLAYING and at < end:
                state = at
            if state >= 0:
                raise ProtocolError("expected a legal move in game %d, got byte %d, %r, at place %d of its moves" % (
                    number, games.moves[state] if state < end else -1, games.moves[book.ends[number]:end].tobytes(),
                    state - book.ends[number]))
            expected = result["score"].tolist()
            if result["winner"] >= 0:
                # Each flower is paid as a fan.
                winner, giver = int(result["winner"]), int(result["giver"])
                expected = win_scores(winner, int(result["fan"]) + int(games.heads[number]["flowers"]), giver)
            if expected != games.heads[number]["scores"].tolist() and not has_own_fans(read_note(games.notes[number])):
                raise ProtocolError("expected scores %r in game %d, got %r" % (
                    expected, number, games.heads[number]["scores"].tolist()))


def _count_left(notes, is_shared):
    """_Book.left of games with these notes."""
    left = np.zeros((len(notes), DRAWS + 1 if is_shared.any() else 0), np.int64)
    for place in np.flatnonzero(is_shared):
        draws = np.array([draws for draws, _, _ in read_note(notes[place]).get("flowers", ())], np.int64)
        flowers = (draws < np.arange(DRAWS + 1)[:, None]).sum(axis=1)
        left[place] = np.maximum(DRAWS + len(FLOWER_NAMES) - flowers - np.arange(DRAWS + 1), 0)
    return left


@jit_part
def _quiet_action(decision):
    """A pass, or the first legal discard: how a game goes on after the end of its record."""
    if is_legal(decision.mask, PASS_INDEX):
        return PASS_INDEX
    action = DISCARD_BASE
    while not is_legal(decision.mask, action):
        action += 1
    return action


@jit_part
def _add_decision(games, decision, number, action, is_random, room, count):
    """Adds a decision of a game to room, if it has more than one legal action."""
    if count_legal(decision.mask) < 2:
        return
    at = count[0]
    count[0] = at + 1
    seat = np.int64(decision.seat)
    write_observation(games[decision.game], seat, room.observations[at])
    for word in range(4):
        room.masks[at, word] = decision.mask[word]
    room.games[at] = number
    room.seats[at] = seat
    room.actions[at] = action
    room.is_random[at] = is_random


@jit
def _read_moves(games, pending, book, actions, room, count):
    """Writes the recorded actions of the pending decisions into actions, and the decisions into room."""
    end = 0
    while end < len(pending):
        start, end = end, end_of_game(pending, end)
        g = pending[start].game
        number = games[g].game_id
        if book.is_shared[number]:
            _set_wall_sizes(games[g], book, number)
        if book.state[number] != PLAYING:
            for at in range(start, end):
                actions[at] = _quiet_action(pending[at])
        elif games[g].phase == TURN or games[g].phase == FOLLOW:
            _read_action(games, pending, book, number, actions, start, room, count)
        else:
            _read_answers(games, pending, book, number, actions, start, end, room, count)
        if book.is_shared[number]:
            _place_next_draw(games[g], book, number, pending, actions, start, end)


@jit_part
def _set_wall_sizes(game, book, number):
    """Sets the walls' sizes to a quarter of the shared wall and sees its flowers, as mahjong/state.py does."""
    if game.phase == TURN:
        book.draws[number] += 1
        made = book.draws[number]
        if book.left[number, made - 1] - book.left[number, made] > 1:
            game.after_kong = 0  # the draw replaces a flower
    for seat in range(4):
        game.wall_left[seat] = (book.left[number, book.draws[number]] + 3) // 4
    if game.phase <= FOLLOW and game.river_count[game.turn] >= RIVER_SIZE - 1:
        # An observation has no room for more discards of a seat. With four walls there are never more.
        book.state[number] = CUT_SHORT


@jit_part
def _place_next_draw(game, book, number, pending, actions, start, end):
    """Puts the next tile of the shared wall where the next seat draws, and sets the walls' sizes for that draw."""
    made = book.draws[number]
    if made == DRAWS or book.left[number, made] == 0 or book.state[number] != PLAYING:
        for seat in range(4):
            game.wall_left[seat] = 0
        return
    drawer = np.int64(game.turn)
    if game.phase <= FOLLOW:
        is_kong = CONCEALED_KONG_BASE <= actions[start] < PUNG_BASE
        drawer = drawer if is_kong else (drawer + 1) & 3
    elif game.phase != ROB:
        drawer = (drawer + 1) & 3
        for row in range(start, end):
            if OPEN_KONG_BASE <= actions[row] < CONCEALED_KONG_BASE:
                drawer = np.int64(pending[row].seat)
    for seat in range(4):
        game.wall_left[seat] = (book.left[number, made + 1] + 3) // 4
    game.wall[SLICE_SIZE * drawer + game.wall_left[drawer]] = book.walls[
        number, SLICE_SIZE * (made % 4) + WALL_DRAWS - 1 - made // 4]
    game.wall_left[drawer] += 1


@jit_part
def _read_action(games, pending, book, number, actions, row, room, count):
    at, stop = book.cursors[number], book.ends[number + 1]
    actions[row] = _quiet_action(pending[row])
    if at == stop or book.moves[at] == FAULT:
        book.state[number] = CUT_SHORT
        return
    action = np.int64(book.moves[at])
    if not is_legal(pending[row].mask, action):
        book.state[number] = at
        return
    actions[row] = action
    at += 1
    mark = 0
    if at < stop and book.moves[at] > MARK:
        mark = np.int64(book.moves[at]) - MARK
        at += 1
    book.marks[number] = mark
    book.cursors[number] = at
    _add_decision(games, pending[row], number, action, (mark >> pending[row].seat & 1) == 1, room, count)


@jit_part
def _read_answers(games, pending, book, number, actions, start, end, room, count):
    at, stop = book.cursors[number], book.ends[number + 1]
    mark = np.int64(book.marks[number])
    for row in range(start, end):
        actions[row] = PASS_INDEX
    turn = np.int64(games[pending[start].game].turn)
    answered = 0
    latest = ANSWER_BASE
    while at < stop and latest < book.moves[at] <= LAST_ANSWER:
        latest = np.int64(book.moves[at])
        seat = (turn + book.moves[at] - ANSWER_BASE) & 3
        row = start
        while row < end and pending[row].seat != seat:
            row += 1
        is_whole = at + 1 < stop and row < end and book.moves[at + 1] != PASS_INDEX
        if not (is_whole and is_legal(pending[row].mask, np.int64(book.moves[at + 1]))):
            book.state[number] = at
            return
        actions[row] = book.moves[at + 1]
        answered |= 1 << seat
        at += 2
    book.cursors[number] = at
    is_known = answered == 0 or book.is_whole[number]
    if at == stop and answered == 0:
        # These are the last passes of the game if no tile is left to draw; else the record ends here.
        is_known = games[pending[start].game].wall_left[(turn + 1) & 3] == 0
    elif at < stop and book.moves[at] == FAULT:
        book.state[number] = CUT_SHORT
        is_known = False
    for row in range(start, end):
        seat = np.int64(pending[row].seat)
        if is_known or answered >> seat & 1:
            _add_decision(games, pending[row], number, np.int64(actions[row]), (mark >> seat & 1) == 1, room, count)
