"""Positions for the tests of networks."""

import numpy as np

from mj_bot.lab.engine import Engine, seed_source
from mj_bot.lab.engine.chance import random_actions, random_seeds


def play_views(count, games=64, seed=0):
    """(views, masks, actions) of `count` decisions of random play, from the first to the last of the games."""
    engine = Engine(games, seed_source(seed))
    engine.reset()
    state = random_seeds(seed)
    rows = []
    while sum(len(views) for views, _, _ in rows) < count:
        actions = np.zeros(len(engine.owed), np.int16)
        random_actions(engine.owed, state, actions)
        rows.append((engine.views(), engine.mask(), actions))
        engine.step(actions)
    return tuple(np.concatenate(column)[:count] for column in zip(*rows))
