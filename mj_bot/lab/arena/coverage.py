"""The command `coverage`: simulated matches of a known truth, and how often the arena's intervals hold it."""

import argparse
from functools import partial

import numpy as np
from scipy import stats

from ..run.command import format_command, interruptible, parse_count
from ..run.files import check_folder_of, write_dict
from ..run.progress import Progress
from ..run.provenance import find_commit
from .result import read_result
from .sequential import METHOD, draw_normal, simulate, studentise
from .stopping import Sprt, Until
from .verdict import CONFIDENCE

# Of the difference a wall in points a game, as two good players have it over four seatings.
_SPREAD = 5.0
_MOST_WALLS = 20_000
# Spreads around that of each match at which the chances are simulated; they are interpolated between.
_GRID = 7


def list_settings():
    """(text, rule, truth) of each setting: the sequential test from far below to far above, intervals of any width."""
    settings = []
    for low, high, truths in ((0, 1, (-1, 0, 0.25, 0.5, 0.75, 1, 2)), (0, 0.5, (0, 0.25, 0.5, 1)), (-1, 1, (0, 1))):
        settings += [("--sprt=%g,%g" % (low, high), Sprt(low, high), truth) for truth in truths]
    return settings + [("--until %g" % width, Until(width), 0.3) for width in (2, 1, 0.5)]


def draw_from(values, random, size, paths):
    """As sequential.draw_normal, of the standardised values, float[N], drawn with replacement."""
    drawn = values[random.integers(len(values), size=(paths, size))]
    mean = drawn.mean(axis=1)
    return mean, ((drawn - mean[:, None]) ** 2).sum(axis=1)


def measure(rule, truth, spread, count, seed, draw=draw_normal):
    """How often intervals hold the truth in simulated matches.

    Returns {"walls": their mean number, "plain": share of the intervals that know nothing of the rule, "corrected": of
    those of sequential.correct_interval, "below", "above": shares of these that lie all below or above the truth}.
    A corrected interval is not built: whether it holds the truth is what find_chance says of the truth.
    """
    walls, _, variance = ends = simulate(rule, truth, spread, _MOST_WALLS, np.random.default_rng([seed, 1]), count,
                                         draw)
    distances = studentise(ends, truth)
    spreads = np.sqrt(variance)
    grid = np.quantile(spreads, np.linspace(0, 1, _GRID))
    chances = np.empty((_GRID, count))
    for place, assumed in enumerate(grid):
        found = simulate(rule, truth, assumed, _MOST_WALLS, np.random.default_rng([seed, 2, place]), count)
        chances[place] = np.searchsorted(np.sort(studentise(found, truth)), distances, side="right") / count
    chance = np.array([np.interp(own, grid, column) for own, column in zip(spreads, chances.T)])
    tail = (1 - CONFIDENCE) / 2
    below, above = float(np.mean(chance < tail)), float(np.mean(chance > 1 - tail))
    plain = np.abs(distances) <= stats.t.ppf(1 - tail, walls - 1)
    # A mean that is low for its truth makes the interval lie below it.
    return {"walls": round(float(walls.mean()), 1), "plain": round(float(plain.mean()), 4),
            "corrected": round(1 - below - above, 4), "below": round(below, 4), "above": round(above, 4)}


@interruptible("coverage", "nothing is written")
def main(argv):
    """The command `coverage`; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab coverage",
        description="Simulates matches of a known truth that --sprt or --until end, and counts how often the 95% "
                    "intervals hold the truth: the plain ones, and those that are corrected for the rule.")
    parser.add_argument("--matches", type=parse_count, default=10_000, metavar="N",
                        help="simulated ones a setting (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="(%(default)s)")
    parser.add_argument("--result", metavar="FILE", help="an arena's result of two players: differences of real walls "
                        "are drawn, not normal ones")
    parser.add_argument("--json", metavar="FILE", help="write the table to this file")
    options = parser.parse_args(argv)
    if options.json:
        check_folder_of(options.json)
    draw, spread = draw_normal, _SPREAD
    if options.result:
        result = read_result(options.result)
        values = np.array(result["wall_scores"], float) / result["seats_a_wall"]
        values = values[:, 0] - values[:, 1]
        spread = values.std()
        draw = partial(draw_from, (values - values.mean()) / spread)
    settings, rows = list_settings(), []
    with Progress(len(settings), " settings") as bar:
        for name, rule, truth in settings:
            rows.append(dict({"rule": name, "truth": truth},
                             **measure(rule, truth, spread, options.matches, options.seed, draw)))
            bar.update()
    print("%-14s %6s %8s %7s %10s" % ("rule", "truth", "walls", "plain", "corrected"))
    for row in rows:
        print("%-14s %6g %8.1f %6.1f%% %9.1f%%" % (
            row["rule"], row["truth"], row["walls"], 100 * row["plain"], 100 * row["corrected"]))
    if options.json:
        words = ["coverage", "--matches", options.matches, "--seed", options.seed]
        words += ["--result", options.result] if options.result else []
        write_dict(options.json, {
            "command": format_command(*words), "commits": {"mj_bot": find_commit()}, "method": METHOD,
            "spread": round(float(spread), 3), "most_walls": _MOST_WALLS, "rows": rows})
    return 0
