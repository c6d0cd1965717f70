"""The command `mj-bot replay`: the actions of a tactic at each decision of logged games."""

import argparse

from ...tactic import REVIEWER
from ..records.formats import HELP
from ..run.command import parse_time
from ..table.board import parse_seat
from ..table.players import TIME_LIMIT


def main(argv):
    """Returns the exit code, 2 where a game could not be read."""
    parser = argparse.ArgumentParser(
        prog="mj-bot replay", description="Prints what a tactic would do in logged games.", epilog=HELP)
    parser.add_argument("paths", nargs="+", metavar="PATH", help="game records, or folders of them; - is stdin")
    parser.add_argument("--tactic", default=REVIEWER, help="a tactic with its options (%(default)s)")
    parser.add_argument("--seat", type=parse_seat, help="replay this seat alone: east, 东 or 0")
    parser.add_argument("--show", choices=("all", "differences", "none"), default="all",
                        help="which decisions are printed (%(default)s)")
    parser.add_argument("--time-limit", type=parse_time, default=TIME_LIMIT, metavar="S",
                        help="seconds for an answer of the tactic (%(default)s)")
    options = parser.parse_args(argv)
    from ..review.replay import replay_paths

    return replay_paths(options.paths, options.tactic, options.time_limit, seat=options.seat, show=options.show)
