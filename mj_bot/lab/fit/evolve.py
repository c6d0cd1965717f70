"""The search for better parameters: CMA-ES, whose generations are ranked by successive halving.

Candidates of one generation play the same walls, other generations other walls. All of them play a few walls, the
better half as many again, and so on: CMA-ES weighs candidates by rank, so most games are spent on the best.
Source: Hansen 2016, The CMA evolution strategy: a tutorial; Karnin, Koren and Somekh 2013 on sequential halving.
"""

from typing import NamedTuple

import cma
import numpy as np


class Candidate(NamedTuple):
    """Values that were tried."""

    values: dict  # {name: value}
    walls: int  # played
    score: float  # the mean a game


class Generation(NamedTuple):
    """The result of a generation."""

    first_wall: int
    step: float  # of CMA-ES, before it
    candidates: list  # of Candidate, the best first
    centre: dict  # {name: value}: the mean of the distribution after it


def evolve(space, scores, generations, *, population, walls, rounds, step, seed):
    """Yields each Generation.

    space: space.Space. scores: function(list of specs, first wall, stop) -> float[P, W], at each wall.
    population: candidates a generation. walls, rounds: as of rank_by_halving. step: the first deviation, as a share of
    a parameter's range. seed: of the candidates.
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
        yield Generation(first, step, [Candidate(values[at], played, score) for at, played, score in ranked],
                         space.values(strategy.result.xfavorite))


def rank_by_halving(count, play, first, *, walls, rounds):
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


def count_played(population, walls, rounds):
    """Walls that all candidates of a generation play together."""
    total, stage = 0, walls
    for number in range(rounds):
        total += population * stage
        stage = walls << number
        population = (population + 1) // 2
    return total
