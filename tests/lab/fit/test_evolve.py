"""The evolution strategy on scores that are known, and the halving of a generation."""

import numpy as np
import pytest

from mj_bot.lab.fit.evolve import Halving, Space, count_played, evolve, rank_by_halving
from mj_bot.mahjong.errors import MahjongError

NAMES = ("horizon", "danger")


def read_spec(spec):
    return {name: float(value) for name, value in (part.split("=") for part in spec.partition(":")[2].split(","))}


class Scores(object):
    """Scores with a peak at known values and the noise of walls, the same for all at one wall."""

    def __init__(self, peak):
        self._peak, self.walls = peak, []

    def __call__(self, specs, first, stop):
        self.walls.append((first, stop))
        noise = np.array([np.random.default_rng(wall).normal() for wall in range(first, stop)])
        means = [-sum((np.log(read_spec(spec)[name] / value)) ** 2 for name, value in self._peak.items())
                 for spec in specs]
        return np.array(means)[:, None] + noise


def test_a_known_peak_is_found():
    peak = {"horizon": 0.7, "danger": 0.6}
    *_, last = evolve(Space("search", NAMES), Scores(peak), 25, population=8, halving=Halving(4, 2), step=0.15, seed=3)
    assert last["centre"] == pytest.approx(peak, rel=0.2)


def test_generations_are_those_of_the_seed_and_have_their_own_walls():
    space, scores = Space("search", NAMES), Scores({"horizon": 0.5})
    runs = [list(evolve(space, scores, 2, population=6, halving=Halving(3, 2), step=0.2, seed=seed))
            for seed in (5, 5, 6)]
    assert runs[0] == runs[1] != runs[2]
    assert scores.walls[:4] == [(0, 3), (3, 6), (6, 9), (9, 12)] and count_played(6, Halving(3, 2)) == 6 * 3 + 3 * 3
    assert [generation["first_wall"] for generation in runs[0]] == [0, 6]


def test_halving_keeps_the_better_half_and_ranks_all():
    means = [0.0, 3.0, 1.0, 2.0, -1.0]
    played = []

    def play(alive, start, stop):
        played.append((list(alive), start, stop))
        return np.repeat(np.array([means[at] for at in alive])[:, None], stop - start, axis=1)

    ranked = rank_by_halving(5, play, 10, halving=Halving(2, 3))
    assert played == [([0, 1, 2, 3, 4], 10, 12), ([1, 3, 2], 12, 14), ([1, 3], 14, 18)]
    assert [(at, walls) for at, walls, _ in ranked] == [(1, 8), (3, 8), (2, 4), (0, 2), (4, 2)]
    assert [score for _, _, score in ranked] == [3.0, 2.0, 1.0, 0.0, -1.0]


def test_points_of_the_cube_are_values():
    space = Space("search")
    assert space.values(space.start()) == pytest.approx(space.present, rel=1e-3)
    space = Space("search", NAMES)
    assert space.values([0.0, 1.0]) == {"horizon": space.ranges[0].low, "danger": space.ranges[1].high}
    assert space.values([-1.0, 2.0]) == space.values([0.0, 1.0])
    assert read_spec(space.spec(space.values([0.3, 0.4]))) == pytest.approx(space.values([0.3, 0.4]))


def test_an_unknown_parameter():
    with pytest.raises(MahjongError, match="expected a parameter that can"):
        Space("search", ("depth",))


def test_parameters_of_any_tactic(monkeypatch):
    """Options of the spec stay, and its value of a parameter is the present one."""
    monkeypatch.setattr("mj_bot.tactic.rand.RandomTactic.tunable", {"seed": (1.0, 0.0, 9.0, False)})
    space = Space("random:seed=3")
    assert space.present == {"seed": 3} and space.spec({"seed": 4.5}) == "random:seed=3,seed=4.5"
    with pytest.raises(MahjongError, match="expected a tactic whose class has parameters to tune in `tunable`, got"):
        Space("cnn")
