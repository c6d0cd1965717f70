"""Replays compact games with the engine, and lists each decision: observation, legal actions and recorded action."""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part, jitable
from ...mahjong.action import CONCEALED_KONG_BASE, DISCARD_BASE, OPEN_KONG_BASE, PASS_INDEX, PUNG_BASE
from ...mahjong.compiled import share_wall
from ...mahjong.errors import ProtocolError
from ...mahjong.rules import win_scores
from ...mahjong.tile import FLOWER_NAMES
from ...observation.layout import FOLLOW, OBSERVATION_SIZE, RIVER_SIZE, ROB, TURN
from ..engine.batch import Engine
from ..engine.decision_rows import count_legal, end_of_game, is_legal
from ..engine.observations import write_observation
from ..engine.wall_sources import Source, make_dealing
from ..records.compact import Games, has_own_fans, read_note
from ..records.game_record import ALL_ANSWERS, ANSWER_BASE, FAULT, LAST_ANSWER, MARK, SHARED_WALL
from ..table import one_wall
from ..table.one_wall import DRAWS
from ..table.walls import SLICE_SIZE

place_of_draw = jitable(one_wall.place_of_draw)


class ReplayedDecisions(NamedTuple):
    """Keeps M decisions of games as arrays."""

    observations: np.ndarray  # uint8[M, OBSERVATION_SIZE]
    masks: np.ndarray  # uint64[M, 4], bit a is set where action a is legal
    games: np.ndarray  # int32[M], index of the decision's game
    seats: np.ndarray  # uint8[M], seat that decides
    actions: np.ndarray  # int16[M], recorded action
    is_random: np.ndarray  # bool[M], whether the action was made at random


# (shape, dtype) of one row of each column of ReplayedDecisions
_COLUMNS = (((OBSERVATION_SIZE,), np.uint8), ((4,), np.uint64), ((), np.int32), ((), np.uint8), ((), np.int16),
            ((), bool))


class _Book(NamedTuple):
    """Keeps the moves of N games, and how far each game has been read."""

    moves: np.ndarray  # uint8[total], moves of all games one after another
    ends: np.ndarray  # int64[N + 1]; the moves of game i are moves[ends[i]:ends[i + 1]]
    is_whole: np.ndarray  # bool[N], whether overruled claims are recorded too
    cursors: np.ndarray  # int64[N], index of the next byte of moves
    marks: np.ndarray  # uint8[N], mark of the latest action: bit s is set if seat s chose at random
    # int64[N]: PLAYING; CUT_SHORT after the last move or a fault; or the index of an illegal move.
    state: np.ndarray
    walls: np.ndarray  # uint8[N, 136]
    # int64[N, DRAWS + 1], tiles left in a shared wall after each draw, flowers included; int64[N, 0] without such games
    left: np.ndarray
    is_shared: np.ndarray  # bool[N], whether all seats draw from one wall
    draws: np.ndarray  # int64[N], number of draws so far


PLAYING, CUT_SHORT = -2, -1

_ROOM = 96  # decisions per game for which there is room at first; a game has about 80
_WIDTH = 256  # games that the engine plays at a time


class Replayer(object):
    """Replays many games at a time. It keeps its memory for the next call, so each thread needs its own Replayer."""

    def __init__(self):
        self._engine = Engine(_WIDTH, memo_size=1 << 16)
        self._room = ReplayedDecisions(*(np.zeros((0,) + shape, dtype) for shape, dtype in _COLUMNS))
        self._count = np.zeros(1, np.int64)

    def replay(self, games: Games) -> ReplayedDecisions:
        """Returns those decisions of the games that have more than one legal action, in no particular order.

        The arrays are valid until the next call. A pass is left out if the source may not have recorded the seat's
        answer.
        Raises ProtocolError: a move is illegal, or the scores differ from those of the moves. The scores of a game
            whose platform counts fans otherwise are not compared.
        """
        count = len(games.heads)
        is_shared, walls = (games.heads["facts"] & SHARED_WALL) > 0, games.walls
        book = _Book(games.moves, games.ends, (games.heads["facts"] & ALL_ANSWERS) > 0, games.ends[:-1].copy(),
                     np.zeros(count, np.uint8), np.full(count, PLAYING), walls, _count_left(games.notes, is_shared),
                     is_shared, np.zeros(count, np.int64))
        self._count[0] = 0
        self._make_room(_ROOM * count)
        engine = self._engine
        engine.reset(Source(walls, np.ascontiguousarray(games.heads["wind"]), make_dealing(count)))
        while len(engine.pending):
            self._make_room(self._count[0] + len(engine.pending))
            actions = np.zeros(len(engine.pending), np.int16)
            _read_moves(engine.games, engine.pending, book, actions, self._room, self._count)
            engine.step(actions)
            self._check_finished(games, book)
        return ReplayedDecisions(*(column[:self._count[0]] for column in self._room))

    def _make_room(self, count):
        """Makes room for `count` decisions."""
        if count > len(self._room.games):
            size = count + count // 4
            self._room = ReplayedDecisions(*(
                np.concatenate([column, np.zeros((size - len(column),) + shape, dtype)])
                for column, (shape, dtype) in zip(self._room, _COLUMNS)))

    def _check_finished(self, games, book):
        """Refuses finished games with an illegal move or with other scores than those of the record."""
        for result in self._engine.finished:
            game_id = int(result["game_id"])
            state = book.state[game_id]
            if state == CUT_SHORT:
                continue
            cursor, end = book.cursors[game_id], book.ends[game_id + 1]
            if state == PLAYING and cursor < end:
                state = cursor
            if state >= 0:
                raise ProtocolError("expected a legal move in game %d, got byte %d, %r, at place %d of its moves",
                                    game_id, games.moves[state] if state < end else -1,
                                    games.moves[book.ends[game_id]:end].tobytes(), state - book.ends[game_id])
            expected = result["score"].tolist()
            if result["winner"] >= 0:
                # Each flower is paid as a fan.
                winner, giver = int(result["winner"]), int(result["giver"])
                expected = win_scores(winner, int(result["fan"]) + int(games.heads[game_id]["flowers"]), giver)
            scores = games.heads[game_id]["scores"].tolist()
            if expected != scores and not has_own_fans(read_note(games.notes[game_id])):
                raise ProtocolError("expected scores %r in game %d, got %r", expected, game_id, scores)


def _count_left(notes, is_shared):
    """Returns the tiles left in shared walls after each draw, int64[N, DRAWS + 1], or [N, 0] without a shared wall."""
    left = np.zeros((len(notes), DRAWS + 1 if is_shared.any() else 0), np.int64)
    for game_id in np.flatnonzero(is_shared):
        draws = np.array([draws for draws, _, _ in read_note(notes[game_id]).get("flowers", ())], np.int64)
        flowers = (draws < np.arange(DRAWS + 1)[:, None]).sum(axis=1)
        left[game_id] = np.maximum(DRAWS + len(FLOWER_NAMES) - flowers - np.arange(DRAWS + 1), 0)
    return left


@jit_part
def _quiet_action(decision):
    """Returns a pass, or the first legal discard. A game goes on with such actions after the end of its record."""
    if is_legal(decision.mask, PASS_INDEX):
        return PASS_INDEX
    action = DISCARD_BASE
    while not is_legal(decision.mask, action):
        action += 1
    return action


@jit_part
def _add_decision(games, decision, game_id, action, is_random, room, count):
    """Adds a decision with more than one legal action to the next row of `room`. count: int64[1], rows used."""
    if count_legal(decision.mask) < 2:
        return
    row = count[0]
    count[0] = row + 1
    seat = np.int64(decision.seat)
    write_observation(games[decision.game], seat, room.observations[row])
    for word in range(4):
        room.masks[row, word] = decision.mask[word]
    room.games[row] = game_id
    room.seats[row] = seat
    room.actions[row] = action
    room.is_random[row] = is_random


@jit
def _read_moves(games, pending, book, actions, room, count):
    """Writes the recorded actions of the pending decisions into `actions`, and the decisions into `room`."""
    end = 0
    while end < len(pending):
        start, end = end, end_of_game(pending, end)
        g = pending[start].game
        game_id = games[g].game_id
        if book.is_shared[game_id]:
            _set_walls_left(games[g], book, game_id)
        if book.state[game_id] != PLAYING:
            for row in range(start, end):
                actions[row] = _quiet_action(pending[row])
        elif games[g].phase == TURN or games[g].phase == FOLLOW:
            _read_action(games, pending, book, actions, start, room, count)
        else:
            _read_answers(games, pending, book, actions, start, room, count)
        if book.is_shared[game_id]:
            _place_next_draw(games[g], book, game_id, pending, actions, start, end)


@jit_part
def _set_walls_left(game, book, game_id):
    """Sets the size of each wall to a quarter of the shared wall, rounded up, and counts the draws."""
    # A draw that replaces a flower does not count as a draw after a kong. mahjong/state.py computes the same sizes.
    if game.phase == TURN:
        book.draws[game_id] += 1
        made = book.draws[game_id]
        if book.left[game_id, made - 1] - book.left[game_id, made] > 1:
            game.after_kong = 0  # This draw replaces a flower, so it is no draw after a kong.
    for seat in range(4):
        game.walls_left[seat] = share_wall(book.left[game_id, book.draws[game_id]])
    if game.phase <= FOLLOW and game.river_count[game.turn] >= RIVER_SIZE - 1:
        # An observation has no room for more discards of a seat. With four walls there are never more.
        book.state[game_id] = CUT_SHORT


@jit_part
def _place_next_draw(game, book, game_id, pending, actions, start, end):
    """Puts the next tile of the shared wall where the next seat draws, and sets the sizes of the walls for it."""
    made = book.draws[game_id]
    if made == DRAWS or book.left[game_id, made] == 0 or book.state[game_id] != PLAYING:
        for seat in range(4):
            game.walls_left[seat] = 0
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
        game.walls_left[seat] = share_wall(book.left[game_id, made + 1])
    game.wall[SLICE_SIZE * drawer + game.walls_left[drawer]] = book.walls[game_id, place_of_draw(made)]
    game.walls_left[drawer] += 1


@jit_part
def _read_action(games, pending, book, actions, row, room, count):
    """Writes the recorded action of the pending decision `row`, the only one of its game, into actions and room."""
    game_id = games[pending[row].game].game_id
    cursor, stop = book.cursors[game_id], book.ends[game_id + 1]
    actions[row] = _quiet_action(pending[row])
    if cursor == stop or book.moves[cursor] == FAULT:
        book.state[game_id] = CUT_SHORT
        return
    action = np.int64(book.moves[cursor])
    if not is_legal(pending[row].mask, action):
        book.state[game_id] = cursor
        return
    actions[row] = action
    cursor += 1
    mark = 0
    if cursor < stop and book.moves[cursor] > MARK:
        mark = np.int64(book.moves[cursor]) - MARK
        cursor += 1
    book.marks[game_id] = mark
    book.cursors[game_id] = cursor
    _add_decision(games, pending[row], game_id, action, (mark >> pending[row].seat & 1) == 1, room, count)


@jit_part
def _read_answers(games, pending, book, actions, start, room, count):
    """Writes the recorded answers of a game's pending decisions, whose rows begin at `start`, into actions and room."""
    game_id, end = games[pending[start].game].game_id, end_of_game(pending, start)
    cursor, stop = book.cursors[game_id], book.ends[game_id + 1]
    mark = np.int64(book.marks[game_id])
    for row in range(start, end):
        actions[row] = PASS_INDEX
    turn = np.int64(games[pending[start].game].turn)
    answered = 0
    latest = ANSWER_BASE
    while cursor < stop and latest < book.moves[cursor] <= LAST_ANSWER:
        latest = np.int64(book.moves[cursor])
        seat = (turn + book.moves[cursor] - ANSWER_BASE) & 3
        row = start
        while row < end and pending[row].seat != seat:
            row += 1
        is_whole = cursor + 1 < stop and row < end and book.moves[cursor + 1] != PASS_INDEX
        if not (is_whole and is_legal(pending[row].mask, np.int64(book.moves[cursor + 1]))):
            book.state[game_id] = cursor
            return
        actions[row] = book.moves[cursor + 1]
        answered |= 1 << seat
        cursor += 2
    book.cursors[game_id] = cursor
    is_known = answered == 0 or book.is_whole[game_id]
    if cursor == stop and answered == 0:
        # If no tile is left to draw, these are the last passes of the game. Otherwise the record ends here.
        is_known = games[pending[start].game].walls_left[(turn + 1) & 3] == 0
    elif cursor < stop and book.moves[cursor] == FAULT:
        book.state[game_id] = CUT_SHORT
        is_known = False
    for row in range(start, end):
        seat = np.int64(pending[row].seat)
        if is_known or answered >> seat & 1:
            _add_decision(games, pending[row], game_id, np.int64(actions[row]), (mark >> seat & 1) == 1, room, count)
