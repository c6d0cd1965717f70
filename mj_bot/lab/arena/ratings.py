"""The command `python3 -m mj_bot.lab ratings`: one rating over the players of several matches."""

import argparse

import numpy as np

from ...mahjong.errors import ProtocolError
from .report import shorten
from .result import read_result
from .verdict import ratings


def main(argv):
    """The command line; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab ratings", description="Rates all players of several arena results on one scale.",
        epilog="Players of the same name count as the same; walls of the same seed as one, whoever played them.")
    parser.add_argument("results", nargs="+", metavar="FILE", help="written by arena --json")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap (%(default)s)")
    options = parser.parse_args(argv)
    names, wins = pool_wins([read_result(path) for path in options.results])
    rated = sorted(zip(ratings(wins, seed=options.seed), names), key=lambda item: -item[0].mean)
    width = max(len("player"), *(len(shorten(name)) for name in names))
    print("%-*s  %8s  %s" % (width, "player", "Elo", "95% interval"))
    for rating, name in rated:
        print("%-*s  %+8.1f  %+.1f .. %+.1f" % (width, shorten(name), rating.mean, rating.low, rating.high))
    return 0


def pool_wins(results):
    """(names of all players, float[W, P, P]) of results: at each wall, how often who scored more than whom.

    Raises ProtocolError: a result that lacks these, or players that no chain of matches links.
    """
    try:
        names = list(dict.fromkeys(player["name"] for result in results for player in result["players"]))
        walls = {}
        for result in results:
            places = [names.index(player["name"]) for player in result["players"]]
            for number, wins in enumerate(result["wall_wins"]):
                wall = (result["seeds"]["first_wall"], result["match"]["walls"], number)
                walls.setdefault(wall, np.zeros((len(names), len(names))))[np.ix_(places, places)] += wins
        wins = np.array(list(walls.values()))
    except (KeyError, TypeError, ValueError) as error:
        raise ProtocolError("expected results with players and their wins a wall, got %r" % error) from None
    _check_links(names, wins.sum(axis=0))
    return names, wins


def _check_links(names, wins):
    linked = np.linalg.matrix_power((wins + wins.T + np.eye(len(names))) > 0, len(names))[0]
    if not linked.all():
        sides = [", ".join(np.array(names)[side]) for side in (linked, ~linked)]
        raise ProtocolError("expected matches that link all players, got none between %s and %s" % tuple(sides))
