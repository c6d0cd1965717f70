"""The command `mj-bot tune`."""

import argparse
import sys
import time

import numpy as np

from ...mahjong.errors import MahjongError
from ..arena.columns import describe_interval, format_interval
from ..arena.run_match import PlayedWalls
from ..arena.fingerprint import digest_players
from ..arena.schedule import make_match
from ..run.command import add_workers, format_command, interruptible, parse_count
from ..run.files import check_output, write_dict
from ..run.progress import Progress
from ..run.provenance import read_commit
from ..table.choosers import load_chooser
from .evolve import Space, count_played, evolve

FORMAT = "mj_bot tuning"
VERSION = 1
_TACTIC = "search"
FIELD = ("search", "rule_based", "search:danger=0")
_LEAST_FIELD, _LEAST_POPULATION = 3, 4
# The first wall of the checks; no generation plays it.
_CHECKS_FROM = 1 << 31


@interruptible("tune")
def main(argv):
    options = _parse_arguments(argv)
    space = Space(options.parameters)
    field = list(dict.fromkeys(options.field))
    if len(field) < _LEAST_FIELD:
        raise MahjongError("expected a field of %d different players or more, got %s" % (_LEAST_FIELD, " ".join(field)))
    for spec in field:
        load_chooser(spec)
    check_output(options.json)
    match = make_match([_TACTIC, field[0]], seed=options.seed, rotations=options.rotations)
    fingerprint = {"seed": options.seed, "rotations": options.rotations, "sources": digest_players([_TACTIC, *field])}
    names = ("generations", "population", "walls", "rounds", "step", "check_walls", "rotations", "seed")
    command = format_command("tune", *options.parameters, "--field", *field,
                             **{name: getattr(options, name) for name in names})
    run = {
        "format": FORMAT, "version": VERSION, "command": command, "commits": read_commit(),
        **fingerprint, "field": field,
        "parameters": [dict(bounds._asdict(), name=name, present=space.present[name])
                       for name, bounds in zip(space.names, space.ranges)],
        "generations": [], "tuned": None, "check": None,
    }
    start = time.monotonic()
    walls = options.generations * count_played(options.population, options.walls, options.rounds)
    # The check has two players.
    games = (walls + 2 * options.check_walls) * len(field) * len(match.seatings)
    # The rate is that of all games so far: matches of a generation take different times.
    with Progress(games, name="tune", smoothing=0) as bar, \
            PlayedWalls(match, fingerprint, options.json + ".run", workers=options.workers) as played:
        _tune(options, space, field, played=played, bar=bar, run=run)
    run["measured"] = {"seconds": round(time.monotonic() - start, 1), "games_played": played.games_played,
                       "workers": options.workers}
    write_dict(options.json, run)
    print(format_run(run))
    print("The run is saved as %s" % options.json, file=sys.stderr)
    return 0


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="mj-bot tune", description="Fits parameters of search by duplicate matches, two seats against two, "
        "against a field of players; checks the tuned values on walls that the tuner never saw.",
        epilog="The same command goes on with interrupted tuning, from the folder FILE.run, also with more "
        "--generations.")
    parser.add_argument("parameters", nargs="*", metavar="PARAMETER", help="parameters to tune (all)")
    parser.add_argument("--field", nargs="+", default=FIELD, metavar="PLAYER",
                        help="opponents, three or more (%s)" % " ".join(FIELD))
    for name, default, text in (
            ("generations", 20, "number of generations"), ("population", 12, "candidates a generation"),
            ("walls", 32, "walls that every candidate plays against each opponent"),
            ("rounds", 3, "rounds of halving: after each the better half doubles its walls"),
            ("check-walls", 500, "walls of the check at the end")):
        parser.add_argument("--" + name, type=parse_count, default=default, metavar="N", help=text + " (%(default)s)")
    add_workers(parser)
    parser.add_argument("--step", type=float, default=0.15, metavar="SHARE",
                        help="first standard deviation, as a share of a parameter's range (%(default)s)")
    parser.add_argument("--rotations", type=int, choices=(4, 24), default=4,
                        help="seatings a wall: 4, or all 24 (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N",
                        help="seed of the walls and the candidates (%(default)s)")
    parser.add_argument("--json", metavar="FILE", required=True, help="write the run to this file")
    options = parser.parse_args(argv)
    if options.population < _LEAST_POPULATION:
        parser.error("expected %d candidates a generation or more, got %d" % (_LEAST_POPULATION, options.population))
    if not 0 < options.step <= 1:
        parser.error("expected a step above 0 and at most 1, got %g" % options.step)
    return options


def _tune(options, space, field, *, played, bar, run):
    """Fills in the generations, the tuned values and their check; writes the run after each generation."""
    def score(players, first, stop, field=field):
        """Score a game of each player at walls first .. stop - 1, the mean over the opponents, float[P, W]."""
        lineups = [(player, opponent) for player in players for opponent in field]
        known, games = len(set(lineups)) * (stop - first), len(played.match.seatings)
        for count in played.play(lineups, first, stop):
            bar.update(count * games)
            known -= count
        bar.skip(known * games)
        scores = np.array([[played.done[specs][wall][0].score for wall in range(first, stop)] for specs in lineups])
        return scores.reshape(len(players), len(field), -1).mean(axis=1) / played.match.seats_a_wall[0]

    bar.set_postfix_str("generation 1", refresh=False)
    for generation in evolve(space, score, options.generations, population=options.population, walls=options.walls,
                             rounds=options.rounds, step=options.step, seed=options.seed):
        run["generations"].append(generation)
        run["tuned"] = generation["centre"]
        write_dict(options.json, run)
        bar.set_postfix_str("generation %d, best of the last %+.2f" % (
            len(run["generations"]) + 1, generation["candidates"][0]["score"]), refresh=False)
    bar.set_postfix_str("check", refresh=False)
    # Each number of generations has its own check walls.
    first = _CHECKS_FROM + len(run["generations"]) * options.check_walls
    run["check"] = check(score, space.spec(run["tuned"]), field, first=first, stop=first + options.check_walls)


def check(score, tuned, field, *, first, stop):
    """Whether the tuned player is better than the present one against a field, at new walls: a dict for JSON.

    score: function(list of specs, first wall, stop, list of opponents) -> float[P, W], score a game. tuned: spec.
    The gain is the tuned player's score a game less the present one's at the same walls; the values should change if
    its 95% interval is above 0.
    """
    by_opponent = [score([tuned, _TACTIC], first, stop, [opponent]) for opponent in field]
    total = sum(by_opponent) / len(field)
    gain = describe_interval(total[0] - total[1])
    return {
        "first_wall": first, "walls": stop - first, "gain": gain,
        "is_better": gain["low"] is not None and gain["low"] > 0,
        "field": [{"opponent": opponent, "tuned": describe_interval(new), "present": describe_interval(present),
                   "gain": describe_interval(new - present)} for opponent, (new, present) in zip(field, by_opponent)],
    }


def format_run(run):
    """The tuned values and their check, as text."""
    lines = ["%-20s %10s %10s" % ("parameter", "present", "tuned")]
    lines += ["%-20s %10.4g %10.4g" % (entry["name"], entry["present"], run["tuned"][entry["name"]])
              for entry in run["parameters"]]
    checked = run["check"]
    lines += ["", "checked at %d walls, points a game:" % checked["walls"]]
    for entry in checked["field"]:
        lines.append("against %-24s tuned %s, present %s, gain %s" % (
            entry["opponent"], *(format_interval(entry[key]) for key in ("tuned", "present", "gain"))))
    lines += ["gain over the field: %s" % format_interval(checked["gain"]), ""]
    lines.append("The tuned values are better; put them into mj_bot/worth/parameters.py." if checked["is_better"]
                 else "The present values stay: the interval is not above 0.")
    return "\n".join(lines)
