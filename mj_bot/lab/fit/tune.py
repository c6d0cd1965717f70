"""The command `python3 -m mj_bot.lab tune`."""

import argparse
import os
import sys
import time

import numpy as np

from ...mahjong.errors import MahjongError
from ..arena.columns import describe_interval, format_interval
from ..arena.run_match import PlayedWalls
from ..arena.fingerprint import digest_players
from ..arena.schedule import make_match
from ..run.command import format_command, interruptible, parse_count
from ..run.files import check_folder_of, write_dict
from ..run.progress import Progress
from ..run.provenance import read_commit
from ..table.choosers import has_choose, load_chooser
from .evolve import count_played, evolve
from .space import Space

FORMAT = "mj_bot tuning"
VERSION = 1
FIELD = ("search", "rule_based", "search:danger=0")
_LEAST_FIELD = 3
_LEAST_POPULATION = 4
# The first wall of the checks, which no generation comes to.
_CHECKS_FROM = 1 << 31


@interruptible("tune")
def main(argv):
    """The command `tune`; returns its exit code."""
    options = _parse_arguments(argv)
    space = Space(options.tactic, options.parameters)
    field = list(dict.fromkeys(options.field))
    if len(field) < _LEAST_FIELD:
        raise MahjongError("expected a field of %d different players or more, got %s" % (
            _LEAST_FIELD, " ".join(field)))
    refuse_unknown([options.tactic, *field])
    check_folder_of(options.json)
    match = make_match([options.tactic, field[0]], seed=options.seed, rotations=options.rotations)
    sources = digest_players(field)
    run = {
        "format": FORMAT, "version": VERSION, "command": _format_command(options, field), "commits": read_commit(),
        "sources": sources, "seed": options.seed, "rotations": options.rotations, "tactic": options.tactic,
        "field": field,
        "parameters": [dict(bounds._asdict(), name=name, present=getattr(space.present, name))
                       for name, bounds in zip(space.names, space.ranges)],
        "generations": [], "tuned": None, "check": None,
    }
    start = time.monotonic()
    fingerprint = {"seed": options.seed, "rotations": options.rotations, "sources": sources}
    # All games so far make the rate: the matches of a generation take different times.
    with Progress(_count_games(options, len(field), match), smoothing=0) as bar, \
            PlayedWalls(match, fingerprint, options.json + ".journal", workers=options.workers) as played:
        _tune(options, space, field, played=played, bar=bar, run=run)
    run["measured"] = {"seconds": round(time.monotonic() - start, 1), "games_played": played.games_played,
                       "workers": options.workers}
    write_dict(options.json, run)
    print(format_run(run, space))
    print("The run is saved as %s" % options.json, file=sys.stderr)
    return 0


def refuse_unknown(specs):
    """Refuses players that cannot play on the engine. Raises MahjongError."""
    for spec in specs:
        if not has_choose(spec):
            raise MahjongError("expected a tactic with the method choose, got %r" % spec)
        load_chooser(spec)


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab tune",
        description="Fits parameters of a tactic by duplicate matches, two seats against two, against a field of "
                    "players; checks the tuned values on walls that the tuner never saw.",
        epilog="The same command goes on with tuning that was interrupted, from FILE.journal; with more --generations "
               "it goes on after the last one.")
    parser.add_argument("parameters", nargs="*", metavar="PARAMETER", help="what to tune (all parameters)")
    parser.add_argument("--tactic", default="search", help="tactic to tune (%(default)s)")
    parser.add_argument("--field", nargs="+", default=FIELD, metavar="PLAYER",
                        help="opponents, three or more (%s)" % " ".join(FIELD))
    parser.add_argument("--generations", type=parse_count, default=20, metavar="N",
                        help="number of generations (%(default)s)")
    parser.add_argument("--population", type=parse_count, default=12, metavar="N",
                        help="candidates a generation (%(default)s)")
    parser.add_argument("--walls", type=parse_count, default=32, metavar="N",
                        help="walls that every candidate plays against each opponent (%(default)s)")
    parser.add_argument("--rounds", type=parse_count, default=3, metavar="N",
                        help="rounds of halving: after each the better half doubles its walls (%(default)s)")
    parser.add_argument("--step", type=float, default=0.15, metavar="SHARE",
                        help="first standard deviation, as a share of a parameter's range (%(default)s)")
    parser.add_argument("--check-walls", type=parse_count, default=500, metavar="N",
                        help="walls of the check at the end (%(default)s)")
    parser.add_argument("--rotations", type=int, choices=(4, 24), default=4,
                        help="seatings a wall: 4, or all 24 (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, metavar="N",
                        help="seed of the walls and the candidates (%(default)s)")
    parser.add_argument("--workers", type=parse_count, default=os.cpu_count() or 1, metavar="N",
                        help="number of processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", required=True, help="write the run to this file")
    options = parser.parse_args(argv)
    if options.population < _LEAST_POPULATION:
        parser.error("expected %d candidates a generation or more, got %d" % (_LEAST_POPULATION, options.population))
    if not 0 < options.step <= 1:
        parser.error("expected a step above 0 and at most 1, got %g" % options.step)
    return options


def _format_command(options, field):
    """The command that gives the same, wherever it is run."""
    words = [*options.parameters, "--tactic", options.tactic, "--field", *field]
    for name in ("generations", "population", "walls", "rounds", "step", "check_walls", "rotations", "seed"):
        words += ["--" + name.replace("_", "-"), getattr(options, name)]
    return format_command("tune", *words)


def _count_games(options, opponents, match):
    walls = options.generations * count_played(options.population, options.walls, options.rounds)
    # The check seats two players.
    return (walls + 2 * options.check_walls) * opponents * len(match.seatings)


def _tune(options, space, field, *, played, bar, run):
    """Fills in the generations, the tuned values and their check; writes the run after each generation."""
    def score(players, field, first, stop):
        return play_field(played, bar, players, field=field, first=first, stop=stop)

    bar.set_postfix_str("generation 1", refresh=False)
    for generation in evolve(space, lambda players, first, stop: score(players, field, first, stop),
                             options.generations, population=options.population, walls=options.walls,
                             rounds=options.rounds, step=options.step,
                             seed=options.seed):
        run["generations"].append(dict(
            generation._asdict(), candidates=[candidate._asdict() for candidate in generation.candidates]))
        run["tuned"] = generation.centre
        write_dict(options.json, run)
        bar.set_postfix_str("generation %d, best of the last %+.2f" % (
            len(run["generations"]) + 1, generation.candidates[0].score), refresh=False)
    bar.set_postfix_str("check", refresh=False)
    # Runs of more generations check their values on walls of their own.
    first = _CHECKS_FROM + len(run["generations"]) * options.check_walls
    run["check"] = check(score, space.spec(run["tuned"]), options.tactic, field, first, first + options.check_walls)


def play_field(played, bar, players, *, field, first, stop):
    """Score a game of each player at walls first .. stop - 1, the mean over the opponents of a field, float[P, W].

    played: run_match.PlayedWalls. bar: Progress over games. players, field: lists of specs.
    """
    lineups = [(player, opponent) for player in players for opponent in field]
    known, games = len(set(lineups)) * (stop - first), len(played.match.seatings)
    for count in played.play(lineups, first, stop):
        bar.update(count * games)
        known -= count
    bar.skip(known * games)
    scores = np.array([[played.done[specs][wall][0].score for wall in range(first, stop)] for specs in lineups])
    return scores.reshape(len(players), len(field), -1).mean(axis=1) / played.match.seats_a_wall[0]


def check(score, tuned, present, field, first, stop):
    """Whether tuned values are better than the present ones against a field, at walls that the tuner never saw: a dict
    for JSON.

    score: function(list of specs, list of opponents, first wall, stop) -> float[P, W], score a game.
    tuned, present: specs. The gain is the tuned one's score a game less the present one's at the same walls; with its
    95% interval above 0 the values are to change.
    """
    by_opponent = [score([tuned, present], [opponent], first, stop) for opponent in field]
    total = sum(by_opponent) / len(field)
    gain = describe_interval(total[0] - total[1])
    return {
        "first_wall": first, "walls": stop - first, "gain": gain,
        "is_better": gain["low"] is not None and gain["low"] > 0,
        "field": [{
            "opponent": opponent, "tuned": describe_interval(tuned_scores),
            "present": describe_interval(present_scores), "gain": describe_interval(tuned_scores - present_scores),
        } for opponent, (tuned_scores, present_scores) in zip(field, by_opponent)],
    }


def format_run(run, space):
    """What came out, as text: the values and the check."""
    lines = ["%-20s %10s %10s" % ("parameter", "present", "tuned")]
    lines += ["%-20s %10.4g %10.4g" % (name, getattr(space.present, name), run["tuned"][name]) for name in space.names]
    checked = run["check"]
    lines += ["", "checked at %d walls, points a game:" % checked["walls"]]
    for entry in checked["field"]:
        lines.append("against %-24s tuned %s, present %s, gain %s" % (
            entry["opponent"], *(format_interval(entry[key]) for key in ("tuned", "present", "gain"))))
    lines += ["gain over the field: %s" % format_interval(checked["gain"]), ""]
    if not checked["is_better"]:
        return "\n".join(lines + ["The present values stay: the interval does not lie above 0."])
    return "\n".join(lines + ["The tuned values are better; they belong into mj_bot/worth/parameters.py."])
