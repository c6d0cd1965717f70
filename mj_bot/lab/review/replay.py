"""The command `replay`: the actions of a tactic at each decision of logged games."""

import argparse
import sys
from collections import Counter

from ...mahjong.action import format_action
from ...mahjong.errors import MahjongError, TacticError
from ...tactic import REVIEWER
from ..records.formats import HELP
from ..records.source import list_files, read_games
from ..run.command import parse_time
from ..table.board import parse_seat
from ..table.players import TIME_LIMIT, make_tactic_player
from .decisions import compare, replay


def main(argv):
    """The command line; returns its exit code, 2 where a game could not be read."""
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
    make_tactic_player(options.tactic, options.time_limit)
    counts = Counter()
    broken = 0
    for path in list_files(options.paths, may_read_stdin=True):
        for game in read_games(path):
            if game.error:
                broken += 1
                print("%s: %s" % (game.where, game.error), file=sys.stderr)
            for transcript in game.transcripts:
                if options.seat in (None, transcript.seat):
                    where = "%s seat %s" % (game.where, transcript.seat)
                    try:
                        _replay_one(transcript, where, options, counts=counts)
                    except TacticError:
                        raise
                    except MahjongError as error:
                        if not game.error:
                            broken += 1
                            print("%s: %s" % (where, error), file=sys.stderr)
    print(_format_agreement(counts))
    if broken:
        print("%d transcripts or files are broken, see above" % broken, file=sys.stderr)
    return 2 if broken else 0


def _replay_one(transcript, where, options, *, counts):
    """Replays and prints one transcript. counts: of (kind of the logged action, agreement)."""
    for decision in replay(transcript, make_tactic_player(options.tactic, options.time_limit)):
        agreement = compare(decision.logged, decision.chosen)
        if agreement:
            counts[decision.logged[0], agreement] += 1
        if options.show == "all" or (options.show == "differences" and agreement != "same"):
            print("%s request %d %r: logged %s, %s chose %s%s" % (
                where, decision.index, decision.request,
                format_action(decision.logged) if decision.logged else "nothing", options.tactic,
                format_action(decision.chosen), "; " + decision.reasons if decision.reasons else ""))


def _format_agreement(counts):
    """A table by kind of the logged action: decisions, shares of the same kind and of the same action."""
    lines = ["logged    decisions  same kind  same action"]
    for kind in sorted({kind for kind, _ in counts}) + ["all"]:
        total, same_kind, same = (
            sum(count for (logged, agreement), count in counts.items()
                if kind in (logged, "all") and agreement in agreements)
            for agreements in (("same", "kind", "other"), ("same", "kind"), ("same",)))
        shares = tuple(100.0 * count / max(1, total) for count in (same_kind, same))
        lines.append("%-8s  %9d  %8.1f%%  %10.1f%%" % ((kind, total) + shares))
    return "\n".join(lines)
