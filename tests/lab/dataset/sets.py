"""A small set of games of self-play for the tests of the reader."""

from functools import lru_cache

from mj_bot.lab.dataset.selfplay import play_games


@lru_cache(maxsize=None)
def random_games(count=96, random_share=0.2):
    """Games of two random players with random moves."""
    return play_games(("random", "random:seed=7"), 5, random_share, 0, count)
