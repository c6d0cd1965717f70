"""The compiled chance of being won on against mj_bot/worth/danger.py."""

import numpy as np

from mj_bot.lab.batch.worth.danger import set_risks
from mj_bot.lab.engine.batch import Engine
from mj_bot.jit import jit
from mj_bot.lab.engine.decisions import random_actions
from mj_bot.lab.engine.sources import seed_source
from mj_bot.worth.danger import FEATURES, deal_in_chances


@jit
def run_set_risks(observations, weights, danger, tiles, risks):
    for row in range(len(observations)):
        set_risks(observations[row], weights, danger, tiles, risks[row])


ALL = (1 << 34) - 1


def play_at_random(games):
    """Every fifth step's observations of games played at random: many claims, all kinds of melds."""
    engine = Engine(games, seed_source(5, games))
    engine.reset()
    state = np.array([1], np.uint64)
    observations = []
    step = 0
    while len(engine.owed):
        if step % 5 == 0:
            observations.append(engine.observations())
        actions = np.zeros(len(engine.owed), np.int16)
        random_actions(engine.owed, state, actions)
        engine.step(actions)
        step += 1
    return np.concatenate(observations)


def test_each_feature_and_all_together():
    observations = play_at_random(12)
    rng = np.random.default_rng(0)
    for weights in list(3 * np.eye(len(FEATURES))) + list(rng.normal(size=(4, len(FEATURES)))):
        risks = np.zeros((len(observations), 34))
        run_set_risks(observations, weights, 0.4, ALL, risks)
        expected = np.minimum(1.0, 0.4 * deal_in_chances(observations, weights))
        assert np.allclose(risks, expected, rtol=1e-12, atol=0), np.flatnonzero(weights)


def test_tiles_that_are_not_asked_for_have_no_risk():
    observations = play_at_random(2)
    weights = np.random.default_rng(1).normal(size=len(FEATURES))
    risks, some = np.zeros((2, len(observations), 34))
    run_set_risks(observations, weights, 0.4, ALL, risks)
    run_set_risks(observations, weights, 0.4, 0b1011 << 20, some)
    is_asked = np.isin(np.arange(34), (20, 21, 23))
    assert (some[:, is_asked] == risks[:, is_asked]).all() and not some[:, ~is_asked].any() and risks.all()
