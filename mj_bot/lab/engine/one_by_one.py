"""Keeps one current decision per game, in compiled code.

The engine returns several decisions of one game together when several seats may claim a discard. An environment asks
for one action per game and step. These functions store the decisions of each game and show them one after another.
"""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import ACTION_COUNT
from ...mahjong.compiled import bit_count
from .decision_rows import is_legal
from .game_rows import DECISION
from .observations import write_observation

# Three seats may claim a discard.
MOST_DECISIONS = 3


class PendingDecisions(NamedTuple):
    """Keeps the pending decisions of N games, and the answers to them.

    pending: DECISION[N, MOST_DECISIONS], the decisions of each game.
    counts: int64[N], how many decisions each game has.
    answered: int64[N], how many of them are answered; the next one is the game's current decision.
    answers: int16[N, MOST_DECISIONS], the action chosen for each decision.
    """

    pending: np.ndarray
    counts: np.ndarray
    answered: np.ndarray
    answers: np.ndarray


class ShownDecisions(NamedTuple):
    """Keeps what an environment returns about the current decision of each of N games.

    observations: uint8[N, OBSERVATION_SIZE], what the seat to act sees.
    masks: bool[N, 235], its legal actions.
    seats: int8[N], the seat to act.
    game_ids: int64[N], the number of the game in its source of walls.
    rewards: float32[N, 4], final scores of all seats if a game has ended. The caller sets all to 0 first.
    ended: bool[N], whether a game has ended. The caller sets all to False first.
    """

    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray
    game_ids: np.ndarray
    rewards: np.ndarray
    ended: np.ndarray


def make_decisions(count: int) -> PendingDecisions:
    """Returns an empty record of decisions. count: number of games N."""
    return PendingDecisions(np.zeros((count, MOST_DECISIONS), DECISION), np.zeros(count, np.int64),
                            np.zeros(count, np.int64), answers=np.zeros((count, MOST_DECISIONS), np.int16))


@jit
def find_illegal(decisions: PendingDecisions, actions: np.ndarray) -> int:
    """Returns the index of the first game with an illegal action for its current decision, -1 if there is none.

    decisions: the decisions of N games. actions: int64[N], one action index per game.
    """
    for game_index in range(len(actions)):
        action = actions[game_index]
        if action < 0 or action >= ACTION_COUNT:
            return game_index
        if not is_legal(decisions.pending[game_index, decisions.answered[game_index]].mask, action):
            return game_index
    return -1


@jit
def take_answers(decisions: PendingDecisions, actions: np.ndarray, rows: np.ndarray, row_actions: np.ndarray) -> int:
    """Stores one action per game, and copies out the games whose decisions are now all answered.

    decisions: the decisions of N games, changed. actions: int64[N], one action index per game.
    rows: DECISION[MOST_DECISIONS * N], written to: all decisions of the games that are fully answered.
    row_actions: int16[MOST_DECISIONS * N], written to: the action for each of these rows.
    Returns how many rows were written.
    """
    count = 0
    for game_index in range(len(actions)):
        decisions.answers[game_index, decisions.answered[game_index]] = actions[game_index]
        decisions.answered[game_index] += 1
        if decisions.answered[game_index] == decisions.counts[game_index]:
            for slot in range(decisions.counts[game_index]):
                rows[count] = decisions.pending[game_index, slot]
                row_actions[count] = decisions.answers[game_index, slot]
                count += 1
    return count


@jit
def show_decisions(
        games: np.ndarray, pending: np.ndarray, finished: np.ndarray, decisions: PendingDecisions,
        shown: ShownDecisions) -> None:
    """Stores the engine's new decisions, and writes what an environment returns about each game.

    games: GAME[N]. pending: DECISION[M], the new decisions. finished: RESULT[K], games that ended in the step.
    decisions: the decisions of N games, changed. shown: the arrays that are written to.
    """
    last_index = -1
    for row in range(len(pending)):
        game_index = np.int64(pending[row].game)
        if game_index != last_index:
            decisions.counts[game_index] = decisions.answered[game_index] = 0
            last_index = game_index
        decisions.pending[game_index, decisions.counts[game_index]] = pending[row]
        decisions.counts[game_index] += 1
    for row in range(len(finished)):
        game_index = np.int64(finished[row].game)
        shown.ended[game_index] = True
        for seat in range(4):
            shown.rewards[game_index, seat] = finished[row].score[seat]
    for game_index in range(len(games)):
        current = decisions.pending[game_index, decisions.answered[game_index]]
        shown.seats[game_index], shown.game_ids[game_index] = current.seat, games[game_index].game_id
        write_observation(games[game_index], np.int64(current.seat), shown.observations[game_index])
        _unpack(current.mask, shown.masks[game_index])


@jit_part
def _unpack(mask, legal):
    """Writes the legal actions of a mask. mask: uint64[4]. legal: bool[235], written to."""
    for action in range(ACTION_COUNT):
        legal[action] = False
    # Few actions are legal: visiting the set bits only is much faster than a loop over all bits.
    for word in range(4):
        bits = mask[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            legal[64 * word + bit_count(np.int64(lowest - np.uint64(1)))] = True
            bits ^= lowest
