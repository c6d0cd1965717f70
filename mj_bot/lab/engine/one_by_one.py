"""One decision a game at a time, in compiled code: the engine's pending decisions as rows of arrays for a game each."""

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
    """The pending decisions of N games, and how many of them are answered."""

    pending: np.ndarray  # DECISION[N, MOST_DECISIONS]
    counts: np.ndarray  # int64[N]: pending decisions
    answered: np.ndarray  # int64[N]: answered ones; the next one is the current decision of the game
    answers: np.ndarray  # int16[N, MOST_DECISIONS]


class Shown(NamedTuple):
    """Keeps what an environment returns about the current decision of N games."""

    observations: np.ndarray  # uint8[N, OBSERVATION_SIZE]
    masks: np.ndarray  # bool[N, 235]
    seats: np.ndarray  # int8[N]
    game_ids: np.ndarray  # int64[N]
    rewards: np.ndarray  # float32[N, 4], zeros before
    ended: np.ndarray  # bool[N], False before


def make_decisions(count):
    return PendingDecisions(np.zeros((count, MOST_DECISIONS), DECISION), np.zeros(count, np.int64),
                     np.zeros(count, np.int64), np.zeros((count, MOST_DECISIONS), np.int16))


@jit
def find_illegal(decisions, actions):
    """The first game with an action outside the mask of its current decision, -1 where there is none."""
    for g in range(len(actions)):
        action = actions[g]
        if action < 0 or action >= ACTION_COUNT:
            return g
        if not is_legal(decisions.pending[g, decisions.answered[g]].mask, action):
            return g
    return -1


@jit
def take_answers(decisions, actions, rows, row_actions):
    """Notes an action a game; copies the games with all answers into DECISION rows and their int16 row_actions.

    Returns the number of rows.
    """
    count = 0
    for g in range(len(actions)):
        decisions.answers[g, decisions.answered[g]] = actions[g]
        decisions.answered[g] += 1
        if decisions.answered[g] == decisions.counts[g]:
            for slot in range(decisions.counts[g]):
                rows[count] = decisions.pending[g, slot]
                row_actions[count] = decisions.answers[g, slot]
                count += 1
    return count


@jit
def show_decisions(games, pending, finished, decisions, shown):
    """Takes in the engine's new decisions, DECISION rows, and writes everything of Shown. finished: RESULT rows."""
    before = -1
    for row in range(len(pending)):
        g = np.int64(pending[row].game)
        if g != before:
            decisions.counts[g] = decisions.answered[g] = 0
            before = g
        decisions.pending[g, decisions.counts[g]] = pending[row]
        decisions.counts[g] += 1
    for row in range(len(finished)):
        g = np.int64(finished[row].game)
        shown.ended[g] = True
        for seat in range(4):
            shown.rewards[g, seat] = finished[row].score[seat]
    for g in range(len(games)):
        current = decisions.pending[g, decisions.answered[g]]
        shown.seats[g], shown.game_ids[g] = current.seat, games[g].game_id
        write_observation(games[g], np.int64(current.seat), shown.observations[g])
        _unpack(current.mask, shown.masks[g])


@jit_part
def _unpack(mask, legal):
    for action in range(ACTION_COUNT):
        legal[action] = False
    # Few actions are legal: 15 times as fast as a loop over all bits.
    for word in range(4):
        bits = mask[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            legal[64 * word + bit_count(np.int64(lowest - np.uint64(1)))] = True
            bits ^= lowest
