"""A step of many games: applies the answers and writes the next decisions."""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import CHOW_BASE, PASS_INDEX, WIN_INDEX
from ...observation.fan_memo import UNKNOWN, look_up_fan
from ...observation.layout import FOLLOW, TURN
from .decision_rows import end_of_game, is_legal
from .game_rows import GAME_OVER
from .engine_rules import claim, deal, finish, add_claim_decision, add_turn_decision, own_action, settle
from .wall_sources import take_wall
from .winning import fan_key

PENDING, WAITING, FINISHED = range(3)


class Buffers(NamedTuple):
    """Output of a step."""

    pending: np.ndarray  # DECISION[3 N]: pending decisions, rows of one game together
    waiting: np.ndarray  # int32[N]: games with a complete hand that MahjongGB must count first
    finished: np.ndarray  # RESULT[N]: games that ended in the step
    counts: np.ndarray  # int64[3]: rows used of the three, at PENDING, WAITING, FINISHED


@jit_part
def advance(game, shapes, pending, counts, g):
    """Takes game g to its next decisions, to its end, or to a win that is not counted yet."""
    while game.phase != GAME_OVER and game.uncounted == 0:
        place = before = counts[PENDING]
        if game.phase == TURN or game.phase == FOLLOW:
            add_turn_decision(game, pending[place], g)
            place += 1
        else:
            turn = np.int64(game.turn)
            for offset in range(1, 4):
                if add_claim_decision(game, pending[place], g, (turn + offset) & 3):
                    place += 1
        if place > before:
            counts[PENDING] = place
            return
        settle(game, shapes)


@jit_part
def count_wins(game, memo):
    """Writes the known fans; false where MahjongGB must count others first."""
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
def first_illegal(pending, actions):
    """Row of the first action outside its mask, -1 where there is none."""
    for row in range(len(pending)):
        if actions[row] < 0 or actions[row] > 255 or not is_legal(pending[row].mask, actions[row]):
            return row
    return -1


@jit_part
def answer_game(game, shapes, answered, actions, start, end):
    """Applies the answers of one game's decisions, rows start .. end - 1."""
    if game.phase == TURN or game.phase == FOLLOW:
        own_action(game, shapes, np.int64(actions[start]))
        return
    turn = np.int64(game.turn)
    first_win, claimer, claimed = 4, -1, PASS_INDEX
    for at in range(start, end):
        action = np.int64(actions[at])
        seat = np.int64(answered[at].seat)
        if action == WIN_INDEX:
            first_win = min(first_win, (seat - turn) % 4)
        elif action != PASS_INDEX and (claimed == PASS_INDEX or action < CHOW_BASE):
            # A pung or kong goes before a chow; a tile has no copies for two pungs.
            claimer, claimed = seat, action
    if first_win < 4:
        finish(game, (turn + first_win) % 4, turn)
    elif claimed != PASS_INDEX:
        claim(game, shapes, claimer, claimed)
    else:
        settle(game, shapes)


@jit_part
def start_game(game, shapes, source):
    """Deals the source's next game; false where there is none."""
    number, wind = take_wall(source, game.wall)
    if number < 0:
        return False
    game.game_id, game.wind = number, wind
    deal(game, shapes)
    return True


@jit_part
def note_result(game, buffers, g):
    result = buffers.finished[buffers.counts[FINISHED]]
    buffers.counts[FINISHED] += 1
    result.game, result.game_id, result.winner, result.giver = g, game.game_id, game.winner, game.giver
    result.fan = game.fan[game.winner] if game.winner >= 0 else 0
    for seat in range(4):
        result.score[seat] = game.score[seat]
    result.log_count = game.log_count
    for event in range(game.log_count):
        result.log[event, 0], result.log[event, 1] = game.log[event, 0], game.log[event, 1]


@jit_part
def run_game(games, shapes, memo, source, buffers, g):
    """Plays until a seat has to decide, MahjongGB has to count a hand, or no game is left."""
    game = games[g]
    while True:
        advance(game, shapes, buffers.pending, buffers.counts, g)
        if game.phase == GAME_OVER:
            note_result(game, buffers, g)
            if not start_game(game, shapes, source):
                return
        elif game.uncounted == 0:
            return
        elif not count_wins(game, memo):
            buffers.waiting[buffers.counts[WAITING]] = g
            buffers.counts[WAITING] += 1
            return


@jit
def proceed(games, shapes, memo, source, buffers, answered, actions, is_start):
    """One round of a step, for the games that waited for MahjongGB and those with answers.

    answered, actions: decisions and the chosen actions. is_start: whether to deal a new game into every place.
    A single compiled entry, as each one takes seconds to compile.
    """
    waiting = buffers.counts[WAITING]
    buffers.counts[WAITING] = 0
    for place in range(waiting):
        run_game(games, shapes, memo, source, buffers, np.int64(buffers.waiting[place]))
    end = 0
    while end < len(answered):
        start, end = end, end_of_game(answered, end)
        g = np.int64(answered[start].game)
        answer_game(games[g], shapes, answered, actions, start, end)
        advance(games[g], shapes, buffers.pending, buffers.counts, g)
        if games[g].phase == GAME_OVER or games[g].uncounted:
            run_game(games, shapes, memo, source, buffers, g)
    if is_start:
        for g in range(len(games)):
            games[g].phase = GAME_OVER
            games[g].game_id = -1
            if start_game(games[g], shapes, source):
                run_game(games, shapes, memo, source, buffers, g)
