"""Plays thousands of games next to each other by the judge's rules, in compiled code.

    engine = Engine(512, seed_source(first_seed=0))
    engine.reset()
    while len(engine.pending):                                       # DECISION[M]: each row has game, seat and mask
        observations, masks = engine.observations(), engine.mask()   # uint8[M, OBSERVATION_SIZE], bool[M, 235]
        engine.step(choose(observations, masks))                     # int[M], one action index per row
        results = engine.finished                                    # RESULT[K]: these games ended in the step

The engine deals the next games before step() returns. game_rows.py defines the arrays GAME, DECISION and RESULT,
observation/layout.py the bytes of an observation, and mahjong/action.py the action indices 0..234.

The room environments shows these games in the forms of Gymnasium and PettingZoo.
"""

from .batch import Engine
from .wall_sources import seed_source, wall_source

__all__ = ["Engine", "seed_source", "wall_source"]
