"""What a tactic chooses at the decisions of the golden games, in the arrays that `choose` takes."""

import numpy as np

from mj_bot.mahjong.action import ACTION_COUNT, encode_action, format_action
from mj_bot.mahjong.state import GameState
from mj_bot.observation.encoder import encode_observation
from tests.golden_games import read_games


def list_golden_decisions(tactic, every, most):
    """(observations, masks, the tactic's choices) at each `every`-th decision of golden games, at least `most`.

    A claim is followed by the decision of its discard.
    """
    rows = []
    number = 0
    for game in read_games():
        for seat in range(4):
            state = GameState()
            for requests, _, answers in game["steps"][:-1]:
                state.apply(requests[seat])
                actions = state.action_space()
                number += len(actions) > 1
                if len(actions) > 1 and number % every == 0:
                    rows += _list_rows(state, actions, tactic(state))
                if not _is_legal(answers[seat], actions):
                    break
                state.answer(answers[seat])
        if len(rows) >= most:
            break
    return tuple(np.array(column) for column in zip(*rows))


def _is_legal(answer, actions):
    return answer in [format_action(action) for action in actions]


def _list_rows(state, actions, chosen):
    """The (observation, mask, choice) of a decision, and of the discard after a claim."""
    indices = [encode_action(action, state.last_tile) for action in actions]
    first, *follow = encode_action(chosen, state.last_tile)
    rows = [(encode_observation(state), _make_mask(index[0] for index in indices), first)]
    if follow:
        mask = _make_mask(index[1] for index in indices if index[0] == first)
        rows.append((encode_observation(state, chosen), mask, follow[0]))
    return rows


def _make_mask(actions):
    mask = np.zeros(ACTION_COUNT, bool)
    mask[list(actions)] = True
    return mask
