"""Thousands of games side by side, exact to the judge, in code that numba compiles.

It never chooses an action, and takes its rules from mj_bot/mahjong.

    engine = Engine(512, seed_source(first_seed=0))
    engine.reset()
    while len(engine.pending):                                          # DECISION rows: game, seat, mask
        observations, masks = engine.observations(), engine.mask()   # uint8[M, OBSERVATION_SIZE], bool[M, 235]
        engine.step(choose(observations, masks))                     # an action of mahjong/action.py a row
        results = engine.finished                                    # RESULT rows; the next games are dealt already

games.py documents the state, observation/layout.py the observations, stepping.py how a step runs. shanten.py counts
shanten in batches, pettingzoo_env.py is for other people's libraries.
"""

from .batch import Engine
from .sources import seed_source, wall_source

__all__ = ["Engine", "seed_source", "wall_source"]
