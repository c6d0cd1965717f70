"""What is looked ahead in batches against the plain form."""

import numpy as np

from mj_bot.lab.batch import load_chooser
from mj_bot.lab.engine.ahead import look_ahead_batch, take_wins
from mj_bot.network.ahead import look_ahead
from mj_bot.observation.layout import CLAIM, FOLLOW, IDLE, ROB, TURN, field
from tests.lab.train.observations import play_observations


def test_the_same_bytes():
    observations = np.concatenate([play_observations(1500, games=32, seed=5)[0],
                                   play_observations(1500, games=32, seed=5, chooser=load_chooser("search"))[0]])
    robbed = observations[field(observations, "task")[:, 0] == CLAIM][:20].copy()
    field(robbed, "task")[:10] = ROB
    field(robbed, "task")[10:] = IDLE
    observations = np.concatenate([observations, robbed])
    assert set(field(observations, "task")[:, 0]) == {TURN, FOLLOW, CLAIM, ROB, IDLE}
    found = look_ahead_batch(observations)
    assert (found == look_ahead(observations)).all()
    assert len(look_ahead_batch(observations[:0])) == 0


def test_wins_that_are_known_are_not_looked_for():
    """Those of actions come back where they were taken from; without them ready hands alone have some."""
    observations = play_observations(3000, games=32, seed=6, chooser=load_chooser("search"))[0]
    rows = look_ahead_batch(observations)
    wins = take_wins(rows)
    assert (look_ahead_batch(observations, wins) == rows).all()
    assert (take_wins(look_ahead_batch(observations, 0 * wins)) < wins).any()
