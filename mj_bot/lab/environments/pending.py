"""Keeps one current decision per game, in compiled code.

The engine returns several decisions of one game together when several seats may claim a discard. An environment asks
for one action per game and step. These functions store the decisions of each game and show them one after another.
"""

from typing import NamedTuple

import numpy as np

from ...jit import jit, jit_part
from ...mahjong.action import ACTION_COUNT
from ...mahjong.compiled import bit_count
from ..engine.decision_rows import is_legal
from ..engine.game_rows import DECISION
from ..engine.observations import write_observation

# Three seats may claim a discard.
MOST_DECISIONS = 3
ALL_SEATS = -1  # PendingDecisions.own has this value for a game whose four seats are the caller's


class PendingDecisions(NamedTuple):
    """Keeps the pending decisions of N games, and the answers to them.

    own: int64[N], the seat whose decisions the caller answers, or ALL_SEATS. Opponents answer all other decisions.
    pending: DECISION[N, MOST_DECISIONS], the decisions of each game, those of opponents first.
    counts: int64[N], how many decisions each game has.
    answered: int64[N], how many of them are answered; the next one is the game's current decision.
    answers: int16[N, MOST_DECISIONS], the action chosen for each decision.
    """

    own: np.ndarray
    pending: np.ndarray
    counts: np.ndarray
    answered: np.ndarray
    answers: np.ndarray


class ShownDecisions(NamedTuple):
    """Keeps what an environment returns about the current decision of each of N games.

    observations: uint8[N, OBSERVATION_SIZE], what the seat to act sees.
    masks: int8[N, 235], 1 for its legal actions; zeros where a game is over and has no next game.
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
    """Returns the empty PendingDecisions of N games, with ALL_SEATS for every game."""
    return PendingDecisions(np.full(count, ALL_SEATS), np.zeros((count, MOST_DECISIONS), DECISION),
                            np.zeros(count, np.int64), answered=np.zeros(count, np.int64),
                            answers=np.zeros((count, MOST_DECISIONS), np.int16))


@jit
def find_illegal(decisions: PendingDecisions, actions: np.ndarray, legal: np.ndarray) -> int:
    """Writes to bool[N] whether each action is legal for the current decision of its game.

    Returns the index of the first game with an illegal action, -1 if there is none.
    """
    first = -1
    for game_index in range(len(actions)):
        action = actions[game_index]
        legal[game_index] = 0 <= action < ACTION_COUNT and is_legal(
            decisions.pending[game_index, decisions.answered[game_index]].mask, action)
        if first < 0 and not legal[game_index]:
            first = game_index
    return first


@jit
def take_answers(
        decisions: PendingDecisions, actions: np.ndarray, legal: np.ndarray, rows: np.ndarray,
        row_actions: np.ndarray) -> int:
    """Stores answers, and copies out the games whose decisions are all answered, which then have no decisions.

    actions: int64[N], one action index per game, the answer to its current decision; or int64[0] for no new answers.
    legal: bool[N], False for games without a legal answer, which lose their decisions.
    rows: DECISION[MOST_DECISIONS * N], written to: all decisions of the games that are fully answered.
    row_actions: int16[MOST_DECISIONS * N], written to: the action for each of these rows.
    Returns how many rows were written.
    """
    count = 0
    for game_index in range(len(decisions.counts)):
        if game_index < len(actions):
            decisions.answers[game_index, decisions.answered[game_index]] = actions[game_index]
            decisions.answered[game_index] += 1
            if not legal[game_index]:
                decisions.counts[game_index] = decisions.answered[game_index] = 0
        if decisions.answered[game_index] == decisions.counts[game_index]:
            for slot in range(decisions.counts[game_index]):
                rows[count] = decisions.pending[game_index, slot]
                row_actions[count] = decisions.answers[game_index, slot]
                count += 1
            decisions.counts[game_index] = decisions.answered[game_index] = 0
    return count


@jit_part
def _unpack(mask, legal):
    """Writes the legal actions of a mask, uint64[4], to int8[235] of zeros."""
    # Few actions are legal: visiting the set bits only is much faster than a loop over all bits.
    for word in range(4):
        bits = mask[word]
        while bits:
            lowest = bits & (~bits + np.uint64(1))
            legal[64 * word + bit_count(np.int64(lowest - np.uint64(1)))] = 1
            bits ^= lowest


@jit
def show_decisions(games: np.ndarray, decisions: PendingDecisions, shown: ShownDecisions) -> None:
    """Writes what an environment returns about the current decision of each game."""
    for game_index in range(len(games)):
        slot = decisions.answered[game_index]
        seat = decisions.own[game_index]
        for action in range(ACTION_COUNT):
            shown.masks[game_index, action] = 0
        if slot < decisions.counts[game_index]:
            seat = np.int64(decisions.pending[game_index, slot].seat)
            _unpack(decisions.pending[game_index, slot].mask, shown.masks[game_index])
        seat = max(0, seat)
        shown.seats[game_index], shown.game_ids[game_index] = seat, games[game_index].game_id
        write_observation(games[game_index], seat, shown.observations[game_index])


@jit
def store_decisions(
        games: np.ndarray, pending: np.ndarray, decisions: PendingDecisions, asked: np.ndarray,
        asked_slots: np.ndarray, shown: ShownDecisions) -> int:
    """Stores the engine's new decisions, and shows the decisions of all games if no opponent is to answer one.

    pending: DECISION[M], the new decisions, of games that have none yet.
    asked: DECISION[M], written to: the decisions of opponents, which the caller lets them answer.
    asked_slots: int64[M], written to: the slot of each of them among the decisions of its game.
    Returns how many rows of `asked` were written.
    """
    count = 0
    for is_own in range(2):
        for row in range(len(pending)):
            game_index = np.int64(pending[row].game)
            own = decisions.own[game_index]
            if (own == ALL_SEATS or own == pending[row].seat) != bool(is_own):
                continue
            slot = decisions.counts[game_index]
            decisions.pending[game_index, slot] = pending[row]
            decisions.counts[game_index] += 1
            if not is_own:
                decisions.answered[game_index] += 1
                asked[count], asked_slots[count] = pending[row], slot
                count += 1
    if not count:
        show_decisions(games, decisions, shown)
    return count


@jit
def show_results(finished: np.ndarray, shown: ShownDecisions) -> None:
    """Writes the scores of games that ended, RESULT[K]. If two ended at one index, those of the first one stay."""
    for row in range(len(finished)):
        game_index = np.int64(finished[row].game)
        if not shown.ended[game_index]:
            shown.ended[game_index] = True
            for seat in range(4):
                shown.rewards[game_index, seat] = finished[row].score[seat]
