"""Thousands of games side by side by the judge's rules, in compiled code.

    engine = Engine(512, seed_source(first_seed=0))
    engine.reset()
    while len(engine.pending):                                          # DECISION rows: game, seat, mask
        observations, masks = engine.observations(), engine.mask()   # uint8[M, OBSERVATION_SIZE], bool[M, 235]
        engine.step(choose(observations, masks))                     # an action of mahjong/action.py a row
        results = engine.finished                                    # RESULT rows; the next games are dealt already

game_rows.py documents the state, observation/layout.py the observations, stepping.py a step. The
environments are one seat of Gymnasium in seat_env.py, all four in vector_env.py, and PettingZoo's in pettingzoo_env.py;
see docs/engine.md.
"""

from .batch import Engine
from .wall_sources import seed_source, wall_source

__all__ = ["Engine", "seed_source", "wall_source"]
