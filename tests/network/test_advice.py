"""Advice as numbers and as planes, on written-out positions."""

import numpy as np
import pytest

from mj_bot.mahjong.action import ACTION_COUNT, DISCARD_BASE, PASS_INDEX, PUNG_BASE, chow_index
from mj_bot.network.advice import ADVICE_PLANE_COUNT, ADVICE_PLANES, ADVICE_SIZE, LEAST, encode_advice, make_advice
from mj_bot.network.ops import NumpyOps


def make(worth=1.0, **points):
    """Advice of one position; points by action, a<index>."""
    row = np.full((1, ACTION_COUNT), -np.inf)
    for name, value in points.items():
        row[0, int(name[1:])] = value
    return make_advice(row, np.array([worth]))


def plane(planes, name):
    return planes[0, ADVICE_PLANES.index(name)]


def test_points_are_told_from_the_best_down():
    advice = make(worth=np.e, **{"a%d" % PASS_INDEX: -1.5, "a%d" % (PUNG_BASE + 4): -1.0, "a%d" % PUNG_BASE: -90.0})
    assert advice.shape == (1, ADVICE_SIZE)
    assert advice[0, PASS_INDEX] == -0.5 and advice[0, PUNG_BASE + 4] == 0
    assert advice[0, PUNG_BASE] == LEAST and advice[0, DISCARD_BASE] == LEAST
    assert advice[0, ACTION_COUNT] == pytest.approx(1, abs=1e-3)


def test_planes_of_a_claim():
    chow = chow_index(4, 5)
    advice = make(**{"a%d" % PASS_INDEX: 0.0, "a%d" % chow: -1.0, "a%d" % (PUNG_BASE + 5): -2.0})
    planes = encode_advice(advice, NumpyOps)
    assert planes.shape == (1, ADVICE_PLANE_COUNT, 34) and planes.dtype == np.float32
    assert (plane(planes, "pass") == 1).all()
    # The chow lies at its middle, W5; the claimed W6 is its highest.
    highest = plane(planes, "chow of its highest")
    assert highest[4] == pytest.approx(np.exp(-1)) and highest.sum() == pytest.approx(np.exp(-1), abs=1e-6)
    assert plane(planes, "pung")[5] == pytest.approx(np.exp(-2))
    assert plane(planes, "discard").max() < 1e-6 and (plane(planes, "worth") == 0).all()


def test_planes_of_a_turn():
    planes = encode_advice(make(worth=0.0, **{"a%d" % (DISCARD_BASE + 33): 4.0, "a%d" % DISCARD_BASE: 3.8}), NumpyOps)
    assert plane(planes, "discard")[33] == 1 and plane(planes, "discard")[0] == pytest.approx(np.exp(-0.2), abs=1e-3)
    assert plane(planes, "discard, nearly best")[0] == pytest.approx(np.exp(-1), abs=1e-3)
    assert plane(planes, "worth")[7] == pytest.approx(np.log(0.05) / 3, abs=1e-3)
