"""The tactic that takes the mean of two others' points; that it keeps the contract is tested with the others."""

import numpy as np
import pytest

from mj_bot.deadline import BudgetExceeded
from mj_bot.mahjong.action import encode_action
from mj_bot.tactic.mixed import MixedTactic
from tests.tactic.test_cnn import TURN


class Scripted(object):
    """In place of a tactic: points by action, 0 for all others; an error if None."""

    def __init__(self, points):
        self._points = points

    def choose(self, observations, masks, points):
        if self._points is None:
            raise BudgetExceeded("time is up")
        points[:] = np.where(masks, 0.0, -np.inf)
        for action, value in self._points.items():
            points[:, encode_action(action, None)[0]] = value
        return points.argmax(1)


def ask(search, network):
    tactic = MixedTactic()
    tactic._search, tactic._cnn = Scripted(search), Scripted(network)
    try:
        chosen = tactic(TURN)
    except BudgetExceeded:
        chosen = None
    return chosen, tactic


def test_the_highest_mean_of_what_search_finds_near_its_best():
    """J1 has a higher mean than J2, but search expects it to lose 6 points."""
    chosen, tactic = ask({("PLAY", "F1"): 9, ("PLAY", "J2"): 7, ("PLAY", "J1"): 3},
                         {("PLAY", "F1"): 1, ("PLAY", "J2"): 5, ("PLAY", "J1"): 20})
    assert chosen == ("PLAY", "J2")
    assert tactic.ranked[:3] == [(("PLAY", "J2"), 6.0), (("PLAY", "F1"), 5.0), (("PLAY", "J1"), 0.0)]
    assert tactic.reasons == "PLAY J2 +6.00, PLAY F1 +5.00, PLAY J1 +0.00; search takes PLAY F1, cnn PLAY J1"


def test_a_certain_search_decides_alone():
    assert ask({("PLAY", "F1"): 9}, {("PLAY", "J1"): 20})[0] == ("PLAY", "F1")


def test_the_first_answer_is_the_networks():
    chosen, tactic = ask(None, {("PLAY", "J1"): 20})
    assert chosen is None and tactic.best == ("PLAY", "J1")


def test_the_error_is_that_of_a_mean():
    assert MixedTactic.value_error == pytest.approx((np.hypot(0.96, 1.43) / 2, np.hypot(0.21, 0.39) / 2), abs=0.01)
