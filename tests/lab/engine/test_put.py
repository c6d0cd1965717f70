"""Games put into an engine where they stand, and the views of them."""

import numpy as np
import pytest

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.engine.decisions import random_actions
from mj_bot.lab.engine.sources import seed_source
from mj_bot.mahjong.errors import IllegalActionError
from mj_bot.observation.layout import OBSERVATION_SIZE, PLACES, TURN


def play_steps(engine, count, seed=0):
    state = np.array([seed], np.uint64)
    for _ in range(count):
        actions = np.zeros(len(engine.pending), np.int16)
        random_actions(engine.pending, state, actions)
        engine.step(actions)


def make_engine(count, first_seed=0):
    engine = Engine(count, seed_source(first_seed))
    engine.reset()
    return engine


def read_decisions(engine):
    """{(game, seat): (observation, mask)} of what is pending."""
    return {(int(row["game"]), int(row["seat"])): (observation.tobytes(), mask.tobytes())
            for row, observation, mask in zip(engine.pending, engine.observations(full=True), engine.mask())}


def test_copies_of_games_play_on_alike():
    engine = make_engine(8)
    play_steps(engine, 30)
    copies = make_engine(8, first_seed=50)
    copies.put(range(8), engine.games.copy())
    assert read_decisions(copies) == read_decisions(engine)


def test_other_games_stay():
    engine = make_engine(4)
    play_steps(engine, 10)
    before = read_decisions(engine)
    engine.put([2], engine.games[2:3].copy())
    assert read_decisions(engine) == before
    play_steps(engine, 200)


@pytest.mark.parametrize("places", [[0, 0], [4], [-1]])
def test_places_that_are_none(places):
    engine = make_engine(4)
    with pytest.raises(IllegalActionError, match="expected different places 0..3"):
        engine.put(places, engine.games[[0] * len(places)])


def test_a_view_is_the_first_part_of_the_full_view():
    engine = make_engine(16)
    play_steps(engine, 20)
    assert (engine.observations(full=True)[:, :OBSERVATION_SIZE] == engine.observations()).all()
    assert set(engine.observations()[:, PLACES["task"][0]].tolist()) >= {TURN}
