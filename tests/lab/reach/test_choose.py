"""The batch form of search chooses what the tactic chooses."""

import numpy as np
import pytest

from mj_bot.lab.arena import engine_runner, table
from mj_bot.lab.arena.batched import load_batch
from mj_bot.lab.arena.schedule import make_match
from mj_bot.lab.reach import choose, waits
from mj_bot.lab.reach.choose import Chooser
from mj_bot.mahjong.action import ACTION_COUNT, encode_action, format_action
from mj_bot.mahjong.errors import UnknownTacticError
from mj_bot.mahjong.state import GameState
from mj_bot.network.view import CLAIM, FOLLOW, PLACES, TURN, encode_view
from mj_bot.reach.parameters import PARAMETERS
from mj_bot.tactic.search import SearchTactic
from tests.golden_games import read_games


OTHERS = dict(sharpness=1.4, ready=0.5, claims=0.7, least_chance=1e-4)


def list_golden_decisions(every, most, **parameters):
    """(views, masks, what SearchTactic chooses) at every so many decisions of golden games, `most` at least.

    A claim is followed by the decision of its discard.
    """
    tactic = SearchTactic(**parameters)
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
                    rows += list_rows(state, actions, tactic(state))
                if not is_legal(answers[seat], actions):
                    break
                state.answer(answers[seat])
        if len(rows) >= most:
            break
    return tuple(np.array(column) for column in zip(*rows))


def is_legal(answer, actions):
    return answer in [format_action(action) for action in actions]


def list_rows(state, actions, chosen):
    """The (view, mask, choice) of a decision, and of the discard after a claim."""
    indices = [encode_action(action, state.last_tile) for action in actions]
    first, *follow = encode_action(chosen, state.last_tile)
    rows = [(encode_view(state), make_mask(index[0] for index in indices), first)]
    if follow:
        mask = make_mask(index[1] for index in indices if index[0] == first)
        rows.append((encode_view(state, chosen), mask, follow[0]))
    return rows


def make_mask(actions):
    mask = np.zeros(ACTION_COUNT, bool)
    mask[list(actions)] = True
    return mask


@pytest.fixture(scope="module")
def decisions():
    return list_golden_decisions(23, 400)


class TestSameChoices:
    def test_on_golden_games(self, decisions):
        views, masks, expected = decisions
        assert set(views[:, PLACES["task"][0]].tolist()) >= {TURN, FOLLOW, CLAIM}
        assert Chooser(PARAMETERS).choose(views, masks).tolist() == expected.tolist()

    def test_with_other_parameters(self):
        views, masks, expected = list_golden_decisions(37, 150, **OTHERS)
        chosen = load_batch("search:sharpness=1.4,ready=0.5,claims=0.7,least_chance=1e-4")(views, masks, None, None)
        assert chosen.tolist() == expected.tolist()

    @pytest.mark.slow
    def test_on_all_chosen_golden_games(self):
        views, masks, expected = list_golden_decisions(1, 10 ** 9)
        assert Chooser(PARAMETERS).choose(views, masks).tolist() == expected.tolist()

    @pytest.mark.slow
    def test_in_whole_games(self):
        """By the referee with the tactic and by the engine with the batch form."""
        match = make_match(["search", "random"], seed=7, rotations=4)
        by_referee, by_engine = (
            [[dict(tally.as_dict(), times=None) for tally in tallies] for tallies in runner.play_walls(match, 0, 4)]
            for runner in (table, engine_runner))
        assert by_referee == by_engine


def test_little_room_for_answers(decisions, monkeypatch):
    """Keys noted one at a time, and answers forgotten while others are still to come."""
    views, masks, _ = decisions
    plenty = Chooser(PARAMETERS)
    expected = plenty.choose(views, masks).tolist()
    assert plenty.choose(views, masks).tolist() == expected
    monkeypatch.setattr(waits, "MOST_NOTED", 1)
    monkeypatch.setattr(choose, "_MEMO_SIZE", 256)
    sparing = Chooser(PARAMETERS)
    assert sparing.choose(views, masks).tolist() == expected
    assert sparing.asked_count > plenty.asked_count > 0


def test_unknown_option():
    with pytest.raises(UnknownTacticError, match="parameters out of horizon .* got depth"):
        load_batch("search:depth=3")
