"""The command `python3 -m mj_bot.lab tune`."""

import argparse
import os
import shlex
import sys
import textwrap
import time

from ...mahjong.errors import MahjongError
from ..batch import has_batch, load_batch
from ..arena.identity import digest_players
from ..run.provenance import find_commit
from .bar import Bar
from .check import check, format_interval
from .evolve import count_played, evolve
from .matches import Matches, count_games
from .run_file import write_run
from .space import Space

FORMAT = "mj_bot tuning"
VERSION = 1
FIELD = ("search", "rule_based", "search:danger=0")
_LEAST_FIELD = 3
_LEAST_POPULATION = 4
# The first wall of the checks, which no generation comes to.
_CHECKS_FROM = 1 << 31
_INTERRUPTED = 130


def main(argv):
    """The command `tune`; returns its exit code, 130 where the keyboard interrupted it."""
    options = _parse_arguments(argv)
    space = Space(options.tactic, options.parameters)
    field = list(dict.fromkeys(options.field))
    if len(field) < _LEAST_FIELD:
        raise MahjongError("expected a field of %d different players or more, got %s" % (
            _LEAST_FIELD, " ".join(field)))
    refuse_unknown([options.tactic, *field])
    sources = digest_players(field)
    run = {
        "format": FORMAT, "version": VERSION, "command": _format_command(options, field), "commits": find_commit(),
        "sources": sources, "seed": options.seed, "rotations": options.rotations, "tactic": options.tactic,
        "field": field,
        "parameters": [dict(bounds._asdict(), name=name, present=getattr(space.present, name))
                       for name, bounds in zip(space.names, space.ranges)],
        "generations": [], "tuned": None, "check": None,
    }
    start = time.monotonic()
    try:
        with Bar(_count_games(options, len(field))) as bar, \
                Matches(options.seed, options.rotations, sources, options.json + ".journal", options.workers,
                        bar.show) as matches:
            _tune(options, space, field, matches, bar, run)
            run["measured"] = {"seconds": round(time.monotonic() - start, 1), "games_played": matches.games_played,
                               "workers": options.workers}
    except KeyboardInterrupt:
        print("tune: interrupted; the same command goes on from there", file=sys.stderr)
        return _INTERRUPTED
    write_run(options.json, run)
    print(format_run(run, space))
    print("The run is saved as %s" % options.json, file=sys.stderr)
    return 0


def refuse_unknown(specs):
    """Refuses players that cannot be batched on the engine. Raises MahjongError."""
    for spec in specs:
        if not has_batch(spec):
            raise MahjongError("expected a tactic with a batch form, got %r" % spec)
        load_batch(spec)


def _parse_arguments(argv):
    parser = argparse.ArgumentParser(
        prog="python3 -m mj_bot.lab tune",
        description="Fits parameters of a tactic by duplicate matches, two seats against two, against a field of "
                    "players; checks the tuned values on walls that the tuner never saw.",
        epilog="Tuning that was broken off goes on with the same command from FILE.journal; with more generations it "
               "goes on from the last one.")
    parser.add_argument("parameters", nargs="*", metavar="PARAMETER", help="to tune (all that may be)")
    parser.add_argument("--tactic", default="search", help="whose parameters (%(default)s)")
    parser.add_argument("--field", nargs="+", default=FIELD, metavar="PLAYER",
                        help="opponents, three or more (%s)" % " ".join(FIELD))
    parser.add_argument("--generations", type=_parse_count, default=20, metavar="N", help="(%(default)s)")
    parser.add_argument("--population", type=_parse_count, default=12, metavar="N",
                        help="candidates a generation (%(default)s)")
    parser.add_argument("--walls", type=_parse_count, default=32, metavar="N",
                        help="that every candidate plays against each opponent (%(default)s)")
    parser.add_argument("--rounds", type=_parse_count, default=3, metavar="N",
                        help="of halving; in each the better half doubles its walls (%(default)s)")
    parser.add_argument("--step", type=float, default=0.15, metavar="SHARE",
                        help="first deviation, of a parameter's range (%(default)s)")
    parser.add_argument("--check-walls", type=_parse_count, default=500, metavar="N",
                        help="of the last check (%(default)s)")
    parser.add_argument("--rotations", type=int, choices=(4, 24), default=4,
                        help="seatings a wall: the short form, or all (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the walls and the candidates (%(default)s)")
    parser.add_argument("--workers", type=_parse_count, default=os.cpu_count() or 1, metavar="N",
                        help="processes (%(default)s)")
    parser.add_argument("--json", metavar="FILE", required=True, help="write the run")
    options = parser.parse_args(argv)
    if options.population < _LEAST_POPULATION:
        parser.error("expected %d candidates a generation or more, got %d" % (_LEAST_POPULATION, options.population))
    if not 0 < options.step <= 1:
        parser.error("expected a step above 0 and at most 1, got %g" % options.step)
    if not os.path.isdir(os.path.dirname(options.json) or "."):
        parser.error("expected a file in a folder that is there, got %r" % options.json)
    return options


def _parse_count(text):
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("expected 1 or more, got %r" % text)
    return count


def _format_command(options, field):
    """The command that gives the same, wherever it is run."""
    words = ["python3", "-m", "mj_bot.lab", "tune", *options.parameters, "--tactic", options.tactic, "--field", *field]
    for name in ("generations", "population", "walls", "rounds", "step", "check_walls", "rotations", "seed"):
        words += ["--" + name.replace("_", "-"), "%g" % getattr(options, name)]
    return shlex.join(words)


def _count_games(options, opponents):
    walls = options.generations * count_played(options.population, options.walls, options.rounds)
    # The check seats two players.
    return (walls + 2 * options.check_walls) * opponents * count_games(options.rotations)


def _tune(options, space, field, matches, bar, run):
    """Fills in the generations, the tuned values and their check; writes the run after each generation."""
    bar.tell("generation 1")
    for generation in evolve(space, lambda specs, first, stop: matches.scores(specs, field, first, stop),
                             options.generations, options.population, options.walls, options.rounds, options.step,
                             options.seed):
        run["generations"].append(dict(
            generation._asdict(), candidates=[candidate._asdict() for candidate in generation.candidates]))
        run["tuned"] = generation.centre
        write_run(options.json, run)
        best = generation.candidates[0]
        bar.tell("generation %d, best of the last %+.2f" % (len(run["generations"]) + 1, best.score))
    bar.tell("check")
    # Runs of more generations check their values on walls of their own.
    first = _CHECKS_FROM + len(run["generations"]) * options.check_walls
    run["check"] = check(matches.scores, space.spec(run["tuned"]), options.tactic, field, first,
                         first + options.check_walls)


def format_run(run, space):
    """What came out, as text: the values, the check, and the lines to put in place where they are better."""
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
    tuned = space.present._replace(**run["tuned"])
    fields = ", ".join("%s=%r" % item for item in tuned._asdict().items()) + ","
    return "\n".join(lines + [
        "The tuned values are better; they belong where the present ones stand:", "", "PARAMETERS = Parameters(",
        textwrap.fill(fields, 120, initial_indent="    ", subsequent_indent="    ", break_long_words=False), ")"])
