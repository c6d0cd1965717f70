"""Searches for better parameters by CMA-ES, whose generations are ranked by successive halving.

The candidates of one generation play the same walls; other generations play other walls. All candidates play a few
walls, the better half plays as many again, and so on. CMA-ES weighs candidates by their rank, so most games are spent
on the best.
Source: Hansen 2016, The CMA evolution strategy: a tutorial; Karnin, Koren and Somekh 2013 on sequential halving.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import cma
import numpy as np

from ...mahjong.errors import MahjongError
from ...tactic import load_class, parse_spec

_DIGITS = 4  # significant digits of a value


class Bounds(NamedTuple):
    """Keeps the bounds of a parameter that is tuned."""

    low: float
    high: float
    is_log: bool  # whether steps are taken in the logarithm; then low is above 0


class Halving(NamedTuple):
    """Keeps how the candidates of a generation are ranked."""

    walls: int  # walls that all candidates play first; each further round doubles the walls of those that go on
    rounds: int  # number of rounds; after each but the last, the better half goes on


class Space(object):
    """Converts between points of the unit cube and values of a tactic's parameters.

    tactic: spec of the tactic. names: parameters that are tuned. ranges: Bounds of each parameter.
    present: {name: present value}.
    """

    def __init__(self, tactic: str, names: Iterable[str] = ()):
        """Makes the space of parameters that the tactic's class declares in `tunable`.

        tactic: spec of the tactic. names: parameters to tune; all of them where it is empty.
        Raises MahjongError: the tactic declares no parameters, or a name is none of them. UnknownTacticError: there is
            no such tactic.
        """
        name, options = parse_spec(tactic)
        tunable = getattr(load_class(name), "tunable", {})
        if not tunable:
            raise MahjongError("expected a tactic whose class has parameters to tune in `tunable`, got %r", tactic)
        for name in names:
            if name not in tunable:
                raise MahjongError("expected a parameter that can be tuned, one of %s, got %r", " ".join(tunable), name)
        self.tactic = tactic
        self.names = tuple(names) or tuple(tunable)
        self.ranges = tuple(Bounds(*tunable[name][1:]) for name in self.names)
        self.present = {name: options.get(name, tunable[name][0]) for name in self.names}

    def start(self) -> list[float]:
        """Returns the point of the present values, a list of floats 0..1."""
        return [_to_coordinate(self.present[name], bounds) for name, bounds in zip(self.names, self.ranges)]

    def values(self, point: Iterable[float]) -> dict:
        """Returns {name: value} at a point, with four significant digits.

        point: a coordinate for each parameter; numbers outside 0..1 become the nearest end.
        """
        return {name: float("%.*g" % (_DIGITS, _to_value(coordinate, bounds)))
                for name, bounds, coordinate in zip(self.names, self.ranges, point)}

    def spec(self, values: dict) -> str:
        """Returns the spec of the tactic with these values. Equal values give equal texts."""
        # An option of the tactic may then appear twice, and the last one counts.
        return self.tactic + (",", ":")[":" not in self.tactic] + ",".join(
            "%s=%g" % (name, values[name]) for name in self.names)


def _to_coordinate(value, bounds):
    """Returns the coordinate 0..1 of a value between bounds."""
    low, high, is_log = bounds
    if is_log:
        low, high, value = math.log(low), math.log(high), math.log(value)
    return (value - low) / (high - low)


def _to_value(coordinate, bounds):
    """Returns the value between bounds at a coordinate 0..1. Other coordinates become the nearest end."""
    low, high, is_log = bounds
    coordinate = min(1.0, max(0.0, coordinate))
    return low * (high / low) ** coordinate if is_log else low + (high - low) * coordinate


def evolve(
        space: Space, scores: Callable[[list[str], int, int], np.ndarray], generations: int, *, population: int,
        halving: Halving, step: float, seed: int) -> Iterator[dict]:
    """Yields each generation as a dict for JSON.

        first_wall   the first of its walls
        step         the step of CMA-ES before the generation
        candidates   dicts with the values {name: value}, the walls played and the mean score per game, the best first
        centre       {name: value}, the mean of the distribution after the generation

    scores: function(specs, first wall, stop) that returns the score per game of each spec at each wall, float[P, W].
    generations: number of generations. population: candidates per generation.
    halving: how a generation is ranked. step: first standard deviation, as a share of a parameter's range.
    seed: seed of the candidates.
    """
    random = np.random.default_rng(seed)
    strategy = cma.CMAEvolutionStrategy(space.start(), step, {
        "bounds": [0, 1], "popsize": population, "verbose": -9,
        # Random numbers come from a generator of this call instead of numpy's global one.
        "seed": np.nan, "randn": lambda *shape: random.standard_normal(shape),
    })
    for generation in range(generations):
        first = generation * (halving.walls << halving.rounds - 1)
        step = strategy.sigma
        points = strategy.ask()
        values = [space.values(point) for point in points]
        specs = [space.spec(value) for value in values]
        ranked = rank_by_halving(
            len(points), lambda alive, start, stop: scores([specs[index] for index in alive], start, stop),  # noqa: B023
            first, halving=halving)
        ranks = {index: rank for rank, (index, _, _) in enumerate(ranked)}
        strategy.tell(points, [ranks[index] for index in range(len(points))])
        yield {"first_wall": first, "step": step,
               "candidates": [{"values": values[index], "walls": played, "score": score}
                              for index, played, score in ranked],
               "centre": space.values(strategy.result.xfavorite)}


def rank_by_halving(
        count: int, play: Callable[[list[int], int, int], np.ndarray], first: int, *,
        halving: Halving) -> list[tuple[int, int, float]]:
    """Ranks candidates 0 .. count - 1, and returns (candidate, walls played, mean score) of each, the best first.

    play: function(candidates, first wall, stop) that returns the score of each candidate at each wall, float[C, W].
    first: first wall. halving: how many walls are played in how many rounds.
    """
    alive = list(range(count))
    sums = np.zeros(count)
    ranked = []
    start = first
    for stage in range(halving.rounds):
        stop = first + (halving.walls << stage)
        sums[alive] += play(alive, start, stop).sum(axis=1)
        alive.sort(key=lambda index: -sums[index])
        kept = (len(alive) + 1) // 2 if stage < halving.rounds - 1 else 0
        ranked = [(index, stop - first, float(sums[index] / (stop - first))) for index in alive[kept:]] + ranked
        alive = alive[:kept]
        start = stop
    return ranked


def count_played(population: int, halving: Halving) -> int:
    """Returns the number of walls that all candidates of a generation play together."""
    total, new_walls = 0, halving.walls
    for stage in range(halving.rounds):
        total += population * new_walls
        new_walls = halving.walls << stage
        population = (population + 1) // 2
    return total
