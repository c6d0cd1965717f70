"""The command `mj-bot review`: games as pages and as JSON, with a tactic's opinion of every decision."""

from ..records.formats import HELP
from ..run.command import parse_time
from ..review import JUDGES
from ..table.board import parse_seat
from ..table.players import TIME_LIMIT
from ..words import Parser

# The value of --tactic for games without a review.
NO_TACTIC = "none"


def main(argv):
    """Returns the exit code: 2 where a record breaks, 130 after an interrupt."""
    parser = Parser(
        prog="mj-bot review", description="Makes a page of a recorded game for a browser without a network: the table "
        "step by step, and the action that a tactic would choose at every decision.",
        epilog="Several games give a table, and -o names a folder. A broken record is shown up to the error. " + HELP)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="game records, folders of them, or links to matches "
                        "of Botzone and hands or sessions of tziakcha.net; - is stdin")
    parser.add_argument("--tactic", default=JUDGES, metavar="TACTIC[,TACTIC]",
                        help="the judges, tactics with their options: a mistake counts where all see one, and the last "
                        "one explains it; %s shows the game alone (%%(default)s)" % NO_TACTIC)
    parser.add_argument("--time-limit", type=parse_time, default=TIME_LIMIT, metavar="S",
                        help="seconds for an answer of the tactic (%(default)s)")
    parser.add_argument("--seat", type=parse_seat, help="review this seat alone: east, 东 or 0")
    parser.add_argument("--player", metavar="NAME", help="open every page at the seat of this player")
    parser.add_argument("--chaga", action="store_true", help="show the advice of CHAGA too, which reviews sessions of "
                        "tziakcha.net")
    parser.add_argument("--game", type=int, metavar="N", help="review the Nth game alone")
    parser.add_argument("-o", "--output", metavar="PATH", help="where to write the page, or the pages of several games")
    parser.add_argument("--no-library", action="store_true", help="leave the library alone, see `library`")
    parser.add_argument("--json", metavar="FILE", help="where to write the reviews as JSON; - is stdout")
    options = parser.parse_args(argv)
    from ..review.report import review_paths

    return review_paths(
        options.paths, "" if options.tactic == NO_TACTIC else options.tactic, options.time_limit, seat=options.seat,
        player=options.player, number=options.game, asks_chaga=options.chaga, output=options.output,
        json_path=options.json, is_kept=not options.no_library)
