"""Batches without end: from any place on, in order, and made ahead by threads."""

import time
from collections import namedtuple
from itertools import islice

import pytest

torch = pytest.importorskip("torch", reason="no torch: training is not tested; `make train` installs it")

from mj_bot.lab.train.stream import read_batches, run_ahead

Batch = namedtuple("Batch", "action")


class Epochs(object):
    """A set of 25 decisions a split, named by seed and place."""

    def batches(self, split, size, seed, workers):
        decisions = [(seed, place) for place in range(25)]
        for first in range(0, 25, size):
            yield Batch(decisions[first:first + size])


def test_epochs_follow_each_other_without_short_batches():
    found = islice(read_batches(Epochs(), 10, seed=2), 5)
    places = [(epoch, number, batch.action[0]) for epoch, number, batch in found]
    seeds = [(2 << 20) + epoch for epoch in range(3)]
    assert places == [(0, 0, (seeds[0], 0)), (0, 1, (seeds[0], 10)), (1, 0, (seeds[1], 0)), (1, 1, (seeds[1], 10)),
                      (2, 0, (seeds[2], 0))]


@pytest.mark.parametrize("epoch, batch", [(0, 0), (0, 1), (0, 2), (1, 1)])
def test_from_any_place_on(epoch, batch):
    whole = list(islice(read_batches(Epochs(), 10, seed=0), 8))
    first = next(place for place, item in enumerate(whole) if item[:2] >= (epoch, batch))
    assert list(islice(read_batches(Epochs(), 10, 0, epoch=epoch, first=batch), 3)) == whole[first:first + 3]


def test_ahead_in_order():
    def make(number):
        time.sleep(0.002 * (number % 3))
        return number * number

    assert list(run_ahead(make, range(20))) == [number * number for number in range(20)]


def test_errors_come_through():
    with pytest.raises(ZeroDivisionError):
        list(run_ahead(lambda number: 1 // number, [2, 1, 0, 3]))
