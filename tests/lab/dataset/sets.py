"""A small set of games of self-play for the tests of the reader."""

from functools import lru_cache

import numpy as np

from mj_bot.lab.dataset.selfplay import SelfPlay
from mj_bot.lab.records.compact import take_games


@lru_cache(maxsize=None)
def random_games(count=96, random_share=0.2):
    """Games of two random players with random moves."""
    return SelfPlay(("random", "random:seed=7"), 5, random_share).play(0, count)


def pick(games, *places):
    """Some of the games."""
    return take_games(games, np.array(places))
