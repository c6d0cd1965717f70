"""Runs the commands of `mj-bot fit`, which fit numbers by playing and compare them with games."""

import contextlib
import sys
from functools import partial
from pathlib import Path

from ..run.command import format_command
from ..run.options import STDOUT, Parser, add_json, add_output, add_seed, add_workers, parse_count

_JUDGES = ("cnn", "search")  # of `fit verdict` without --judges
_STORED = ("write %s into this file, and keep its other fits; the bot reads worth/fitted.json of the package; "
           "without FILE print JSON in place of the text")


def main(argv: list[str]) -> int:
    """Runs one of the commands. Returns the exit code."""
    options = _make_parser().parse_args(argv)
    return vars(options).pop("run")(options)


def _make_parser():
    """Returns the parser of a command line."""
    parser = Parser(prog="mj-bot fit", description="Fits numbers by playing.",
                    epilog="The commands with a folder go on with an interrupted run.")
    calibrate = parser.add_command(
        "calibrate", _calibrate, "fit danger, arrivals and points of the search",
        description="Plays the search against itself and fits numbers of worth/fitted.json to the games.")
    calibrate.add_argument("--games", type=parse_count, default=2000, metavar="N",
                           help="games of self-play (%(default)s)")
    add_seed(calibrate, "of the first wall (%(default)s)")
    add_json(calibrate, _STORED % "the fitted numbers")
    correction = parser.add_command(
        "correction", _fit_correction, "fit the correction of the search's points",
        description="The search plays itself and draws its actions at random. Their results fit a correction of its "
        "points, see worth/correction.py of the package.")
    _add_games(correction, 200_000, "in all, rounded up to whole parts (%(default)s)", seed=2_000_000)
    correction.add_argument("--rounds", type=parse_count, default=2, metavar="N", help="the search plays the first "
                            "round without correction, each later one with the weights fitted so far (%(default)s)")
    add_json(correction, _STORED % "the weights")
    verdict = parser.add_command(
        "verdict", _fit_verdict, "fit the one value by which `review` judges",
        description="A judge plays itself, and some actions are drawn at random. What they cost fits the weights of "
        "two judges, their errors, and what a difference from the best action costs. A slope of 1 means that points "
        "are true.")
    _add_games(verdict, 100_000)
    verdict.add_argument("--judges", nargs=2, default=_JUDGES, metavar="TACTIC", help="tactics whose evaluate gives "
                         "points; the first plays (%s)" % " ".join(_JUDGES))
    add_json(verdict, _STORED % "the fitted numbers" + "; cnn reads its error in the card of its weights")
    books = parser.add_command(
        "books", _measure_books, "compare the losses that `review` sees with scores",
        description="Plays one seat of a player against three `cnn`, and adds up what its decisions lose. The sum "
        "should be what the player scores less than `cnn`.")
    books.add_argument("players", nargs="+", metavar="PLAYER", help="players that choose many actions at once, such as "
                       "rule_based or FILE.py")
    _add_games(books, 8192)
    add_json(books, "write the tables to this file; without FILE print JSON in place of the text")
    return parser


def _add_games(parser, games, text="in all, rounded up to a multiple of 256 (%(default)s)", seed=0):
    """Adds the options of a run of games to a parser. games, seed: defaults. text: help of --games."""
    add_output(parser, "folder of the run")
    parser.add_argument("--games", type=parse_count, default=games, metavar="N", help=text)
    add_seed(parser, "of walls and draws (%(default)s)", seed)
    add_workers(parser)


def _print_unless_json(path):
    """Returns a context that sends the text to stderr if JSON goes to stdout. path: the value of --json."""
    return contextlib.redirect_stdout(sys.stderr) if path == STDOUT else contextlib.nullcontext()


def _fit(options, fit, show, *words, keys=("games", "seed"), judge=""):
    """Fits by fit(**settings), prints show(result), and stores the result with the command. Returns exit code 0."""
    from ..fit.fitted_file import check_fits, store_fit

    check_fits(options.json)
    settings = {name: getattr(options, name) for name in keys}
    folder = {"output": Path(options.output).name} if "output" in options else {}
    with _print_unless_json(options.json):
        result = fit(**settings)
        print(show(result))
    store_fit(options.json, words[0] + judge, result, command=format_command("fit", *words, **folder, **settings),
              seed=options.seed)
    return 0


def _calibrate(options):
    from ..fit.calibrate import calibrate, format_numbers

    return _fit(options, calibrate, format_numbers, "calibrate")


def _fit_correction(options):
    from ..fit.correction_fit import fit_correction, format_result

    return _fit(options, partial(fit_correction, options.output, workers=options.workers), format_result, "correction",
                keys=("games", "rounds", "seed"))


def _fit_verdict(options):
    from ..fit.verdict_fit import fit_verdict, format_verdict, name_judges

    fit = partial(fit_verdict, options.judges, folder=options.output, workers=options.workers)
    judges = [] if options.judges == _JUDGES else ["--judges", *options.judges]
    return _fit(options, fit, format_verdict, "verdict", *judges, judge=" " + name_judges(options.judges)[0])


def _measure_books(options):
    """Compares the losses of players with their scores, and stores the table. Returns exit code 0."""
    from ..fit.books import format_books, measure_books
    from ..run.files import check_output, write_json
    from ..run.provenance import read_commit

    check_output(options.json)
    books = {player: measure_books(player, options.games, folder=str(Path(options.output) / ("%d" % index)),
                                   seed=options.seed, workers=options.workers)
             for index, player in enumerate(options.players)}
    with _print_unless_json(options.json):
        print(format_books(books))
    command = format_command("fit", "books", *options.players, output=Path(options.output).name, games=options.games,
                             seed=options.seed)
    write_json(options.json, dict(command=command, seed=options.seed, **read_commit(), players=books))
    return 0
