"""Many games stepped together: answers in, the next decisions out.

Compiled code shares one set of buffers, the Desk:

    owed      DECISION[3 N]     what is owed after the step, rows of one game together
    waiting   int32[N]          games with a complete hand that MahjongGB must count first
    finished  RESULT[N]         games that ended in the step
    counts    int64[3]          rows used of the three, at OWED, WAITING, FINISHED
"""

from collections import namedtuple

import numpy as np

from ...mahjong.action import CHOW_BASE, PASS_INDEX, WIN_INDEX
from ...observation.layout import FOLLOW, TURN
from .compile import jit
from .games import DECISION, OVER, RESULT, UNKNOWN
from .owing import owe_claim, owe_turn
from .rules import claim, deal, finish, own_action, settle
from .sources import take_wall
from .winning import known_fan

Desk = namedtuple("Desk", "owed waiting finished counts")
OWED, WAITING, FINISHED = range(3)


def make_desk(count):
    """A Desk for `count` games."""
    return Desk(np.zeros(3 * count, DECISION), np.zeros(count, np.int32), np.zeros(count, RESULT),
                np.zeros(3, np.int64))


@jit
def advance(game, shapes, owed, counts, g):
    """Takes game g to its next decisions, to its end, or to a win that is not counted yet."""
    while game.phase != OVER and game.uncounted == 0:
        place = before = counts[OWED]
        if game.phase == TURN or game.phase == FOLLOW:
            owe_turn(game, owed[place], g)
            place += 1
        else:
            turn = np.int64(game.turn)
            for offset in range(1, 4):
                if owe_claim(game, owed[place], g, (turn + offset) & 3):
                    place += 1
        if place > before:
            counts[OWED] = place
            return
        settle(game, shapes)


@jit
def count_wins(game, memo, desk, g):
    """Writes the fans that are known; true where MahjongGB must be asked for others first."""
    is_counted = True
    for seat in range(4):
        if game.fan[seat] == UNKNOWN:
            game.fan[seat] = known_fan(memo, game, seat)
            is_counted = is_counted and game.fan[seat] != UNKNOWN
    if is_counted:
        game.uncounted = 0
        return False
    desk.waiting[desk.counts[WAITING]] = g
    desk.counts[WAITING] += 1
    return True


@jit
def first_illegal(owed, actions):
    """Place of the first action outside its mask, -1 where there is none."""
    for at in range(len(owed)):
        action = actions[at]
        if action < 0 or action > 255 or not owed[at].mask[action >> 6] >> np.uint64(action & 63) & np.uint64(1):
            return at
    return -1


@jit
def answer_game(game, shapes, answered, actions, start, end):
    """Applies the answers of one game's decisions, rows start .. end - 1."""
    if game.phase == TURN or game.phase == FOLLOW:
        own_action(game, shapes, np.int64(actions[start]))
        return
    turn = np.int64(game.turn)
    first_win = 4
    claimer = -1
    claimed = PASS_INDEX
    for at in range(start, end):
        action = np.int64(actions[at])
        seat = np.int64(answered[at].seat)
        if action == WIN_INDEX:
            first_win = min(first_win, (seat - turn) % 4)
        elif action != PASS_INDEX and (claimed == PASS_INDEX or action < CHOW_BASE):
            # A tile has no copies for two pungs: one pung or kong and one chow are all that can meet.
            claimer = seat
            claimed = action
    if first_win < 4:
        finish(game, (turn + first_win) % 4, turn)
    elif claimed != PASS_INDEX:
        claim(game, shapes, claimer, claimed)
    else:
        settle(game, shapes)


@jit
def start_game(game, shapes, source):
    """Deals the source's next game; false where there is none."""
    number, wind = take_wall(source, game.wall)
    if number < 0:
        return False
    game.game_id = number
    game.wind = wind
    deal(game, shapes)
    return True


@jit
def note_result(game, desk, g):
    result = desk.finished[desk.counts[FINISHED]]
    desk.counts[FINISHED] += 1
    result.game = g
    result.game_id = game.game_id
    result.winner = game.winner
    result.giver = game.giver
    result.fan = game.fan[game.winner] if game.winner >= 0 else 0
    for seat in range(4):
        result.score[seat] = game.score[seat]
    result.log_count = game.log_count
    for event in range(game.log_count):
        result.log[event, 0] = game.log[event, 0]
        result.log[event, 1] = game.log[event, 1]


@jit
def run_game(games, shapes, memo, source, desk, g):
    """Takes game g on, past wins and ends, until it owes a decision, waits for MahjongGB, or has no other to follow."""
    game = games[g]
    while True:
        advance(game, shapes, desk.owed, desk.counts, g)
        if game.phase == OVER:
            note_result(game, desk, g)
            if not start_game(game, shapes, source):
                return
        elif game.uncounted == 0 or count_wins(game, memo, desk, g):
            return


@jit
def proceed(games, shapes, memo, source, desk, answered, actions, is_start):
    """One round of a step; a single entry, as each costs seconds of compiling.

    The games that waited for MahjongGB's answers are taken up.
    answered, actions: decisions and the actions chosen; those games go on.
    is_start: whether to deal a game of the source into every place, as far as it goes.
    """
    waiting = desk.counts[WAITING]
    desk.counts[WAITING] = 0
    for place in range(waiting):
        run_game(games, shapes, memo, source, desk, np.int64(desk.waiting[place]))
    end = 0
    while end < len(answered):
        start = end
        g = np.int64(answered[start].game)
        while end < len(answered) and answered[end].game == g:
            end += 1
        answer_game(games[g], shapes, answered, actions, start, end)
        advance(games[g], shapes, desk.owed, desk.counts, g)
        if games[g].phase == OVER or games[g].uncounted:
            run_game(games, shapes, memo, source, desk, g)
    if is_start:
        for g in range(len(games)):
            games[g].phase = OVER
            games[g].game_id = -1
            if start_game(games[g], shapes, source):
                run_game(games, shapes, memo, source, desk, g)
