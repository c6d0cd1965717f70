"""Games that are put into an engine, and their observations."""

import numpy as np

from mj_bot.lab.engine.batch import Engine
from mj_bot.lab.engine.decisions import random_actions
from mj_bot.lab.engine.sources import seed_source
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
    copies.put(engine.games.copy())
    assert read_decisions(copies) == read_decisions(engine)


def test_an_observation_is_the_first_part_of_the_full_one():
    engine = make_engine(16)
    play_steps(engine, 20)
    assert (engine.observations(full=True)[:, :OBSERVATION_SIZE] == engine.observations()).all()
    assert set(engine.observations()[:, PLACES["task"][0]].tolist()) >= {TURN}
