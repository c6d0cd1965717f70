"""Searches better parameters by CMA-ES, whose generations are ranked by successive halving.

Candidates of one generation play the same walls, other generations other walls. All of them play a few walls, the
better half as many again, and so on: CMA-ES weighs candidates by rank, so most games are spent on the best.
Source: Hansen 2016, The CMA evolution strategy: a tutorial; Karnin, Koren and Somekh 2013 on sequential halving.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import cma
import numpy as np

from ...mahjong.errors import MahjongError
from ...tactic import load_class, parse_spec

_DIGITS = 4


class Bounds(NamedTuple):
    """Keeps the bounds of a parameter that is tuned."""

    low: float
    high: float
    is_log: bool  # whether steps are taken in the logarithm; low is above 0


class Space(object):
    """Converts between points of the unit cube and values of a tactic's parameters.

    tactic: spec. names: of the parameters. ranges: Bounds for each. present: {name: present value}.
    """

    def __init__(self, tactic: str, names: Iterable[str] = ()):
        """Makes the space of some options that the tactic's class declares in `tunable`, of all where names is empty.

        Raises MahjongError: a tactic that declares none, or an unknown name. UnknownTacticError: no such tactic.
        """
        name, options = parse_spec(tactic)
        tunable = getattr(load_class(name), "tunable", {})
        if not tunable:
            raise MahjongError("expected a tactic whose class has parameters to tune in `tunable`, got %r" % tactic)
        for name in names:
            if name not in tunable:
                raise MahjongError("expected a parameter that can be tuned, one of %s, got %r" % (
                    " ".join(tunable), name))
        self.tactic = tactic
        self.names = tuple(names) or tuple(tunable)
        self.ranges = tuple(Bounds(*tunable[name][1:]) for name in self.names)
        self.present = {name: options.get(name, tunable[name][0]) for name in self.names}

    def start(self) -> list[float]:
        """Returns the point of the present values, a list of floats 0..1."""
        return [_place(self.present[name], *bounds) for name, bounds in zip(self.names, self.ranges)]

    def values(self, point: Iterable[float]) -> dict:
        """Returns {name: value} at a point. Values have four digits, as in a spec."""
        return {name: float("%.*g" % (_DIGITS, _value(place, *bounds)))
                for name, bounds, place in zip(self.names, self.ranges, point)}

    def spec(self, values: dict) -> str:
        """Returns the spec of the player with these values; its text is the same for the same values."""
        # Of an option that is written twice, the last one counts.
        return self.tactic + (",", ":")[":" not in self.tactic] + ",".join(
            "%s=%g" % (name, values[name]) for name in self.names)


def _place(value, low, high, is_log):
    if is_log:
        low, high, value = math.log(low), math.log(high), math.log(value)
    return (value - low) / (high - low)


def _value(place, low, high, is_log):
    place = min(1.0, max(0.0, place))
    return low * (high / low) ** place if is_log else low + (high - low) * place


def evolve(
        space: Space, scores: Callable, generations: int, *, population: int, walls: int, rounds: int, step: float,
        seed: int) -> Iterator[dict]:
    """Yields each generation as a dict for JSON:

        first_wall   the first of its walls
        step         the step of CMA-ES before the generation
        candidates   dicts with the values {name: value}, the walls played and the mean score a game, the best first
        centre       {name: value}, the mean of the distribution after the generation

    space: Space. scores: function(list of specs, first wall, stop) -> float[P, W], the score at each wall.
    population: candidates a generation. walls: walls of the first round of halving. rounds: number of rounds.
    step: the first deviation, as a share of a parameter's range. seed: of the candidates.
    """
    random = np.random.default_rng(seed)
    strategy = cma.CMAEvolutionStrategy(space.start(), step, {
        "bounds": [0, 1], "popsize": population, "verbose": -9,
        # Its own generator instead of numpy's global one.
        "seed": np.nan, "randn": lambda *shape: random.standard_normal(shape),
    })
    for number in range(generations):
        first = number * (walls << rounds - 1)
        step = strategy.sigma
        points = strategy.ask()
        values = [space.values(point) for point in points]
        specs = [space.spec(value) for value in values]
        ranked = rank_by_halving(
            len(points), lambda alive, start, stop: scores([specs[at] for at in alive], start, stop),  # noqa: B023
            first, walls=walls, rounds=rounds)
        places = {at: place for place, (at, _, _) in enumerate(ranked)}
        strategy.tell(points, [places[at] for at in range(len(points))])
        yield {"first_wall": first, "step": step,
               "candidates": [{"values": values[at], "walls": played, "score": score} for at, played, score in ranked],
               "centre": space.values(strategy.result.xfavorite)}


def rank_by_halving(count: int, play: Callable, first: int, *, walls: int, rounds: int) -> list[tuple[int, int, float]]:
    """Ranks candidates 0 .. count - 1, the best first, as a list of (candidate, walls played, mean score).

    play: function(list of candidates, first wall, stop) -> float[C, W].
    All play `walls` walls from `first` on. After each round but the last the better half goes on and doubles its walls.
    """
    alive = list(range(count))
    sums = np.zeros(count)
    ranked = []
    start = first
    for number in range(rounds):
        stop = first + (walls << number)
        sums[alive] += play(alive, start, stop).sum(axis=1)
        alive.sort(key=lambda at: -sums[at])
        kept = (len(alive) + 1) // 2 if number < rounds - 1 else 0
        ranked = [(at, stop - first, float(sums[at] / (stop - first))) for at in alive[kept:]] + ranked
        alive = alive[:kept]
        start = stop
    return ranked


def count_played(population: int, walls: int, rounds: int) -> int:
    """Returns the number of walls that all candidates of a generation play together."""
    total, stage = 0, walls
    for number in range(rounds):
        total += population * stage
        stage = walls << number
        population = (population + 1) // 2
    return total
