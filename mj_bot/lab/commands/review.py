"""Runs `mj-bot review`, which writes games as pages or JSON, with a tactic's opinion of every decision."""

from ..records.formats import HELP
from ..review import JUDGES
from ..run.options import PlayerParser, add_json, add_output, add_tactic, add_time_limit, parse_count
from ..table.board import parse_seat
from ..table.players import TIME_LIMIT
from ..words import say

# The value of --tactic for games without a review.
NO_TACTIC = "none"


def main(argv: list[str]) -> int:
    """Reviews games. Returns the exit code: 0, or 2 if a record breaks, 130 after an interrupt."""
    parser = PlayerParser(
        prog="mj-bot review", description="Makes a page of a recorded game for a browser without a network: the table "
        "step by step, and the action that a tactic would choose at every decision.",
        epilog=say("Several games give a table, and -o names a folder. A broken record is shown up to the error. %s",
                   HELP))
    parser.add_argument("paths", nargs="+", metavar="PATH", help="game records, folders of them, or links to matches "
                        "of Botzone and hands or sessions of tziakcha.net; - is stdin")
    add_tactic(parser, JUDGES, say(
        "the judges, tactics with their options: the value of an action is the mean of their points; %s shows the game "
        "alone (%%(default)s)", NO_TACTIC), metavar="TACTIC[,TACTIC]")
    add_time_limit(parser, "seconds for an answer of the tactic (%(default)s)", TIME_LIMIT)
    parser.add_argument("--seat", type=parse_seat, metavar="SEAT", help="review this seat alone: east, 东 or 0")
    parser.add_argument("--player", metavar="NAME", help="open every page at the seat of this player")
    parser.add_argument("--chaga", action="store_true", help="show the advice of CHAGA too, which reviews sessions of "
                        "tziakcha.net")
    parser.add_argument("--game", type=parse_count, metavar="N", help="review the Nth game alone")
    add_output(parser, "where to write the page, or the pages of several games", "PATH", required=False)
    parser.add_argument("--no-library", action="store_true", help="do not save to the library")
    add_json(parser, "write the reviews to this file as JSON; without FILE print them so")
    options = parser.parse_args(argv)
    from ..review.report import ReviewOptions, review_paths

    return review_paths(
        options.paths, "" if options.tactic == NO_TACTIC else options.tactic, options.time_limit, ReviewOptions(
            seat=options.seat, player=options.player, game_number=options.game, asks_chaga=options.chaga,
            output=options.output, json_path=options.json, is_kept=not options.no_library))
