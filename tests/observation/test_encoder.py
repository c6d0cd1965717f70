"""The layout of observations and the encoder of a GameState; the engine's own bytes are tested with the engine."""

import json

import numpy as np
import pytest

from mj_bot.lab.table.referee import Referee
from mj_bot.lab.table.walls import wall_from_seed
from mj_bot.mahjong.state import GameState
from mj_bot.mahjong.tile import COPIES, TILE_INDEX
from mj_bot.observation import layout
from mj_bot.observation.encoder import encode_observation
from mj_bot.observation.layout import FIELDS, HIDDEN_FIELDS, field
from tests.golden_games import read_games


def test_fields_fill_the_observation():
    """Every byte belongs to one field, in order."""
    end = 0
    for name, shape, _ in FIELDS + HIDDEN_FIELDS:
        place = layout.PLACES.get(name) or layout.HIDDEN_PLACES[name]
        assert place == (end, end + int(np.prod(shape)), shape)
        end = place[1]
        if name == FIELDS[-1][0]:
            assert end == layout.OBSERVATION_SIZE
    assert end == layout.FULL_SIZE


def test_layout_rises_with_the_version():
    """Stored observations and trained weights depend on the layout: a change raises VERSION and this line."""
    assert (layout.VERSION, layout.OBSERVATION_SIZE, layout.FULL_SIZE) == (1, 467, 665)


def states_of(games):
    for game in games:
        for seat in range(4):
            state = GameState()
            for requests, _, answers in game["steps"][:-1]:
                state.apply(requests[seat])
                if state.requests > 2:
                    yield state
                if answers[seat] not in ("PASS",) and state.action_space() == [("PASS",)]:
                    break
                state.answer(answers[seat])


def test_observations_agree_with_the_state():
    """At any moment, decision or not: its numbers are those of the state, and tiles are counted once."""
    games = [game for game in read_games() if game["mode"] != "illegal"][::40]
    for number, state in enumerate(states_of(games)):
        if number % 7:
            continue
        observation = encode_observation(state)
        me = state.my_pid
        order = [state.players[(me + offset) % 4] for offset in range(4)]
        assert field(observation, "hand").tolist() == list(state.hand_counts)
        assert field(observation, "unseen").tolist() == list(state.unseen)
        assert field(observation, "hand_sizes").tolist() == [player.hand_size for player in order]
        assert field(observation, "walls").tolist() == [state.walls[(me + offset) % 4] for offset in range(4)]
        rivers = field(observation, "river_tile")
        for offset, player in enumerate(order):
            assert rivers[offset][rivers[offset] != layout.NONE].tolist() == [
                TILE_INDEX[name] for name in player.played_tiles]
            assert (field(observation, "meld_kind")[offset] > 0).sum() == len(player.melds)
        times = np.sort(field(observation, "river_time")[rivers != layout.NONE])
        assert times.tolist() == list(range(field(observation, "discard_count")[0]))
        assert field(observation, "hand").sum() + field(observation, "unseen").sum() <= COPIES * 34
        is_asked = state.action_space() != [("PASS",)]
        if is_asked:
            assert field(observation, "task")[0] != layout.IDLE


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
