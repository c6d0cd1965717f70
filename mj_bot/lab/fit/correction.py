"""The command `correction`: plays the search against itself with random choices and fits reach/correction.py
to it.

    FOLDER/settings.json   what the run was begun with
    FOLDER/critic-N.npz    sums of the games that the critic is fitted to
    FOLDER/part-N.npz      sums of the others
"""

import argparse
import os
import textwrap

import numpy as np

from ...worth.correction import FEATURES
from ...worth.parameters import PARAMETERS
from ..run.command import format_command, interruptible, parse_count
from ..run.files import begin_folder, write_json
from .correction_sums import add_up_actions, fit_weights
from .drawn_games import Sums, add_up_part, explore, fit_critic, join, list_facts
from .parts import Parts

_SHOWN_FROM = 2.0
_WIDTH = 120


@interruptible("correction")
def main(argv):
    """The command line; returns its exit code."""
    options = _parse_arguments(argv)
    settings = {name: getattr(options, name) for name in ("games", "rounds", "seed")}
    with begin_folder(options.output, settings):
        found = run(options.output, workers=options.workers, **settings)
    words = [word for name, value in settings.items() for word in ("--" + name, value)]
    result = {"command": format_command("correction", "--output", os.path.basename(options.output), *words),
              **describe(found)}
    print(format_result(result))
    if options.json:
        write_json(options.json, result)
    return 0


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab correction",
        description="Fits what actions bring beyond their points, see mj_bot/worth/correction.py, to games of the "
                    "search against itself in which it draws its actions.",
        epilog="The same command goes on where it was broken off, also after a kill.")
    parser.add_argument("--rounds", type=parse_count, default=2,
                        help="in the first the search plays without correction, then with what was found so far "
                             "(%(default)s)")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the run lives")
    parser.add_argument("--games", type=parse_count, default=200_000,
                        help="in all, rounded up to whole parts (%(default)s)")
    parser.add_argument("--seed", type=int, default=2_000_000, help="of the first wall (%(default)s)")
    parser.add_argument("--workers", type=parse_count, default=os.cpu_count() or 1, metavar="N",
                        help="processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write what was found to this file")
    return parser.parse_args(argv)


def run(folder, games, rounds, seed, workers):
    """The Sums of each round, played as far as they do not stand in the folder."""
    with Parts(folder, games, seed, workers) as parts:
        critic = fit_critic(join([Sums(**part) for part in parts.play_critics(_add_up_facts)]))
        found, weights = [], None
        for numbers in np.array_split(np.arange(parts.count), min(rounds, parts.count)):
            found.append(join([Sums(**part) for part in parts.play(_add_up_actions, numbers, critic, weights)]))
            weights, _ = fit_weights(join(found))
    return found


def _add_up_facts(first_wall, games):
    return add_up_part(first_wall, games, None)


def _add_up_actions(first_wall, games, critic, weights):
    notes, scores = explore(PARAMETERS, weights, first_wall, games)
    return add_up_actions(notes, list_facts(notes, scores), scores, critic)


def describe(rounds):
    """What there is to keep, for JSON."""
    weights, errors = fit_weights(join(rounds))
    return {"decisions": [int(sums.rows) for sums in rounds], "features": list(FEATURES),
            "weights": weights.round(3).tolist(), "standard_errors": errors.round(3).tolist()}


def format_result(result):
    """The weights that stand out, and all of them as reach/calibration.py has them."""
    lines = ["%d decisions; weights in points, those beyond %g standard errors:" % (
        sum(result["decisions"]), _SHOWN_FROM)]
    for name, weight, error in zip(result["features"], result["weights"], result["standard_errors"]):
        if abs(weight) > _SHOWN_FROM * error:
            lines.append("%-56s %+.3f +- %.3f" % (name, weight, error))
    words = " ".join("%.3f," % weight for weight in result["weights"])
    lines += ["", "CORRECTION_WEIGHTS = (", textwrap.fill(
        words, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False), ")"]
    return "\n".join(lines)
