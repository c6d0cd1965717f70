"""The layout of observations and the encoder of a GameState; the engine's own bytes are tested with the engine."""

import json

import pytest

from mj_bot.lab.table.referee import Referee
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.state import GameState
from mj_bot.observation import layout
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import field


def test_layout_rises_with_the_version():
    """Stored observations and trained weights depend on the layout: a change raises VERSION and this line."""
    assert (layout.VERSION, layout.OBSERVATION_SIZE, layout.FULL_SIZE) == (1, 467, 665)


def test_a_claim_with_its_discard_to_come():
    """The observation after an own claim: the meld lies there, its tiles left the hand, the river says who took it."""
    requests = ["0 1 0", "1 0 0 0 0 W1 W2 W4 W4 T1 T5 T9 B1 B5 B9 F1 J1 J2", "3 0 DRAW", "3 0 PLAY W4"]
    state = GameState()
    state.load_json(json.dumps({"requests": requests, "responses": ["PASS"] * 3}))
    observation = encode_observation(state, ("PENG", "T1"))
    assert field(observation, "task")[0] == layout.FOLLOW
    assert field(observation, "last_giver")[0] == 3 and field(observation, "last_tile")[0] == 3
    assert field(observation, "meld_kind")[0].tolist() == [layout.PUNG, 0, 0, 0]
    assert field(observation, "meld_giver")[0, 0] == 3 and field(observation, "meld_time")[0, 0] == 1
    assert field(observation, "hand")[3] == 0 and field(observation, "hand_sizes").tolist() == [11, 13, 13, 13]
    assert field(observation, "river_claimer")[3, 0] == 1
    before = encode_observation(state)
    assert field(before, "task")[0] == layout.CLAIM and field(before, "hand")[3] == 2


@pytest.mark.parametrize("steps, task", [(2, layout.TURN), (3, layout.IDLE)])
def test_own_turn_and_own_discard(steps, task):
    referee = Referee(wall_from_seed(1), 0)
    state = GameState()
    for _ in range(steps):
        state.apply(referee.requests[0])
        answers = ["PASS"] * 4
        if state.is_my_turn:
            answers[0] = "PLAY " + state.my_hand[0]
        state.answer(answers[0])
        referee.step(answers)
    state.apply(referee.requests[0])
    assert field(encode_observation(state), "task")[0] == task
