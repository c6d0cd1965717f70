"""Runs `mj-bot replay`, which prints what a tactic would do in logged games, or where two tactics differ."""

from ...tactic import REVIEWER
from ..records.formats import HELP
from ..run.options import Parser, add_json, add_tactic, add_time_limit, parse_count
from ..table.board import parse_seat
from ..table.players import TIME_LIMIT


def main(argv: list[str]) -> int:
    """Replays games. Returns the exit code: 0, or 2 if a game could not be read."""
    parser = Parser(
        prog="mj-bot replay", description="Prints what a tactic would do in logged games. With --against it prints "
        "where two tactics differ: the hand, the points of both actions by each tactic, and the loss of the first "
        "tactic's action by the points of the second, the greatest loss first. After a hand stand the prevalent wind, "
        "the seat's wind and four flags, as `hand` reads them.", epilog=HELP)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="game records, folders of them, or links; a game of "
                        "several as FILE:LINE; - is stdin")
    add_tactic(parser, REVIEWER)
    parser.add_argument("--against", metavar="TACTIC", help="compare with this tactic, not with the log")
    parser.add_argument("--seat", type=parse_seat, metavar="SEAT", help="replay this seat alone: east, 东 or 0")
    parser.add_argument("--game", type=parse_count, metavar="N", help="replay the Nth game alone")
    parser.add_argument("--show", choices=("all", "differences", "none"), help="which decisions are printed; "
                        "differences come last, the greatest loss first (all; with --against differences)")
    add_time_limit(parser, "seconds for an answer of the tactic (%(default)s)", TIME_LIMIT)
    add_json(parser, "write the differences to this file; without FILE print them in place of the text")
    options = parser.parse_args(argv)
    from ..hand.notation import format_hand, read_hand
    from ..review.request_replay import ReplayOptions, replay_paths

    return replay_paths(
        options.paths, options.tactic, options.time_limit,
        write_hand=lambda state: format_hand(read_hand(state), "botzone"),
        options=ReplayOptions(options.against, options.seat, options.game, json_path=options.json,
                              show=options.show or ("differences" if options.against else "all")))
