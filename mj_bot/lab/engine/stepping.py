"""Runs one step of many games: applies the answers and writes the next decisions.

In this file `game` is one GAME row, `game_index` its index in the engine, and `shapes` the table of
winning.load_shapes() for complete hands. `memo` keeps the fans that MahjongGB has counted.
"""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import CHOW_BASE, PASS_INDEX, WIN_INDEX
from ...observation.fan_memo import UNKNOWN, Memo, look_up_fan
from ...observation.layout import FOLLOW, TURN
from .decision_rows import end_of_game, is_legal
from .engine_rules import add_claim_decision, add_turn_decision, claim, deal, finish, own_action, settle
from .game_rows import GAME_OVER
from .wall_sources import Source, take_wall
from .winning import Shapes, fan_key

# Indices of StepBuffers.counts.
PENDING, WAITING, FINISHED = range(3)


class StepBuffers(NamedTuple):
    """Keeps the arrays that a step writes to, for N games.

    pending: DECISION[3 * N], the pending decisions; the rows of one game are next to each other.
    waiting: int32[N], indices of games that wait until MahjongGB has counted a complete hand.
    finished: RESULT[N], the games that ended in the step.
    counts: int64[3], how many rows of these arrays are used, at the indices PENDING, WAITING and FINISHED.
    """

    pending: np.ndarray
    waiting: np.ndarray
    finished: np.ndarray
    counts: np.ndarray


class StepTools(NamedTuple):
    """Keeps what a step uses and what does not belong to one game.

    shapes: the table for complete hands. memo: the fans that MahjongGB has counted.
    source: where new games get their walls from.
    """

    shapes: Shapes
    memo: Memo
    source: Source


@jit_part
def advance(game: np.void, shapes: Shapes, pending: np.ndarray, counts: np.ndarray, game_index: int) -> None:
    """Plays one game up to its next decisions, to its end, or to a complete hand whose fan is not counted yet."""
    while game.phase != GAME_OVER and game.uncounted == 0:
        row = first_row = counts[PENDING]
        if game.phase == TURN or game.phase == FOLLOW:
            add_turn_decision(game, pending[row], game_index)
            row += 1
        else:
            turn = np.int64(game.turn)
            for offset in range(1, 4):
                if add_claim_decision(game, pending[row], game_index, (turn + offset) & 3):
                    row += 1
        if row > first_row:
            counts[PENDING] = row
            return
        settle(game, shapes)


@jit_part
def count_wins(game: np.void, memo: Memo) -> bool:
    """Writes the fans of the complete hands of a game.

    Returns False if a fan is not known yet. It is noted in `memo` then, and MahjongGB must count it before the next
    call.
    """
    is_counted = True
    for seat in range(4):
        if game.fan[seat] == UNKNOWN:
            first, second = fan_key(game, seat)
            game.fan[seat] = look_up_fan(memo, first, second)
            is_counted = is_counted and game.fan[seat] != UNKNOWN
    if is_counted:
        game.uncounted = 0
    return is_counted


@jit
def first_illegal(pending: np.ndarray, actions: np.ndarray) -> int:
    """Returns the index of the first row of DECISION[M] whose action is outside its mask, -1 if there is none."""
    for row in range(len(pending)):
        if actions[row] < 0 or actions[row] > 255 or not is_legal(pending[row].mask, actions[row]):
            return row
    return -1


@jit_part
def answer_game(
        game: np.void, shapes: Shapes, answered: np.ndarray, actions: np.ndarray, start: int, end: int) -> None:
    """Applies the answers to the decisions of one game, rows start .. end - 1 of DECISION[M] and int16[M]."""
    if game.phase == TURN or game.phase == FOLLOW:
        own_action(game, shapes, np.int64(actions[start]))
        return
    turn = np.int64(game.turn)
    first_win, claimer, claimed = 4, -1, PASS_INDEX
    for row in range(start, end):
        action = np.int64(actions[row])
        seat = np.int64(answered[row].seat)
        if action == WIN_INDEX:
            first_win = min(first_win, (seat - turn) % 4)
        elif action != PASS_INDEX and (claimed == PASS_INDEX or action < CHOW_BASE):
            # A pung or kong goes before a chow. Four copies of a tile are too few for two pungs.
            claimer, claimed = seat, action
    if first_win < 4:
        finish(game, (turn + first_win) % 4, turn)
    elif claimed != PASS_INDEX:
        claim(game, shapes, claimer, claimed)
    else:
        settle(game, shapes)


@jit_part
def start_game(game: np.void, shapes: Shapes, source: Source) -> bool:
    """Deals the next game of the source into a GAME row. Returns False if the source has no more games."""
    game_id, wind = take_wall(source, game.wall)
    if game_id < 0:
        return False
    game.game_id, game.wind = game_id, wind
    deal(game, shapes)
    return True


@jit_part
def note_result(game: np.void, buffers: StepBuffers, game_index: int) -> None:
    """Writes the result of a game that is over into the buffers."""
    result = buffers.finished[buffers.counts[FINISHED]]
    buffers.counts[FINISHED] += 1
    result.game, result.game_id, result.winner, result.giver = game_index, game.game_id, game.winner, game.giver
    result.fan = game.fan[game.winner] if game.winner >= 0 else 0
    for seat in range(4):
        result.score[seat] = game.score[seat]
    result.log_count = game.log_count
    for event in range(game.log_count):
        result.log[event, 0], result.log[event, 1] = game.log[event, 0], game.log[event, 1]


@jit_part
def run_game(games: np.ndarray, tools: StepTools, buffers: StepBuffers, game_index: int) -> None:
    """Plays games at one index until a seat has to decide, MahjongGB has to count a hand, or no game is left."""
    game = games[game_index]
    while True:
        advance(game, tools.shapes, buffers.pending, buffers.counts, game_index)
        if game.phase == GAME_OVER:
            note_result(game, buffers, game_index)
            if not start_game(game, tools.shapes, tools.source):
                return
        elif game.uncounted == 0:
            return
        elif not count_wins(game, tools.memo):
            buffers.waiting[buffers.counts[WAITING]] = game_index
            buffers.counts[WAITING] += 1
            return


@jit
def proceed(games: np.ndarray, tools: StepTools, buffers: StepBuffers, answered: np.ndarray, actions: np.ndarray,
            is_start: bool) -> None:
    """Runs one round of a step, for the games that waited for MahjongGB and for the games that have answers.

    answered: DECISION[M], all rows of each of their games. actions: int16[M], their answers.
    is_start: whether every game is replaced by a new one.
    This is the only compiled entry of a step, because each entry takes seconds to compile.
    """
    waiting = buffers.counts[WAITING]
    buffers.counts[WAITING] = 0
    for index in range(waiting):
        run_game(games, tools, buffers, np.int64(buffers.waiting[index]))
    end = 0
    while end < len(answered):
        start, end = end, end_of_game(answered, end)
        game_index = np.int64(answered[start].game)
        answer_game(games[game_index], tools.shapes, answered, actions, start, end)
        advance(games[game_index], tools.shapes, buffers.pending, buffers.counts, game_index)
        if games[game_index].phase == GAME_OVER or games[game_index].uncounted:
            run_game(games, tools, buffers, game_index)
    if is_start:
        for game_index in range(len(games)):
            games[game_index].phase = GAME_OVER
            games[game_index].game_id = -1
            if start_game(games[game_index], tools.shapes, tools.source):
                run_game(games, tools, buffers, game_index)
