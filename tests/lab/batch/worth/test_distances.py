"""Distances of many decisions at once against those of one."""

import numpy as np

from mj_bot.lab.batch.worth.distances import find_distances
from mj_bot.mahjong.action import ACTION_COUNT, encode_action
from mj_bot.observation.encoder import encode_observation
from tests.worth.test_correction import measure
from tests.worth.test_danger import list_states


def test_as_the_tactic_measures_them():
    observations, masks, expected = [], [], []
    for state in list_states(6):
        mask = np.zeros(ACTION_COUNT, bool)
        mask[[encode_action(action, state.last_tile)[0] for action in state.action_space()]] = True
        observations.append(encode_observation(state))
        masks.append(mask)
        expected.append(measure(state))
        if len(observations) == 300:
            break
    masks = np.array(masks)
    found = find_distances(np.array(observations), masks)
    by_name = {name: np.concatenate([getattr(one, name) for one in expected]) for name in found._fields}
    is_owed = (by_name["after"] < 99).any(1)
    assert 50 < is_owed.sum() < 300
    assert (found.now == by_name["now"]).all() and (found.claimed == by_name["claimed"]).all()
    assert (found.after[is_owed] == by_name["after"][is_owed]).all()
    assert (found.useful[is_owed] == by_name["useful"][is_owed]).all()
