"""Planes by compiled code against network/planes.py, bit by bit."""

import numpy as np

from mj_bot.lab.table.choosers import load_chooser
from mj_bot.lab.train.planes import encode_inputs_batch
from mj_bot.network.ahead import look_ahead
from mj_bot.network.ops import NumpyOps
from mj_bot.network.planes import INPUTS, encode_inputs
from mj_bot.observation.layout import FULL_SIZE, OBSERVATION_SIZE
from tests.lab.train.observations import play_observations


def test_planes_are_those_of_the_network():
    observations = np.concatenate([  # random play has kongs of all kinds, the tactic has ready hands
        play_observations(3000)[0], play_observations(3000, chooser=load_chooser("rule_based"))[0]])
    ahead = look_ahead(observations)
    expected = encode_inputs(observations, ahead, NumpyOps)
    full = np.zeros((len(observations), FULL_SIZE), np.uint8)
    full[:, :OBSERVATION_SIZE] = observations
    for shown in (observations, full):
        found = encode_inputs_batch(shown, ahead)
        assert found.dtype == np.float32
        assert [name for place, name in enumerate(INPUTS) if (found[:, place] != expected[:, place]).any()] == []
    # Robbing a kong is as rare as this play lets it be.
    assert set(np.flatnonzero(~found.any((0, 2)))) <= {INPUTS.index("last tile at rob"), INPUTS.index("task rob")}
