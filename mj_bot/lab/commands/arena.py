"""Runs `mj-bot arena`, which plays duplicate matches, and `mj-bot arena ratings`.

`mj-bot arena ratings` puts the players of several matches on one scale.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial

from ..arena.columns import LEGEND
from ..run.command import format_command
from ..run.options import (
    STDOUT, Parser, add_json, add_memory_limit, add_seed, add_time_limit, add_workers, parse_count,
    parse_positive, parse_whole)
from ..table.players import TIME_LIMIT
from ..words import say

_DEFAULT_WALLS = 100
# A match that --until or --sprt ends has at most this many walls, unless --walls gives another number.
_MOST_WALLS = 1_000_000


def main(argv: list[str]) -> int:
    """Plays a match, or rates the players of several. Returns exit code 0."""
    if argv[:1] == ["ratings"]:
        return _rate(argv[1:])
    options = _make_parser().parse_args(argv)
    from ..arena.run_match import prepare_match

    return run_arena(options, partial(prepare_match, rules=options.rules, by_referee=options.referee), "arena")


def run_arena(options: argparse.Namespace, prepare: Callable, *command: str) -> int:
    """Plays a match, prints its tables and writes its result. Returns exit code 0.

    options: those of add_match_options. prepare: function(Match) that returns what run_match.prepare_match returns.
    command: first words of the command line that repeats the match.
    """
    from ..arena.result import build_result, check_comparable, check_result, compare_with_former, read_result
    from ..arena.run_match import PlayedWalls, run_match
    from ..arena.schedule import make_match
    from ..run.files import check_output

    match = make_match(options.players, seed=options.seed, rotations=options.rotations, time_limit=options.time_limit,
                       memory_limit=options.memory_limit)
    rule, wall_count = _read_length(options)
    fingerprint, runner, probe = prepare(match)
    check_output(options.json)
    check_output(options.picture, ("\x89PNG", "<", "%PDF"))
    is_kept = options.json not in (None, STDOUT)
    if is_kept:
        check_result(options.json, fingerprint)
    former = read_result(options.compare) if options.compare else None
    if former:
        check_comparable(former, fingerprint, wall_count, rule=rule)
    if options.picture:
        from ..arena import picture  # noqa: F401  this reports a missing package before the match
    memory_mb = probe()
    folder = options.json + ".run" if is_kept else None
    with PlayedWalls(match, fingerprint, folder, workers=options.workers, ray_address=options.ray,
                     runner=runner) as played:
        board, measured = run_match(played, wall_count, rule)
    result = build_result(board, command=_format_command(command, options, wall_count), fingerprint=fingerprint,
                          measured=measured, memory_mb=memory_mb)
    if former:
        result["comparison"] = compare_with_former(result, former)
    _show_result(result, options)
    return 0


def _read_length(options):
    """Returns (rule that ends the match or None, greatest number of walls)."""
    from ...mahjong.errors import MahjongError
    from ..arena.schedule import MAX_WALLS
    from ..arena.stopping import Sprt, Until

    rule = Until(options.until) if options.until else Sprt(*options.sprt) if options.sprt else None
    wall_count = (_MOST_WALLS if rule else _DEFAULT_WALLS) if options.walls is None else options.walls
    if not 1 <= wall_count <= MAX_WALLS:
        raise MahjongError("expected 1 .. %d walls, got %d", MAX_WALLS, wall_count)
    return rule, wall_count


def _show_result(result, options):
    """Prints the tables of a result, writes its file and draws its picture, if the options ask for them."""
    from ..arena.result import format_tables
    from ..run.files import write_dict

    if options.json != STDOUT:
        print(format_tables(result))
    if options.json:
        write_dict(options.json, result)
    if options.json not in (None, STDOUT):
        print("The result is saved as %s" % options.json, file=sys.stderr)
    if options.picture:
        from ..arena.picture import draw_result  # this takes a second, and workers do not need it

        draw_result(result, options.picture)
        print("The picture is saved as %s" % options.picture, file=sys.stderr)


def _make_parser():
    """Returns the parser of a command line."""
    parser = Parser(
        prog="mj-bot arena", description="Plays a duplicate match: every wall in all seatings of the players.",
        epilog="A player is a tactic (search:danger=4.4) or the command of an outside bot, written as for `referee`. "
        "Two players have two seats each; of four, equal ones are one player. With --json FILE, the same command goes "
        "on with an interrupted match, from the folder FILE.run. `arena ratings FILE ...` rates the players of several "
        "matches on one scale.\n\nThe columns. " + LEGEND)
    add_match_options(parser)
    parser.add_argument("--rules", choices=("botzone", "tziakcha"), default="botzone",
                        help="of the game; by those of tziakcha all seats draw from one wall (%(default)s)")
    parser.add_argument("--referee", action="store_true", help="play all games by the referee, none by the engine")
    return parser


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """Adds the players and the options of a match to a parser, apart from those of its rules."""
    parser.add_argument("players", nargs="+", metavar="PLAYER", help="two or four players")
    parser.add_argument("--walls", type=parse_count, metavar="N",
                        help="number of walls, the most with --until or --sprt (%d)" % _DEFAULT_WALLS)
    add_seed(parser, "of the walls (%(default)s)", type=parse_whole)
    parser.add_argument("--rotations", type=parse_count, choices=(4, 24), default=24,
                        help="seatings a wall: all 24, or 4 of them (%(default)s)")
    add_time_limit(parser, "seconds a turn; a bot's first turn has twice and a tactic's constructor five times as long "
                   "(%(default)s)", TIME_LIMIT)
    add_memory_limit(parser)
    rules = parser.add_mutually_exclusive_group()
    rules.add_argument("--until", type=parse_positive, metavar="POINTS",
                       help="play until the 95%% interval of every difference is +-POINTS a game or narrower")
    rules.add_argument("--sprt", type=_parse_bounds, metavar="LOW,HIGH",
                       help="play until a sequential test decides whether the first player's score a game less the "
                            "second's is at least HIGH (better) or at most LOW (worse), each by mistake in 5%% of "
                            "matches; --sprt=-1,1 for a negative LOW")
    add_workers(parser)
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster; auto finds the one of this machine")
    add_json(parser, "write the result to this file; without FILE print it in place of the tables")
    parser.add_argument("--compare", metavar="FILE", help="compare the first player with the first player of this "
                        "result, in the same seats at the same walls")
    parser.add_argument("--picture", metavar="FILE", type=_parse_picture, help="draw the result: .png, .svg or .pdf")


def _parse_bounds(text):
    """Returns the two numbers of a text LOW,HIGH. Raises argparse.ArgumentTypeError: the text is not of this form."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(say("expected two numbers LOW,HIGH, got %r", text)) from None
    return low, high


def _parse_picture(text):
    """Returns the text, the path of a picture. Raises argparse.ArgumentTypeError: the ending is not of a picture."""
    if not text.endswith((".png", ".svg", ".pdf")):
        raise argparse.ArgumentTypeError(say("expected a name that ends in .png, .svg or .pdf, got %r", text))
    return text


def _format_command(command, options, wall_count):
    """Returns the command that repeats the match, without options that do not change the result."""
    defaults = {"rules": "botzone", "settings": "", "time_limit": TIME_LIMIT, "memory_limit": None, "compare": None,
                "until": None}
    given = {name: "%g" % value if isinstance(value, float) else value for name, value in vars(options).items()
             if value != defaults.get(name, value)}
    # A negative bound would be read as an option.
    sprt = ["--sprt=%g,%g" % options.sprt] if options.sprt else []
    return format_command(*command, *options.players, *sprt, walls=wall_count, seed=options.seed,
                          rotations=options.rotations, **given)


def _rate(argv):
    """Prints the ratings of all players of several results. Returns exit code 0."""
    parser = Parser(
        prog="mj-bot arena ratings", description="Rates all players of several arena results on one scale.",
        epilog="Players of the same name are one player; walls of the same seed are the same walls.")
    parser.add_argument("results", nargs="+", metavar="FILE", help="a result that `arena --json` wrote")
    options = parser.parse_args(argv)
    from ..arena.columns import describe_confidence, format_interval
    from ..arena.result import read_result
    from ..arena.results import pool_wins
    from ..arena.verdict import MIN_RATED_WALLS, ratings
    from ..table.players import shorten

    results = [read_result(path) for path in options.results]
    names, wins = pool_wins(results)
    rated = sorted(zip(ratings(wins), names), key=lambda item: -item[0].mean)
    has_rule = any(result["rule"] for result in results)
    width = max(len("player"), *(len(shorten(name)) for name in names))
    print("%-*s  Elo%s" % (width, "player", "" if has_rule else " (95% interval)"))
    for rating, name in rated:
        figures = describe_confidence(rating, has_ends=not has_rule)
        print("%-*s  %s" % (width, shorten(name), format_interval(figures, spec="+.1f")))
    if not has_rule and not rated[0][0].low < rated[0][0].high:
        print("No intervals: a player has games at fewer than %d walls, or all walls are equal." % MIN_RATED_WALLS)
    if has_rule:
        print("No intervals: --sprt or --until ended a match, and stopping early biases them.")
    return 0
