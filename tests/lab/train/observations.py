"""Positions for the tests of networks."""

import numpy as np

from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.engine.decisions import random_actions


def play_observations(count, games=64, seed=0, chooser=None):
    """(observations, masks, actions) of `count` decisions, from the first to the last of the games.

    chooser: `choose` of a tactic that plays; None for random play.
    """
    engine = Engine(games, seed_source(seed))
    engine.reset()
    state = np.array([seed], np.uint64)
    rows = []
    while sum(len(observations) for observations, _, _ in rows) < count:
        observations, masks = engine.observations(), engine.mask()
        actions = np.zeros(len(engine.pending), np.int16)
        if chooser is None:
            random_actions(engine.pending, state, actions)
        else:
            actions = chooser(observations, masks)
        rows.append((observations, masks, actions))
        engine.step(actions)
    return tuple(np.concatenate(column)[:count] for column in zip(*rows))
